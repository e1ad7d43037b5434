//===- SharedEpochs.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/SharedEpochs.h"

#include "analysis/FinalValues.h"
#include "analysis/ThreadDependence.h"
#include "analysis/WarpsApart.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace gpuad::analysis {
using namespace ir;

namespace {
struct Access {
  Expr place;   ///< in words that tell iterations from what a loop leaves
  Expr written; ///< as it stands there
  bool isStore = false;
  std::vector<const Region *> regions; ///< outermost first
  ThreadDependence::Mask pinned = 0;   ///< thread indices that a condition around it fixes
  bool tellsApart = false;             ///< no two threads store there
  std::set<unsigned> together;         ///< accesses of the same epoch, by number
  std::set<unsigned> near;             ///< of these, the ones with no barrier of a warp between, in one iteration
  std::set<unsigned> across;           ///< of these, the ones in another iteration of a loop
};

class Collector {
public:
  Collector(const ValueFunction &function, const rules::RuleTable &rules) : dependence(function, rules) {
    visit(function.body);
  }
  std::vector<Access> accesses;
  bool isInjective(const Access &access) const;
  bool isFlatAt(const Access &access) const;
  /// Whether the place can be another one in another iteration.
  bool variesInLoops(const Expr &place) const {
    return llvm::any_of(variablesIn(place), [&](Var *var) { return inLoops.count(var) != 0; });
  }

private:
  bool tellsThreadsApart(const Expr &place) const {
    return (dependence.of(place) & ThreadDependence::Threads) &&
           !isSharedByThreads(place, guards, definitions, dependence);
  }
  void note(const Expr &place, bool isStore);
  void visit(const Region &region);
  void visitLoop(const LoopItem &loop);

  ThreadDependence dependence;
  FinalValues finals{dependence};
  std::map<const void *, unsigned> numberOf; ///< by item, so that a second visit finds it
  const void *current = nullptr;
  std::set<unsigned> open;    ///< accesses since the last barrier, whichever it was
  std::set<unsigned> near;    ///< those since the last one of any threads, of a warp alone as well
  std::set<unsigned> earlier; ///< of these, the ones of an earlier iteration
  OrderedSet<Var> inLoops;    ///< variables that loops define
  ThreadDependence::Mask pinned = 0;
  std::vector<Expr> guards; ///< conditions around
  OrderedMap<Var, Expr> definitions;
  unsigned loops = 0;
  std::vector<const Region *> regions;
  std::vector<std::vector<const Region *>> plainStores; ///< around stores by which threads do not meet
};

void Collector::note(const Expr &place, bool isStore) {
  auto [known, isNew] = numberOf.try_emplace(current, static_cast<unsigned>(accesses.size()));
  if (isNew)
    accesses.push_back(
        {finals.here(place), place, isStore, regions, pinned, isStore && tellsThreadsApart(place), {}, {}, {}});
  unsigned number = known->second;
  open.insert(number);
  near.insert(number);
  bool isMoved = variesInLoops(place);
  for (unsigned other : near) {
    if (isMoved && earlier.count(other)) // what an earlier iteration stored is another element
      continue;
    accesses[number].near.insert(other);
    accesses[other].near.insert(number);
  }
  for (unsigned other : open) {
    accesses[number].together.insert(other);
    accesses[other].together.insert(number);
    if (earlier.count(other)) {
      accesses[number].across.insert(other);
      accesses[other].across.insert(number);
    }
  }
}

void Collector::visitLoop(const LoopItem &loop) {
  std::set<unsigned> before = open, nearBefore = near, outerEarlier = earlier;
  inLoops.insert(loop.iv);
  for (const Carried &carried : loop.carried)
    inLoops.insert(carried.var);
  ++loops;
  finals.enter(loop);
  visit(loop.body);
  earlier = open;
  open.insert(before.begin(), before.end()); // another iteration
  near.insert(nearBefore.begin(), nearBefore.end());
  visit(loop.body);
  finals.leave(loop);
  --loops;
  open.insert(before.begin(), before.end()); // or none
  near.insert(nearBefore.begin(), nearBefore.end());
  earlier = outerEarlier;
}

void Collector::visit(const Region &region) {
  regions.push_back(&region);
  for (const auto &item : region.items) {
    current = item.get();
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      definitions[value->var] = finals.here(value->expr);
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && loops > 0)
      inLoops.insert(value->var);
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && value->load == LoadClass::Array)
      if (isShared(rootVar(value->expr)))
        note(value->expr, false);
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && !store->isAtomic)
      if (tellsThreadsApart(store->place))
        plainStores.push_back(regions);
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && isShared(rootVar(store->place)))
      note(store->place, !store->isAtomic);
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (const CallArgument &arg : call->args)
        if (arg.isMemory && isShared(memoryBase(arg.value).first)) {
          current = &arg;
          note(arg.value, false); // an address: no place is equal to it, and no index tells it apart
        }
    if (isBarrier(*item))
      near.clear();
    if (isBarrierOfBlock(*item)) {
      open.clear();
      earlier.clear();
    }
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      std::set<unsigned> before = open, nearBefore = near;
      ThreadDependence::Mask outer = pinned;
      pinned |= dependence.pinnedBy(branch->condition);
      guards.push_back(branch->condition);
      visit(branch->thenRegion);
      pinned = outer;
      std::set<unsigned> afterThen = std::exchange(open, before), nearAfter = std::exchange(near, nearBefore);
      if (dependence.of(branch->condition) & ThreadDependence::Threads) // others are in the other arm
        open.insert(afterThen.begin(), afterThen.end());
      visit(branch->elseRegion);
      guards.pop_back();
      open.insert(afterThen.begin(), afterThen.end());
      near.insert(nearAfter.begin(), nearAfter.end());
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      visitLoop(*loop);
  }
  regions.pop_back();
}

static bool isPrefix(const std::vector<const Region *> &outer, const std::vector<const Region *> &inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// Whether the blocks have no more dimensions than the function looks at. Threads that differ
/// in such a dimension alone would race in a plain store, so there are none where one is on
/// the way to the access.
bool Collector::isFlatAt(const Access &access) const {
  return dependence.dimensionsInUse() == ThreadDependence::Threads ||
         llvm::any_of(plainStores, [&](const auto &around) { return isPrefix(around, access.regions); });
}

/// Whether two threads of a block cannot come to one element: the one index that
/// depends on the thread is threadIdx.x, or a value made of it by adding what is the same
/// for the block; or a condition lets only one thread in. In blocks of more dimensions
/// every one must be told, in subscripts of their own.
bool Collector::isInjective(const Access &given) const {
  ThreadDependence::Mask seen = given.pinned;
  for (Expr at = given.place; at;) {
    if (auto *member = llvm::dyn_cast<MemberExpr>(at.get())) {
      at = member->base;
      continue;
    }
    auto *access = llvm::dyn_cast<IndexExpr>(at.get());
    if (!access)
      break;
    seen |= dependence.injectivePart(access->index);
    at = access->base;
  }
  return (dependence.dimensionsInUse() & ~seen) == 0 && isFlatAt(given);
}
} // namespace

SharedEpochs::SharedEpochs(const ValueFunction &function, const rules::RuleTable &rules) {
  Collector collector(function, rules);
  auto encloses = [](const Access &outer, const Access &inner) { return isPrefix(outer.regions, inner.regions); };
  auto isStored = [&](const Access &load) {
    return llvm::any_of(load.near, [&](unsigned other) {
      const Access &store = collector.accesses[other];
      return store.isStore && equal(store.place, load.place) && encloses(store, load) && store.tellsApart;
    });
  };
  auto isAlone = [&](const Access &load) {
    if (isStored(load))
      return true;
    if (!collector.isInjective(load))
      return false;
    return llvm::all_of(load.together, [&](unsigned other) {
      const Access &access = collector.accesses[other];
      if (rootVar(access.place) != rootVar(load.place) || access.isStore || isStored(access))
        return true;
      bool isMoved = load.across.count(other) != 0 && collector.variesInLoops(load.written);
      return equal(access.place, load.place) && !isMoved;
    });
  };
  std::vector<Expr> shared;
  for (const Access &access : collector.accesses) {
    if (access.isStore)
      continue;
    (isAlone(access) ? owned : shared).push_back(access.written);
  }
  std::erase_if(owned, [&](const Expr &place) {
    return llvm::any_of(shared, [&](const Expr &other) { return equal(place, other); });
  });
}

bool SharedEpochs::isOwned(const Expr &place) const {
  return llvm::any_of(owned, [&](const Expr &known) { return equal(known, place); });
}

} // namespace gpuad::analysis
