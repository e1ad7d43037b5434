//===- CalleePlan.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/CalleePlan.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// A function of fewer statements and operations is put in place wherever it is called:
/// its adjoint would be hardly longer than a call.
constexpr unsigned SmallestKept = 48;
/// What copies may add up to before a function gets an adjoint of its own.
constexpr unsigned LargestExpansion = 120;
/// Copies beyond this are all the same.
constexpr unsigned MostCopies = 1000;
} // namespace

CalleePlan::CalleePlan(const std::vector<Request> &requests, const rules::RuleTable &rules) : shapes(rules) {
  count(requests);
}

/// Callers first: how often the text of a function would be repeated follows from what
/// was decided about those that call it.
void CalleePlan::count(const std::vector<Request> &requests) {
  std::vector<const Function *> roots, order;
  for (const Request &request : requests)
    if (request.mode == DerivativeMode::Adjoint)
      roots.push_back(request.primal);
  OrderedSet<const Function> visited;
  std::function<void(const Function &)> visit = [&](const Function &function) {
    if (!visited.insert(&function).second)
      return;
    for (const auto &[callee, sites] : shapes.of(function).sites)
      visit(*callee);
    order.push_back(&function);
  };
  for (const Function *root : roots)
    visit(*root);
  OrderedMap<const Function, unsigned> copies;
  OrderedSet<const Function> rootSet(roots.begin(), roots.end());
  for (const Function *function : llvm::reverse(order)) {
    const analysis::CalleeShape &shape = shapes.of(*function);
    unsigned called = copies[function];
    bool isLong = shape.size >= SmallestKept && called > 1 && shape.size * (called - 1) >= LargestExpansion;
    bool isKept = shape.isSelfContained && (shape.isRecursive || isLong);
    if (isKept)
      kept.insert(function);
    unsigned bodies = (isKept ? 1 : called) + rootSet.count(function);
    for (const auto &[callee, sites] : shape.sites)
      copies[callee] = std::min(copies[callee] + bodies * sites, MostCopies);
  }
}

bool KeptCalls::keeps(const Function &callee, const SourceRange &call) const {
  return (plan.keeps(callee) || callee.writtenAdjoint.function) &&
         !(hasActiveConstants && plan.shapeOf(callee).readsConstants) && !inPlace.count({&callee, call.offset});
}

} // namespace gpuad::transform
