//===- AdjointUndo.cpp - storing to memory of the caller, and undoing it -===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"
#include "transform/Collectives.h"
#include "llvm/ADT/STLExtras.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

namespace gpuad::transform {
using namespace ir;

Stmt AdjointBuilder::callOnLog(const char *method, std::vector<Expr> args) const {
  return makeDo(callOn(undo->log, "gpuad::undo_log", method, std::move(args), voidType()));
}

/// A branch at the end of the function, or of such a branch's arm, is not run ahead of
/// its own reverse: that runs it, for the first and only time.
bool AdjointBuilder::runsAtItsTurn(const Region &region, const Item &item) const {
  auto *branch = llvm::dyn_cast<BranchItem>(&item);
  if (!branch || &item != region.items.back().get() || !branch->merges.empty())
    return false;
  if (meetingsIn(item, rules).block) // what threads have done together is not removed when nobody needs it
    return true;
  bool votesInside = plan && plan->isMeasured() && plan->voteChain.count(&region) && !plan->voters.count(&region);
  return votesInside || (undo && undo->storesIn(item));
}

/// Where a region is run again, such a branch at its end is not run twice, either. What the last branch of an
/// iteration yields only the next iteration needs.
bool AdjointBuilder::isRerunAtItsTurn(const Region &region, const Item &item) const {
  auto *branch = llvm::dyn_cast<BranchItem>(&item);
  if (!branch || undo || !meetingsIn(item, rules).block || !(branch->merges.empty() || loopBodies.count(&region)))
    return false;
  // Values of what is carried may stand behind it.
  for (auto at = region.items.rbegin(); at->get() != &item; ++at) {
    auto *value = llvm::dyn_cast<ValueItem>(at->get());
    if (!value || value->load != LoadClass::None || meetingsIn(*value, rules).any())
      return false;
    for (Var *var : variablesIn(value->expr))
      if (llvm::any_of(branch->merges, [&](const Merge &merge) { return merge.var == var; }))
        return false;
  }
  return true;
}

/// Whether the forward sweep goes on where the log is full, and counts what it needs.
bool AdjointBuilder::mayOverrun() const {
  return plan && plan->isMeasured() && plan->logIsInStack && plan->logIsOfBlock;
}

/// What several threads store to one place, only one of them stores; the others would
/// keep what that one has stored.
void AdjointBuilder::keepAndStore(const StoreItem &item) {
  if (!covers(item) || !stores)
    return;
  Expr first = elected(item);
  std::vector<Stmt> list = collect([&] {
    for (const Expr &scalar : undo->keeps(item) ? scalarsOf(item.place) : std::vector<Expr>())
      emit(callOnLog(mayOverrun() ? "try_keep" : "keep", {makeAddrOf(scalar)}));
    emit(makeAssign(item.place, item.value, item.range));
  });
  if (first)
    return emit(makeIf(first, makeBlock(list), nullptr, item.range));
  for (const Stmt &s : list)
    emit(s);
}

void AdjointBuilder::putBack(const StoreItem &item, const Expr &place) {
  if (!undo || !undo->keeps(item))
    return;
  std::vector<Expr> scalars = scalarsOf(place);
  std::vector<Stmt> list;
  for (auto at = scalars.rbegin(); at != scalars.rend(); ++at)
    list.push_back(callOnLog("put_back", {makeAddrOf(*at)}));
  if (Expr first = elected(item))
    return emit(makeIf(first, makeBlock(list), nullptr, item.range));
  for (const Stmt &s : list)
    emit(s);
}

/// At the start of the reverse of a region that is run again.
void AdjointBuilder::rewindTo(const Region &region) {
  bool isRewound = undo && !putsBack; // by a region around it
  reruns.push_back(&region);
  stores = false;
  if (!undo || isRewound || undo->rerunOf(region) == Rerun::Behind)
    return;
  if (auto flat = undo->flatStores(region)) {
    for (auto at = flat->rbegin(); at != flat->rend(); ++at)
      putBack(*at->first, at->second);
  } else {
    emit(callOnLog("rewind", {intLit(undo->numberOf(region))}));
  }
  stores = putsBack = undo->rerunOf(region) == Rerun::Redone;
}

/// An arm or an iteration inside what is run. Its start is marked where its reverse
/// will ask for it.
void AdjointBuilder::forwardMarked(const Region &region, bool isFirstRun) {
  if (isFirstRun)
    stopUnlessFits(region);
  if (stores && undo->isMarked(region))
    emit(callOnLog(mayOverrun() ? "try_mark" : "mark", {intLit(undo->numberOf(region))}));
  forward(region, false, isFirstRun);
}

/// Where only the run knows how much is overwritten: the thread stops before the first
/// store that cannot be undone. What it has stored is put back after the vote.
void AdjointBuilder::stopUnlessFits(const Region &region) {
  if (!undo || !plan || !plan->mayStop())
    return;
  unsigned entries = undo->entriesOf(region);
  if (entries == 0)
    return;
  Expr fits = callOn(undo->log, "gpuad::undo_log", "has_room", {intLit(entries)}, boolType());
  emit(makeIf(logicalNot(fits), makeBlock({makeBreak()})));
}

/// Behind a loop that may have stopped: so does what is around it.
void AdjointBuilder::stopBehind(const Item &item, bool isFirstRun) {
  if (!isFirstRun || !undo || !plan || !plan->mayStop() || !undo->storesIn(item))
    return;
  Expr isStopped = callOn(undo->log, "gpuad::undo_log", "is_stopped", {}, boolType());
  emit(makeIf(isStopped, makeBlock({makeBreak()})));
}

} // namespace gpuad::transform
