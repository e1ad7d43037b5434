//===- ValueFormCall.cpp - calls -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/GroupCalls.h"
#include "transform/InlineAccessors.h"
#include "transform/KeepResults.h"
#include "transform/StructureExits.h"

namespace gpuad::transform {
using namespace ir;

Expr ValueFormBuilder::evalCall(const CallExpr &e, const Expr &whole) {
  if (isReferenceCall(whole))
    return load(placeOfCall(e), e.range);
  if (e.callee.function && (e.callee.function->body || e.callee.function->writtenAdjoint.function))
    return inlineCall(e);
  if (e.callee.name == KeepResult)
    return resultKept(e);
  const rules::Rule *rule = rules.find(e.callee);
  if (!rule) {
    refuse(diag::Id::MissingRule, e.range, e.callee.name);
    return zeroOf(e.type);
  }
  switch (rule->kind) {
  case rules::RuleKind::Load:
    return load(placeBehind(eval(e.args[0]), intLit(0), e.type, e.range), e.range);
  case rules::RuleKind::Expand:
    if (Expr returned = expand(e, *rule, e.range))
      return returned;
    refuse(diag::Id::NotInReverse, e.range, "the result of '" + e.callee.name + "'");
    return zeroOf(e.type);
  case rules::RuleKind::Construct: {
    std::vector<Expr> elements;
    for (const Expr &arg : e.args)
      elements.push_back(eval(arg));
    return makeInit(elements, e.type, true, e.range);
  }
  case rules::RuleKind::Pure:
  case rules::RuleKind::Inactive:
  case rules::RuleKind::Forbidden: {
    if (rule->kind == rules::RuleKind::Forbidden && e.callee.isMethod && e.args[0]->type->kind == TypeKind::Opaque) {
      refuse(diag::Id::ForbiddenFunction, e.range, e.callee.name, rule->note); // no object is made in a sweep
      return zeroOf(e.type);
    }
    if (rule->kind != rules::RuleKind::Forbidden && !rule->isRepeatable()) { // the sweeps may run it more than once
      refuse(diag::Id::NotInReverse, e.range,
             "the result of '" + e.callee.name + "', which is another one at each call,");
      return zeroOf(e.type);
    }
    std::vector<Expr> args;
    for (const Expr &arg : e.args)
      args.push_back(eval(arg));
    return withChildren(whole, args);
  }
  case rules::RuleKind::Collective: {
    if (!rule->integerResult && isFloating(e.type) && rule->transpose.empty())
      break;
    return exchange(e, whole, rule->ofBlock);
  }
  case rules::RuleKind::Barrier: {
    if (!rule->ofBlock || rule->transpose.empty())
      break;
    std::vector<Expr> args;
    for (const Expr &arg : e.args)
      args.push_back(atom(eval(arg), "argument", e.range));
    Expr result = named(withChildren(whole, args), "votes", e.range, LoadClass::None, false);
    auto *item = llvm::cast<ValueItem>(region->items.back().get());
    item->isVote = true;
    updatedSince.clear();
    item->mirror = rules.mirrorOf(*rule, e.range);
    passBarrier();
    return result;
  }
  case rules::RuleKind::Atomic:
    return resultUnread(e, *rule);
  case rules::RuleKind::Group:
    refuse(diag::Id::ForbiddenFunction, e.range, e.callee.name, GroupCallLimits);
    return zeroOf(e.type);
  default:
    break;
  }
  refuse(diag::Id::NotInReverse, e.range, "'" + e.callee.name + "'");
  return zeroOf(e.type);
}

/// What threads do together is a value of its own, and no part of an expression.
Expr ValueFormBuilder::exchange(const CallExpr &e, const Expr &whole, bool isOfBlock) {
  std::vector<Expr> args;
  for (const Expr &arg : e.args)
    args.push_back(arg->type->kind == TypeKind::Opaque ? eval(arg) : atom(eval(arg), "argument", e.range));
  auto call = std::make_shared<CallExpr>(*llvm::cast<CallExpr>(withChildren(whole, args).get()));
  for (Type &type : call->callee.parameterTypes) // what is given by reference is not written
    type = stripReference(type);
  Expr result = named(call, "other", e.range, LoadClass::None, false);
  if (!isOfBlock)
    return result;
  unnamedExchange = llvm::cast<RefExpr>(result.get())->var;
  auto &item = emit<EffectItem>(e.range); // the threads wait for each other in it
  item.isOfBlock = true;
  item.stmt = rules.barrierOfBlock(e.range);
  updatedSince.clear();
  passBarrier();
  return result;
}

void ValueFormBuilder::nameExchange(const Expr &value, const std::string &name) {
  auto *ref = llvm::dyn_cast<RefExpr>(value.get());
  if (!ref || ref->var != unnamedExchange)
    return;
  ref->var->name = name;
  unnamedExchange = nullptr;
}

bool isReferenceCall(const Expr &e) {
  auto *call = llvm::dyn_cast<CallExpr>(e.get());
  return call && call->callee.function && call->callee.function->body && isReference(call->callee.function->returnType);
}

bool isFreshObject(const Expr &e) {
  return e->kind == ExprKind::Call && !isReferenceCall(e);
}

/// What a parameter is bound to. Temporaries that references are bound to live on
/// with the caller's variables: a reference to one may be returned.
ValueFormBuilder::Argument ValueFormBuilder::argumentFor(Var *param, const Expr &written, const SourceRange &range,
                                                         OrderedSet<Var> &outer) {
  const Expr &arg = stripImplicit(written);
  if (isReference(param->type)) {
    bool isPlace = arg->kind == ExprKind::Ref || arg->kind == ExprKind::Member || arg->kind == ExprKind::Index ||
                   arg->kind == ExprKind::Deref || isReferenceCall(arg);
    Type type = withConst(stripReference(param->type), false);
    bool isConverted = isScalar(type) && !sameType(type, arg->type);
    if (isPlace && !isConverted)
      return {Binding{addressOf(eachPlace(evalPlace(arg), [&](const Place &one) { return asClass(one, type, range); })),
                      {}},
              nullptr};
    if (isMemoryType(type))
      return {Binding{makeAddrOf(objectOf(eval(arg), param->name, range)), {}}, nullptr};
    Var *temporary = owner.makeVar(param->name, type);
    environment[temporary] = bindingFor(eval(written), type, param->name, range);
    outer.insert(temporary);
    return {Binding{makeAddrOf(makeRef(temporary)), {}}, nullptr};
  }
  if (isMemoryType(param->type) && !isArray(param->type))
    return {Binding{}, copyOf(eval(written), isFreshObject(arg), param->type, param->name, range)};
  return {bindingFor(eval(written), param->type, param->name, range), nullptr};
}

Expr ValueFormBuilder::inlineCall(const CallExpr &e) {
  const Function &callee = *e.callee.function;
  OrderedSet<Var> outer = boundVariables();
  // Bound when all arguments are evaluated: one of them may call the same function.
  std::vector<Argument> arguments;
  size_t first = region->items.size();
  for (size_t i = 0; i < callee.params.size() && i < e.args.size(); ++i)
    arguments.push_back(argumentFor(callee.params[i], e.args[i], e.range, outer));
  if (kept.keeps(callee, e.range))
    if (std::optional<Expr> result = keepCall(e, arguments, first)) {
      forgetAllBut(outer);
      return *result;
    }
  if (callee.writtenAdjoint.function) {
    refuse(diag::Id::WrittenDerivative, e.range, callee.writtenAdjoint.function->name, callee.qualifiedName(),
           "what the function writes here must be variables of its caller, what it reads in memory must not be "
           "overwritten, and it may have no other effect");
    return isVoid(callee.returnType) ? nullptr : zeroOf(withConst(callee.returnType, false));
  }
  if (std::find(callStack.begin(), callStack.end(), &callee) != callStack.end()) {
    refuse(diag::Id::Recursion, e.range, callee.qualifiedName());
    return zeroOf(e.type);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].object)
      arrays[callee.params[i]] = arguments[i].object;
    else
      environment[callee.params[i]] = std::move(arguments[i].binding);
  }
  Expr result = run(callee, *region);
  forgetAllBut(outer);
  return result;
}

/// The place that a call names which returns a reference.
Place ValueFormBuilder::placeOfCall(const CallExpr &e) {
  Expr address = inlineCall(e);
  if (address && isChoice(address))
    return placeBehind(address, intLit(0), e.type, e.range);
  if (!address || address->kind != ExprKind::AddrOf) {
    if (!failed)
      refuse(diag::Id::NotInReverse, e.range, "the reference that this call returns");
    Place none;
    none.memory = makeRef(owner.makeVar("unknown", e.type));
    none.type = e.type;
    return none;
  }
  Place place = placeOfAddress(llvm::cast<AddrOfExpr>(address.get())->place);
  place.type = e.type;
  return place;
}

OrderedSet<Var> ValueFormBuilder::boundVariables() const {
  OrderedSet<Var> bound;
  for (const auto &[surface, binding] : environment)
    bound.insert(surface);
  return bound;
}

void ValueFormBuilder::forgetAllBut(const OrderedSet<Var> &outer) {
  std::erase_if(environment, [&](const auto &entry) { return outer.count(entry.first) == 0; });
}

Expr ValueFormBuilder::run(const Function &function, Region &into) {
  auto [known, isNew] = structured.try_emplace(&function);
  if (isNew)
    known->second.first = inlineAccessors(structureExits(function, owner, known->second.second));
  callStack.push_back(&function);
  Stmt body = known->second.first;
  Var *result = known->second.second;
  in(into, [&] { block(body); });
  callStack.pop_back();
  if (!result)
    return nullptr;
  if (auto object = arrays.find(result); object != arrays.end())
    return makeRef(object->second);
  const Binding &returned = environment[result];
  Expr value = isReference(result->type) ? returned.value : wholeValue(returned, result->type);
  if (value)
    return value;
  if (!failed) // otherwise what would have given it was refused
    refuse(diag::Id::NotInReverse, function.nameRange, "a function that can end without a value");
  return zeroOf(withConst(result->type, false));
}

} // namespace gpuad::transform
