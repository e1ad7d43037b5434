//===- AdjointDecisions.cpp - what later runs take from the first ---------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first run of a loop opens a frame for each iteration that it comes to, and keeps
/// there what it decides; later runs open the same frames in the same order. `place` is
/// where the next frame begins. The reverse of an iteration, or of a branch, sets it back
/// to where it was.
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "transform/Counting.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// What the map holds for the item; null: nothing.
template <class Map> auto *entryOf(Map &map, const typename Map::key_type &item) {
  auto found = map.find(item);
  return found == map.end() ? nullptr : &found->second;
}
} // namespace

void AdjointBuilder::useDecisions(const Decisions &made) {
  decisions = &made;
  if (!made.any())
    return;
  nextFrame = temporaryInt("place");
  for (const auto &[loop, origin] : made.origins)
    isOrigin.insert(origin);
}

Expr AdjointBuilder::placeOf(const Decisions::Place &place) const {
  return add(makeRef(frameOfLoop.at(place.loop)), intLit(place.bit));
}

Stmt AdjointBuilder::keepDecision(const Decisions::Place &place, Var *var) const {
  const char *method = decisions->opened.count(place.loop) ? "keep" : "append";
  return makeDo(callOn(decisions->record, "gpuad::decisions", method, {placeOf(place), makeRef(var)}, voidType()));
}

Expr AdjointBuilder::decisionAt(const Decisions::Place &place, const Type &type) const {
  Type plain = withConst(type, false);
  return callOn(decisions->record, "gpuad::decisions", "was", {placeOf(place)}, plain, "<" + spell(plain) + ">");
}

/// A value that is decided. False: it is an ordinary one here.
bool AdjointBuilder::forwardDecided(const ValueItem &item, bool isFirstRun) {
  auto *place = entryOf(decisions->values, &item);
  if (!place)
    return false;
  if (!place->loop)
    return forwardKept(item, isFirstRun);
  if (!isFirstRun) {
    emit(makeDecl(item.var, decisionAt(*place, item.var->type), item.range));
    return true;
  }
  emit(makeDecl(item.var, item.expr, item.range));
  emit(keepDecision(*place, item.var));
  return true;
}

/// In front of a loop whose frames lie side by side: inner loops have none.
void AdjointBuilder::beginFrames(const LoopItem &item) {
  if (!holdsFrames(item) || decisions->origins.count(&item))
    return;
  Var *start = temporaryInt("start");
  firstFrame[&item] = start;
  emit(makeDecl(start, placeNow()));
}

void AdjointBuilder::endFrames(const LoopItem &item) {
  if (!holdsFrames(item) || decisions->origins.count(&item))
    return;
  emit(makeAssign(makeRef(nextFrame), frameAt(item, tripCount(item))));
  isAtFirstFrame = false;
}

/// Where the next frame begins.
Expr AdjointBuilder::placeNow() const {
  return isAtFirstFrame ? intLit(0) : makeRef(nextFrame);
}

Var *AdjointBuilder::temporaryInt(const char *name) {
  Var *made = owner.makeVar(name, intType());
  made->isTemporary = true;
  return made;
}

Expr AdjointBuilder::frameAt(const LoopItem &item, const Expr &iteration) const {
  Expr number = iteration->type->bits > 32 ? makeCast(CastStyle::Functional, iteration, intType()) : iteration;
  return add(makeRef(firstFrame.at(&item)), mul(number, intLit(decisions->frames.at(&item))));
}

/// At the start of an iteration, whose frame begins at `origin`; null: at the next place.
void AdjointBuilder::openFrame(const LoopItem &item, const Expr &origin) {
  Var *frame = temporaryInt("frame");
  frameOfLoop[&item] = frame;
  if (!origin)
    isAtFirstFrame = false; // but for the first iteration
  emit(makeDecl(frame, origin ? origin : makeRef(nextFrame)));
  if (!decisions->origins.count(&item))
    return;
  auto *bits = entryOf(decisions->frames, &item);
  isAtFirstFrame = false;
  if (origin || bits)
    emit(makeAssign(makeRef(nextFrame), bits ? add(makeRef(frame), intLit(*bits)) : makeRef(frame)));
}

/// In a forward sweep; `isRecording`: its reverse will come back to the frame.
void AdjointBuilder::enterFrame(const LoopItem &item, bool isRecording, bool isFirstRun) {
  if (!holdsFrames(item))
    return;
  auto *origin = entryOf(decisions->origins, &item);
  openFrame(item, origin ? nullptr : frameAt(item, iterationHere(item)));
  if (isFirstRun && decisions->opened.count(&item) && decisions->frames.count(&item))
    emit(makeDo(callOn(decisions->record, "gpuad::decisions", "open",
                       {makeRef(frameOfLoop[&item]), intLit(decisions->frames.at(&item))}, voidType())));
  auto *array = origin && isRecording ? entryOf(recordOf[&item], *origin) : nullptr;
  if (array)
    emit(recordValue(*array, iterationHere(item), makeRef(frameOfLoop[&item])));
}

/// At the start of an iteration of the reverse.
void AdjointBuilder::reopenFrame(const LoopItem &item, const Expr &iteration) {
  if (!holdsFrames(item))
    return;
  auto *origin = entryOf(decisions->origins, &item);
  if (!origin)
    openFrame(item, frameAt(item, iteration));
  else if (auto *array = entryOf(recordOf[&item], *origin))
    openFrame(item, recordedAt(*array, iteration, intType()));
}

/// In front of a branch whose arms are run again later.
void AdjointBuilder::markFrame(const BranchItem &item) {
  if (!decisions->hasFrames(item))
    return;
  if (isAtFirstFrame) {
    frameBefore[&item] = intLit(0);
    return;
  }
  Var *before = temporaryInt("before");
  frameBefore[&item] = makeRef(before);
  emit(makeDecl(before, makeRef(nextFrame)));
}

void AdjointBuilder::returnToFrame(const BranchItem &item) {
  auto *before = entryOf(frameBefore, &item);
  if (!before)
    return;
  emit(makeAssign(makeRef(nextFrame), *before));
  isAtFirstFrame = isZeroLit(*before);
}

/// Variables for the counts of loops in the arms of a branch that no loop is around.
void AdjointBuilder::declareCountsOf(const BranchItem &item) {
  for (const Region *arm : {&item.thenRegion, &item.elseRegion})
    for (const auto &one : arm->items) {
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()))
        declareCountsOf(*branch);
      auto *loop = llvm::dyn_cast<LoopItem>(one.get());
      auto *count = loop ? entryOf(decisions->counts, loop) : nullptr;
      if (!count || count->loop || keptCounts.count(loop))
        continue;
      Var *kept = owner.makeVar("trips", intType());
      keptCounts[loop] = kept;
      emit(makeDecl(kept, intLit(0)));
    }
}

/// Behind a loop of the first run.
void AdjointBuilder::keepCount(const LoopItem &item) {
  auto *count = entryOf(decisions->counts, &item);
  if (count && count->loop)
    emit(keepDecision(*count, item.trips));
  else if (auto *kept = count ? entryOf(keptCounts, &item) : nullptr)
    emit(makeAssign(makeRef(*kept), makeRef(item.trips)));
}

/// How often the loop ran first; null: this run finds out by itself.
Expr AdjointBuilder::countBefore(const LoopItem &item) const {
  auto *count = entryOf(decisions->counts, &item);
  if (count && count->loop)
    return decisionAt(*count, intType());
  auto *kept = count ? entryOf(keptCounts, &item) : nullptr;
  return kept ? makeRef(*kept) : nullptr;
}

/// The number of the iteration that is run.
Expr AdjointBuilder::iterationHere(const LoopItem &item) const {
  auto counter = counterOf.find(&item);
  return counter == counterOf.end() ? iterationOf(item) : makeRef(counter->second);
}

} // namespace gpuad::transform
