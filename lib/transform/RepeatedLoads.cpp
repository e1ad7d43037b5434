//===- RepeatedLoads.cpp - loads that may be run again -------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/RepeatedLoads.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <map>

namespace gpuad::transform {
using namespace ir;

namespace {
/// A region on the way to a load, with the item that leads on.
struct Level {
  const Region *region = nullptr;
  size_t at = 0;
  const LoopItem *loop = nullptr; ///< whose body the region is
};

class Finder {
public:
  explicit Finder(const ValueFunction &function) {
    for (const Var *array : function.sharedArrays)
      declaredAt[array] = 0;
    visit(function.body, nullptr);
  }
  RepeatedLoads found;
  bool rewritesSame(const LoopItem &loop, const Var *array) const;

private:
  void visit(const Region &region, const LoopItem *loop);
  bool repeats(const Var *array) const;
  bool storesBehind(const Level &level, const Var *array) const;

  std::vector<Level> path;
  OrderedMap<const Var, size_t> declaredAt; ///< depth in the path
};

bool storesTo(const Region &region, const Var *array);

bool storesTo(const Item &item, const Var *array) {
  if (auto *store = llvm::dyn_cast<StoreItem>(&item))
    return rootVar(store->place) == array;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return storesTo(branch->thenRegion, array) || storesTo(branch->elseRegion, array);
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    return storesTo(loop->conditionRegion, array) || storesTo(loop->body, array);
  return false;
}

bool storesTo(const Region &region, const Var *array) {
  return llvm::any_of(region.items, [&](const auto &item) { return storesTo(*item, array); });
}

/// Whether threads update the array atomically: done twice, that gives something else.
bool updates(const Region &region, const Var *array) {
  return llvm::any_of(region.items, [&](const auto &item) {
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      return store->isAtomic && rootVar(store->place) == array;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      return updates(branch->thenRegion, array) || updates(branch->elseRegion, array);
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    return loop && (updates(loop->conditionRegion, array) || updates(loop->body, array));
  });
}

void Finder::visit(const Region &region, const LoopItem *loop) {
  path.push_back({&region, 0, loop});
  size_t depth = path.size() - 1;
  for (size_t i = 0; i < region.items.size(); ++i) {
    path[depth].at = i;
    const Item &item = *region.items[i];
    if (auto *array = llvm::dyn_cast<ArrayItem>(&item))
      declaredAt[array->array] = depth;
    if (auto *value = llvm::dyn_cast<ValueItem>(&item);
        value && value->load == LoadClass::Array && repeats(rootVar(value->expr)))
      found.loads.insert(value);
    if (auto *call = llvm::dyn_cast<CallItem>(&item))
      if (llvm::all_of(arraysReadBy(*call), [&](const Var *array) { return repeats(array); }))
        found.calls.insert(call);
    if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
      visit(branch->thenRegion, nullptr);
      visit(branch->elseRegion, nullptr);
    }
    if (auto *inner = llvm::dyn_cast<LoopItem>(&item)) {
      visit(inner->conditionRegion, inner);
      visit(inner->body, inner);
    }
  }
  path.pop_back();
}

bool Finder::storesBehind(const Level &level, const Var *array) const {
  for (size_t i = level.at + 1; i < level.region->items.size(); ++i)
    if (storesTo(*level.region->items[i], array))
      return true;
  return false;
}

bool Finder::repeats(const Var *array) const {
  auto declared = declaredAt.find(array);
  if (declared == declaredAt.end())
    return false;
  for (size_t depth = declared->second; depth < path.size(); ++depth) {
    if (storesBehind(path[depth], array) || (depth > declared->second && updates(*path[depth].region, array)))
      return false;
    const LoopItem *loop = depth > declared->second ? path[depth].loop : nullptr;
    if (loop && storesTo(loop->body, array) && !rewritesSame(*loop, array))
      return false;
  }
  return true;
}

/// Whether every iteration of the loop stores to the same elements of the array.
bool Finder::rewritesSame(const LoopItem &loop, const Var *array) const {
  OrderedSet<const Var> varying{loop.iv};
  for (const Carried &carried : loop.carried)
    varying.insert(carried.var);
  auto isInvariant = [&](const Expr &e) {
    bool invariant = true;
    if (e)
      forEachExpr(e, [&](const Expr &one) {
        if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
          invariant &= varying.count(ref->var) == 0;
        invariant &= one->kind != ExprKind::Deref && one->kind != ExprKind::Call && one->kind != ExprKind::Text;
        if (auto *access = llvm::dyn_cast<IndexExpr>(one.get()))
          invariant &= isArray(access->base->type); // memory may change; part of the place itself is fine
      });
    return invariant;
  };
  bool same = true;
  std::function<void(const Region &, bool)> walk = [&](const Region &region, bool always) {
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
        if (value->load != LoadClass::None || !isInvariant(value->expr))
          varying.insert(value->var);
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
        for (const Var *given : valuesOf(*call))
          varying.insert(given);
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && rootVar(store->place) == array)
        same &= always && !store->isAtomic && isInvariant(store->place);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        bool decided = always && isInvariant(branch->condition);
        for (const Merge &merge : branch->merges)
          varying.insert(merge.var);
        // Both arms may store to one place: then it does not matter which one runs.
        auto placeOf = [&](const Region &arm) -> Expr {
          Expr place;
          unsigned count = 0;
          for (const auto &one : arm.items) {
            count += storesTo(*one, array);
            if (auto *store = llvm::dyn_cast<StoreItem>(one.get()); store && rootVar(store->place) == array)
              place = store->place;
          }
          return count == 1 ? place : nullptr;
        };
        Expr thenPlace = placeOf(branch->thenRegion), elsePlace = placeOf(branch->elseRegion);
        bool agree = always && thenPlace && elsePlace && equal(thenPlace, elsePlace);
        walk(branch->thenRegion, decided || agree);
        walk(branch->elseRegion, decided || agree);
      }
      if (auto *inner = llvm::dyn_cast<LoopItem>(item.get())) {
        for (const Carried &carried : inner->carried)
          varying.insert(carried.var);
        bool bounded =
            inner->isCounted && isInvariant(inner->begin) && isInvariant(inner->end) && isInvariant(inner->step);
        walk(inner->body, always && bounded);
      }
    }
  };
  walk(loop.body, true);
  return same;
}
} // namespace

RepeatedLoads loadsThatRepeat(const ValueFunction &function) {
  return Finder(function).found;
}

static unsigned storesIn(const Region &region, const Var *array) {
  unsigned count = 0;
  for (const auto &item : region.items) {
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      count += rootVar(store->place) == array;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      count += storesIn(branch->thenRegion, array) + storesIn(branch->elseRegion, array);
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      count += storesIn(loop->conditionRegion, array) + storesIn(loop->body, array);
  }
  return count;
}

OrderedSet<Var> arraysOfLoop(const ValueFunction &function, const LoopItem &loop) {
  OrderedSet<Var> found;
  Finder finder(function);
  for (Var *array : function.sharedArrays) {
    unsigned inside = storesIn(loop.body, array);
    if (inside > 0 && inside == storesIn(function.body, array) && finder.rewritesSame(loop, array))
      found.insert(array);
  }
  return found;
}

} // namespace gpuad::transform
