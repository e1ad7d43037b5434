//===- InlineAccessors.h - calls that name a place -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `view(i)` with `T& operator()(int i) const { return base[i]; }` is a place:
/// functions that only return a reference or pointer are replaced by what they
/// return, so that all later stages see an ordinary access.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_INLINEACCESSORS_H
#define GPUAD_TRANSFORM_INLINEACCESSORS_H

#include "ir/Function.h"

#include <optional>

namespace gpuad::transform {

ir::Stmt inlineAccessors(const ir::Stmt &body);

/// The comparison of two literals; null for all else.
ir::Expr comparedNumbers(ir::BinaryOp op, const ir::Expr &lhs, const ir::Expr &rhs);
/// The truth of a condition that is a constant.
std::optional<bool> knownTruth(const ir::Expr &condition);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_INLINEACCESSORS_H
