//===- ValueFormKept.cpp - calls that stay calls -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call of a function that has an adjoint of its own becomes an item: values and
/// addresses go in, values come out. An object that the callee reaches by reference or
/// by pointer is copied in and copied out, which is the same as long as no two of its
/// arguments lead to one object. Memory is only read, and must hold what it held on
/// entry. Where any of that fails the callee is put in place of the call.
///
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/NameOperands.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

/// In the adjoint of a callee, its object is a variable that starts with the value of `own`.
void ValueFormBuilder::bindObject(unsigned param, Var *primal, Var *own) {
  Var *object = owner.makeVar(own->name, withConst(own->type, false));
  environment[object] = Binding{makeRef(own), {}};
  environment[primal] = Binding{makeAddrOf(makeRef(object)), {}};
  boundObjects.push_back({param, object});
}

std::vector<BoundObject> ValueFormBuilder::objectsAtEnd() {
  std::vector<BoundObject> objects;
  for (auto [param, object] : boundObjects)
    objects.push_back({param, wholeValue(environment[object], object->type)});
  return objects;
}

/// One value of the caller's, passed by address. It is copied: loaded here, and put
/// back behind the call where the callee writes it.
std::optional<ValueFormBuilder::Passed> ValueFormBuilder::passObject(Var *param, const analysis::ParamShape &shape,
                                                                     Place place, const SourceRange &range) {
  Type type = withConst(elementOf(param->type), false);
  if (place.firstField || isBaseOfMemory(place) || !sameType(place.type, type) || isMemoryType(place.type))
    return std::nullopt;
  Passed passed;
  passed.place = place;
  passed.local = place.local;
  if (place.memory)
    passed.base = memoryBase(place.memory);
  // What the callee is given may never have been set, as what it only writes: then it is read here all the same.
  if (auto array = localArrays.find(passed.base.first); array != localArrays.end() && !array->second->init)
    array->second->init = makeInit({}, array->first->type);
  Binding *binding = place.local ? find(place.local, place.path, false) : nullptr;
  bool isUndefined = binding && !binding->value && !binding->isSplit();
  if (!isUndefined)
    passed.argument.value = load(place, range);
  else if (!shape.isWritten)
    return std::nullopt;
  passed.argument.isWritten = shape.isWritten;
  if (shape.isWritten || isPointer(param->type)) {
    std::string name = place.local ? place.local->name : param->name;
    passed.argument.object = owner.makeVar(name, type);
  }
  return passed;
}

/// An address, behind which the callee reads what was there on entry.
std::optional<ValueFormBuilder::Passed> ValueFormBuilder::passMemory(const analysis::ParamShape &shape,
                                                                     const Expr &address) {
  if (shape.isWritten || (address->kind != ExprKind::Ref && address->kind != ExprKind::AddrOf))
    return std::nullopt;
  Passed passed;
  passed.argument.value = address;
  passed.argument.isMemory = true;
  passed.base = memoryBase(address);
  Var *root = passed.base.first;
  if (!root || passed.base.second.find('*') != std::string::npos || isRecord(root->type))
    return std::nullopt;
  if (isOwnArray(root))
    return passed; // whether it is overwritten is seen when the sweeps are made
  if (root->storage != Storage::Parameter && root->storage != Storage::Constant)
    return std::nullopt;
  if (llvm::any_of(partners, [&](const auto &pair) { return pair.first == root; }))
    return std::nullopt; // another array may be this one
  auto stored = memory.stored.find(passed.base);
  if (memory.storedAnywhere.count(passed.base) || (stored != memory.stored.end() && !stored->second.empty()))
    return std::nullopt;
  return passed;
}

std::optional<ValueFormBuilder::Passed> ValueFormBuilder::passedFor(const Function &callee, unsigned param,
                                                                    const Argument &argument) {
  Var *own = callee.params[param];
  const analysis::ParamShape &shape = kept.shapeOf(callee).params[param];
  if (argument.object)
    return std::nullopt;
  if (!isPointer(own->type) && !isReference(own->type)) {
    Passed passed;
    passed.argument.value = wholeValue(argument.binding, own->type);
    return passed;
  }
  const Expr &address = argument.binding.value;
  if (!address || address->kind == ExprKind::Lit)
    return std::nullopt;
  auto *of = llvm::dyn_cast<AddrOfExpr>(address.get());
  if (!of)
    return isPointer(own->type) && address->kind == ExprKind::Ref ? passMemory(shape, address) : std::nullopt;
  Place place = placeOfAddress(of->place);
  bool isArrayElement = place.memory && isPointer(own->type);
  if (isArrayElement && !(shape.isObject && shape.isWritten))
    return passMemory(shape, address);
  if (place.memory && isMemoryType(place.type))
    return isArray(place.type) ? passMemory(shape, address) : std::nullopt;
  if (!shape.isObject)
    return std::nullopt;
  return passObject(own, shape, place, callee.nameRange);
}

/// Whether two arguments lead to one object, of which the callee writes one.
bool ValueFormBuilder::overlap(const std::vector<Passed> &passed) {
  for (const Passed &one : passed)
    for (const Passed &other : passed)
      if (&one != &other && one.argument.isWritten) {
        if (one.local && one.local == other.local)
          return true;
        // Any two places in memory that are reached by address may be one.
        if (one.base.first && other.base.first)
          return true;
      }
  return false;
}

/// Whether a function, which the sweeps may run more than once, does what shows when it is
/// run again.
bool ValueFormBuilder::hasEffectsInside(const Function &callee) const {
  bool found = false;
  forEachExprIn(callee.body, [&](const Expr &e) {
    auto *call = llvm::dyn_cast<CallExpr>(e.get());
    if (!call || (call->callee.function && call->callee.function->body)) {
      found |= call && !kept.shapeOf(*call->callee.function).isSelfContained;
      return;
    }
    const rules::Rule *rule = rules.find(call->callee);
    found |= rule && rule->kind != rules::RuleKind::Expand && !rule->isRepeatable();
  });
  return found;
}

/// `first`: the first item of the region that was made for the arguments.
std::optional<Expr> ValueFormBuilder::keepCall(const CallExpr &e, const std::vector<Argument> &arguments,
                                               size_t first) {
  const Function &callee = *e.callee.function;
  if (arguments.size() != callee.params.size() || e.args.size() != callee.params.size())
    return std::nullopt;
  if (callee.writtenAdjoint.function && callee.body && hasEffectsInside(callee))
    return std::nullopt;
  bool isConstructor = e.callee.name != callee.qualifiedName() && !e.callee.isMethod && !callee.className.empty();
  if (isConstructor)
    return std::nullopt;
  std::vector<Passed> passed;
  for (unsigned i = 0; i < arguments.size(); ++i) {
    std::optional<Passed> one = passedFor(callee, i, arguments[i]);
    if (!one)
      return std::nullopt;
    passed.push_back(std::move(*one));
  }
  if (overlap(passed))
    return std::nullopt;
  for (size_t i = first; i < region->items.size(); ++i)
    if (auto *named = llvm::dyn_cast<ValueItem>(region->items[i].get()))
      named->var->isTemporary = true; // needs no name where the callee's body does not stand here
  for (Passed &one : passed) {
    if (one.argument.isMemory && !isOwnArray(one.base.first))
      askAboutAliases(one.base);
    if (one.argument.value && !one.argument.isMemory && one.argument.value->kind != ExprKind::Init)
      one.argument.value = atom(one.argument.value, "argument", e.range);
  }
  auto &item = emit<CallItem>(e.range);
  item.call = std::make_shared<CallExpr>(e);
  item.callee = &callee;
  for (const Passed &one : passed)
    item.args.push_back(one.argument);
  if (!isVoid(callee.returnType)) {
    item.result = owner.makeVar(nameOfValue(item.call), withConst(callee.returnType, false));
    item.result->isTemporary = true;
  }
  Expr result = item.result ? makeRef(item.result) : nullptr;
  for (const Passed &one : passed)
    if (one.argument.isWritten)
      bind(one.place, makeRef(one.argument.object), e.range);
  return std::optional<Expr>(result);
}

} // namespace gpuad::transform
