//===- AdjointCounts.cpp - trip counts that are recorded ------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loop whose end depends on floating-point arithmetic runs as often again as it ran
/// before: the count lies beside what the loop around records, or in a variable.
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "transform/Counting.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace gpuad::transform {
using namespace ir;

void AdjointBuilder::useCounts(const RepeatedCounts &repeated) {
  counts = &repeated;
  for (const LoopItem *loop : repeated.recorded)
    isCount.insert(loop->trips);
}

/// Whether the count of a loop in it, or of itself, is recorded.
bool AdjointBuilder::holdsCounts(const Item &item) const {
  auto inside = [&](const Region &region) {
    return llvm::any_of(region.items, [&](const auto &one) { return holdsCounts(*one); });
  };
  if (!counts || counts->recorded.empty())
    return false;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return inside(branch->thenRegion) || inside(branch->elseRegion);
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  return loop && (counts->recorded.count(loop) || inside(loop->body));
}

/// Variables for the counts of loops in the arms of a branch that no loop is around.
void AdjointBuilder::declareCountsOf(const BranchItem &item) {
  for (const Region *arm : {&item.thenRegion, &item.elseRegion})
    for (const auto &one : arm->items) {
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()))
        declareCountsOf(*branch);
      auto *loop = llvm::dyn_cast<LoopItem>(one.get());
      if (!loop || !counts->outside.count(loop) || keptCounts.count(loop))
        continue;
      Var *kept = owner.makeVar("trips", intType());
      keptCounts[loop] = kept;
      emit(makeDecl(kept, intLit(0)));
    }
}

/// At the start of an iteration, for inner loops that it may skip.
void AdjointBuilder::clearCounts(const LoopItem &item) {
  if (!counts)
    return;
  for (const LoopItem *loop : counts->guarded)
    if (auto array = recordOf[&item].find(loop->trips); array != recordOf[&item].end())
      emit(recordValue(array->second, iterationHere(item), intLit(0)));
}

/// Behind the loop, where this is the run whose count is to be repeated.
void AdjointBuilder::keepCount(const LoopItem &item, bool isFirstRun) {
  if (!counts || !counts->recorded.count(&item))
    return;
  if (recordingIn) {
    auto array = recordOf[recordingIn].find(item.trips);
    if (array != recordOf[recordingIn].end())
      emit(recordValue(array->second, iterationHere(*recordingIn), makeRef(item.trips)));
  } else if (auto kept = keptCounts.find(&item); kept != keptCounts.end() && isFirstRun) {
    emit(makeAssign(makeRef(kept->second), makeRef(item.trips)));
  }
}

/// How often the loop ran before; null: this run finds out by itself.
Expr AdjointBuilder::countBefore(const LoopItem &item, bool isFirstRun) const {
  if (!counts || !counts->recorded.count(&item))
    return nullptr;
  if (recallingIn) {
    auto loop = recordOf.find(recallingIn);
    if (loop == recordOf.end() || !loop->second.count(item.trips))
      return nullptr;
    return recordedAt(loop->second.at(item.trips), recalledIteration, intType());
  }
  auto kept = keptCounts.find(&item);
  return !recordingIn && !isFirstRun && kept != keptCounts.end() ? makeRef(kept->second) : nullptr;
}

/// The number of the iteration that is run.
Expr AdjointBuilder::iterationHere(const LoopItem &item) const {
  auto counter = counterOf.find(&item);
  return counter == counterOf.end() ? iterationOf(item) : makeRef(counter->second);
}

} // namespace gpuad::transform
