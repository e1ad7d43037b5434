//===- Adjoint.cpp - the reverse sweep -----------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "analysis/WarpsApart.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include "support/Diagnostics.h"
#include "transform/Collectives.h"
#include "transform/NameOperands.h"
#include "transform/RepeatedLoads.h"
#include <functional>
#include <utility>

namespace gpuad::transform {
using namespace ir;
using analysis::ThreadDependence;

AdjointBuilder::AdjointBuilder(const ValueFunction &function, const analysis::ValueActivity &activity,
                               const rules::RuleTable &rules, CalleeAdjoints &callees, DiagnosticSink &sink)
    : function(function), owner(*function.owner), activity(activity), rules(rules), callees(callees), sink(sink),
      dependence(function, rules), epochs(function, rules) {
  refuseForbidden();
  collectFacts(function.body, false);
  RepeatedLoads repeated = loadsThatRepeat(function);
  stableLoads = std::move(repeated.loads);
  stableCalls = std::move(repeated.calls);
  collectMaskable();
}

void AdjointBuilder::useBar(Var *value, Var *bar) {
  bars[value] = bar;
  declared.insert(value);
}

std::vector<Stmt> AdjointBuilder::run(const std::vector<std::pair<Expr, Expr>> &seeds) {
  chooseLoads(function.body);
  std::vector<Stmt> sweeps = collect([&] {
    adjointOf(function.body, true, [&] {
      for (const auto &[result, seed] : seeds) {
        auto *init = llvm::dyn_cast<InitExpr>(result.get());
        for (unsigned i = 0; init && i < init->elements.size(); ++i)
          if (activity.isActive(init->elements[i]))
            propagate(init->elements[i], makeMember(seed, i), nullptr);
        if (!init && activity.isActive(result))
          contributeParts(result, seed);
      }
    });
  });
  std::vector<Stmt> list;
  for (const auto &[value, kept] : keptLoads)
    list.push_back(makeDecl(kept));
  if (nextFrame)
    list.push_back(makeDecl(nextFrame, intLit(0)));
  list.insert(list.end(), sweeps.begin(), sweeps.end());
  return list;
}

/// Computes the region's values, then reverses it.
void AdjointBuilder::adjointOf(const Region &region, bool isFirstRun, llvm::function_ref<void()> atTurn) {
  const Region *outer = current;
  current = &region;
  OrderedSet<Var> outerArrays = std::exchange(freshArrays, {});
  SlotCount outerSlots = slots;
  Expr outerFirst = firstSlot;
  bool outerStores = stores, outerPutsBack = putsBack;
  if (isFirstRun)
    stores = putsBack = undo != nullptr;
  else {
    if (undo && undo->waitsBefore(region))
      waitBefore(region);
    rewindTo(region);
  }
  forwardAndVote(region, isFirstRun);
  freshArrays = std::move(outerArrays);
  declareArrayBars(region);
  atTurn();
  reverse(region, isFirstRun);
  if (!isFirstRun)
    reruns.pop_back();
  stores = outerStores;
  putsBack = outerPutsBack;
  slots = outerSlots;
  firstSlot = outerFirst;
  current = outer;
  // The adjoint variables of this region's values go out of scope here.
  std::erase_if(declared, [&](Var *value) {
    auto found = definedIn.find(value);
    return found != definedIn.end() && found->second == &region;
  });
}

void AdjointBuilder::declareArrayBars(const Region &region) {
  for (const auto &item : region.items) {
    auto *array = llvm::dyn_cast<ArrayItem>(item.get());
    if (!array || !activity.isActive(MemoryBase{array->array, ""}))
      continue;
    Var *bar = owner.makeVar(array->array->name + "_bar", array->array->type);
    shadows[{array->array, ""}] = Shadow{makeRef(bar), nullptr};
    emit(makeDecl(bar, makeInit({}, bar->type)));
  }
}

void AdjointBuilder::reverse(const Region &region, bool isFirstRun) {
  for (auto at = region.items.rbegin(); at != region.items.rend(); ++at) {
    const Item &item = **at;
    switch (item.kind) {
    case ItemKind::Value:
      reverseValue(*llvm::cast<ValueItem>(&item));
      if (isBarrier(item))
        emit(llvm::cast<ValueItem>(&item)->mirror);
      break;
    case ItemKind::Store:
      if (putsBack)
        putBack(*llvm::cast<StoreItem>(&item), llvm::cast<StoreItem>(&item)->place);
      reverseStore(*llvm::cast<StoreItem>(&item));
      if (auto *store = llvm::cast<StoreItem>(&item); store->old)
        emit(makeAssign(store->place, makeRef(store->old)));
      break;
    case ItemKind::Branch:
      reverseBranch(*llvm::cast<BranchItem>(&item), isFirstRun && runsAtItsTurn(region, item));
      break;
    case ItemKind::Loop:
      reverseLoop(*llvm::cast<LoopItem>(&item));
      break;
    case ItemKind::Call:
      reverseCall(*llvm::cast<CallItem>(&item));
      break;
    case ItemKind::Array: { // what the initialiser was made of
      auto *array = llvm::cast<ArrayItem>(&item);
      if (!array->init || !activity.isActive(MemoryBase{array->array, ""}))
        break;
      if (auto *init = llvm::dyn_cast<InitExpr>(array->init.get()))
        reverseInit(*init, makeRef(array->array));
      break;
    }
    case ItemKind::Effect: // a barrier is its own mirror image
      emit(llvm::cast<EffectItem>(&item)->stmt);
      break;
    }
  }
}

/// What an initialiser is made of gets the adjoints of the places that it fills.
void AdjointBuilder::reverseInit(const InitExpr &init, const Expr &place) {
  for (unsigned i = 0; i < init.elements.size(); ++i) {
    const Expr &element = init.elements[i];
    Expr part = isRecord(place->type) ? makeMember(place, i) : makeIndex(place, intLit(i));
    if (auto *inner = llvm::dyn_cast<InitExpr>(element.get()))
      reverseInit(*inner, part);
    else if (activity.isActive(element))
      propagate(element, shadowPlace(part), nullptr);
  }
}

void AdjointBuilder::reverseValue(const ValueItem &item) {
  if (auto aliased = aliasedSeeds.find(item.var); aliased != aliasedSeeds.end()) {
    // carried = carried + rest: the seed is the carried adjoint itself, which stays.
    Expr rest = withoutAddend(item.expr, [&](const Expr &e) {
      auto *ref = llvm::dyn_cast<RefExpr>(e.get());
      if (!ref)
        return false;
      auto inner = aliasedSeeds.find(ref->var);
      return ref->var == aliased->second || (inner != aliasedSeeds.end() && inner->second == aliased->second);
    });
    return propagate(rest, makeRef(barOf(aliased->second)), nullptr);
  }
  if (!activity.isActive(item.var) || !declared.count(item.var))
    return;
  if (isRecord(item.var->type)) {
    // A struct that was loaded or chosen as a whole: field by field.
    std::function<void(const Expr &, const Expr &)> fields = [&](const Expr &e, const Expr &bar) {
      for (unsigned i = 0; i < e->type->record->fields.size(); ++i) {
        const Type &type = e->type->record->fields[i].type;
        if (isRecord(type))
          fields(makeMember(e, i), makeMember(bar, i));
        else if (isFloating(type))
          propagate(makeMember(e, i), makeMember(bar, i), nullptr);
      }
    };
    return fields(item.expr, makeRef(barOf(item.var)));
  }
  propagate(item.expr, makeRef(barOf(item.var)), makeRef(item.var));
}

/// `condition`, and that the indices of `mask` are 0, in the words of the runtime where it has some.
static Expr isFirstIn(ThreadDependence::Mask mask, Expr condition) {
  static const std::pair<ThreadDependence::Mask, const char *> Words[] = {{7, "gpuad::first_of_block"},
                                                                          {6, "gpuad::first_row"},
                                                                          {56, "gpuad::first_block"},
                                                                          {48, "gpuad::first_row_of_blocks"}};
  for (const auto &[indices, word] : Words)
    if ((mask & indices) == indices) {
      Callee callee;
      callee.name = callee.spelling = word;
      condition = logicalAnd(condition, makeCall(callee, {}, boolType()));
      mask &= ~indices;
    }
  for (unsigned bit = 0; bit < 6; ++bit)
    if (mask & (1u << bit)) {
      ThreadBuiltin builtin = bit < 3 ? ThreadBuiltin::ThreadIdx : ThreadBuiltin::BlockIdx;
      Expr isZero = makeBinary(BinaryOp::Eq, makeThreadIndex(builtin, bit % 3), intLit(0), boolType());
      condition = logicalAnd(condition, isZero);
    }
  return condition;
}

/// The indices that must be 0 so that this thread alone stands for all that write the
/// same value to the place; none when the place tells the threads apart.
ThreadDependence::Mask AdjointBuilder::election(const StoreItem &item) {
  ThreadDependence::Mask told = dependence.of(item.place);
  ThreadDependence::Mask perhapsTold = told;
  for (const Expr &guard : guards) {
    told |= dependence.pinnedBy(guard);
    perhapsTold |= dependence.mayPin(guard);
  }
  ThreadDependence::Mask missing = dependence.dimensionsOfLaunch() & ~told;
  if (isShared(rootVar(item.place))) // each block has its own
    missing &= 7;
  if (!missing)
    return 0;
  ThreadDependence::Mask differs = dependence.of(item.value) & missing;
  // Threads that store different values to one place would race: there is only one.
  if (differs && !(missing & ~perhapsTold))
    return 0;
  for (const Expr &guard : guards)
    differs |= dependence.of(guard) & missing;
  if (differs) {
    failed = true;
    Var *root = rootVar(item.place);
    diag::report(sink, diag::Id::SameValueWrite, item.range, root ? root->name : "memory",
                 ThreadDependence::describe(differs));
    return 0;
  }
  // The launch may have dimensions that the function never looks at.
  return missing | (dependence.dimensionsNotNamed() & (isShared(rootVar(item.place)) ? 7 : 63));
}

/// s[threadIdx.x / 32] = v: the threads with one quotient write to one element. Where the
/// whole warp comes here with one value, its first lane stands for it.
Expr AdjointBuilder::electedLane(const StoreItem &item) const {
  analysis::LaneAgreement lanes(function, dependence);
  bool isOnePlace = true;
  for (Expr at = item.place; at->kind == ExprKind::Index || at->kind == ExprKind::Member;) {
    auto *access = llvm::dyn_cast<IndexExpr>(at.get());
    isOnePlace &= !access || lanes.agree(access->index);
    at = access ? access->base : llvm::cast<MemberExpr>(at.get())->base;
  }
  if (!isOnePlace || !lanes.agree(item.value) || !lanes.meetAt(item))
    return nullptr;
  Callee first;
  first.name = first.spelling = "gpuad::is_first_lane";
  return makeCall(first, {}, boolType());
}

/// `condition`, and that this thread stands for all that write the same value to the place.
Expr AdjointBuilder::elected(const StoreItem &item, Expr condition) {
  if (!function.primal->isKernel() || item.isAtomic || failed)
    return condition;
  if (analysis::isSharedByThreads(item.place, guards, definitions, dependence)) {
    if (Expr first = electedLane(item))
      return logicalAnd(condition, first);
    failed = true;
    Var *root = rootVar(item.place);
    diag::report(sink, diag::Id::SameValueWrite, item.range, root ? root->name : "memory",
                 "more of the thread's index than a quotient");
    return condition;
  }
  return isFirstIn(election(item), std::move(condition));
}

/// What must hold for this thread to touch the shadow of a store's place; null: nothing.
Expr AdjointBuilder::mayTouch(const StoreItem &item, const Expr &place) {
  return elected(item, wantedAt(place));
}

/// The reverse of overwriting with something that carries no derivative: the seed of
/// what was overwritten is gone.
void AdjointBuilder::clearSeed(const StoreItem &item, const Expr &place) {
  Var *root = rootVar(place);
  bool isLocal = isOwnArray(root) && root->storage == Storage::Local;
  Expr shadow = shadowPlace(place);
  Stmt clear = makeAssign(shadow, zeroOf(shadow->type));
  Expr condition = isLocal ? nullptr : mayTouch(item, place);
  emit(condition ? makeIf(condition, makeBlock({clear})) : clear);
}

/// The seed that a store finds in the shadow of its place: taken (and cleared) where
/// the primal overwrites, only read where it adds.
Expr AdjointBuilder::seedOf(const StoreItem &item, const Expr &place, const std::string &name) {
  Expr shadow = shadowPlace(place);
  Expr zero = zeroOf(shadow->type);
  Var *root = rootVar(place);
  bool isLocal = isOwnArray(root) && root->storage == Storage::Local;
  Var *seed = owner.makeVar(name, withConst(shadow->type, false));
  seed->isTemporary = true;
  if (isLocal) {
    emit(makeDecl(seed, shadow));
    emit(makeAssign(shadow, zero));
    return makeRef(seed);
  }
  Expr value = shadow;
  if (!item.increment) {
    Callee take;
    take.name = take.spelling = "gpuad::take";
    value = makeCall(take, {makeAddrOf(shadow)}, withConst(shadow->type, false));
  }
  Expr condition = mayTouch(item, place);
  emit(makeDecl(seed, condition ? makeSelect(condition, value, zero, zero->type) : value));
  return makeRef(seed);
}

/// A struct of numbers alone, such as float4, of which something active is stored.
bool AdjointBuilder::isTakenWhole(const StoreItem &item) const {
  Var *root = rootVar(item.place);
  bool isLocal = isOwnArray(root) && root->storage == Storage::Local;
  if (!isRecord(item.place->type) || item.increment || isLocal)
    return false;
  for (const Field &field : item.place->type->record->fields)
    if (!isFloating(field.type))
      return false;
  auto *init = llvm::dyn_cast<InitExpr>(item.value.get());
  return init ? llvm::any_of(init->elements, [&](const Expr &e) { return activity.isActive(e); })
              : activity.isActive(item.value);
}

/// Takes the seed of a struct at once, and gives its parts to the parts of the value.
void AdjointBuilder::storeStruct(const StoreItem &item) {
  Expr seed = seedOf(item, item.place, nameOfValue(item.place) + "_bar");
  auto *init = llvm::dyn_cast<InitExpr>(item.value.get());
  for (unsigned i = 0; i < item.place->type->record->fields.size(); ++i) {
    if (init && i >= init->elements.size())
      break;
    Expr part = init ? init->elements[i] : makeMember(item.value, i);
    if (activity.isActive(part))
      propagate(part, makeMember(seed, i), nullptr);
  }
}

void AdjointBuilder::storeLeaves(const StoreItem &item, const Expr &place, const Expr &value) {
  if (isRecord(place->type)) {
    auto *init = llvm::dyn_cast<InitExpr>(value.get());
    for (unsigned i = 0; i < place->type->record->fields.size(); ++i) {
      const Type &type = place->type->record->fields[i].type;
      if (!holdsFloating(type))
        continue;
      Expr part = !init ? makeMember(value, i) : i < init->elements.size() ? init->elements[i] : zeroOf(type);
      storeLeaves(item, makeMember(place, i), part);
    }
    return;
  }
  const Expr &from = item.increment && !isRecord(item.place->type) ? item.increment : value;
  if (!activity.isActive(from)) {
    if (!item.increment)
      clearSeed(item, place);
    return;
  }
  auto *ref = llvm::dyn_cast<RefExpr>(from.get());
  std::string name = ref && activity.isActive(ref->var) ? ref->var->name + "_bar" : "seed";
  if (Var *root = rootVar(place); root && name == "seed")
    name = root->name + "_seed";
  Expr seed = seedOf(item, place, name);
  propagate(from, seed, nullptr);
}

/// Of several threads that offered the number that was picked, the first that comes takes the
/// seed. What nobody takes belongs to the number that was there.
void AdjointBuilder::reversePick(const StoreItem &item) {
  Expr shadow = shadowPlace(item.place), want = wantedAt(item.place);
  Callee take;
  take.name = take.spelling = "gpuad::atomic_take";
  Expr taken = makeCall(take, {makeAddrOf(shadow)}, withConst(shadow->type, false));
  Expr condition = want ? logicalAnd(want, item.won) : item.won;
  if (!activity.isActive(item.value))
    return emit(makeIf(condition, makeBlock({makeDo(taken)})));
  Var *seed = owner.makeVar(nameOfValue(item.place) + "_seed", withConst(shadow->type, false));
  seed->isTemporary = true;
  emit(makeDecl(seed, makeSelect(condition, taken, zeroOf(shadow->type), seed->type)));
  propagate(item.value, makeRef(seed), nullptr);
}

void AdjointBuilder::reverseStore(const StoreItem &item) {
  if (!activity.isActive(memoryBase(item.place)) && !shadows.count(memoryBase(item.place)))
    return;
  if (item.picks)
    return reversePick(item);
  if (!holdsFloating(item.place->type))
    return;
  if (isTakenWhole(item))
    storeStruct(item);
  else
    storeLeaves(item, item.place, item.value);
}

/// Code with barriers is about to be run again: what it stores to shared memory, others may still be loading.
void AdjointBuilder::waitBefore(const Region &region) {
  bool ofBlock = meetingsIn(region, rules).block; // else lanes of a warp wait
  for (const auto &item : region.items) {
    if (ofBlock ? isBarrierOfBlock(*item) : isBarrier(*item))
      return emit(mirrorOfBarrier(*item));
    auto *branch = llvm::dyn_cast<BranchItem>(item.get());
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    if (branch && meetingsIn(*branch, rules).block)
      return waitBefore(meetingsIn(branch->thenRegion, rules).block ? branch->thenRegion : branch->elseRegion);
    if (loop && meetingsIn(loop->body, rules).block)
      return waitBefore(loop->body);
  }
}

void AdjointBuilder::reverseBranch(const BranchItem &item, bool isFirstRun) {
  if (!isFirstRun && meetingsIn(item, rules).block)
    waitBefore(meetingsIn(item.thenRegion, rules).block ? item.thenRegion : item.elseRegion);
  declareOuterBars(item);
  restoreArrays(item);
  if (!isFirstRun)
    returnToFrame(item);
  auto arm = [&](const Region &region, const Expr &guard, bool isThen) {
    guards.push_back(guard);
    std::vector<Stmt> list = collect([&] {
      adjointOf(region, isFirstRun, [&] {
        for (const Merge &merge : item.merges) {
          const Expr &value = isThen ? merge.thenValue : merge.elseValue;
          if (value && activity.isActive(merge.var) && declared.count(merge.var) && activity.isActive(value))
            contribute(value, makeRef(barOf(merge.var)));
        }
      });
    });
    guards.pop_back();
    return list;
  };
  std::vector<Stmt> thenList = arm(item.thenRegion, item.condition, true);
  std::vector<Stmt> elseList = arm(item.elseRegion, logicalNot(item.condition), false);
  if (thenList.empty() && elseList.empty())
    return;
  emit(makeIf(item.condition, makeBlock(thenList), elseList.empty() ? nullptr : makeBlock(elseList), item.range));
}

} // namespace gpuad::transform
