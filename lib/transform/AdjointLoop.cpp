//===- AdjointLoop.cpp - reversing loops ---------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Collectives.h"
#include "transform/Counting.h"
#include "transform/DeadCode.h"
#include "transform/NameOperands.h"
#include "transform/Places.h"
#include "transform/RepeatedLoads.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <utility>

namespace gpuad::transform {
using namespace ir;

namespace {
unsigned usesIn(const Region &region, Var *var, const Item *after, bool &seen);

unsigned usesIn(const Expr &e, Var *var) {
  unsigned count = 0;
  if (e)
    forEachExpr(e, [&](const Expr &one) {
      if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
        count += ref->var == var;
    });
  return count;
}

/// Uses of var in an item and what it holds.
unsigned usesIn(const Item &item, Var *var) {
  bool seen = true;
  switch (item.kind) {
  case ItemKind::Value:
    return usesIn(llvm::cast<ValueItem>(&item)->expr, var);
  case ItemKind::Store: {
    auto *store = llvm::cast<StoreItem>(&item);
    return usesIn(store->place, var) + usesIn(store->won, var) +
           usesIn(store->increment ? store->increment : store->value, var) +
           (store->increment && !store->isAtomic ? usesIn(store->value, var) : 0);
  }
  case ItemKind::Array:
    return usesIn(llvm::cast<ArrayItem>(&item)->init, var);
  case ItemKind::Branch: {
    auto *branch = llvm::cast<BranchItem>(&item);
    unsigned count = usesIn(branch->condition, var) + usesIn(branch->thenRegion, var, nullptr, seen) +
                     usesIn(branch->elseRegion, var, nullptr, seen);
    for (const Merge &merge : branch->merges)
      count += usesIn(merge.thenValue, var) + usesIn(merge.elseValue, var);
    return count;
  }
  case ItemKind::Loop: {
    auto *loop = llvm::cast<LoopItem>(&item);
    unsigned count = usesIn(loop->begin, var) + usesIn(loop->end, var) + usesIn(loop->step, var) +
                     usesIn(loop->condition, var) + usesIn(loop->conditionRegion, var, nullptr, seen) +
                     usesIn(loop->body, var, nullptr, seen);
    for (const Carried &carried : loop->carried)
      count += usesIn(carried.init, var) + usesIn(carried.next, var);
    return count;
  }
  case ItemKind::Call: {
    unsigned count = 0;
    for (const CallArgument &arg : llvm::cast<CallItem>(&item)->args)
      count += usesIn(arg.value, var);
    return count;
  }
  case ItemKind::Effect:
    return 0;
  }
  return 0;
}

/// Uses of var in the region; with `after`, only in items behind that one.
unsigned usesIn(const Region &region, Var *var, const Item *after, bool &seen) {
  unsigned count = 0;
  for (const auto &item : region.items) {
    if (!after || seen)
      count += usesIn(*item, var);
    seen |= item.get() == after;
  }
  return count;
}

/// Whether the loop is in the region, however deep.
bool holds(const Region &region, const LoopItem *loop) {
  return llvm::any_of(region.items, [&](const auto &item) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      return holds(branch->thenRegion, loop) || holds(branch->elseRegion, loop);
    auto *inner = llvm::dyn_cast<LoopItem>(item.get());
    return inner && (inner == loop || holds(inner->body, loop));
  });
}
} // namespace

/// The value v when `carried` goes on as v = carried + rest, v serves nothing else,
/// and carried is not read behind it: then the adjoint of rest is that of carried,
/// which stays as it is. Null otherwise.
Var *AdjointBuilder::incrementOf(const LoopItem &item, const Carried &carried) const {
  auto *next = llvm::dyn_cast<RefExpr>(carried.next.get());
  if (!next)
    return nullptr;
  for (const auto &one : item.body.items) {
    auto *value = llvm::dyn_cast<ValueItem>(one.get());
    if (!value || value->var != next->var)
      continue;
    Expr rest = withoutAddend(value->expr, [&](const Expr &e) {
      auto *ref = llvm::dyn_cast<RefExpr>(e.get());
      return ref && ref->var == carried.var;
    });
    bool seen = false;
    if (!rest || usesIn(item.body, carried.var, value, seen) != 0)
      return nullptr;
    seen = true;
    unsigned uses = usesIn(item.body, next->var, nullptr, seen);
    for (const Carried &other : item.carried)
      uses += usesIn(other.next, next->var) + (other.var == carried.var ? 0 : usesIn(other.next, carried.var));
    return uses == 1 ? next->var : nullptr;
  }
  return nullptr;
}

/// Collects the values through which `carried` goes on as itself plus something: sums
/// in a row, and merges of such. All of them share its adjoint, which stays as it is,
/// when nothing else reads them or the carried variable.
bool AdjointBuilder::incrementChain(const LoopItem &item, const Carried &carried, OrderedSet<Var> &chain) const {
  unsigned carriedUses = 0;
  std::function<bool(const Expr &)> follow = [&](const Expr &e) {
    auto *ref = e ? llvm::dyn_cast<RefExpr>(e.get()) : nullptr;
    if (!ref)
      return false;
    if (ref->var == carried.var) {
      ++carriedUses;
      return true;
    }
    if (!chain.insert(ref->var).second)
      return false;
    if (auto merge = merges.find(ref->var); merge != merges.end())
      return follow(merge->second->thenValue) && follow(merge->second->elseValue);
    if (auto inner = carriers.find(ref->var); inner != carriers.end()) { // summed up further by an inner loop
      if (!holds(item.body, inner->second.first))
        return false;
      OrderedSet<Var> own;
      return incrementChain(*inner->second.first, *inner->second.second, own) && follow(inner->second.second->init);
    }
    auto defined = definitions.find(ref->var);
    if (defined == definitions.end())
      return false;
    Expr addend;
    Expr rest = withoutAddend(defined->second, [&](const Expr &part) {
      auto *inner = llvm::dyn_cast<RefExpr>(part.get());
      bool leads = inner && (inner->var == carried.var || definitions.count(inner->var) || merges.count(inner->var) ||
                             carriers.count(inner->var));
      if (!leads || addend)
        return false;
      OrderedSet<Var> saved = chain;
      unsigned savedUses = carriedUses;
      if (follow(part)) {
        addend = part;
        return true;
      }
      chain = std::move(saved);
      carriedUses = savedUses;
      return false;
    });
    return rest != nullptr;
  };
  if (!follow(carried.next))
    return false;
  auto uses = [&](Var *var) {
    bool seen = true;
    unsigned count = usesIn(item.body, var, nullptr, seen);
    for (const Carried &other : item.carried)
      count += usesIn(other.next, var);
    // What an inner loop carries, it uses in its own chain.
    if (auto inner = carriers.find(var); inner != carriers.end() && chain.count(var)) {
      count -= usesIn(inner->second.first->body, var, nullptr, seen);
      for (const Carried &other : inner->second.first->carried)
        count -= usesIn(other.next, var);
    }
    return count;
  };
  for (Var *var : chain)
    if (uses(var) != 1)
      return false;
  return uses(carried.var) == carriedUses;
}

/// Whether iterations can be reversed in any order: no adjoint goes from one to the
/// next, in a variable or in memory.
bool AdjointBuilder::isOrderFree(const LoopItem &item) const {
  if (undo && undo->storesIn(item.body))
    return false;
  for (const Carried &carried : item.carried) {
    if (!activity.isActive(carried.var))
      continue;
    OrderedSet<Var> chain; // its adjoint stays as it is when only increments read it
    if (!incrementChain(item, carried, chain))
      return false;
  }
  std::set<MemoryBase, InOrder> overwritten, touched;
  std::map<MemoryBase, std::vector<Expr>, InOrder> places;
  bool free = true;
  std::function<void(const Region &)> visit = [&](const Region &region) {
    for (const auto &one : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(one.get()))
        activity.forEachLeaf(value->expr, [&](const Expr &leaf) {
          if (leaf->kind == ExprKind::Ref)
            return;
          touched.insert(memoryBase(leaf));
          places[memoryBase(leaf)].push_back(leaf);
        });
      if (auto *store = llvm::dyn_cast<StoreItem>(one.get())) {
        MemoryBase base = memoryBase(store->place);
        places[base].push_back(store->place);
        overwritten.insert(base); // an increment reads the shadow, an overwrite takes from it
        // Two iterations that overwrite one element: the last one counts.
        if (!store->increment && !(item.isCounted && differsByIteration(store->place, item)))
          free = false;
        activity.forEachLeaf(store->increment ? store->increment : store->value, [&](const Expr &leaf) {
          if (leaf->kind == ExprKind::Ref)
            return;
          touched.insert(memoryBase(leaf));
          places[memoryBase(leaf)].push_back(leaf);
        });
      }
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(one.get()))
        visit(loop->body);
    }
  };
  visit(item.body);
  // Reading and writing one array is free where each iteration has its own element.
  for (const MemoryBase &base : overwritten) {
    bool ownElement = item.isCounted && llvm::all_of(places[base], [&](const Expr &place) {
                        return equal(place, places[base][0]) && differsByIteration(place, item);
                      });
    free &= touched.count(base) == 0 || ownElement;
  }
  return free;
}

/// The loop's header around `body`. `counter`: null for the primal's own order; else
/// the iterations run from last to first, and where the loop variable cannot count
/// down itself, `counter` is the iteration's number.
Stmt AdjointBuilder::loopOver(const LoopItem &item, std::vector<Stmt> body, Var *counter) const {
  auto step = [](Var *var, const Expr &by, bool down) {
    return makeAssign(makeRef(var), makeBinary(down ? BinaryOp::Sub : BinaryOp::Add, makeRef(var), by, var->type));
  };
  if (!counter) {
    Expr condition = makeBinary(item.compare, makeRef(item.iv), item.end, boolType());
    return makeFor({makeDecl(item.iv, item.begin)}, condition, {step(item.iv, item.step, item.stepIsNegative)},
                   makeBlock(body), item.pragma, item.range);
  }
  bool canCountDown = item.isCounted && isWhole(item.step, 1) && item.iv->type->isSigned && !item.iv->type->isEnum;
  if (canCountDown) {
    bool inclusive = item.compare == BinaryOp::Le || item.compare == BinaryOp::Ge;
    Expr end = item.end;
    if (!inclusive)
      end = item.stepIsNegative ? add(end, intLit(1)) : sub(end, intLit(1));
    Expr condition =
        makeBinary(item.stepIsNegative ? BinaryOp::Le : BinaryOp::Ge, makeRef(item.iv), item.begin, boolType());
    return makeFor({makeDecl(item.iv, end)}, condition, {step(item.iv, intLit(1), !item.stepIsNegative)},
                   makeBlock(body), item.pragma, item.range);
  }
  if (item.isCounted) {
    Expr offset = mul(makeRef(counter), item.step);
    Expr value = item.stepIsNegative ? sub(item.begin, offset) : add(item.begin, offset);
    body.insert(body.begin(), makeDecl(item.iv, value));
  }
  Expr last = sub(tripCount(item), intLit(1));
  return makeFor({makeDecl(counter, last)}, makeBinary(BinaryOp::Ge, makeRef(counter), intLit(0), boolType()),
                 {step(counter, intLit(1), true)}, makeBlock(body), item.pragma, item.range);
}

/// Gives every carried variable the value that it had at the start of the iteration.
void AdjointBuilder::recall(const LoopItem &item, const Expr &iteration) {
  for (const Carried &carried : item.carried) {
    if (isMembership(item, carried)) {
      emit(makeDecl(carried.var, makeBinary(BinaryOp::Lt, iteration, makeRef(item.joined), boolType())));
      continue;
    }
    if (carried.step) {
      const Type &type = carried.var->type; // in its own width, so that the product does not overflow
      Expr count = type->bits > iteration->type->bits ? makeCast(CastStyle::Functional, iteration, type) : iteration;
      emit(makeDecl(carried.var, add(carried.init, mul(carried.step, count))));
      continue;
    }
    if (carried.shift != 0) {
      Expr bits = mul(intLit(std::abs(carried.shift)), iteration);
      BinaryOp op = carried.shift > 0 ? BinaryOp::Shl : BinaryOp::Shr;
      emit(makeDecl(carried.var, makeBinary(op, carried.init, bits, carried.var->type)));
      continue;
    }
    auto loop = recordOf.find(&item);
    if (loop == recordOf.end())
      continue;
    if (auto array = loop->second.find(carried.var); array != loop->second.end())
      emit(makeDecl(carried.var, recordedAt(array->second, iteration, carried.var->type)));
  }
}

/// The end of an iteration, reversed: the adjoint of each carried variable goes to
/// the value it was given, and starts again from zero.
void AdjointBuilder::turnCarried(const LoopItem &item) {
  std::vector<std::pair<Expr, Expr>> later;
  std::vector<Var *> cleared;
  for (const Carried &carried : item.carried) {
    if (!activity.isActive(carried.var))
      continue;
    OrderedSet<Var> chain;
    if (incrementChain(item, carried, chain)) {
      for (Var *value : chain) {
        aliasedSeeds[value] = carried.var;
        if (carriers.count(value)) {
          bars[value] = barOf(carried.var);
          declared.insert(value);
        }
      }
      continue;
    }
    if (Var *value = incrementOf(item, carried)) {
      aliasedSeeds[value] = carried.var;
      continue;
    }
    Expr bar = makeRef(barOf(carried.var));
    cleared.push_back(carried.var);
    if (!activity.isActive(carried.next))
      continue;
    auto *next = llvm::dyn_cast<RefExpr>(carried.next.get());
    if (next && definedIn[next->var] == current && !declared.count(next->var)) {
      addTo(next->var, bar);
      continue;
    }
    Var *seed = owner.makeVar(carried.var->name + "_seed", barOf(carried.var)->type);
    seed->isTemporary = true;
    emit(makeDecl(seed, bar));
    later.push_back({carried.next, makeRef(seed)});
  }
  for (Var *var : cleared)
    emit(makeAssign(makeRef(barOf(var)), zeroOf(barOf(var)->type)));
  for (auto &[leaf, amount] : later)
    contribute(leaf, amount);
}

/// The barriers of a loop's condition, which nothing else is left of. Returns whether there is one for all of the
/// block.
bool AdjointBuilder::mirrorBarriers(const Region &region) {
  bool meetsInBlock = false;
  for (const auto &item : llvm::reverse(region.items)) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      meetsInBlock |= mirrorBarriers(branch->elseRegion);
      meetsInBlock |= mirrorBarriers(branch->thenRegion);
    } else if (isBarrier(*item)) {
      emit(mirrorOfBarrier(*item));
      meetsInBlock |= isBarrierOfBlock(*item);
    }
  }
  return meetsInBlock;
}

void AdjointBuilder::reverseLoop(const LoopItem &item) {
  bool meetsInBlock = meetingsIn(item.body, rules).block;
  bool meetsNext = reusesSharedBeforeBarrier(item.body, meetsInBlock);
  // The condition was asked once more than the body ran.
  bool meetsBetween = mirrorBarriers(item.conditionRegion);
  if ((meetsInBlock || meetsNext) && !meetsBetween)
    waitBefore(item.body);
  declareOuterBars(item);
  restoreArrays(item);
  for (const Carried &carried : item.carried)
    if (activity.isActive(carried.var) && !declared.count(carried.var))
      declareBar(carried.var);
  for (Var *array : arraysOfLoop(function, item))
    forget(array);
  bool orderFree = isOrderFree(item);
  Var *counter = item.isCounted && orderFree ? nullptr : owner.makeVar("k", iterationType(item));
  bool countsByItself = item.isCounted && isWhole(item.step, 1) && item.iv->type->isSigned;
  Expr iteration = counter && !countsByItself ? makeRef(counter) : iterationOf(item);
  auto body = [&] {
    recall(item, iteration);
    recallArrays(item, iteration);
    reopenFrame(item, iteration);
    if (meetsNext && !meetsBetween)
      waitBefore(item.body);
    const LoopItem *outerRecalling = std::exchange(recallingIn, &item);
    Expr outerIteration = std::exchange(recalledIteration, iteration);
    adjointOf(item.body, false, [&] { turnCarried(item); });
    recallingIn = outerRecalling;
    recalledIteration = outerIteration;
    mirrorBarriers(item.conditionRegion);
  };
  withLoopSums(
      item, [&] { return collect(body); },
      [&](std::vector<Stmt> made) { emit(loopOver(item, std::move(made), counter)); });
  for (const Carried &carried : item.carried)
    if (activity.isActive(carried.var) && activity.isActive(carried.init) && !aliasedSeeds.count(carried.var))
      contribute(carried.init, makeRef(barOf(carried.var)));
}

} // namespace gpuad::transform
