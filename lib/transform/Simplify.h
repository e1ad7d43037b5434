//===- Simplify.h - derivative code as a person would write it -----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Folds temporaries into their only use, forwards copies, joins neighbouring ifs
/// of one condition. Names that the user chose stay.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_SIMPLIFY_H
#define GPUAD_TRANSFORM_SIMPLIFY_H

#include "ir/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::transform {

/// Replaces function.body. `hasEffect` as for eliminateDead().
void simplify(ir::Function &function, llvm::function_ref<bool(const ir::CallExpr &)> hasEffect);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_SIMPLIFY_H
