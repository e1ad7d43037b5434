//===- TangentExpr.cpp - tangents of expressions -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/ValueForm.h"
#include "ir/Walk.h"
#include "transform/GroupCalls.h"
#include "transform/Sums.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;
using rules::RuleKind;

namespace {
Expr orNull(const Expr &a, const Expr &b, llvm::function_ref<Expr(const Expr &, const Expr &)> join) {
  if (!a)
    return b;
  return b ? join(a, b) : a;
}
} // namespace

bool isView(const Type &type) {
  return isRecord(type) && !holdsFloating(type) && reachesFloating(type);
}

Expr zeroValue(const Type &type) {
  return isRecord(type) ? makeInit({}, withConst(type, false), true) : zeroOf(type);
}

Var *TangentBuilder::ownVar(Var *var) {
  auto found = ownOf.find(var);
  if (found != ownOf.end())
    return found->second;
  bool isGlobal = var->storage == Storage::Constant || var->storage == Storage::DeviceGlobal ||
                  var->storage == Storage::HostGlobal || var->storage == Storage::ConstexprGlobal;
  bool isShared = var->storage == Storage::Shared || var->storage == Storage::DynamicShared;
  isGlobal |= isShared && llvm::none_of(primal.vars, [&](const auto &local) { return local.get() == var; });
  if (isGlobal) {
    if (activity.isActive(var) && !dotOf.count(var))
      refuse(diag::Id::NotInForward, var->range.isValid() ? var->range : primal.nameRange,
             "'" + var->name + "', a variable at namespace scope, as active");
    return ownOf[var] = var;
  }
  Var *made = owner.makeVar(var->name, var->type, var->storage);
  *made = *var;
  made->isThis = false; // a constructor's object: a local like others
  return ownOf[var] = made;
}

Expr TangentBuilder::own(const Expr &e) {
  forEachExpr(e, [&](const Expr &one) {
    if (auto *cast = llvm::dyn_cast<CastExpr>(one.get())) {
      refuseOtherMemory(*cast);
      refuseBits(*cast);
    }
  });
  refuseBytes(e);
  return rewriteExpr(e, [&](const Expr &one) -> Expr {
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      return makeRef(ownVar(ref->var), one->range);
    if (auto *text = llvm::dyn_cast<TextExpr>(one.get())) {
      refuseActiveText(*text);
      std::vector<Var *> mentions;
      for (Var *var : text->mentions)
        mentions.push_back(ownVar(var));
      return makeText(text->text, mentions, one->type, one->range);
    }
    if (auto *call = llvm::dyn_cast<CallExpr>(one.get())) {
      refuseForbidden(*call);
      return besideTangent(one);
    }
    if (auto *cast = llvm::dyn_cast<CastExpr>(one.get()))
      refuseDowncast(*cast);
    return one;
  });
}

/// A method that knows of the tangent of its object, or of an argument, where there is one.
Expr TangentBuilder::besideTangent(const Expr &whole) const {
  auto *call = llvm::cast<CallExpr>(whole.get());
  const rules::Rule *rule = call->callee.isMethod ? rules.find(call->callee) : nullptr;
  if (!rule || rule->kind != RuleKind::Inactive || rule->tangent.empty())
    return whole;
  Expr owner = rule->given.empty() ? call->args[0] : rules.given(*rule, *call, nullptr).front();
  auto tangent = owner ? dotOf.find(rootVar(owner)) : dotOf.end();
  if (tangent == dotOf.end())
    return whole;
  auto copy = std::make_shared<CallExpr>(*call);
  copy->callee.name = copy->callee.spelling = rule->tangent;
  copy->args.insert(copy->args.begin() + 1, makeRef(tangent->second));
  if (!copy->callee.parameterTypes.empty())
    copy->callee.parameterTypes.insert(copy->callee.parameterTypes.begin() + 1, tangent->second->type);
  return copy;
}

/// Activity of an expression over this function's own variables: they are active
/// when they have a tangent.
bool TangentBuilder::isActiveOwn(const Expr &e) const {
  // A view holds pointers alone, and shared bytes may hold numbers.
  if (!reachesFloating(e->type) && !isPointer(e->type) && e->kind != ExprKind::Ref)
    return false;
  switch (e->kind) {
  case ExprKind::Ref:
    return dotOf.count(llvm::cast<RefExpr>(e.get())->var) != 0;
  case ExprKind::Index:
    return isActiveOwn(llvm::cast<IndexExpr>(e.get())->base);
  case ExprKind::Deref:
    return isActiveOwn(llvm::cast<DerefExpr>(e.get())->pointer);
  case ExprKind::AddrOf: {
    Var *root = rootVar(e);
    return root && dotOf.count(root);
  }
  case ExprKind::Member: {
    Var *root = rootVar(e);
    if (root)
      return dotOf.count(root) != 0;
    return isActiveOwn(llvm::cast<MemberExpr>(e.get())->base);
  }
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(e.get());
    const Function *definition = analysis::definitionOf(call->callee);
    const rules::Rule *rule = definition ? nullptr : rules.find(call->callee);
    if (rule && rule->kind == RuleKind::Inactive)
      return false;
    if (definition) {
      const analysis::CallFlow &flow = flows.of(*definition);
      for (size_t i = 0; i < flow.globals.size(); ++i)
        if (dotOf.count(flow.globals[i]) && flow.flows[flow.numParams() + i].count(-1))
          return true;
    }
    for (unsigned i = 0; i < call->args.size(); ++i)
      if ((!rule || rule->kind != RuleKind::Pure || !rules.isZero(*rule, i)) && isActiveOwn(call->args[i]))
        return true;
    return false;
  }
  case ExprKind::Select: {
    auto *choice = llvm::cast<SelectExpr>(e.get());
    return isActiveOwn(choice->thenValue) || isActiveOwn(choice->elseValue);
  }
  case ExprKind::Text:
    return llvm::any_of(llvm::cast<TextExpr>(e.get())->mentions, [&](Var *var) { return dotOf.count(var) != 0; });
  case ExprKind::Binary:
  case ExprKind::Cast:
  case ExprKind::Init:
  case ExprKind::Unary:
    return llvm::any_of(children(e), [&](const Expr &operand) { return isActiveOwn(operand); });
  case ExprKind::Lit:
  case ExprKind::ThreadIndex:
    return false;
  }
  return false;
}

OrderedSet<Var> TangentBuilder::globalsOf(const CallExpr &call) const {
  OrderedSet<Var> found;
  if (const Function *definition = analysis::definitionOf(call.callee))
    for (Var *global : flows.of(*definition).globals)
      if (dotOf.count(global))
        found.insert(global);
  return found;
}

bool TangentBuilder::isTouched(const CallExpr &call) const {
  return llvm::any_of(call.args, [&](const Expr &arg) { return isActiveOwn(arg); }) || !globalsOf(call).empty();
}

Expr TangentBuilder::temporary(const Expr &e, const std::string &name) {
  for (auto &[known, var] : named) // the same operand twice in one statement
    if (equal(known, e))
      return makeRef(var);
  Var *var = owner.makeVar(name, withConst(e->type, false));
  var->isTemporary = true;
  emit(makeDecl(var, e));
  if (isActiveOwn(e)) {
    Var *tangent = owner.makeVar(name + "_dot", var->type);
    tangent->isTemporary = true;
    emit(makeDecl(tangent, dotOrZero(e, makeRef(var))));
    dotOf[var] = tangent;
  }
  named.push_back({e, var});
  return makeRef(var);
}

/// Replaces calls of functions that carry derivatives by the value they return with
/// its tangent, or by the tangent function alone where only its effects are active.
Expr TangentBuilder::hoistCalls(const Expr &e) {
  return rewriteExpr(branchInside(e), [&](const Expr &one) -> Expr {
    auto *call = llvm::dyn_cast<CallExpr>(one.get());
    if (!call || !isTouched(*call))
      return one;
    if (!analysis::definitionOf(call->callee)) {
      const rules::Rule *rule = rules.find(call->callee);
      if (rule && rule->kind == RuleKind::Forbidden)
        refuse(diag::Id::ForbiddenFunction, one->range, call->callee.name, rule->note);
      return one;
    }
    if (!holdsFloating(one->type) && !isView(one->type)) {
      bool reachesTangents = llvm::any_of(call->args, [&](const Expr &arg) {
        return isActiveOwn(arg) && (isPointer(arg->type) || isArray(arg->type) || rootVar(arg));
      });
      return (reachesTangents && mayWrite(*call->callee.function)) || !globalsOf(*call).empty()
                 ? tangentCall(*call, false)
                 : one;
    }
    Expr made = tangentCall(*call, true);
    Var *pair = owner.makeVar(plainName(*call->callee.function) + "_dual", made->type);
    emit(makeDecl(pair, made));
    Var *value = owner.makeVar(plainName(*call->callee.function) + "_value", withConst(one->type, false));
    Var *tangent = owner.makeVar(value->name + "_dot", value->type);
    value->isTemporary = tangent->isTemporary = true;
    emit(makeDecl(value, makeMember(makeRef(pair), 0)));
    emit(makeDecl(tangent, makeMember(makeRef(pair), 1)));
    dotOf[value] = tangent;
    return makeRef(value);
  });
}

Expr TangentBuilder::prepareOwn(const Expr &e, bool isResult) {
  if (auto *call = llvm::dyn_cast<CallExpr>(stripImplicit(e).get()); call && isActiveOwn(stripImplicit(e))) {
    const rules::Rule *rule = analysis::definitionOf(call->callee) ? nullptr : rules.find(call->callee);
    if (rule && rule->kind == RuleKind::Expand)
      return expand(stripImplicit(e), *rule);
  }
  Expr mine = hoistCalls(e);
  return isActiveOwn(mine) ? splitter.split(mine, isResult) : mine;
}

Expr TangentBuilder::dotOrZero(const Expr &e, const Expr &result) {
  Expr tangent = dot(e, result);
  return tangent ? tangent : zeroValue(e->type);
}

Expr TangentBuilder::dot(const Expr &e, const Expr &result) {
  if (!isActiveOwn(e) || isPointer(e->type) || !reachesFloating(e->type))
    return nullptr;
  switch (e->kind) {
  case ExprKind::Ref:
  case ExprKind::Index:
  case ExprKind::Deref:
    return dotLoad(e);
  case ExprKind::Member: {
    auto *member = llvm::cast<MemberExpr>(e.get());
    if (rootVar(e))
      return dotLoad(e);
    Expr base = dot(member->base, nullptr);
    return base ? makeMember(base, member->field) : nullptr;
  }
  case ExprKind::Unary: {
    Expr inner = dot(llvm::cast<UnaryExpr>(e.get())->operand, nullptr);
    return inner && llvm::cast<UnaryExpr>(e.get())->op == UnaryOp::Neg ? neg(inner) : inner;
  }
  case ExprKind::Cast: {
    Expr inner = dot(llvm::cast<CastExpr>(e.get())->operand, nullptr);
    return inner ? makeCast(llvm::cast<CastExpr>(e.get())->style, inner, e->type) : nullptr;
  }
  case ExprKind::Select: {
    auto *choice = llvm::cast<SelectExpr>(e.get());
    if (Expr seed = guardedSeed(*choice)) {
      Expr moves = makeBinary(BinaryOp::Ne, dotOrZero(seed, nullptr), zeroOf(seed->type), boolType());
      return select(makeBinary(BinaryOp::LogicalOr, choice->condition, moves, boolType()),
                    dotOrZero(choice->thenValue, nullptr), zeroOf(e->type));
    }
    return select(choice->condition, dotOrZero(choice->thenValue, nullptr), dotOrZero(choice->elseValue, nullptr));
  }
  case ExprKind::Init: {
    auto *init = llvm::cast<InitExpr>(e.get());
    std::vector<Expr> elements;
    for (const Expr &element : init->elements) {
      bool isShadow = isPointer(element->type) && isActiveOwn(element);
      elements.push_back(isShadow ? dotPointer(element) : dotOrZero(element, nullptr));
    }
    return makeInit(elements, e->type, init->namesType);
  }
  case ExprKind::Call:
    return dotCall(*llvm::cast<CallExpr>(e.get()), result);
  case ExprKind::Text:
    return nullptr; // refused where it was made this function's own
  case ExprKind::Binary:
    return dotBinary(e, result);
  case ExprKind::AddrOf:
  case ExprKind::Lit:
  case ExprKind::ThreadIndex:
    return nullptr;
  }
  return nullptr;
}

Expr TangentBuilder::dotBinary(const Expr &e, const Expr &result) {
  auto *binary = llvm::cast<BinaryExpr>(e.get());
  if (binary->op == BinaryOp::Add)
    return orNull(dot(binary->lhs, nullptr), dot(binary->rhs, nullptr), add);
  if (binary->op == BinaryOp::Sub) {
    Expr a = dot(binary->lhs, nullptr), b = dot(binary->rhs, nullptr);
    return !b ? a : a ? sub(a, b) : neg(b);
  }
  if (binary->op == BinaryOp::Mul) {
    std::vector<Expr> factors = factorsOf(*binary);
    Expr sum;
    for (size_t i = 0; i < factors.size(); ++i) {
      Expr term = dot(factors[i], nullptr);
      if (!term)
        continue;
      Expr others;
      for (size_t k = 0; k < factors.size(); ++k)
        if (k != i)
          others = others ? mul(others, factors[k]) : factors[k];
      sum = orNull(sum, mul(others, term), addTerms);
    }
    return sum;
  }
  if (binary->op == BinaryOp::Div) {
    Expr a = dot(binary->lhs, nullptr), b = dot(binary->rhs, nullptr);
    Expr quotient = result ? result : e;
    if (!b)
      return div(a, binary->rhs);
    Expr part = mul(quotient, b);
    return div(a ? sub(a, part) : neg(part), binary->rhs);
  }
  return nullptr;
}

/// What lanes do together must not come into an arm of a partial derivative that chooses.
bool TangentBuilder::hasExchange(const Expr &e) const {
  bool found = false;
  forEachExpr(e, [&](const Expr &one) {
    auto *call = llvm::dyn_cast<CallExpr>(one.get());
    if (!call || analysis::definitionOf(call->callee))
      return;
    const rules::Rule *rule = rules.find(call->callee); // none: the tangent of a rule for an exchange
    found |= !rule || rule->kind == RuleKind::Collective || rule->kind == RuleKind::Barrier;
  });
  return found;
}

Expr TangentBuilder::dotCall(const CallExpr &call, const Expr &result) {
  const rules::Rule *rule = rules.find(call.callee);
  if (!rule) {
    refuse(diag::Id::MissingRule, call.range, call.callee.name);
    return nullptr;
  }
  auto overTangents = [&](auto isCarried) { // linear: the same call over the tangents
    CallExpr copy = call;
    for (unsigned i = 0; i < copy.args.size(); ++i)
      if (isCarried(i))
        copy.args[i] = isPointer(copy.args[i]->type) ? dotPointer(copy.args[i]) : dotOrZero(copy.args[i], nullptr);
    return Expr(std::make_shared<CallExpr>(copy));
  };
  switch (rule->kind) {
  case RuleKind::Load: {
    if (!isActiveOwn(call.args[0]))
      return nullptr;
    if (auto choice = choiceOfPointers(call.args[0])) {
      CallExpr first = call, second = call;
      first.args[0] = choice->first;
      second.args[0] = choice->second;
      Expr a = dotCall(first, result), b = dotCall(second, result);
      return select(choice->condition, a ? a : zeroValue(call.type), b ? b : zeroValue(call.type));
    }
    Expr load = overTangents([](unsigned i) { return i == 0; });
    Expr present = presence(call.args[0]);
    return present ? makeSelect(present, load, zeroValue(load->type), load->type) : load;
  }
  case RuleKind::Construct:
    return overTangents([](unsigned) { return true; });
  case RuleKind::Collective: {
    Expr made = overTangents(
        [&](unsigned i) { return i < rule->params.size() && llvm::is_contained(rule->active, rule->params[i].name); });
    if (rule->tangent.empty())
      return made;
    CallExpr copy = *llvm::cast<CallExpr>(made.get());
    copy.callee = Callee();
    copy.callee.name = copy.callee.spelling = rule->tangent;
    llvm::append_range(copy.args, rules.given(*rule, call, result));
    return Expr(std::make_shared<CallExpr>(copy));
  }
  case RuleKind::Forbidden: // refused already
    return nullptr;
  case RuleKind::Group:
    refuse(diag::Id::ForbiddenFunction, call.range, call.callee.name, GroupCallLimits);
    return nullptr;
  case RuleKind::Expand: // what it returns; its outputs have been written
    for (unsigned k = 0; k < rule->expansion.size(); ++k)
      if (rule->expansion[k].first == "ret")
        return dot(splitter.split(rules.expansionValue(*rule, k, call, call.args), false), nullptr);
    return nullptr;
  case RuleKind::Pure:
    break;
  default:
    refuse(diag::Id::NotInForward, call.range, "'" + call.callee.name + "' on active values");
    return nullptr;
  }
  Expr sum;
  for (unsigned i = 0; i < call.args.size(); ++i) {
    if (rules.isZero(*rule, i))
      continue;
    Expr tangent = dot(call.args[i], nullptr);
    if (!tangent)
      continue;
    tangent = acrossHalf(tangent, call.type);
    rules::Singularity singularity = rules.singularity(*rule, i);
    bool isSafe = singularity == rules::Singularity::None || (singularity == rules::Singularity::NotPositive &&
                                                              isPositive(call.args[i], [](Var *) { return Expr(); }));
    if ((!isSafe && !isCheap(tangent)) || hasExchange(tangent)) {
      Var *named = owner.makeVar("argument_dot", withConst(tangent->type, false));
      emit(makeDecl(named, tangent));
      tangent = makeRef(named);
    }
    Expr term = rules.contribution(*rule, i, tangent, call, call.args, result, !isSafe);
    sum = orNull(sum, term, add);
  }
  return sum;
}

void TangentBuilder::refuseUnknownPlace(const Expr &place) {
  auto *call = llvm::cast<CallExpr>(place.get());
  if (!refused.insert(place->range.offset).second)
    return;
  if (rules.find(call->callee) || analysis::definitionOf(call->callee))
    return refuse(diag::Id::NotInForward, place->range, "a place that '" + call->callee.name + "' returns");
  refuse(diag::Id::MissingRule, place->range, call->callee.name);
}

/// `*(c ? &a : &b)`, `(c ? p : q)[i]`, or a part of one, as one of two places; none for any
/// other place.
std::optional<TangentBuilder::PlaceChoice> TangentBuilder::choiceOfPlaces(const Expr &place) {
  if (place->kind != ExprKind::Deref && place->kind != ExprKind::Member && place->kind != ExprKind::Index)
    return std::nullopt;
  std::vector<Expr> parts = children(place);
  auto whole = isPointer(parts[0]->type) ? choiceOfPointers(parts[0]) : choiceOfPlaces(parts[0]);
  if (!whole)
    return std::nullopt;
  auto partOf = [&](const Expr &base) {
    auto *of = llvm::dyn_cast<AddrOfExpr>(stripImplicit(base).get());
    if (of && place->kind == ExprKind::Deref)
      return of->place;
    parts[0] = base;
    return withChildren(place, parts);
  };
  return PlaceChoice{whole->condition, partOf(whole->first), partOf(whole->second)};
}

/// `c ? p : q`, or what is worked out from it, as one of two pointers.
std::optional<TangentBuilder::PlaceChoice> TangentBuilder::choiceOfPointers(const Expr &pointer) {
  if (auto *choice = llvm::dyn_cast<SelectExpr>(pointer.get()))
    return PlaceChoice{choice->condition, choice->thenValue, choice->elseValue};
  if (auto loaded = choiceOfPlaces(pointer))
    return loaded;
  bool isWorkedOut = pointer->kind == ExprKind::Cast || pointer->kind == ExprKind::AddrOf ||
                     (pointer->kind == ExprKind::Binary && isPointer(pointer->type));
  if (!isWorkedOut)
    return std::nullopt;
  std::vector<Expr> parts = children(pointer);
  size_t base = pointer->kind == ExprKind::Binary && !isPointer(parts[0]->type) ? 1 : 0;
  auto whole = pointer->kind == ExprKind::AddrOf ? choiceOfPlaces(parts[0]) : choiceOfPointers(parts[base]);
  if (!whole)
    return std::nullopt;
  auto from = [&](const Expr &one) {
    parts[base] = one;
    return withChildren(pointer, parts);
  };
  return PlaceChoice{whole->condition, from(whole->first), from(whole->second)};
}

/// The test that the shadow behind a place was passed; null when it always is. Of an array of pointers, each may be
/// missing.
Expr TangentBuilder::presence(const Expr &place) {
  Var *root = rootVar(place);
  if (!root || !dotOf.count(root) || (!wantOf.count(root) && !nullable.count(root)))
    return nullptr;
  Expr passed = presenceOfRoot(place, root);
  Expr pointer = loadedPointer(place);
  if (!pointer)
    return passed;
  Expr isThere = makeBinary(BinaryOp::Ne, dotPlace(pointer), makeLit("nullptr", int64_t(0), pointer->type), boolType());
  return passed && !equal(passed, isThere) ? logicalAnd(passed, isThere) : isThere;
}

Expr TangentBuilder::presenceOfRoot(const Expr &place, Var *root) {
  if (auto want = wantOf.find(root); want != wantOf.end())
    return makeRef(want->second);
  // A pointer worked out from one that may be null, or inside a view.
  Expr pointer;
  std::function<void(const Expr &)> innermost = [&](const Expr &e) {
    bool isNamed = e->kind == ExprKind::Ref || e->kind == ExprKind::Member ||
                   (e->kind == ExprKind::Index && isArray(children(e)[0]->type));
    if (isPointer(e->type) && rootVar(e) == root && isNamed) {
      pointer = e;
      return;
    }
    for (const Expr &operand : children(e))
      if (!pointer)
        innermost(operand);
  };
  if (isPointer(place->type)) // it is there itself, and may become null
    for (const Expr &operand : children(place))
      innermost(operand);
  else
    innermost(place);
  if (!pointer)
    return nullptr;
  return makeBinary(BinaryOp::Ne, dotPlace(pointer), makeLit("nullptr", int64_t(0), pointer->type), boolType());
}

Expr TangentBuilder::dotLoad(const Expr &place) {
  if (auto choice = choiceOfPlaces(place))
    return select(choice->condition, dotLoad(choice->first), dotLoad(choice->second));
  if (!isActiveOwn(place))
    return zeroValue(place->type);
  Expr shadow = dotPlace(place);
  Expr present = place->kind == ExprKind::Ref ? nullptr : presence(place);
  return present ? makeSelect(present, shadow, zeroValue(shadow->type), withConst(shadow->type, false)) : shadow;
}

/// The place of the tangent: the root replaced by its shadow.
Expr TangentBuilder::dotPlace(const Expr &place) {
  switch (place->kind) {
  case ExprKind::Ref: {
    auto found = dotOf.find(llvm::cast<RefExpr>(place.get())->var);
    return found == dotOf.end() ? place : makeRef(found->second);
  }
  case ExprKind::Index: {
    auto *access = llvm::cast<IndexExpr>(place.get());
    return makeIndex(dotPlace(access->base), access->index);
  }
  case ExprKind::Deref:
    return makeDeref(dotPlace(llvm::cast<DerefExpr>(place.get())->pointer));
  case ExprKind::AddrOf:
    return makeAddrOf(dotPlace(llvm::cast<AddrOfExpr>(place.get())->place));
  case ExprKind::Member: {
    auto *member = llvm::cast<MemberExpr>(place.get());
    return makeMember(dotPlace(member->base), member->field);
  }
  case ExprKind::Cast:
    return withChildren(place, {dotPlace(llvm::cast<CastExpr>(place.get())->operand)});
  case ExprKind::Binary: { // pointer arithmetic
    auto *sum = llvm::cast<BinaryExpr>(place.get());
    if (isPointer(sum->lhs->type) || isArray(sum->lhs->type))
      return withChildren(place, {dotPlace(sum->lhs), sum->rhs});
    return withChildren(place, {sum->lhs, dotPlace(sum->rhs)});
  }
  case ExprKind::Select: {
    auto *choice = llvm::cast<SelectExpr>(place.get());
    return withChildren(place, {choice->condition, dotPlace(choice->thenValue), dotPlace(choice->elseValue)});
  }
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(place.get());
    if (const rules::Rule *rule = rules.find(call->callee); rule && rule->kind == RuleKind::Part) {
      std::vector<Expr> args = call->args;
      args[0] = dotPlace(args[0]);
      return withChildren(place, args);
    }
    refuseUnknownPlace(place); // a place that a function gives: of its shadow nothing is known
    return place;
  }
  default:
    return place;
  }
}

/// A pointer to tangents; no address is formed from a null shadow.
Expr TangentBuilder::dotPointer(const Expr &pointer) {
  if (pointer->kind == ExprKind::Lit)
    return pointer;
  auto null = [&](const Type &type) { return makeLit("nullptr", int64_t(0), type); };
  if (auto choice = choiceOfPointers(pointer))
    return makeSelect(choice->condition, dotPointer(choice->first), dotPointer(choice->second), pointer->type);
  if (!isActiveOwn(pointer)) // leads to what has no tangent
    return null(pointer->type);
  Expr shadow = dotPlace(pointer);
  Expr present = pointer->kind == ExprKind::Ref ? nullptr : presence(pointer);
  return present ? makeSelect(present, shadow, null(shadow->type), shadow->type) : shadow;
}

/// What a reference to a tangent is bound to. Where there is no tangent, or its shadow was
/// not passed, it is a local of zeros.
Expr TangentBuilder::dotReference(const Expr &place) {
  if (auto choice = choiceOfPlaces(place))
    return makeSelect(choice->condition, dotReference(choice->first), dotReference(choice->second), place->type);
  if (!rootVar(place) && place->kind != ExprKind::Deref)
    refuse(diag::Id::NotInForward, place->range, "this reference");
  Expr shadow = dotPlace(place);
  Expr present = place->kind == ExprKind::Ref ? nullptr : presence(place);
  bool isThere = isActiveOwn(place);
  if (isThere && !present)
    return shadow;
  Var *unused = owner.makeVar("unused_dot", withConst(shadow->type, false));
  emit(makeDecl(unused, zeroOf(unused->type)));
  return isThere ? makeSelect(present, shadow, makeRef(unused), shadow->type) : makeRef(unused);
}

} // namespace gpuad::transform
