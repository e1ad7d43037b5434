//===- RepeatedCounts.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/RepeatedCounts.h"

#include "analysis/Rounding.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// What is around a region.
struct Around {
  const LoopItem *loop = nullptr; ///< the innermost one
  bool isSteady = true;           ///< that loop records in the first run, the only one before its reverse
  bool isGuarded = false;         ///< a branch inside it has a condition that may come out differently
};

class Finder {
public:
  Finder(ValueFunction &function, const RecordPlan &plan, RepeatedCounts &counts)
      : function(function), plan(plan), counts(counts), rounding(function) {}
  bool run() {
    visit(function.body, {});
    return hasAdded;
  }

private:
  void visit(Region &region, const Around &around);
  void visitLoop(Region &region, size_t &at, const Around &around);
  void keepBound(Region &region, size_t &at, Expr &bound, const Around &around);
  bool isDefinedIn(const Region &region, const Expr &e) const;
  template <class Set, class Item> void add(Set &to, Item *item) { hasAdded |= to.insert(item).second; }

  ValueFunction &function;
  const RecordPlan &plan;
  RepeatedCounts &counts;
  analysis::Rounding rounding;
  bool hasAdded = false;
};

void Finder::visit(Region &region, const Around &around) {
  for (size_t at = 0; at < region.items.size(); ++at) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(region.items[at].get())) {
      Around inside = around;
      inside.isGuarded |= rounding.mayDiffer(branch->condition);
      visit(branch->thenRegion, inside);
      visit(branch->elseRegion, inside);
    }
    if (region.items[at]->kind == ItemKind::Loop)
      visitLoop(region, at, around);
  }
}

void Finder::visitLoop(Region &region, size_t &at, const Around &around) {
  auto &loop = llvm::cast<LoopItem>(*region.items[at]);
  bool runsOnce = plan.voteChain.count(&region) != 0; // before its reverse
  if (plan.inStack.count(&loop) && rounding.mayDiffer(loop) && (around.loop || !runsOnce)) {
    bool isSteady = around.isSteady;
    if (!loop.isCounted) {
      add(counts.recorded, &loop);
      if (!around.loop)
        counts.outside.insert(&loop);
      else if (around.isGuarded)
        counts.guarded.insert(&loop);
    } else if (around.loop) {
      for (Expr *bound : {&loop.begin, &loop.end, &loop.step})
        keepBound(region, at, *bound, around);
    } else {
      isSteady = false;
    }
    if (!isSteady)
      add(counts.unsteady, &loop);
  }
  visit(loop.body, {&loop, runsOnce, false});
}

/// The bound becomes a value that the loop around records.
void Finder::keepBound(Region &region, size_t &at, Expr &bound, const Around &around) {
  if (!bound || !rounding.mayDiffer(bound) || !isDefinedIn(around.loop->body, bound))
    return;
  if (auto *ref = llvm::dyn_cast<RefExpr>(bound.get()))
    for (const ValueItem *known : counts.bounds)
      if (known->var == ref->var)
        return;
  auto item = std::make_unique<ValueItem>();
  item->range = region.items[at]->range;
  item->var = function.owner->makeVar("bound", withConst(bound->type, false));
  item->expr = bound;
  bound = makeRef(item->var);
  add(counts.bounds, static_cast<const ValueItem *>(item.get()));
  region.items.insert(region.items.begin() + static_cast<std::ptrdiff_t>(at++), std::move(item));
}

bool Finder::isDefinedIn(const Region &region, const Expr &e) const {
  auto names = [&](const Var *var) {
    bool found = false;
    forEachExpr(e, [&](const Expr &one) {
      auto *ref = llvm::dyn_cast<RefExpr>(one.get());
      found |= ref && ref->var == var;
    });
    return found;
  };
  return llvm::any_of(region.items, [&](const auto &item) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      return names(value->var);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      return isDefinedIn(branch->thenRegion, e) || isDefinedIn(branch->elseRegion, e) ||
             llvm::any_of(branch->merges, [&](const Merge &merge) { return names(merge.var); });
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      return isDefinedIn(loop->body, e) ||
             llvm::any_of(loop->carried, [&](const Carried &carried) { return names(carried.var); });
    auto *call = llvm::dyn_cast<CallItem>(item.get());
    return call && llvm::any_of(valuesOf(*call), names);
  });
}
} // namespace

bool addRepeatedCounts(ValueFunction &function, const RecordPlan &plan, RepeatedCounts &counts) {
  return Finder(function, plan, counts).run();
}

} // namespace gpuad::transform
