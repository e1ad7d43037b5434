//===- PutBack.cpp --------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/PutBack.h"

#include "analysis/ThreadDependence.h"
#include "analysis/WarpsApart.h"
#include "ir/Builder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
using analysis::ThreadDependence;

class Keeper {
public:
  Keeper(ValueFunction &function, Var *array, const rules::RuleTable &rules)
      : owner(*function.owner), array(array), dependence(function, rules) {}

  /// Whether one thread alone comes to each store, as far as its place and the conditions around it tell.
  bool isOneThread(const Region &region, ThreadDependence::Mask pinned, std::vector<Expr> guards = {}) {
    return llvm::all_of(region.items, [&](const auto &item) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
        definitions[value->var] = value->expr;
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && rootVar(store->place) == array)
        return !store->isAtomic && isScalar(store->place->type) &&
               ((dependence.of(store->place) | pinned) & dependence.dimensionsInUse()) ==
                   dependence.dimensionsInUse() &&
               !analysis::isSharedByThreads(store->place, guards, definitions, dependence);
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
        return isOneThread(loop->conditionRegion, pinned, guards) && isOneThread(loop->body, pinned, guards);
      auto *branch = llvm::dyn_cast<BranchItem>(item.get());
      if (!branch)
        return true;
      std::vector<Expr> inner = guards;
      inner.push_back(branch->condition);
      return isOneThread(branch->thenRegion, pinned | dependence.pinnedBy(branch->condition), inner) &&
             isOneThread(branch->elseRegion, pinned, inner);
    });
  }

  void keep(Region &region) {
    for (size_t i = 0; i < region.items.size(); ++i) {
      Item &item = *region.items[i];
      if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
        keep(branch->thenRegion);
        keep(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
        keep(loop->body);
      auto *store = llvm::dyn_cast<StoreItem>(&item);
      if (!store || rootVar(store->place) != array)
        continue;
      auto old = std::make_unique<ValueItem>();
      old->range = store->range;
      old->var = owner.makeVar(array->name + "_old", withConst(store->place->type, false));
      old->expr = store->place;
      old->load = LoadClass::Array;
      old->isSaved = true;
      store->old = old->var;
      kept.push_back(old.get());
      region.items.insert(region.items.begin() + i++, std::move(old));
    }
  }
  std::vector<const ValueItem *> kept;

private:
  Function &owner;
  Var *array;
  ThreadDependence dependence;
  OrderedMap<Var, Expr> definitions;
};

bool storesTo(const Item &item, const Var *array);

bool storesTo(const Region &region, const Var *array) {
  return llvm::any_of(region.items, [&](const auto &item) { return storesTo(*item, array); });
}

bool storesTo(const Item &item, const Var *array) {
  if (auto *store = llvm::dyn_cast<StoreItem>(&item))
    return rootVar(store->place) == array;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return storesTo(branch->thenRegion, array) || storesTo(branch->elseRegion, array);
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  return loop && (storesTo(loop->conditionRegion, array) || storesTo(loop->body, array));
}

/// Whether the item was found in the region; `behind`: and a store lies behind it.
bool search(const Region &region, const Item &item, const Var *array, bool &behind) {
  bool found = false;
  for (const auto &one : region.items) {
    if (found) {
      behind |= storesTo(*one, array);
      continue;
    }
    if (one.get() == &item)
      found = true;
    if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()))
      found = search(branch->thenRegion, item, array, behind) || search(branch->elseRegion, item, array, behind);
    if (auto *loop = llvm::dyn_cast<LoopItem>(one.get())) {
      found = search(loop->conditionRegion, item, array, behind) || search(loop->body, item, array, behind);
      behind |= found && storesTo(*loop, array); // in its next iteration
    }
  }
  return found;
}
} // namespace

std::vector<const ValueItem *> keepOldElements(ValueFunction &function, Var *array, const rules::RuleTable &rules) {
  Keeper keeper(function, array, rules);
  if (keeper.isOneThread(function.body, 0))
    keeper.keep(function.body);
  return keeper.kept;
}

bool storesBehind(const Region &region, const Item &item, const Var *array) {
  bool behind = false;
  return !search(region, item, array, behind) || behind;
}

} // namespace gpuad::transform
