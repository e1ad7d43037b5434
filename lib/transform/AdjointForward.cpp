//===- AdjointForward.cpp - forward sweeps -------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "ir/Items.h"
#include "ir/Walk.h"
#include "transform/Counting.h"
#include "transform/PutBack.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <utility>

namespace gpuad::transform {
using namespace ir;

bool AdjointBuilder::needsForward(const Item &item) const {
  OrderedSet<Var> inside; // arrays that end with the item
  std::function<bool(const Region &)> changesMemory = [&](const Region &region) {
    for (const auto &one : region.items) {
      if (auto *array = llvm::dyn_cast<ArrayItem>(one.get()))
        inside.insert(array->array);
      if (auto *store = llvm::dyn_cast<StoreItem>(one.get())) {
        Var *root = rootVar(store->place);
        if (isOwnArray(root) && !covers(*store) ? !inside.count(root) : stores && covers(*store))
          return true;
      }
      if (isBarrier(*one))
        return true;
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()))
        if (changesMemory(branch->thenRegion) || changesMemory(branch->elseRegion))
          return true;
      if (auto *loop = llvm::dyn_cast<LoopItem>(one.get()))
        if (changesMemory(loop->body))
          return true;
    }
    return false;
  };
  if (decisions->isIn(item))
    return true;
  bool records = false; // what its reverse reads is recorded when it runs
  auto visit = [&](const Region &region) {
    forEachItem(region, [&](const Item &one) {
      auto *value = llvm::dyn_cast<ValueItem>(&one);
      records |= value && recordedLoads.count(value) != 0;
    });
  };
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    visit(branch->thenRegion);
    visit(branch->elseRegion);
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    visit(loop->body);
  if (records)
    return true;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return !branch->merges.empty() || changesMemory(branch->thenRegion) || changesMemory(branch->elseRegion);
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    return !loop->carried.empty() || !loop->isCounted || changesMemory(loop->body);
  return true;
}

/// Whether what is run again sets the array before threads offer numbers to it. Else it still holds what was picked.
bool AdjointBuilder::setsAnew(const Var *array) const {
  bool found = false;
  if (!reruns.empty())
    forEachItem(*reruns.front(), [&](const Item &item) {
      auto *store = llvm::dyn_cast<StoreItem>(&item);
      found |= store && !store->picks && rootVar(store->place) == array;
    });
  return found;
}

void AdjointBuilder::forward(const Region &region, bool record, bool isFirstRun) {
  for (size_t at = 0; at < region.items.size(); ++at) {
    const auto &item = region.items[at];
    if (record && (item->kind == ItemKind::Branch || item->kind == ItemKind::Loop))
      copyArraysBefore(region, at);
    switch (item->kind) {
    case ItemKind::Value:
      forwardValue(*llvm::cast<ValueItem>(item.get()), isFirstRun);
      break;
    case ItemKind::Store: {
      // Of what is not ours, only what is read back is written.
      auto *store = llvm::cast<StoreItem>(item.get());
      if (store->picks && !isFirstRun && !setsAnew(rootVar(store->place)))
        break;
      if (isOwnArray(rootVar(store->place)) && !covers(*store))
        emit(store->update ? makeDo(store->update, item->range) : makeAssign(store->place, store->value, item->range));
      else
        keepAndStore(*store);
      break;
    }
    case ItemKind::Array: {
      auto *array = llvm::cast<ArrayItem>(item.get());
      freshArrays.insert(array->array);
      emit(makeDecl(array->array, array->init, item->range));
      break;
    }
    case ItemKind::Branch:
      if (record && (isFirstRun ? runsAtItsTurn(region, *item) : isRerunAtItsTurn(region, *item))) {
        frameBefore.erase(llvm::cast<BranchItem>(item.get())); // its turn comes next
        break;
      }
      if (needsForward(*item) || isCounting(*item))
        forwardBranch(*llvm::cast<BranchItem>(item.get()), isFirstRun);
      break;
    case ItemKind::Loop:
      if (needsForward(*item) || isCounting(*item))
        forwardLoop(*llvm::cast<LoopItem>(item.get()), record, isFirstRun);
      stopBehind(*item, isFirstRun);
      break;
    case ItemKind::Call:
      forwardCall(*llvm::cast<CallItem>(item.get()), isFirstRun);
      break;
    case ItemKind::Effect:
      emit(llvm::cast<EffectItem>(item.get())->stmt);
      break;
    }
  }
}

void AdjointBuilder::forwardValue(const ValueItem &item, bool isFirstRun) {
  if (forwardDecided(item, isFirstRun) || forwardRecorded(item, isFirstRun))
    return;
  Stmt declaration = makeDecl(item.var, item.expr, item.range);
  Var *root = rootVar(item.expr);
  bool isUndone = undo && undo->loads(item.expr);
  bool repeats = item.load == LoadClass::Array && !isUndone && !isFirstRun && !stableLoads.count(&item) &&
                 !freshArrays.count(root) && !llvm::is_contained(restored, root) && !findsPutBack(item, root);
  bool isLost = isUndone ? !isFirstRun && !undo->mayReload(item, reruns) : item.load == LoadClass::Stale;
  if (isLost || repeats || (!isFirstRun && offered.count(&item)))
    noteHazard(declaration, item);
  emit(declaration);
}

/// Whether the load finds what it found in the primal, in an array whose stores are put back.
bool AdjointBuilder::findsPutBack(const ValueItem &item, Var *array) const {
  return putBackArrays.count(array) &&
         llvm::none_of(reruns, [&](const Region *region) { return storesBehind(*region, item, array); });
}

void AdjointBuilder::forwardBranch(const BranchItem &item, bool isFirstRun) {
  Var *most = isCounting(item) ? countFrom("arm_slots") : nullptr;
  const bool isFirst = isAtFirstFrame;
  auto arm = [&](const Region &region, bool isThen) {
    guards.push_back(isThen ? item.condition : logicalNot(item.condition));
    isAtFirstFrame = isFirst;
    std::vector<Stmt> list = collect([&] {
      auto run = [&] { forwardMarked(region, isFirstRun); };
      if (most)
        for (const Stmt &s : counting(most, run))
          emit(s);
      else
        run();
      for (const Merge &merge : item.merges)
        if (const Expr &value = isThen ? merge.thenValue : merge.elseValue)
          emit(makeAssign(makeRef(merge.var), value, item.range));
    });
    guards.pop_back();
    isAtFirstFrame = isFirst && !decisions->hasFrames(item);
    return list;
  };
  if (isFirstRun)
    declareCountsOf(item);
  markFrame(item);
  // An arm that computes nothing only gives the merges their first value.
  bool elseIsPlain = item.elseRegion.items.empty(), thenIsPlain = !elseIsPlain && item.thenRegion.items.empty();
  for (const Merge &merge : item.merges)
    emit(makeDecl(merge.var, elseIsPlain ? merge.elseValue : thenIsPlain ? merge.thenValue : nullptr, item.range));
  if (elseIsPlain)
    return emit(makeIf(item.condition, makeBlock(arm(item.thenRegion, true)), nullptr, item.range));
  if (thenIsPlain)
    return emit(makeIf(logicalNot(item.condition), makeBlock(arm(item.elseRegion, false)), nullptr, item.range));
  emit(makeIf(item.condition, makeBlock(arm(item.thenRegion, true)), makeBlock(arm(item.elseRegion, false)),
              item.range));
}

/// v1 = e1, v2 = e2, ... at once: where an e reads a v that was assigned before it,
/// the old value is kept first.
void AdjointBuilder::parallelAssign(const std::vector<std::pair<Var *, Expr>> &copies) {
  std::vector<Stmt> assigns;
  for (size_t i = 0; i < copies.size(); ++i) {
    Expr value = copies[i].second;
    for (size_t k = 0; k < i; ++k)
      if (auto *ref = llvm::dyn_cast<RefExpr>(value.get()); ref && ref->var == copies[k].first) {
        Var *old = owner.makeVar(ref->var->name + "_old", ref->var->type);
        emit(makeDecl(old, value));
        value = makeRef(old);
        break;
      }
    assigns.push_back(makeAssign(makeRef(copies[i].first), value));
  }
  for (Stmt &assign : assigns)
    emit(assign);
}

/// The loop records into local arrays; which of them are read is seen later.
void AdjointBuilder::recordLocally(const LoopItem &item) {
  for (const Carried &carried : item.carried) {
    if (carried.hasClosedForm() || isMembership(item, carried))
      continue;
    Var *&array = recordOf[&item][carried.var];
    if (!array) {
      array = owner.makeVar(carried.var->name + "_at", arrayOf(carried.var->type, item.staticTrips));
      recordPlaces.push_back({array, &item, carried.var});
    }
    emit(makeAssign(makeIndex(makeRef(array), iterationHere(item)), makeRef(carried.var)));
  }
  for (Var *from : recordedArrays(item)) {
    Var *&array = recordOf[&item][from];
    if (!array) {
      uint64_t slots = item.staticTrips * slotsOf(*from);
      array = owner.makeVar(from->name + "_at", arrayOf(slotType(*from), slots));
      recordPlaces.push_back({array, &item, from});
    }
    recordElements(item, from);
  }
}

void AdjointBuilder::forwardLoop(const LoopItem &item, bool isRecording, bool isFirstRun) {
  for (const Carried &carried : item.carried)
    emit(makeDecl(carried.var, carried.init, item.range));
  beginFrames(item);
  Expr before = isFirstRun ? nullptr : countBefore(item);
  if (before)
    counterOf[&item] = owner.makeVar("k", intType());
  if (!item.isCounted)
    emit(makeDecl(item.trips, before ? before : intLit(0)));
  if (item.isVoted)
    emit(makeDecl(item.joined, intLit(0)));
  bool isStacked = inStack(item) != nullptr;
  if (isStacked && isRecording)
    declareRecords(item);
  if (isRecording && !isStacked)
    declareLoads(item);
  const LoopItem *outerRecording = std::exchange(recordingIn, isRecording ? &item : nullptr);
  const LoopItem *outerRecalling = std::exchange(recallingIn, nullptr);
  Var *most = isCounting(item) && bodyHoldsRecords(item) ? countFrom("inner_slots") : nullptr;
  std::vector<Stmt> body = collect([&] {
    if (isRecording)
      isStacked ? record(item) : recordLocally(item);
    enterFrame(item, isRecording, isFirstRun);
    auto run = [&] { forwardMarked(item.body, isFirstRun); };
    if (most)
      for (const Stmt &s : counting(most, run))
        emit(s);
    else
      run();
    std::vector<std::pair<Var *, Expr>> copies;
    if (item.isVoted)
      emit(makeIf(item.condition, makeBlock({makeAssign(makeRef(item.joined), add(makeRef(item.joined), intLit(1)))})));
    for (const Carried &carried : item.carried)
      copies.push_back({carried.var, carried.next});
    parallelAssign(copies);
    if (!item.isCounted && !before)
      emit(makeAssign(makeRef(item.trips), add(makeRef(item.trips), intLit(1))));
  });
  if (isRecording && !isStacked)
    for (auto &[var, array] : recordOf[&item])
      emit(makeDecl(array));
  if (item.isCounted) {
    emit(loopOver(item, body, nullptr));
  } else if (before) {
    Var *counter = counterOf[&item];
    Expr more = makeBinary(BinaryOp::Lt, makeRef(counter), makeRef(item.trips), boolType());
    Stmt next = makeAssign(makeRef(counter), makeBinary(BinaryOp::Add, makeRef(counter), intLit(1), intType()));
    emit(makeFor({makeDecl(counter, intLit(0))}, more, {next}, makeBlock(body), item.pragma, item.range));
    counterOf.erase(&item);
  } else if (item.isVoted) {
    Callee anyOf;
    anyOf.name = anyOf.spelling = "gpuad::any_of_block";
    emit(makeWhile(makeCall(anyOf, {item.condition}, boolType()), makeBlock(body), false, item.range));
  } else {
    std::vector<Stmt> condition = collect([&] { forward(item.conditionRegion, false, isFirstRun); });
    if (!condition.empty()) {
      condition.push_back(makeIf(logicalNot(item.condition), makeBlock({makeBreak()})));
      condition.insert(condition.end(), body.begin(), body.end());
    }
    emit(makeWhile(condition.empty() ? item.condition : boolLit(true), makeBlock(condition.empty() ? body : condition),
                   false, item.range));
  }
  recordingIn = outerRecording;
  recallingIn = outerRecalling;
  endFrames(item);
  if (isFirstRun)
    keepCount(item);
  if (isStacked)
    closeRecords(item, isRecording);
}

} // namespace gpuad::transform
