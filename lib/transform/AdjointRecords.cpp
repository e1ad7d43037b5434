//===- AdjointRecords.cpp - recording into the stack ---------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Slots of the stack are given out by position: the loops of a region that is run
/// lie one after the other, and what a region that is run again records lies behind
/// all that is recorded around it. So nothing but expressions of trip counts tells
/// where a record is, and no stack pointer is kept.
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "transform/Counting.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace gpuad::transform {
using namespace ir;

static Stmt growTo(Var *most, const Expr &value) {
  return makeIf(makeBinary(BinaryOp::Lt, makeRef(most), value, boolType()),
                makeBlock({makeAssign(makeRef(most), value)}));
}

static Expr noSlots() {
  return makeLit("0", int64_t(0), sizeType());
}

/// What the loop records into the stack; null: nothing.
const std::vector<Var *> *AdjointBuilder::inStack(const LoopItem &item) const {
  if (!plan)
    return nullptr;
  auto found = plan->inStack.find(&item);
  return found == plan->inStack.end() ? nullptr : &found->second;
}

void AdjointBuilder::declareRecords(const LoopItem &item) {
  int64_t frame = frameOf(*inStack(item)), place = 0;
  for (Var *recorded : *inStack(item)) {
    Type type = slotType(*recorded);
    Var *array = owner.makeVar(recorded->name + "_at", opaqueType("gpuad::records<" + spell(type) + ">"));
    recordOf[&item][recorded] = array;
    std::vector<Expr> args{add(firstSlot ? firstSlot : noSlots(), intLit(place))};
    if (frame > 1 && !isArray(recorded->type) &&
        !isObjectOfSlots(*recorded)) // the elements of an array lie side by side
      args.push_back(intLit(frame));
    unsigned own = std::max(type->bits / 8, 4u);
    std::string width = own == plan->bytesPerSlot ? "" : ", " + std::to_string(plan->bytesPerSlot);
    emit(makeDecl(array, callOnStack(*plan, "claim", args, array->type, "<" + spell(type) + width + ">")));
    place += static_cast<int64_t>(slotsOf(*recorded));
  }
}

/// From one iteration's elements of an array to the next one's, in its record.
int64_t AdjointBuilder::slotsOfElements(const LoopItem &item, Var *array) const {
  const std::vector<Var *> *recorded = inStack(item);
  return recorded ? frameOf(*recorded) : static_cast<int64_t>(slotsOf(*array));
}

static Expr slotAt(Var *array, const Expr &iteration, const Type &type) {
  if (isArray(array->type))
    return makeIndex(makeRef(array), iteration);
  auto slot = std::make_shared<IndexExpr>();
  slot->base = makeRef(array);
  slot->index = iteration;
  slot->type = withConst(type, false);
  return slot;
}

Expr AdjointBuilder::recordedAt(Var *array, const Expr &iteration, const Type &type) const {
  return slotAt(array, iteration, type);
}

Stmt AdjointBuilder::recordValue(Var *array, const Expr &slot, const Expr &value) const {
  bool mayNotFit = plan && plan->isMeasured() && isBeforeVote;
  if (isArray(array->type) || !mayNotFit)
    return makeAssign(slotAt(array, slot, value->type), value);
  Callee put;
  put.name = "gpuad::records::put";
  put.spelling = "put";
  put.isMethod = true;
  return makeDo(makeCall(put, {makeRef(array), slot, value}, voidType()));
}

void AdjointBuilder::recordElements(const LoopItem &item, Var *from) {
  emit(forEachElement(from, [&](const Expr &place, const Expr &number) {
    Expr slot = add(mul(iterationHere(item), intLit(slotsOfElements(item, from))), number);
    return recordValue(recordOf[&item][from], slot, savedElement(from, place));
  }));
}

/// At the start of an iteration.
void AdjointBuilder::record(const LoopItem &item) {
  for (Var *var : *inStack(item))
    if (isArray(var->type) || isObjectOfSlots(*var))
      recordElements(item, var);
    else if (!definitions.count(var) && !isOrigin.count(var)) // those are recorded where they are known
      emit(recordValue(recordOf[&item][var], iterationHere(item), makeRef(var)));
}

Expr AdjointBuilder::slotsOfLoop(const LoopItem &item) const {
  Expr trips = makeCast(CastStyle::Functional, tripCount(item), sizeType());
  return mul(intLit(frameOf(*inStack(item))), trips);
}

/// Behind a loop that records: later records begin after its own.
void AdjointBuilder::closeRecords(const LoopItem &item, bool isRecording) {
  Expr own = slotsOfLoop(item);
  if (isBeforeVote)
    slots.sum = slots.sum ? add(slots.sum, own) : own;
  if (!isRecording)
    return;
  Var *used = owner.makeVar("used", withConst(sizeType(), false));
  used->isTemporary = true;
  emit(makeDecl(used, firstSlot ? add(firstSlot, own) : own));
  firstSlot = makeRef(used);
}

/// Whether the forward sweep runs the item to learn what it will record.
bool AdjointBuilder::isCounting(const Item &item) const {
  return plan && plan->isMeasured() && isBeforeVote && plan->holders.count(&item) != 0;
}

bool AdjointBuilder::bodyHoldsRecords(const LoopItem &item) const {
  return llvm::any_of(item.body.items, [&](const auto &one) { return plan->holders.count(one.get()) != 0; });
}

/// The larger of all, worked out by statements where there are several.
Expr AdjointBuilder::mostOf(const std::vector<Var *> &counts) {
  if (counts.empty())
    return nullptr;
  if (counts.size() == 1)
    return makeRef(counts[0]);
  Var *most = owner.makeVar("most", sizeType());
  emit(makeDecl(most, makeRef(counts[0])));
  for (Var *count : llvm::drop_begin(counts))
    emit(growTo(most, makeRef(count)));
  return makeRef(most);
}

/// The statements of a body that may run several times; `most` becomes the largest
/// number of slots that one of its runs takes.
std::vector<Stmt> AdjointBuilder::counting(Var *most, llvm::function_ref<void()> body) {
  SlotCount outer = std::exchange(slots, {});
  std::vector<Stmt> list = collect([&] {
    body();
    Expr repeated = mostOf(slots.repeated);
    Expr total = slots.sum && repeated ? add(slots.sum, repeated) : slots.sum ? slots.sum : repeated;
    if (!total)
      return;
    if (total->kind != ExprKind::Ref) {
      Var *count = owner.makeVar("count", withConst(sizeType(), true));
      emit(makeDecl(count, total));
      total = makeRef(count);
    }
    emit(growTo(most, total));
  });
  slots = std::move(outer);
  return list;
}

Var *AdjointBuilder::countFrom(const char *name) {
  Var *most = owner.makeVar(name, sizeType());
  emit(makeDecl(most, noSlots()));
  slots.repeated.push_back(most);
  return most;
}

/// What the thread needs when this region is reversed.
Expr AdjointBuilder::needHere() {
  Expr repeated = mostOf(slots.repeated);
  if (!firstSlot)
    return repeated ? repeated : noSlots();
  return repeated ? add(firstSlot, repeated) : firstSlot;
}

/// The last moment before something is added to a shadow.
void AdjointBuilder::vote() {
  Expr own = needHere();
  emit(plan->needsDeclaration() ? makeAssign(makeRef(plan->need), own) : makeDecl(plan->need, own));
  for (const Expr &outer : outerNeeds)
    emit(growTo(plan->need, outer));
  if (plan->decisionsAreInStack) {
    Expr words = makeBinary(BinaryOp::Div, add(makeRef(nextFrame), intLit(31)), intLit(32), intType());
    Expr more =
        makeBinary(BinaryOp::Add, makeRef(plan->need), makeCast(CastStyle::Functional, words, sizeType()), sizeType());
    emit(makeAssign(makeRef(plan->need), more));
  }
  Callee marker;
  marker.name = marker.spelling = VoteMarker;
  emit(makeDo(makeCall(marker, {makeRef(plan->need)}, voidType())));
  isBeforeVote = false;
}

/// Runs the region forward; at the place for it, the block votes.
void AdjointBuilder::forwardAndVote(const Region &region, bool isFirstRun) {
  bool isOnChain = plan && plan->isMeasured() && plan->voteChain.count(&region);
  isBeforeVote = isOnChain;
  slots = {};
  if (isFirstRun)
    stopUnlessFits(region);
  forward(region, true, isFirstRun);
  if (!isOnChain)
    return;
  if (plan->voters.count(&region))
    return vote();
  if (firstSlot || !slots.repeated.empty())
    outerNeeds.push_back(needHere());
  isBeforeVote = false;
}

} // namespace gpuad::transform
