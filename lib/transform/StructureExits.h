//===- StructureExits.h - one exit per construct -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites a function body so that break, continue and return inside nested
/// statements become structured ifs, with a flag only where nesting alone cannot
/// say it. What follows an exit moves into the branch that does not take it:
///
///     if (i >= n) return;          if (i < n) {
///     y[i] = x[i];                   y[i] = x[i];
///                                  }
///
/// A `return e` becomes an assignment to `result`. Loops that can be left early
/// test a flag in their condition.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_STRUCTUREEXITS_H
#define GPUAD_TRANSFORM_STRUCTUREEXITS_H

#include "ir/Function.h"

namespace gpuad::transform {

/// The body with structured exits. New variables are made in `owner`; `result` is
/// set to the variable that holds the returned value (null for void functions).
ir::Stmt structureExits(const ir::Function &function, ir::Function &owner, ir::Var *&result);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_STRUCTUREEXITS_H
