//===- AdjointExpr.cpp - from a seed to its operands ---------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"
#include "transform/Places.h"
#include "transform/Sums.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/NameOperands.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace gpuad::transform {
using namespace ir;
using rules::RuleKind;

namespace {
unsigned operations(const Expr &e) {
  unsigned count = e->kind == ExprKind::Binary || e->kind == ExprKind::Call || e->kind == ExprKind::Select;
  for (const Expr &operand : children(e))
    count += operations(operand);
  return count;
}

} // namespace

/// Adds to the leaves of e what the seed of e's value sends them. All amounts are
/// worked out before the first one is added ("seeds first").
void AdjointBuilder::propagate(const Expr &e, const Expr &seed, const Expr &result) {
  Contributions all;
  back(e, seed, result, all);
  // The seed may itself be the adjoint of a leaf, which is changed only when all amounts are made of it.
  auto *named = llvm::dyn_cast<RefExpr>(seed.get());
  auto own = llvm::find_if(all, [&](const std::pair<Expr, Expr> &one) {
    auto *leaf = llvm::dyn_cast<RefExpr>(one.first.get());
    auto bar = leaf ? bars.find(leaf->var) : bars.end();
    return named && bar != bars.end() && bar->second == named->var;
  });
  if (own != all.end())
    std::rotate(own, own + 1, all.end());
  for (auto &[leaf, amount] : all)
    contribute(leaf, amount);
}

void AdjointBuilder::back(const Expr &e, const Expr &seed, const Expr &result, Contributions &to) {
  if (!activity.isActive(e) || isZeroLit(seed))
    return;
  switch (e->kind) {
  case ExprKind::Ref:
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::Member:
    for (auto &[leaf, amount] : to)
      if (equal(leaf, e)) {
        amount = addTerms(amount, seed);
        return;
      }
    to.push_back({e, seed});
    return;
  case ExprKind::Cast: {
    const Expr &operand = llvm::cast<CastExpr>(e.get())->operand;
    return back(operand, acrossHalf(seed, operand->type), nullptr, to);
  }
  case ExprKind::Unary:
    return back(llvm::cast<UnaryExpr>(e.get())->operand, neg(seed), nullptr, to);
  case ExprKind::Select: {
    auto *choice = llvm::cast<SelectExpr>(e.get());
    Expr zero = zeroOf(seed->type);
    back(choice->thenValue, select(choice->condition, seed, zero), nullptr, to);
    return back(choice->elseValue, select(choice->condition, zero, seed), nullptr, to);
  }
  case ExprKind::Init: // handled leaf by leaf where structs are stored
    failed = true;
    return diag::report(sink, diag::Id::NotInReverse, e->range, "a struct built inside an expression");
  case ExprKind::Call:
    return backCall(*llvm::cast<CallExpr>(e.get()), seed, result, to);
  case ExprKind::Binary:
    return backBinary(*llvm::cast<BinaryExpr>(e.get()), seed, result ? result : e, to);
  case ExprKind::AddrOf:
  case ExprKind::Lit:
  case ExprKind::Text:
  case ExprKind::ThreadIndex:
    return;
  }
}

/// `value`: the value of the operation itself, by name where it has one.
void AdjointBuilder::backBinary(const BinaryExpr &e, const Expr &seed, const Expr &value, Contributions &to) {
  const BinaryExpr *binary = &e;
  Expr s = seed;
  if (operations(seed) > 1 && activity.isActive(binary->lhs) && activity.isActive(binary->rhs)) {
    Var *named = owner.makeVar("seed", withConst(seed->type, false));
    named->isTemporary = true;
    emit(makeDecl(named, seed));
    s = makeRef(named);
  }
  switch (binary->op) {
  case BinaryOp::Add:
    back(binary->lhs, s, nullptr, to);
    return back(binary->rhs, s, nullptr, to);
  case BinaryOp::Sub:
    back(binary->lhs, s, nullptr, to);
    return back(binary->rhs, neg(s), nullptr, to);
  case BinaryOp::Mul: {
    std::vector<Expr> factors = factorsOf(*binary);
    for (size_t i = 0; i < factors.size(); ++i) {
      Expr others;
      for (size_t k = 0; k < factors.size(); ++k)
        if (k != i)
          others = others ? mul(others, factors[k]) : factors[k];
      back(factors[i], mul(others, s), nullptr, to);
    }
    return;
  }
  case BinaryOp::Div: {
    auto *named = llvm::dyn_cast<RefExpr>(value.get());
    bool mask = named && maskable.count(named->var);
    auto cut = [&](const Expr &amount) {
      return mask ? makeSelect(makeBinary(BinaryOp::Ne, s, zeroOf(s->type), boolType()), amount, zeroOf(amount->type),
                               amount->type)
                  : amount;
    };
    back(binary->lhs, cut(div(s, binary->rhs)), nullptr, to);
    if (activity.isActive(binary->rhs))
      back(binary->rhs, cut(neg(div(mul(value, s), binary->rhs))), nullptr, to);
    return;
  }
  default: // comparisons and integer operations carry nothing
    return;
  }
}

void AdjointBuilder::backCall(const CallExpr &call, const Expr &seed, const Expr &result, Contributions &to) {
  const rules::Rule *rule = rules.find(call.callee);
  if (rule && rule->kind == RuleKind::Collective)
    return backCollective(call, *rule, seed, result, to);
  if (!rule || rule->kind != RuleKind::Pure) // refused before
    return;
  unsigned uses = 0; // of the seed: a guard against poles reads it once more
  bool isGuarded = false;
  for (unsigned i = 0; i < call.args.size(); ++i)
    if (activity.isActive(call.args[i]) && !rules.isZero(*rule, i)) {
      ++uses;
      isGuarded |= rules.singularity(*rule, i) != rules::Singularity::None;
    }
  Expr s = seed;
  if ((uses > 1 && operations(seed) > 1) || (isGuarded && operations(seed) > 0)) {
    Var *named = owner.makeVar("seed", withConst(seed->type, false));
    named->isTemporary = true;
    emit(makeDecl(named, seed));
    s = makeRef(named);
  }
  for (unsigned i = 0; i < call.args.size(); ++i) {
    if (!activity.isActive(call.args[i]) || rules.isZero(*rule, i))
      continue;
    bool isSafe =
        rules.singularity(*rule, i) == rules::Singularity::NotPositive && isPositive(call.args[i], [&](Var *var) {
          auto found = definitions.find(var);
          return found == definitions.end() ? nullptr : found->second;
        });
    Expr term = rules.contribution(*rule, i, s, call, call.args, result, !isSafe);
    back(call.args[i], acrossHalf(term, call.args[i]->type), nullptr, to);
  }
}

/// Lanes exchanged values: their seeds go the other way. All lanes take part, whoever
/// has a seed, so the exchange stands by itself.
void AdjointBuilder::backCollective(const CallExpr &call, const rules::Rule &rule, const Expr &seed, const Expr &result,
                                    Contributions &to) {
  for (unsigned i = 0; i < call.args.size() && i < rule.params.size(); ++i) {
    if (!llvm::is_contained(rule.active, rule.params[i].name) || !activity.isActive(call.args[i]))
      continue;
    Callee transpose;
    transpose.name = transpose.spelling = rule.transpose;
    std::vector<Expr> args = call.args;
    args[i] = seed;
    llvm::append_range(args, rules.given(rule, call, result));
    Var *owed = owner.makeVar("owed", withConst(seed->type, false));
    emit(makeDecl(owed, makeCall(transpose, args, owed->type)));
    back(call.args[i], makeRef(owed), nullptr, to);
  }
}

/// A view of constant data is a view of its shadow data, too, which is added into.
static Expr toWritable(const Expr &pointer) {
  if (!isPointer(pointer->type) || !elementOf(pointer->type)->isConst)
    return pointer;
  return makeCast(CastStyle::Const, pointer, pointerTo(withConst(elementOf(pointer->type), false)));
}

/// The place that holds the adjoint of a place: the root replaced by its shadow.
Expr AdjointBuilder::shadowPlace(const Expr &place) {
  if (const Shadow *shadow = shadowOf(place); shadow && place->kind == ExprKind::Ref)
    return shadow->root;
  if (auto table = pointersOf.find(rootVar(place));
      table != pointersOf.end() && isPointer(place->type) && isBehindLoaded(memoryBase(place)) && isPlace(place))
    return toWritable(substitute(place, [&](Var *var) { return var == table->first ? table->second : nullptr; }));
  switch (place->kind) {
  case ExprKind::Ref: {
    Var *var = llvm::cast<RefExpr>(place.get())->var;
    return makeRef(barOf(var));
  }
  case ExprKind::Index: {
    auto *access = llvm::cast<IndexExpr>(place.get());
    return toWritable(makeIndex(shadowPlace(access->base), access->index));
  }
  case ExprKind::Deref:
    return makeDeref(shadowPlace(llvm::cast<DerefExpr>(place.get())->pointer));
  case ExprKind::Member: {
    auto *member = llvm::cast<MemberExpr>(place.get());
    if (const Shadow *shadow = isPointer(member->type) ? shadowOf(place) : nullptr; shadow && !shadow->mayHoldNull)
      if (!isBehindLoaded(memoryBase(place)))
        return toWritable(shadow->root);
    return toWritable(makeMember(shadowPlace(member->base), member->field));
  }
  case ExprKind::AddrOf:
    return makeAddrOf(shadowPlace(llvm::cast<AddrOfExpr>(place.get())->place));
  case ExprKind::Binary: { // pointer arithmetic
    auto *sum = llvm::cast<BinaryExpr>(place.get());
    if (isPointer(sum->lhs->type) || isArray(sum->lhs->type))
      return withChildren(place, {shadowPlace(sum->lhs), sum->rhs});
    return withChildren(place, {sum->lhs, shadowPlace(sum->rhs)});
  }
  case ExprKind::Cast: {
    auto *cast = llvm::cast<CastExpr>(place.get());
    Expr operand = shadowPlace(cast->operand);
    Type element = withConst(elementOf(cast->type), elementOf(operand->type)->isConst);
    return makeCast(cast->style, operand, pointerTo(element));
  }
  default: // never the place itself: that would be primal memory
    failed = true;
    diag::report(sink, diag::Id::InternalError, place->range, "a place of this form has no shadow");
    return place;
  }
}

const Shadow *AdjointBuilder::shadowOf(const Expr &place) const {
  auto found = shadows.find(memoryBase(place));
  return found == shadows.end() ? nullptr : &found->second;
}

/// Whether a shadow was passed for the place; null: always. Of an array of pointers, each may be missing.
Expr AdjointBuilder::wantedAt(const Expr &place) {
  const Shadow *shadow = shadowOf(place);
  if (!shadow)
    return nullptr;
  Expr want = shadow->want ? makeRef(shadow->want) : nullptr;
  if (!shadow->mayHoldNull)
    return want;
  Expr pointer = shadowPlace(loadedPointer(place));
  if (auto *cast = llvm::dyn_cast<CastExpr>(pointer.get()); cast && cast->style == CastStyle::Const)
    pointer = cast->operand;
  Expr isThere = makeBinary(BinaryOp::Ne, pointer, makeLit("nullptr", int64_t(0), pointer->type), boolType());
  return want ? logicalAnd(want, isThere) : isThere;
}

void AdjointBuilder::contribute(const Expr &leaf, const Expr &amount, bool mayBeIdle) {
  if (isZeroLit(amount))
    return;
  // A value, or a variable at namespace scope that is summed like one.
  if (auto *ref = llvm::dyn_cast<RefExpr>(leaf.get()); ref && (declared.count(ref->var) || !shadowOf(leaf)))
    return addTo(ref->var, amount);
  if (!isFloating(leaf->type) && !isRecord(leaf->type)) { // another view of the memory of a number
    failed = true;
    Var *root = rootVar(leaf);
    return diag::report(sink, diag::Id::NotInReverse, leaf->range,
                        "a derivative through '" + (root ? root->name : "memory") + "', which is no number here");
  }
  MemoryBase object = analysis::ValueActivity::objectOf(leaf);
  bool inValue = leaf->kind == ExprKind::Member && object.second.empty() && !isPointer(object.first->type) &&
                 !shadows.count(object);
  if (inValue) {
    if (!declared.count(object.first))
      declareBar(object.first);
    return emit(makeAccum(shadowPlace(leaf), amount, AccumHow::Plain));
  }
  const Shadow *shadow = shadowOf(leaf);
  if (!shadow) {
    failed = true;
    return diag::report(sink, diag::Id::InternalError, leaf->range, "an active array has no shadow");
  }
  if (Var *sum = waitingSumOf(leaf))
    return emit(makeAccum(makeRef(sum), amount, AccumHow::Plain));
  bool isOwned = isShared(rootVar(leaf)) && epochs.isOwned(leaf);
  AccumHow how = isOwned ? AccumHow::Plain : AccumHow::Undecided;
  Stmt add = makeAccum(shadowPlace(leaf), amount, how, {}, mayBeIdle);
  Expr want = wantedAt(leaf);
  emit(want ? makeIf(want, makeBlock({add})) : add);
}

/// Number by number where an object lies in memory: a user's `+=` need not add all of it.
void AdjointBuilder::contributeParts(const Expr &leaf, const Expr &amount) {
  auto *ref = llvm::dyn_cast<RefExpr>(leaf.get());
  const Type &type = leaf->type;
  if (isArray(type))
    return emit(forEachIndex(owner, type, "k", [&](const Expr &index) {
      return collect([&] { contributeParts(makeIndex(leaf, index), makeIndex(amount, index)); });
    }));
  if (!isRecord(type) || (ref && !shadowOf(leaf)))
    return contribute(leaf, amount);
  for (unsigned i = 0; i < type->record->fields.size(); ++i)
    if (holdsFloating(type->record->fields[i].type))
      contributeParts(makeMember(leaf, i), makeMember(amount, i));
}

Var *AdjointBuilder::barOf(Var *value) {
  Var *&bar = bars[value];
  if (!bar) {
    bar = owner.makeVar(value->name + "_bar", withConst(stripReference(value->type), false));
    bar->isTemporary = true;
  }
  return bar;
}

void AdjointBuilder::declareBar(Var *value) {
  Var *bar = barOf(value);
  emit(makeDecl(bar, zeroOf(bar->type)));
  declared.insert(value);
}

void AdjointBuilder::addTo(Var *value, const Expr &amount) {
  Var *bar = barOf(value);
  if (declared.count(value)) {
    if (!isRecord(bar->type))
      return emit(makeAccum(makeRef(bar), amount, AccumHow::Plain));
    std::function<void(const Expr &, const Expr &, const Type &)> leaves = [&](const Expr &place, const Expr &part,
                                                                               const Type &type) {
      for (unsigned i = 0; i < type->record->fields.size(); ++i) {
        const Type &field = type->record->fields[i].type;
        if (isRecord(field))
          leaves(makeMember(place, i), makeMember(part, i), field);
        else if (isFloating(field))
          emit(makeAccum(makeMember(place, i), makeMember(part, i), AccumHow::Plain));
      }
    };
    return leaves(makeRef(bar), amount, bar->type);
  }
  if (definedIn[value] != current) {
    failed = true;
    return diag::report(sink, diag::Id::InternalError, amount->range,
                        "the adjoint of '" + value->name + "' is used before it is declared");
  }
  emit(makeDecl(bar, amount));
  declared.insert(value);
}

} // namespace gpuad::transform
