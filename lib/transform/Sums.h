//===- Sums.h - looking into sums ----------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `x + rest` with the addend x taken out: how increments are recognised, in memory
/// (y[i] = y[i] + e) and in loop-carried values (s = s + e).
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_SUMS_H
#define GPUAD_TRANSFORM_SUMS_H

#include "ir/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::transform {

/// `e` without the first addend for which isAddend holds, when e is a floating-point
/// sum in which it stands with factor one; null otherwise.
ir::Expr withoutAddend(const ir::Expr &e, llvm::function_ref<bool(const ir::Expr &)> isAddend);

/// a + b, with equal terms joined: x * s + x * s is 2 * x * s, and another one makes
/// it 3 * x * s.
ir::Expr addTerms(const ir::Expr &a, const ir::Expr &b);

/// e as a `type`, written out where exactly one of both is half precision: the
/// conversions of those classes are ambiguous among operands.
ir::Expr acrossHalf(const ir::Expr &e, const ir::Type &type);

/// Whether e is positive for all arguments by its form alone: a sum of squares plus a
/// positive constant. `definition` gives the expression of a variable, or null.
bool isPositive(const ir::Expr &e, llvm::function_ref<ir::Expr(ir::Var *)> definition);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_SUMS_H
