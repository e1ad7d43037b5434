//===- FinalValues.h - what a loop leaves ----------------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In value form a carried variable is what an iteration starts with, and behind the loop what
/// the last one has left. An index of the one tells nothing about the same index of the other:
/// for proofs, each gets a name.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_FINALVALUES_H
#define GPUAD_ANALYSIS_FINALVALUES_H

#include "analysis/ThreadDependence.h"
#include "ir/ValueForm.h"

#include <memory>

namespace gpuad::analysis {

class FinalValues {
public:
  explicit FinalValues(ThreadDependence &dependence) : dependence(dependence) {}
  /// A walk comes into a loop, and leaves it.
  void enter(const ir::LoopItem &loop);
  void leave(const ir::LoopItem &loop);
  /// The expression, with names of their own for what loops that were left have left.
  ir::Expr here(const ir::Expr &e);

private:
  ThreadDependence &dependence;
  ir::OrderedSet<ir::Var> running; ///< carried by a loop around
  ir::OrderedMap<ir::Var, std::unique_ptr<ir::Var>> finals;
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_FINALVALUES_H
