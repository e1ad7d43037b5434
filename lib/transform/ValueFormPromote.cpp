//===- ValueFormPromote.cpp - memory that a loop can keep in a register --===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// `for (...) x[i] = f(x[i]);` reads and overwrites one element. The primal is free of
/// races, so nobody else touches it meanwhile: the element becomes a variable that the
/// loop carries, loaded before the loop and stored behind it. The derivative then needs no
/// memory that was overwritten.
///
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/InlineAccessors.h"
#include "transform/NameOperands.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// What a loop does to one object in memory.
struct Traffic {
  std::vector<StoreItem *> stores; ///< in the order of the body, all on its top level
  std::vector<ValueItem *> stale;  ///< loads that may see a store
  Expr place;
  bool isSimple = true;
};

class Survey {
public:
  explicit Survey(LoopItem &loop) {
    define(loop.body);
    define(loop.conditionRegion);
    inside.insert(loop.iv);
    for (const Carried &carried : loop.carried)
      inside.insert(carried.var);
    visit(loop.body, true);
  }
  std::map<Base, Traffic> traffic;

private:
  void define(const Region &region) {
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
        inside.insert(value->var);
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
        for (Var *given : valuesOf(*call))
          inside.insert(given);
      if (auto *array = llvm::dyn_cast<ArrayItem>(item.get()))
        inside.insert(array->array);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        for (const Merge &merge : branch->merges)
          inside.insert(merge.var);
        define(branch->thenRegion);
        define(branch->elseRegion);
      }
      if (auto *inner = llvm::dyn_cast<LoopItem>(item.get())) {
        inside.insert(inner->iv);
        for (const Carried &carried : inner->carried)
          inside.insert(carried.var);
        define(inner->body);
      }
    }
  }
  void touch(const Expr &place) {
    Traffic &seen = traffic[memoryBase(place)];
    bool isInvariant = llvm::none_of(variablesIn(place), [&](Var *var) { return inside.count(var) != 0; });
    if (seen.place && !equal(seen.place, place))
      seen.isSimple = false;
    seen.isSimple &= isInvariant && place->kind == ExprKind::Index && isFloating(place->type);
    seen.place = place;
  }
  /// Loads that stand inside an expression.
  void touchIn(const Expr &e) {
    if (!e)
      return;
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Deref)
      touch(e);
    for (const Expr &operand : children(e))
      touchIn(operand);
  }
  void visit(Region &region, bool isTop) {
    for (auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get())) {
        touchIn(value->expr);
        if (value->load == LoadClass::Stale) {
          Traffic &seen = traffic[memoryBase(value->expr)];
          seen.isSimple &= seen.stores.empty();
          seen.stale.push_back(value);
        }
      }
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
        for (const CallArgument &arg : call->args) {
          if (arg.value && arg.isMemory) // at places unknown
            traffic[memoryBase(arg.value)].isSimple = false;
          touchIn(arg.value);
        }
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
        Traffic &seen = traffic[memoryBase(store->place)];
        touch(store->place);
        touchIn(store->value);
        seen.isSimple &= isTop && !store->isAtomic && isFloating(store->value->type);
        seen.stores.push_back(store);
      }
      if (isBarrier(*item)) // others may write behind a barrier
        for (auto &[base, seen] : traffic)
          seen.isSimple = false;
      hasBarrier |= isBarrier(*item);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        touchIn(branch->condition);
        visit(branch->thenRegion, false);
        visit(branch->elseRegion, false);
      }
      if (auto *inner = llvm::dyn_cast<LoopItem>(item.get())) {
        for (const Expr &e : {inner->begin, inner->end, inner->step, inner->condition})
          touchIn(e);
        visit(inner->conditionRegion, false);
        visit(inner->body, false);
      }
      if (hasBarrier)
        for (auto &[base, seen] : traffic)
          seen.isSimple = false;
    }
  }

  OrderedSet<Var> inside;
  bool hasBarrier = false;
};
} // namespace

/// `before`: what was known of memory in front of the loop. Places are stored behind it.
void ValueFormBuilder::promote(LoopItem &loop, const MemoryState &before, std::vector<Promoted> &promoted) {
  if (!loop.isCounted)
    return; // whether it runs at all is not known in front of it
  Survey survey(loop);
  for (auto &[base, seen] : survey.traffic) {
    if (!seen.isSimple || seen.stores.empty() || seen.stale.empty() || !base.first ||
        base.first->storage != Storage::Parameter)
      continue;
    bool mayBeAnother = llvm::any_of(survey.traffic, [&](const auto &other) {
      return isPartner(base, other.first) ||
             (other.first != base && isBehindLoaded(base) && isBehindLoaded(other.first));
    });
    if (mayBeAnother)
      continue;
    Promoted made;
    made.place = seen.place;
    made.wasStored = before.storedAnywhere.count(base) != 0;
    made.runs = comparedNumbers(loop.compare, loop.begin, loop.end);
    std::optional<bool> known = made.runs ? knownTruth(made.runs) : std::nullopt;
    if (known == false)
      continue;
    if (!known)
      made.runs = makeBinary(loop.compare, loop.begin, loop.end, boolType());
    Carried carried;
    carried.var = owner.makeVar(nameOfArray(seen.place) + "_kept", withConst(seen.place->type, false));
    MemoryState now = memory;
    memory = before;
    auto load = [&] { carried.init = atom(loadMemory(seen.place, loop.range), carried.var->name, loop.range); };
    makeBranch(made.runs, [&] { load(); }, [] {}, loop.range);
    memory = std::move(now);
    Item *last = known || region->items.empty() ? nullptr : region->items.back().get();
    auto *branch = llvm::dyn_cast_or_null<BranchItem>(last);
    bool isInArm = branch && llvm::any_of(branch->thenRegion.items, [&](const auto &item) {
                     auto *value = llvm::dyn_cast<ValueItem>(item.get());
                     auto *ref = llvm::dyn_cast<RefExpr>(carried.init.get());
                     return value && ref && value->var == ref->var;
                   });
    if (isInArm) {
      Merge merge{owner.makeVar(carried.var->name, carried.var->type), carried.init, zeroOf(carried.var->type)};
      branch->merges.push_back(merge);
      carried.init = makeRef(merge.var);
    }
    carried.next = seen.stores.back()->value;
    for (ValueItem *stale : seen.stale) {
      stale->expr = makeRef(carried.var);
      stale->load = LoadClass::None;
    }
    made.value = makeRef(carried.var);
    // By their addresses alone: an ordered set would look into those that are gone already.
    std::erase_if(loop.body.items, [&](const auto &item) { return llvm::is_contained(seen.stores, item.get()); });
    loop.carried.push_back(carried);
    promoted.push_back(made);
  }
}

/// Behind the loop: what was kept goes to memory. Where no iteration ran, memory holds
/// what it held.
void ValueFormBuilder::storePromoted(const std::vector<Promoted> &promoted, const SourceRange &range) {
  for (const Promoted &one : promoted) {
    Base base = memoryBase(one.place);
    if (!one.wasStored)
      memory.storedAnywhere.erase(base);
    auto keep = [&] { storeMemory(one.place, one.value, range); };
    auto leave = [&] {
      Expr value = atom(loadMemory(one.place, range), "kept", range);
      memory.known[base].push_back({one.place, value});
    };
    makeBranch(one.runs, keep, leave, range);
  }
}

} // namespace gpuad::transform
