//===- ValueFormLoop.cpp - loops and what they carry ---------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Counting.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Collects every variable that a region defines.
void definedIn(const Region &region, OrderedSet<Var> &defined) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      defined.insert(value->var);
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (Var *given : valuesOf(*call))
        defined.insert(given);
    if (auto *array = llvm::dyn_cast<ArrayItem>(item.get()))
      defined.insert(array->array);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      definedIn(branch->thenRegion, defined);
      definedIn(branch->elseRegion, defined);
      for (const Merge &merge : branch->merges)
        defined.insert(merge.var);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      definedIn(loop->conditionRegion, defined);
      definedIn(loop->body, defined);
      for (const Carried &carried : loop->carried)
        defined.insert(carried.var);
      if (loop->iv)
        defined.insert(loop->iv);
    }
  }
}

/// Whether e holds the same value in every iteration: over outer values only, and
/// no load (memory may change meanwhile).
bool isInvariant(const Expr &e, const OrderedSet<Var> &defined) {
  bool invariant = true;
  forEachExpr(e, [&](const Expr &one) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      invariant &= defined.count(ref->var) == 0;
    if (one->kind == ExprKind::Index || one->kind == ExprKind::Deref || one->kind == ExprKind::Text ||
        one->kind == ExprKind::Call)
      invariant = false;
  });
  return invariant;
}

std::optional<int64_t> wholeNumber(const Expr &e) {
  const Expr &inner = stripImplicit(e);
  if (auto *lit = llvm::dyn_cast<LitExpr>(inner.get()))
    if (auto *value = std::get_if<int64_t>(&lit->value))
      return *value;
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(inner.get()); minus && minus->op == UnaryOp::Neg)
    if (auto value = wholeNumber(minus->operand))
      return -*value;
  return std::nullopt;
}

Var *variableOf(const Expr &e) {
  auto *ref = llvm::dyn_cast<RefExpr>(stripImplicit(e).get());
  return ref ? ref->var : nullptr;
}

} // namespace

/// `var = var + step` or `var = var - step`: the step, negative ones negated.
Expr stepOf(const Stmt &increment, Var *&var, bool &isNegative) {
  auto *assign = llvm::dyn_cast<AssignStmt>(increment.get());
  if (!assign)
    return nullptr;
  var = variableOf(assign->place);
  auto *sum = llvm::dyn_cast<BinaryExpr>(stripImplicit(assign->value).get());
  if (auto *cast = llvm::dyn_cast<CastExpr>(assign->value.get()); cast && !sum)
    sum = llvm::dyn_cast<BinaryExpr>(stripImplicit(cast->operand).get());
  if (!var || !sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub))
    return nullptr;
  bool leftIsVar = variableOf(sum->lhs) == var;
  if (!leftIsVar && (sum->op == BinaryOp::Sub || variableOf(sum->rhs) != var))
    return nullptr;
  Expr step = stripImplicit(leftIsVar ? sum->rhs : sum->lhs);
  isNegative = sum->op == BinaryOp::Sub;
  if (auto value = wholeNumber(step); value && *value < 0) {
    isNegative = !isNegative;
    step = intLit(-*value);
  }
  return step;
}

namespace {
/// The number of bits by which `value` is var shifted, to the left; 0: it is not.
int shiftOf(const Expr &value, const Var *var, bool isPositive) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(stripImplicit(value).get());
  if (!binary || variableOf(binary->lhs) != var)
    return 0;
  std::optional<int64_t> by = wholeNumber(binary->rhs);
  if (!by || *by <= 0)
    return 0;
  bool isPower = (*by & (*by - 1)) == 0 && *by > 1 && *by < 256;
  int bits = 0;
  while (isPower && (int64_t(1) << bits) < *by)
    ++bits;
  switch (binary->op) {
  case BinaryOp::Shl:
    return *by < 8 ? static_cast<int>(*by) : 0;
  case BinaryOp::Shr:
    return *by < 8 ? -static_cast<int>(*by) : 0;
  case BinaryOp::Mul:
    return bits;
  case BinaryOp::Div: // rounds towards zero, a shift downwards
    return isPositive ? -bits : 0;
  default:
    return 0;
  }
}

/// Whether the loop runs only while var is positive.
bool runsWhilePositive(const Expr &condition, const Var *var) {
  auto *test = condition ? llvm::dyn_cast<BinaryExpr>(stripImplicit(condition).get()) : nullptr;
  if (!test)
    return false;
  if (test->op == BinaryOp::LogicalAnd)
    return runsWhilePositive(test->lhs, var) || runsWhilePositive(test->rhs, var);
  std::optional<int64_t> bound = wholeNumber(test->rhs);
  return variableOf(test->lhs) == var && bound &&
         ((test->op == BinaryOp::Gt && *bound >= 0) || (test->op == BinaryOp::Ge && *bound >= 1));
}

/// Fills in step where next = var + step, and an upper bound of the trip count
/// where the condition bounds such a variable by a constant.
void closedForms(LoopItem &item) {
  OrderedSet<Var> defined;
  definedIn(item.conditionRegion, defined);
  definedIn(item.body, defined);
  for (const Carried &carried : item.carried)
    defined.insert(carried.var);
  if (item.iv)
    defined.insert(item.iv);
  for (Carried &carried : item.carried) {
    Var *next = variableOf(carried.next);
    if (!next || !isInteger(carried.var->type))
      continue;
    for (const auto &one : item.body.items) {
      auto *value = llvm::dyn_cast<ValueItem>(one.get());
      if (!value || value->var != next)
        continue;
      bool isPositive = !carried.var->type->isSigned || runsWhilePositive(item.condition, carried.var);
      if ((carried.shift = shiftOf(value->expr, carried.var, isPositive)) != 0)
        continue;
      auto *sum = llvm::dyn_cast<BinaryExpr>(stripImplicit(value->expr).get());
      if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub) || variableOf(sum->lhs) != carried.var ||
          !isInvariant(sum->rhs, defined))
        continue;
      carried.step = sum->op == BinaryOp::Add ? sum->rhs : makeUnary(UnaryOp::Neg, sum->rhs, sum->rhs->type);
    }
  }
  if (item.isCounted || !item.condition)
    return;
  // One of the conjuncts may bound a counter.
  std::function<void(const Expr &)> visit = [&](const Expr &e) {
    auto *binary = llvm::dyn_cast<BinaryExpr>(stripImplicit(e).get());
    if (!binary)
      return;
    if (binary->op == BinaryOp::LogicalAnd) {
      visit(binary->lhs);
      return visit(binary->rhs);
    }
    for (const Carried &carried : item.carried) {
      auto begin = wholeNumber(carried.init), end = wholeNumber(binary->rhs);
      auto step = carried.step ? wholeNumber(carried.step) : std::nullopt;
      if (!begin || !end || !step || variableOf(binary->lhs) != carried.var)
        continue;
      bool inclusive = binary->op == BinaryOp::Le;
      if ((binary->op == BinaryOp::Lt || inclusive) && *step > 0 && *begin <= *end)
        item.staticTrips = (*end - *begin + (inclusive ? 1 : 0) + *step - 1) / *step;
    }
  };
  visit(item.condition);
}
} // namespace

void ValueFormBuilder::loop(const Stmt &s) {
  OrderedSet<Var> outer = boundVariables();
  LoopSource source;
  source.range = s->range;
  if (auto *counted = llvm::dyn_cast<ForStmt>(s.get())) {
    source.init = counted->init;
    source.increment = counted->increment;
    source.condition = counted->condition;
    source.body = counted->body;
    source.pragma = counted->pragma;
    if (auto bound = mostTripsOf.find(s.get()); bound != mostTripsOf.end())
      source.mostTrips = bound->second;
    counted->checkpoints ? buildCheckpointed(source, *counted->checkpoints) : buildLoop(source);
    return forgetAllBut(outer);
  }
  auto *open = llvm::cast<WhileStmt>(s.get());
  source.condition = open->condition;
  source.body = open->body;
  if (!open->isDo)
    takeIncrement(source);
  if (open->isDo) {
    // do body while (c)  ==>  again = true; while (again) { body; again = c; }
    Var *again = owner.makeVar("again", boolType());
    environment[again] = Binding{boolLit(true), {}};
    source.condition = makeRef(again);
    source.body = makeBlock({open->body, makeAssign(makeRef(again), open->condition, s->range)});
  }
  buildLoop(source);
  forgetAllBut(outer);
}

static bool mentions(const Stmt &s, const Var *var) {
  bool found = false;
  forEachExprIn(s, [&](const Expr &one) {
    auto *ref = llvm::dyn_cast<RefExpr>(one.get());
    found |= ref && ref->var == var;
  });
  return found;
}

/// The variable that the condition compares and one increment steps, the others having
/// nothing to do with it. That increment becomes the first one.
Var *ValueFormBuilder::counterOf(LoopSource &source) {
  auto *test = source.condition ? llvm::dyn_cast<BinaryExpr>(stripImplicit(source.condition).get()) : nullptr;
  Var *counter = test ? variableOf(test->lhs) : nullptr;
  if (!counter || !isInteger(counter->type))
    return nullptr;
  auto steps = llvm::find_if(source.increment, [&](const Stmt &one) {
    bool isNegative = false;
    Var *stepped = nullptr;
    return stepOf(one, stepped, isNegative) && stepped == counter;
  });
  if (steps == source.increment.end())
    return nullptr;
  std::rotate(source.increment.begin(), steps, steps + 1);
  bool isAlone = std::none_of(source.increment.begin() + 1, source.increment.end(),
                              [&](const Stmt &one) { return mentions(one, counter); });
  auto bound = environment.find(counter);
  return isAlone && bound != environment.end() && bound->second.value ? counter : nullptr;
}

/// while (i < n) { ...; ++i; } is a loop with an increment.
void ValueFormBuilder::takeIncrement(LoopSource &source) {
  auto *body = llvm::dyn_cast<BlockStmt>(source.body.get());
  if (!body || body->stmts.empty())
    return;
  LoopSource taken = source;
  taken.increment = {body->stmts.back()};
  if (!counterOf(taken))
    return;
  taken.body = makeBlock({body->stmts.begin(), body->stmts.end() - 1}, source.body->range);
  source = std::move(taken);
}

bool ValueFormBuilder::declares(const LoopSource &source, const Var *counter) {
  return llvm::any_of(source.init, [&](const Stmt &one) {
    auto *declared = llvm::dyn_cast<DeclStmt>(one.get());
    return declared && declared->var == counter;
  });
}

/// What the counter of a counted loop holds behind it.
void ValueFormBuilder::leaveCounted(Var *counter, const LoopItem &item) {
  Expr end = item.end, runs = makeBinary(item.compare, item.begin, item.end, boolType());
  if (wholeNumber(item.step) == 1) {
    bool isInclusive = item.compare == BinaryOp::Le || item.compare == BinaryOp::Ge;
    if (isInclusive)
      end = item.stepIsNegative ? sub(end, intLit(1)) : add(end, intLit(1));
    if (item.compare != BinaryOp::Ne)
      end = makeSelect(runs, end, item.begin, counter->type);
  } else {
    Expr way = mul(tripCount(item), item.step);
    end = item.stepIsNegative ? sub(item.begin, way) : add(item.begin, way);
  }
  if (auto begin = wholeNumber(item.begin), step = wholeNumber(item.step); begin && step && item.staticTrips != 0) {
    int64_t way = static_cast<int64_t>(item.staticTrips) * *step;
    end = intLit(item.stepIsNegative ? *begin - way : *begin + way);
  }
  if (!sameType(withConst(end->type, false), withConst(counter->type, false)))
    end = makeCast(CastStyle::Functional, end, withConst(counter->type, false));
  environment[counter] = Binding{atom(end, counter->name, item.range), {}};
}

/// for (int i = begin; i < end; i += step) with an invariant end and step, and no
/// other assignment to i.
bool ValueFormBuilder::asCounted(const LoopSource &source, Var *counter, const LoopChanges &changes, LoopItem &item) {
  if (!counter)
    return false;
  Expr step = stepOf(source.increment[0], counter, item.stepIsNegative);
  auto *test = llvm::cast<BinaryExpr>(stripImplicit(source.condition).get());
  if (!isInteger(test->rhs->type))
    return false;
  bool ascending = test->op == BinaryOp::Lt || test->op == BinaryOp::Le;
  bool descending = test->op == BinaryOp::Gt || test->op == BinaryOp::Ge;
  bool byOne = wholeNumber(step) == 1;
  if (!(ascending && !item.stepIsNegative) && !(descending && item.stepIsNegative) &&
      !(test->op == BinaryOp::Ne && byOne))
    return false;
  bool assignedInBody = false;
  forEachStmt(source.body, [&](const Stmt &one) {
    if (auto *assign = llvm::dyn_cast<AssignStmt>(one.get()))
      assignedInBody |= rootVar(assign->place) == counter;
  });
  forEachExprIn(source.body, [&](const Expr &one) {
    if (auto *address = llvm::dyn_cast<AddrOfExpr>(one.get()))
      assignedInBody |= rootVar(address->place) == counter;
  });
  if (assignedInBody || changes.inBody.count(counter))
    return false;
  // The bound and the step: nothing the loop assigns, no load that it may change.
  Region scratch;
  Expr end, stride;
  MemoryState savedMemory = memory;
  in(scratch, [&] {
    end = eval(test->rhs);
    stride = eval(step);
  });
  memory = std::move(savedMemory); // what was loaded on trial is not there
  bool invariant = scratch.items.empty();
  for (const Expr &part : {test->rhs, step})
    for (Var *var : variablesIn(part))
      invariant &= var != counter && !changes.assigns(var);
  for (const Expr &part : {end, stride})
    forEachExpr(part, [&](const Expr &one) {
      if (one->kind == ExprKind::Index || one->kind == ExprKind::Deref)
        invariant &= changes.storedBases.count(memoryBase(one)) == 0;
      if (one->kind == ExprKind::Call)
        invariant = false;
    });
  if (!invariant)
    return false;
  item.isCounted = true;
  item.end = end;
  item.step = stride;
  item.compare = test->op;
  item.iv = owner.makeVar(counter->name, withConst(counter->type, false));
  return true;
}

/// Makes a variable that goes from one iteration to the next; pointers go by their
/// offset from a base that does not change.
void ValueFormBuilder::carry(const Change &change, LoopItem &item) {
  Binding *binding = find(change.surface, change.path, true);
  Carried carried;
  Expr before = binding->value;
  bool isPointerLike = isPointer(change.type) || isReference(change.surface->type);
  if (isPointerLike) {
    Expr example = before ? before : change.after;
    auto place = example ? baseAndOffset(example) : std::nullopt;
    if (!place)
      return refuse(diag::Id::NotInReverse, item.range, "the pointer '" + change.name + "', which the loop changes");
    carried.var = owner.makeVar(change.name + "_offset", offsetType());
    carried.init = before ? atom(place->second, change.name + "_offset", item.range) : intLit(0);
    *binding = Binding{movedAddress(example, makeIndex(place->first, makeRef(carried.var))), {}};
  } else {
    carried.var = owner.makeVar(change.name, withConst(change.type, false));
    carried.init = before ? atom(before, change.name, item.range) : zeroOf(change.type);
    *binding = Binding{makeRef(carried.var), {}};
  }
  carried.var->keeping = change.surface->keeping;
  item.carried.push_back(carried);
}

void ValueFormBuilder::finishCarried(const Change &change, Carried &carried, const Expr &base) {
  Binding *binding = find(change.surface, change.path, true);
  bool isPointerLike = isPointer(change.type) || isReference(change.surface->type);
  if (!isPointerLike) {
    carried.next = atom(binding->value ? binding->value : zeroOf(change.type), change.name, {});
    return;
  }
  auto place = binding->value ? baseAndOffset(binding->value) : std::nullopt;
  carried.next = intLit(0);
  if (!place || isChoice(binding->value) || !equal(place->first, base))
    return refuse(diag::Id::NotInReverse, {}, "the pointer '" + change.name + "', which the loop changes");
  carried.next = atom(place->second, change.name + "_offset", {});
}

void ValueFormBuilder::buildLoop(LoopSource source) {
  auto owned = std::make_unique<LoopItem>();
  LoopItem &item = *owned;
  item.range = source.range;
  item.pragma = source.pragma;
  item.mostTrips = source.mostTrips;
  for (const Stmt &one : source.init)
    statement(one);
  Var *counter = counterOf(source);
  LoopChanges changes = changesOf(source);
  std::vector<Wanderer> wanderers = followPointers(source, changes);
  if (asCounted(source, counter, changes, item)) {
    item.begin = environment[counter].value;
    environment[counter] = Binding{makeRef(item.iv), {}};
    std::erase_if(changes.variables, [&](const Change &change) { return change.surface == counter; });
  } else {
    item.stepIsNegative = false;
    item.trips = owner.makeVar("trips", intType());
  }
  for (const Change &change : changes.variables)
    carry(change, item);
  if (item.carried.size() != changes.variables.size())
    return; // refused
  Turns turns = turnsOf(wanderers);
  carryPointers(wanderers, turns, item);
  std::vector<Expr> bases; // of the pointers
  for (const Change &change : changes.variables) {
    bool isPointerLike = isPointer(change.type) || isReference(change.surface->type);
    bases.push_back(isPointerLike ? baseAndOffset(find(change.surface, change.path, true)->value)->first : nullptr);
  }
  MemoryState memoryInFront = memory;
  for (const Base &base : changes.storedBases) {
    memory.known.erase(base);
    memory.storedAnywhere.insert(base);
  }
  MemoryState memoryBefore = memory;
  if (!item.isCounted) {
    in(item.conditionRegion, [&] { item.condition = source.condition ? eval(source.condition) : boolLit(true); });
    memory.known = memoryBefore.known; // the body's reverse has no values of the condition
  }
  in(item.body, [&] {
    block(source.body);
    for (size_t i = item.isCounted ? 1 : 0; i < source.increment.size(); ++i)
      statement(source.increment[i]);
    for (size_t i = 0; i < changes.variables.size(); ++i)
      finishCarried(changes.variables[i], item.carried[i], bases[i]);
    finishPointers(wanderers, turns, item);
  });
  memory = std::move(memoryBefore);
  for (size_t i = 0; i < changes.variables.size(); ++i) {
    const Change &change = changes.variables[i];
    Binding *binding = find(change.surface, change.path, true);
    Expr final = makeRef(item.carried[i].var);
    *binding = Binding{bases[i] ? movedAddress(binding->value, makeIndex(bases[i], final)) : final, {}};
  }
  for (const Wanderer &one : wanderers)
    *find(one.change.surface, one.change.path, true) = Binding{one.current, {}};
  if (item.isCounted) {
    auto begin = wholeNumber(item.begin), end = wholeNumber(item.end), step = wholeNumber(item.step);
    if (begin && end && step && *step > 0) {
      int64_t span = item.stepIsNegative ? *begin - *end : *end - *begin;
      span += item.compare == BinaryOp::Le || item.compare == BinaryOp::Ge;
      item.staticTrips = span > 0 ? (span + *step - 1) / *step : 0;
    }
  }
  closedForms(item);
  std::vector<Promoted> promoted;
  promote(item, memoryInFront, promoted);
  region->items.push_back(std::move(owned)); // `item` lives on there
  if (item.isCounted && !declares(source, counter))
    leaveCounted(counter, item);
  storePromoted(promoted, item.range);
}

} // namespace gpuad::transform
