//===- Places.h - which element a place is -------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Questions about places in loops, for the reversal and for loads that may be
/// repeated.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_PLACES_H
#define GPUAD_TRANSFORM_PLACES_H

#include "ir/ValueForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::transform {

/// Whether a place is another element in every iteration of the loop that counts iv:
/// its index is iv plus or times constants, plus what the loop does not touch.
bool differsByIteration(const ir::Expr &place, const ir::LoopItem &loop);

/// Finds loads that the walk had to take for stale (the loop stores to the array),
/// and that read what was there on entry after all: x[i] = f(x[i]) for each i.
void reclassifyLoads(ir::ValueFunction &function);

/// Whether a and b, in memory of one base, are different fields of structs of one type:
/// then they never overlap, whatever their indices are.
bool differByField(const ir::Expr &a, const ir::Expr &b);

/// Every place that e loads from, the largest ones, and what their indices load.
void forEachLoad(const ir::Expr &e, llvm::function_ref<void(const ir::Expr &)> visit);
bool isPlace(const ir::Expr &e);

/// A loop over the indices of an array, with a counter of the function's.
ir::Stmt forEachIndex(ir::Function &owner, const ir::Type &array, const char *name,
                      llvm::function_ref<std::vector<ir::Stmt>(const ir::Expr &)> body);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_PLACES_H
