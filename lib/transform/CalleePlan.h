//===- CalleePlan.h - which functions get an adjoint of their own --------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one decision about the form of a callee in reverse mode. Most are put in place
/// of their calls: the sweeps then share every value, and proofs see every access. A
/// function gets an adjoint of its own where copies of it would make the output long:
/// it is large, and what is requested of the file comes to it by more than one call.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_CALLEEPLAN_H
#define GPUAD_TRANSFORM_CALLEEPLAN_H

#include "analysis/CalleeShape.h"
#include "transform/Plan.h"

namespace gpuad::transform {

class CalleePlan {
public:
  /// `requests`: all of the file, so that kernels share what they call.
  CalleePlan(const std::vector<Request> &requests, const rules::RuleTable &rules);

  /// Whether calls of the function stay calls, as far as their arguments allow it.
  bool keeps(const ir::Function &callee) const { return kept.count(&callee) != 0; }
  const analysis::CalleeShape &shapeOf(const ir::Function &callee) const { return shapes.of(callee); }

private:
  void count(const std::vector<Request> &requests);

  mutable analysis::CalleeShapes shapes;
  ir::OrderedSet<const ir::Function> kept;
};

/// What one adjoint makes of the plan: calls for which it does not work are put in place
/// after all.
class KeptCalls {
public:
  KeptCalls(const CalleePlan &plan, bool hasActiveConstants) : plan(plan), hasActiveConstants(hasActiveConstants) {}

  bool keeps(const ir::Function &callee, const SourceRange &call) const;
  void putInPlace(const ir::Function &callee, const SourceRange &call) { inPlace.insert({&callee, call.offset}); }
  size_t putInPlaceCount() const { return inPlace.size(); }
  const analysis::CalleeShape &shapeOf(const ir::Function &callee) const { return plan.shapeOf(callee); }

private:
  const CalleePlan &plan;
  bool hasActiveConstants;
  std::set<std::pair<const ir::Function *, unsigned>, ir::InOrder> inPlace;
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_CALLEEPLAN_H
