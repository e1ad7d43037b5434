//===- DeadCode.h - removing what nobody reads ---------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Liveness of local variables over structured code, backward. Removes
/// declarations, assignments, adjoint updates, branches and loops whose results
/// nobody reads. In an adjoint this is *adjoint liveness* (Hascoët and Araya-Polo,
/// "The adjoint data-flow analyses", AD 2004): the forward sweep keeps only what
/// the reverse sweep needs, and records only what is recalled.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_DEADCODE_H
#define GPUAD_TRANSFORM_DEADCODE_H

#include "ir/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::transform {

/// A call that says of an array: what it holds so far, nothing will read. Not for printing;
/// `dropMarkers` removes it.
constexpr const char *ForgetMarker = "gpuad::forget";
void dropMarkers(ir::Function &function);

/// What a call does besides giving a value.
enum class CallEffect {
  None,
  Arguments, ///< writes what its arguments lead to by pointers and references, nothing else
  Any        ///< must stay where it is, even when its result is unused
};

/// Replaces function.body.
void eliminateDead(ir::Function &function, llvm::function_ref<CallEffect(const ir::CallExpr &)> effectOf);

/// The arguments that a call may write to: places, arrays, or pointers to memory.
std::vector<ir::Expr> writtenArguments(const ir::CallExpr &call);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_DEADCODE_H
