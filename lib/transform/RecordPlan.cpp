//===- RecordPlan.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/RecordPlan.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Counting.h"
#include "transform/KeepResults.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// count * trips slots for each of them.
using Slots = std::vector<std::pair<Expr, int64_t>>;

class Planner {
public:
  Planner(const ValueFunction &function, const std::vector<RecordPlace> &used, const Decisions &decisions,
          const UndoPlan *undo)
      : function(function), decisions(decisions), undo(undo) {
    for (const RecordPlace &place : used) {
      plan.inStack[place.loop].push_back(place.carried);
      if (slotType(*place.carried)->bits > 32)
        plan.bytesPerSlot = 8;
    }
  }
  RecordPlan make();
  std::optional<Expr> keptIn();

private:
  bool findHolders(const Region &region);
  void findVoters(const Region &region);
  void collectDefinitions(const Region &region);
  std::optional<Expr> overArguments(const Expr &e);
  std::optional<Expr> overOperands(const Expr &e);
  void termsOf(const Expr &e, bool isNegative, std::vector<std::pair<Expr, bool>> &terms);
  std::optional<Expr> overTerms(const Expr &e);
  std::optional<Expr> tripsOverArguments(const LoopItem &loop);
  std::optional<Expr> tripsBetween(const LoopItem &loop, const Expr &begin, const Expr &end, const Expr &step);
  std::optional<Expr> extreme(const Expr &e, bool isMost);
  std::optional<Expr> extreme(const LoopItem &loop, bool isMost);
  std::optional<Slots> needOf(const Region &region);

  std::optional<Expr> knownTrips(const LoopItem &loop);
  std::optional<Expr> bitsOf(const Region &region);
  void planDecisions();
  void planLog();
  bool holdsWide(const Region &region) const;
  std::optional<uint64_t> mostEntries(const Region &region) const;
  std::optional<Expr> entriesOf(const Region &region);
  /// Values that a thread keeps: a number, and what follows from arguments.
  struct Kept {
    int64_t known = 0;
    Expr more; ///< null: none
    bool isNone() const { return known == 0 && !more; }
  };
  std::optional<Kept> keptIn(const Region &region);

  const ValueFunction &function;
  const Decisions &decisions;
  const UndoPlan *undo;
  RecordPlan plan;
  OrderedMap<Var, Expr> definitions;
  OrderedMap<Var, const LoopItem *> counters;
};

bool Planner::findHolders(const Region &region) {
  bool any = false;
  for (const auto &item : region.items) {
    bool holds = false;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      holds |= findHolders(branch->thenRegion);
      holds |= findHolders(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      holds |= findHolders(loop->body);
      holds |= plan.inStack.count(loop) != 0;
    }
    if (holds)
      plan.holders.insert(item.get());
    if (holds || (undo && undo->storesIn(*item)))
      plan.beforeVote.insert(item.get());
    any |= holds;
  }
  return any;
}

/// A branch at the end of a region is not run twice: its own turn is the place to vote.
void Planner::findVoters(const Region &region) {
  plan.voteChain.insert(&region);
  auto *tail = region.items.empty() ? nullptr : llvm::dyn_cast<BranchItem>(region.items.back().get());
  if (!tail || !tail->merges.empty() || !plan.beforeVote.count(tail)) {
    plan.voters.insert(&region);
    return;
  }
  for (const Region *arm : {&tail->thenRegion, &tail->elseRegion}) {
    bool holds = false;
    for (const auto &item : arm->items)
      holds |= plan.beforeVote.count(item.get()) != 0;
    if (holds)
      findVoters(*arm);
  }
}

void Planner::collectDefinitions(const Region &region) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      definitions[value->var] = value->expr;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      collectDefinitions(branch->thenRegion);
      collectDefinitions(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      if (loop->isCounted)
        counters[loop->iv] = loop;
      collectDefinitions(loop->body);
    }
  }
}

/// Whether dividing by this never traps on the host. A kernel may hold a division by
/// zero that it never reaches, and the host has no such branch in front of its own.
bool isSafeDivisor(const Expr &e) {
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()))
    return isInteger(e->type) && e->type->bits >= cast->operand->type->bits && isSafeDivisor(cast->operand);
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get())) {
    auto *whole = std::get_if<int64_t>(&lit->value);
    return whole && *whole != 0 && *whole != -1; // the least integer by -1 is out of range
  }
  auto *ref = llvm::dyn_cast<RefExpr>(e.get());
  if (ref && ref->var->constant)
    return *ref->var->constant != 0 && *ref->var->constant != -1;
  return e->kind == ExprKind::ThreadIndex; // the launch's shape
}

/// The same value as the host can work it out before the launch: over parameters by
/// value and the launch's shape.
std::optional<Expr> Planner::overArguments(const Expr &e) {
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    if (auto found = definitions.find(ref->var); found != definitions.end())
      return overArguments(found->second);
    bool isArgument = ref->var->storage == Storage::Parameter && !isPointer(ref->var->type) &&
                      !isReference(ref->var->type) && !isFloating(ref->var->type);
    return isArgument || ref->var->storage == Storage::ConstexprGlobal ? std::optional<Expr>(e) : std::nullopt;
  }
  switch (e->kind) {
  case ExprKind::ThreadIndex: {
    ThreadBuiltin builtin = llvm::cast<ThreadIndexExpr>(e.get())->builtin;
    return builtin == ThreadBuiltin::BlockDim || builtin == ThreadBuiltin::GridDim ? std::optional<Expr>(e)
                                                                                   : std::nullopt;
  }
  case ExprKind::Call:
    if (llvm::cast<CallExpr>(e.get())->callee.name != SegmentLength)
      return std::nullopt;
    break;
  case ExprKind::Lit:
  case ExprKind::Member:
  case ExprKind::Binary:
  case ExprKind::Unary:
  case ExprKind::Cast:
  case ExprKind::Select:
    break;
  default:
    return std::nullopt;
  }
  if (isFloating(e->type)) // host and device may round differently
    return std::nullopt;
  std::optional<Expr> made = overOperands(e);
  return made ? made : overTerms(e);
}

std::optional<Expr> Planner::overOperands(const Expr &e) {
  std::vector<Expr> operands;
  for (const Expr &operand : children(e)) {
    std::optional<Expr> one = overArguments(operand);
    if (!one)
      return std::nullopt;
    operands.push_back(*one);
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  bool divides = binary && (binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem);
  if (divides && !isSafeDivisor(operands[1]))
    return std::nullopt;
  return operands.empty() ? e : withChildren(e, operands);
}

bool isSignedWord(const Expr &e) {
  return isInteger(e->type) && e->type->isSigned && e->type->bits >= 32;
}

/// Without conversions that keep the value of every sum that does not overflow.
const Expr &stripWidening(const Expr &e) {
  auto *cast = llvm::dyn_cast<CastExpr>(e.get());
  bool widens = cast && isSignedWord(e) && isSignedWord(cast->operand) && e->type->bits >= cast->operand->type->bits;
  return widens ? stripWidening(cast->operand) : e;
}

/// The terms of a sum, each with its sign; what is there with both signs is left out.
void Planner::termsOf(const Expr &given, bool isNegative, std::vector<std::pair<Expr, bool>> &terms) {
  const Expr &e = stripWidening(given);
  auto *sum = llvm::dyn_cast<BinaryExpr>(e.get());
  if (sum && isSignedWord(e) && (sum->op == BinaryOp::Add || sum->op == BinaryOp::Sub)) {
    termsOf(sum->lhs, isNegative, terms);
    return termsOf(sum->rhs, isNegative != (sum->op == BinaryOp::Sub), terms);
  }
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto found = definitions.find(ref->var);
    const Expr *made = found == definitions.end() ? nullptr : &stripWidening(found->second);
    if (made && isSignedWord(*made) && ((*made)->kind == ExprKind::Binary || (*made)->kind == ExprKind::Ref))
      return termsOf(*made, isNegative, terms);
  }
  for (auto at = terms.begin(); at != terms.end(); ++at)
    if (at->second != isNegative && equal(at->first, e)) {
      terms.erase(at);
      return;
    }
  terms.push_back({e, isNegative});
}

/// A sum or a comparison in which what only the thread knows cancels: the length of a row
/// whose begin and end both have the thread's offset in them.
std::optional<Expr> Planner::overTerms(const Expr &e) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary || !isSignedWord(binary->lhs) || !isSignedWord(binary->rhs))
    return std::nullopt;
  bool isSum = binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub;
  bool compares = binary->op == BinaryOp::Lt || binary->op == BinaryOp::Le || binary->op == BinaryOp::Gt ||
                  binary->op == BinaryOp::Ge || binary->op == BinaryOp::Ne;
  if (!isSum && !compares)
    return std::nullopt;
  std::vector<std::pair<Expr, bool>> terms;
  termsOf(binary->lhs, false, terms);
  termsOf(binary->rhs, compares || binary->op == BinaryOp::Sub, terms);
  Expr total = intLit(0);
  for (bool isNegative : {false, true})
    for (const auto &[term, sign] : terms) {
      if (sign != isNegative)
        continue;
      std::optional<Expr> one = overArguments(term);
      if (!one)
        return std::nullopt;
      total = sign ? sub(total, *one) : add(total, *one);
    }
  return compares ? makeBinary(binary->op, total, intLit(0), boolType()) : total;
}

/// What e is at most, or at least, in any thread.
std::optional<Expr> Planner::extreme(const Expr &e, bool isMost) {
  if (std::optional<Expr> one = overArguments(e))
    return one;
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    if (auto loop = counters.find(ref->var); loop != counters.end())
      return extreme(*loop->second, isMost);
    auto found = definitions.find(ref->var);
    return found == definitions.end() ? std::nullopt : extreme(found->second, isMost);
  }
  if (auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get())) {
    bool isThread = index->builtin == ThreadBuiltin::ThreadIdx;
    if (!isThread && index->builtin != ThreadBuiltin::BlockIdx)
      return std::nullopt;
    Expr extent = makeThreadIndex(isThread ? ThreadBuiltin::BlockDim : ThreadBuiltin::GridDim, index->dimension);
    return isMost ? sub(extent, intLit(1)) : makeLit("0u", int64_t(0), e->type);
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()); cast && isInteger(e->type) && isInteger(cast->operand->type)) {
    std::optional<Expr> inner =
        e->type->bits >= cast->operand->type->bits ? extreme(cast->operand, isMost) : std::nullopt;
    return inner ? std::optional<Expr>(withChildren(e, {*inner})) : std::nullopt;
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary || !isInteger(e->type) || e->type->bits < 32)
    return std::nullopt;
  bool isProduct = binary->op == BinaryOp::Mul && binary->lhs->kind == ExprKind::ThreadIndex &&
                   binary->rhs->kind == ExprKind::ThreadIndex;
  if (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub && !isProduct)
    return std::nullopt;
  std::optional<Expr> left = extreme(binary->lhs, isMost);
  std::optional<Expr> right = extreme(binary->rhs, isMost != (binary->op == BinaryOp::Sub));
  return left && right ? std::optional<Expr>(withChildren(e, {*left, *right})) : std::nullopt;
}

/// What a counter is at most, or at least, while its loop runs.
std::optional<Expr> Planner::extreme(const LoopItem &loop, bool isMost) {
  if (isMost == loop.stepIsNegative)
    return extreme(loop.begin, isMost);
  std::optional<Expr> end = loop.compare == BinaryOp::Ne ? std::nullopt : extreme(loop.end, isMost);
  bool isInclusive = loop.compare == BinaryOp::Le || loop.compare == BinaryOp::Ge;
  if (!end || isInclusive)
    return end;
  return isMost ? sub(*end, intLit(1)) : add(*end, intLit(1));
}

/// The number of iterations, where it follows from the arguments; or what it is at most in any thread, where begin and
/// end depend on that.
std::optional<Expr> Planner::tripsOverArguments(const LoopItem &loop) {
  std::optional<Expr> step = loop.isCounted ? overArguments(loop.step) : std::nullopt;
  if (!step)
    return std::nullopt;
  if (std::optional<Expr> trips = tripsBetween(loop, loop.begin, loop.end, *step))
    return trips;
  std::optional<Expr> begin = extreme(loop.begin, loop.stepIsNegative), end = extreme(loop.end, !loop.stepIsNegative);
  return begin && end && loop.compare != BinaryOp::Ne ? tripsBetween(loop, *begin, *end, *step) : std::nullopt;
}

/// A loop that runs has a positive step; the host's division asks for it first.
std::optional<Expr> Planner::tripsBetween(const LoopItem &loop, const Expr &begin, const Expr &end, const Expr &step) {
  Expr count = tripCount(loop, begin, end);
  auto *select = llvm::dyn_cast<SelectExpr>(count.get());
  auto *quotient = select ? llvm::dyn_cast<BinaryExpr>(select->thenValue.get()) : nullptr;
  if (!quotient || quotient->op != BinaryOp::Div || isSafeDivisor(step))
    return overArguments(count);
  std::optional<Expr> runs = overArguments(select->condition), dividend = overArguments(quotient->lhs);
  if (!runs || !dividend)
    return std::nullopt;
  Expr steps = makeBinary(BinaryOp::Gt, step, intLit(0), boolType());
  Expr trips = makeBinary(BinaryOp::Div, *dividend, step, quotient->type);
  return makeSelect(logicalAnd(*runs, steps), trips, select->elseValue, count->type);
}

void addSlots(Slots &to, const Expr &trips, int64_t count) {
  for (auto &[known, number] : to)
    if (equal(known, trips)) {
      number += count;
      return;
    }
  to.push_back({trips, count});
}

Expr asExpr(const Slots &slots) {
  Expr sum = makeLit("0", int64_t(0), sizeType());
  for (const auto &[trips, count] : slots)
    sum = add(sum, mul(intLit(count), makeCast(CastStyle::Functional, trips, sizeType())));
  return sum;
}

/// The larger of the two.
Slots larger(const Slots &a, const Slots &b) {
  Expr left = asExpr(a), right = asExpr(b);
  if (b.empty() || equal(left, right))
    return a;
  if (a.empty())
    return b;
  return {{makeSelect(makeBinary(BinaryOp::Lt, left, right, boolType()), right, left, left->type), 1}};
}

std::optional<Slots> Planner::needOf(const Region &region) {
  Slots sum, repeated;
  for (const auto &item : region.items) {
    if (!plan.holders.count(item.get()))
      continue;
    std::vector<const Region *> inside;
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      if (auto found = plan.inStack.find(loop); found != plan.inStack.end()) {
        std::optional<Expr> trips = tripsOverArguments(*loop);
        if (!trips && loop->mostTrips)
          trips = overArguments(loop->mostTrips);
        if (!trips)
          return std::nullopt;
        addSlots(sum, *trips, frameOf(found->second));
      }
      inside = {&loop->body};
    } else if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      inside = {&branch->thenRegion, &branch->elseRegion};
    }
    for (const Region *one : inside) {
      std::optional<Slots> need = needOf(*one);
      if (!need)
        return std::nullopt;
      repeated = larger(repeated, *need);
    }
  }
  for (const auto &[trips, count] : repeated)
    addSlots(sum, trips, count);
  return sum;
}

RecordPlan Planner::make() {
  findHolders(function.body);
  findVoters(function.body);
  collectDefinitions(function.body);
  planLog();
  planDecisions();
  std::optional<Slots> need = needOf(function.body);
  std::optional<Expr> entries = plan.logIsInStack ? entriesOf(function.body) : std::nullopt;
  std::optional<Expr> bits = plan.decisionsAreInStack ? bitsOf(function.body) : std::nullopt;
  bool isSized = need && (entries || !plan.logIsInStack) && (bits || !plan.decisionsAreInStack);
  plan.logHoldsValues = undo && isSized && !undo->needsAddresses();
  int64_t each = plan.logHoldsValues ? 1 : 2; // slots of an entry
  plan.logSlots *= static_cast<uint64_t>(each);
  if (plan.logIsInStack && (each == 2 || holdsWide(function.body)))
    plan.bytesPerSlot = 8;
  if (isSized)
    plan.sizedNeed = entries ? add(asExpr(*need), mul(intLit(each), *entries)) : asExpr(*need);
  if (isSized && bits) {
    plan.decisionWords = makeBinary(BinaryOp::Div, add(*bits, intLit(31)), intLit(32), sizeType());
    plan.sizedNeed = add(plan.sizedNeed, plan.decisionWords);
  }
  return std::move(plan);
}

/// What is decided goes into a local array where it is known to be little.
void Planner::planDecisions() {
  if (!decisions.any())
    return;
  if (std::optional<uint64_t> most = mostBits(function.body, decisions))
    plan.localDecisionWords = *most / 32 + 1;
  else
    plan.decisionsAreInStack = true;
}

/// Over the kernel's arguments, or as a number; none: only the run knows.
std::optional<Expr> Planner::knownTrips(const LoopItem &loop) {
  std::optional<Expr> trips = tripsOverArguments(loop);
  if (!trips && loop.mostTrips)
    trips = overArguments(loop.mostTrips);
  if (!trips && loop.staticTrips != 0)
    trips = intLit(static_cast<int64_t>(loop.staticTrips));
  return trips;
}

/// Of all decisions, over the kernel's arguments; both arms of a branch are counted.
std::optional<Expr> Planner::bitsOf(const Region &region) {
  Expr sum = makeLit("0", int64_t(0), sizeType());
  for (const auto &item : region.items) {
    if (!decisions.hasFrames(*item))
      continue;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      for (const Region *arm : {&branch->thenRegion, &branch->elseRegion}) {
        std::optional<Expr> own = bitsOf(*arm);
        if (!own)
          return std::nullopt;
        sum = add(sum, *own);
      }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      std::optional<Expr> inner = bitsOf(loop->body), trips = knownTrips(*loop);
      if (!inner || !trips)
        return std::nullopt;
      auto own = decisions.frames.find(loop);
      Expr each = add(intLit(own == decisions.frames.end() ? 0 : own->second), *inner);
      sum = add(sum, mul(makeCast(CastStyle::Functional, *trips, sizeType()), each));
    }
  }
  return sum;
}

/// What is overwritten goes into a local array where it is known to be little.
void Planner::planLog() {
  if (!undo)
    return;
  plan.logIsOfBlock = undo->isOfBlockAlone();
  std::optional<uint64_t> most = mostEntries(function.body);
  if (most && *most <= LongestLocalLog)
    plan.logSlots = *most;
  else
    plan.logIsInStack = true;
}

/// Whether something wider than 4 bytes is overwritten.
bool Planner::holdsWide(const Region &region) const {
  for (const auto &item : region.items) {
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && undo->covers(*store))
      for (const Expr &scalar : scalarsOf(store->place))
        if (scalar->type->bits > 32)
          return true;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      if (holdsWide(branch->thenRegion) || holdsWide(branch->elseRegion))
        return true;
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()); loop && holdsWide(loop->body))
      return true;
  }
  return false;
}

std::optional<uint64_t> Planner::mostEntries(const Region &region) const {
  uint64_t most = undo->entriesOf(region);
  for (const auto &item : region.items) {
    if (!undo->storesIn(*item))
      continue;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      auto thenMost = mostEntries(branch->thenRegion), elseMost = mostEntries(branch->elseRegion);
      if (!thenMost || !elseMost)
        return std::nullopt;
      most += std::max(*thenMost, *elseMost);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      auto each = mostEntries(loop->body);
      if (!each || loop->staticTrips == 0 || loop->staticTrips > LongestLocalLog)
        return std::nullopt;
      most += loop->staticTrips * *each;
    }
  }
  return most;
}

std::optional<Expr> Planner::keptIn() {
  collectDefinitions(function.body);
  std::optional<Kept> most = keptIn(function.body);
  if (!most)
    return std::nullopt;
  Expr known = makeCast(CastStyle::Functional, intLit(most->known), sizeType());
  return !most->more ? known : most->known == 0 ? most->more : add(most->more, known);
}

/// Values that go into the record of the launch. Both arms of a branch are counted.
std::optional<Planner::Kept> Planner::keptIn(const Region &region) {
  Kept sum;
  auto include = [&](const std::optional<Kept> &inner) {
    if (!inner)
      return false;
    sum.known += inner->known;
    if (inner->more)
      sum.more = sum.more ? add(sum.more, inner->more) : inner->more;
    return true;
  };
  for (const auto &item : region.items) {
    auto *value = llvm::dyn_cast<ValueItem>(item.get());
    auto *call = value ? llvm::dyn_cast<CallExpr>(value->expr.get()) : nullptr;
    sum.known += !call ? 0 : call->callee.name == KeptResult ? 1 : call->callee.name == KeptWin ? 2 : 0;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      if (!include(keptIn(branch->thenRegion)) || !include(keptIn(branch->elseRegion)))
        return std::nullopt;
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    if (!loop)
      continue;
    std::optional<Kept> condition = keptIn(loop->conditionRegion), each = keptIn(loop->body);
    if (!condition || !each || !condition->isNone())
      return std::nullopt;
    if (each->isNone())
      continue;
    std::optional<Expr> trips = knownTrips(*loop);
    if (!trips)
      return std::nullopt;
    Expr inEach = makeLit(std::to_string(each->known), each->known, sizeType());
    if (each->more)
      inEach = each->known == 0 ? each->more : add(each->more, inEach);
    include(Kept{0, mul(makeCast(CastStyle::Functional, *trips, sizeType()), inEach)});
  }
  return sum;
}

/// Over the kernel's arguments; none: only the run knows. Both arms of a branch are counted.
std::optional<Expr> Planner::entriesOf(const Region &region) {
  Expr sum = makeCast(CastStyle::Functional, intLit(static_cast<int64_t>(undo->entriesOf(region))), sizeType());
  if (undo->entriesOf(region) == 0)
    sum = makeLit("0", int64_t(0), sizeType());
  for (const auto &item : region.items) {
    if (!undo->storesIn(*item))
      continue;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      for (const Region *arm : {&branch->thenRegion, &branch->elseRegion}) {
        std::optional<Expr> own = entriesOf(*arm);
        if (!own)
          return std::nullopt;
        sum = add(sum, *own);
      }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      std::optional<Expr> each = entriesOf(loop->body), trips = knownTrips(*loop);
      if (!each || !trips)
        return std::nullopt;
      sum = add(sum, mul(makeCast(CastStyle::Functional, *trips, sizeType()), *each));
    }
  }
  return sum;
}
} // namespace

RecordPlan planRecords(const ValueFunction &function, const std::vector<RecordPlace> &used, const Decisions &decisions,
                       const UndoPlan *undo) {
  return Planner(function, used, decisions, undo).make();
}

Expr mostKept(const ValueFunction &function) {
  const Decisions none;
  return Planner(function, {}, none, nullptr).keptIn().value_or(nullptr);
}

} // namespace gpuad::transform
