//===- ValueFormAtomic.cpp - read-modify-write of memory -----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atomics whose result is not used are updates of memory: what threads do in any order
/// comes to the same. In shared memory the derivative does them again, since its own
/// threads read what they made; memory of the caller is left as it was found, so there
/// nothing is done again, and who reads it back is refused like any other.
///
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/KeepResults.h"
#include "transform/Places.h"

namespace gpuad::transform {
using namespace ir;
using rules::AtomicOp;

/// Whether numbers are seen as integers of their bits.
static bool isSeenAsIntegers(const Expr &place) {
  bool isPunned = false;
  forEachExpr(place, [&](const Expr &e) {
    auto *cast = llvm::dyn_cast<CastExpr>(e.get());
    isPunned |= cast && seesBits(*cast);
  });
  return isPunned;
}

/// What two threads do in either order comes to the same.
static bool commute(const AtomicUpdate &a, const AtomicUpdate &b) {
  auto isSum = [](AtomicOp op) { return op == AtomicOp::Add || op == AtomicOp::Sub; };
  if (isSum(a.op) && isSum(b.op))
    return true;
  if (a.op != b.op || a.op == AtomicOp::Min || a.op == AtomicOp::Max)
    return a.op == b.op && (!isFloating(a.value->type) || a.function == b.function);
  bool isOneValue = a.op != AtomicOp::Exchange || equal(a.value, b.value);
  return a.function == b.function && isOneValue;
}

/// Why memory of the block, which the derivative updates again, could come out otherwise
/// than it did; null: it could not.
const char *ValueFormBuilder::whyOrdered(const Base &base, const AtomicUpdate &update) {
  if (!isShared(base.first))
    return nullptr;
  bool isOneStore = update.op == AtomicOp::Exchange && update.value->kind == ExprKind::Lit;
  if (update.op == AtomicOp::CompareSwap || (update.op == AtomicOp::Exchange && !isOneStore))
    return "leaves what one of several threads gave";
  AtomicUpdate &other = updatedSince.try_emplace(base.first, update).first->second;
  return commute(other, update) ? nullptr : "comes with another operation on the same memory, before a barrier";
}

/// What a thread offers to a maximum or minimum in memory of the caller. Only when all threads
/// are done it is known whose number was picked, so the primal's run keeps that.
void ValueFormBuilder::offerNumber(const CallExpr &call, const CallExpr &offer, const SourceRange &range) {
  const Expr &pointer = offer.args[1];
  Place place = placeBehind(eval(pointer), intLit(0), elementOf(pointer->type), range);
  if (!place.memory || isLocalArray(memoryBase(place.memory)) || isShared(memoryBase(place.memory).first))
    return refuse(diag::Id::AtomicPick, range,
                  "'" + call.callee.name +
                      "' picks one of the numbers that threads offer, and it is not known whether in shared memory");
  Expr value = atom(eval(offer.args[2]), "offered", range);
  Expr number = environment[keptCount].value;
  environment[keptCount] = bindingFor(foldedSum(number, intLit(2)), keptCount->type, keptCount->name, range);
  Callee callee;
  callee.name = KeptWin;
  callee.spelling = "won";
  callee.isMethod = true;
  Expr won =
      named(makeCall(callee, {makeRef(record), number}, boolType(), range), "won", range, LoadClass::None, false);
  auto &item = emit<StoreItem>(range);
  item.place = place.memory;
  item.value = value;
  item.isAtomic = item.picks = true;
  item.won = won;
  item.update = makeCall(call.callee, {makeAddrOf(place.memory), value}, call.type, range);
  clobber(memoryBase(place.memory), place.memory);
}

void ValueFormBuilder::updateAtomically(const CallExpr &call, const rules::Rule &rule, const SourceRange &range) {
  auto *offer = call.args.size() > 1 ? llvm::dyn_cast<CallExpr>(stripImplicit(call.args[1]).get()) : nullptr;
  if (offer && offer->callee.name == KeepOffer)
    return offerNumber(call, *offer, range);
  Place place = placeBehind(eval(call.args[0]), intLit(0), elementOf(call.args[0]->type), range);
  std::vector<Expr> args{nullptr};
  Expr value;
  for (size_t i = 1; i < call.args.size(); ++i) {
    args.push_back(eval(call.args[i]));
    if (isRecord(args.back()->type) && args.back()->kind != ExprKind::Init)
      args.back() = atom(args.back(), "addend", range);
    if (!value || (i < rule.params.size() && rule.params[i].name == "value"))
      value = args.back();
  }
  updatePlace(place, {call, args, value}, rule, range);
}

void ValueFormBuilder::updatePlace(const Place &place, const Update &update, const rules::Rule &rule,
                                   const SourceRange &range) {
  if (place.choice)
    return makeBranch(
        place.choice->condition, [&] { updatePlace(place.choice->first, update, rule, range); },
        [&] { updatePlace(place.choice->second, update, rule, range); }, range);
  if (!place.memory || isLocalArray(memoryBase(place.memory)))
    return refuse(diag::Id::NotInReverse, range, "an atomic on a local variable");
  const auto &[call, given, value] = update;
  std::vector<Expr> args = given;
  args[0] = makeAddrOf(place.memory);
  bool isNumber = holdsFloating(place.type), isSum = rule.atomicOp == AtomicOp::Add || rule.atomicOp == AtomicOp::Sub;
  Base base = memoryBase(place.memory);
  bool picks = isNumber && isShared(base.first) && (rule.atomicOp == AtomicOp::Min || rule.atomicOp == AtomicOp::Max);
  const char *why = isNumber && !isSum && !picks     ? "leaves what one of several threads gave"
                    : isSeenAsIntegers(place.memory) ? "changes the bits of numbers"
                                                     : whyOrdered(base, {rule.atomicOp, call.callee.name, value});
  if (why)
    return refuse(diag::Id::AtomicOrder, range, call.callee.name, why);
  if (picks)
    args[1] = atom(value, "offered", range);
  auto &item = emit<StoreItem>(range);
  item.place = place.memory;
  item.value = isNumber && rule.atomicOp == AtomicOp::Sub ? neg(value) : value;
  if (picks)
    item.value = args[1];
  item.increment = picks ? nullptr : item.value;
  item.picks = picks;
  item.isAtomic = true;
  item.update = makeCall(call.callee, args, call.type, range);
  clobber(base, place.memory);
}

/// What goes through `record.keep()` is read where the primal's run kept it: each thread has
/// its own values, in the order in which it came by them.
Expr ValueFormBuilder::resultKept(const CallExpr &e) {
  auto *call = llvm::dyn_cast<CallExpr>(e.args[1].get());
  const rules::Rule *rule = call && !call->callee.function ? rules.find(call->callee) : nullptr;
  if (rule && rule->kind == rules::RuleKind::Atomic)
    updateAtomically(*call, *rule, e.range);
  Expr number = environment[keptCount].value;
  environment[keptCount] = bindingFor(foldedSum(number, intLit(1)), keptCount->type, keptCount->name, e.range);
  Callee callee;
  callee.name = KeptResult;
  callee.spelling = "kept";
  callee.templateArguments = "<" + spell(e.type) + ">";
  callee.isMethod = true;
  return named(makeCall(callee, {makeRef(record), number}, e.type, e.range), "result", e.range, LoadClass::None, true);
}

/// A result that is not kept may stand in the code as long as nothing needs it.
Expr ValueFormBuilder::resultUnread(const CallExpr &e, const rules::Rule &rule) {
  Place place = placeBehind(eval(e.args[0]), intLit(0), elementOf(e.args[0]->type), e.range);
  if (place.choice) { // there is no one place to read
    refuse(diag::Id::AtomicResult, e.range, e.callee.name);
    return zeroOf(e.type);
  }
  updateAtomically(e, rule, e.range);
  if (!place.memory) // a local variable, which is refused
    return zeroOf(e.type);
  Expr value = named(place.memory, "result", e.range, LoadClass::Stale, false);
  llvm::cast<ValueItem>(region->items.back().get())->resultOf = e.callee.name;
  return value;
}

} // namespace gpuad::transform
