//===- ValueFormBindings.cpp - values and what variables hold ------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/InlineAccessors.h"
#include "transform/KeepResults.h"
#include "transform/Places.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace gpuad::transform {
using namespace ir;

Expr ValueFormBuilder::named(const Expr &e, const std::string &name, const SourceRange &range, LoadClass load,
                             bool isTemporary) {
  auto &item = emit<ValueItem>(range);
  item.var = owner.makeVar(name, withConst(e->type, false));
  item.expr = e;
  item.load = load;
  item.var->isTemporary = isTemporary;
  if (isPlace(e))
    namedPlaces[item.var] = e;
  return makeRef(item.var);
}

Expr ValueFormBuilder::atom(const Expr &e, const std::string &name, const SourceRange &range) {
  return isAtom(e) ? e : named(e, name, range, LoadClass::None, true);
}

Expr ValueFormBuilder::load(const Place &place, const SourceRange &range) {
  if (place.choice)
    return loadChosen(place, range);
  if (place.firstField || isBaseOfMemory(place))
    return loadBase(place, range);
  if (place.memory) {
    if (isMemoryType(place.type))
      return place.memory;
    if (Var *root = rootVar(place.memory); root && isShared(root) && place.type->kind == TypeKind::Opaque)
      refuse(diag::Id::NotInReverse, range, "a library's object in shared memory ('" + root->name + "')");
    return holdsPointers(place.type) ? loadParts(place.memory, range) : loadMemory(place.memory, range);
  }
  Binding *binding = find(place.local, place.path, false);
  if (!binding) { // inside a value that was never split
    Expr value = wholeValue(environment[place.local], place.local->type);
    for (unsigned field : place.path) {
      if (auto *init = llvm::dyn_cast<InitExpr>(value.get()))
        value = field < init->elements.size() ? init->elements[field] : zeroOf(init->type->record->fields[field].type);
      else
        value = makeMember(value, field);
    }
    return value;
  }
  return wholeValue(*binding, place.type);
}

/// The binding of a variable's part; null when a value that is not split lies above.
Binding *ValueFormBuilder::find(Var *local, const std::vector<unsigned> &path, bool split) {
  Binding *binding = &environment[local];
  Type type = stripReference(local->type);
  for (unsigned field : path) {
    if (!binding->isSplit()) {
      if (!split)
        return binding->value || !(isRecord(type) && !isMemoryType(type))
                   ? nullptr
                   : (splitBinding(*binding, type), find(local, path, false));
      splitBinding(*binding, type);
    }
    binding = &binding->parts[field];
    type = type->record->fields[field].type;
  }
  return binding;
}

void ValueFormBuilder::splitBinding(Binding &binding, const Type &type) {
  Expr whole = binding.value;
  binding.value = nullptr;
  binding.parts.clear();
  for (unsigned i = 0; i < type->record->fields.size(); ++i) {
    Binding part;
    if (whole) {
      auto *init = llvm::dyn_cast<InitExpr>(whole.get());
      if (init)
        part.value = i < init->elements.size() ? init->elements[i] : zeroOf(type->record->fields[i].type);
      else
        part.value = makeMember(whole, i);
    }
    binding.parts.push_back(part);
  }
}

Expr ValueFormBuilder::wholeValue(const Binding &binding, const Type &type) {
  if (!binding.isSplit())
    return binding.value ? binding.value : zeroOf(type);
  std::vector<Expr> elements;
  const Type &record = stripReference(type);
  for (unsigned i = 0; i < binding.parts.size(); ++i)
    elements.push_back(wholeValue(binding.parts[i], record->record->fields[i].type));
  return makeInit(elements, withConst(record, false), true);
}

/// Gives a value a name in the region, part by part for structs made of parts.
Binding ValueFormBuilder::bindingFor(const Expr &value, const Type &type, const std::string &name,
                                     const SourceRange &range) {
  if (!value || !value->type) { // what is not known, as after a refusal
    if (!failed)
      refuse(diag::Id::InternalError, range, "a value of '" + name + "' that is not known");
    return Binding{zeroOf(withConst(type, false)), {}};
  }
  // What a kept call or a record gives takes the name of the variable that it is given to.
  if (auto *ref = llvm::dyn_cast<RefExpr>(value.get()); ref && ref->var->isTemporary && !region->items.empty()) {
    auto *call = llvm::dyn_cast<CallItem>(region->items.back().get());
    auto *last = llvm::dyn_cast<ValueItem>(region->items.back().get());
    auto *kept = last && last->var == ref->var ? llvm::dyn_cast<CallExpr>(last->expr.get()) : nullptr;
    if ((call && call->result == ref->var) || (kept && kept->callee.name == KeptResult)) {
      ref->var->name = name;
      ref->var->isTemporary = false;
    }
  }
  nameExchange(value, name);
  Binding binding;
  if (auto *init = llvm::dyn_cast<InitExpr>(value.get()); init && isRecord(value->type)) {
    const auto &fields = value->type->record->fields;
    for (unsigned i = 0; i < fields.size(); ++i) {
      Expr element = i < init->elements.size() ? init->elements[i] : zeroOf(fields[i].type);
      binding.parts.push_back(bindingFor(element, fields[i].type, name + "_" + fields[i].name, range));
    }
    if (!binding.parts.empty())
      return binding;
  }
  if (isPlace(value) && holdsPointers(value->type)) { // what its pointers lead to is known by their names alone
    for (unsigned i = 0; i < value->type->record->fields.size(); ++i) {
      const Field &field = value->type->record->fields[i];
      binding.parts.push_back(bindingFor(makeMember(value, i), field.type, name + "_" + field.name, range));
    }
    return binding;
  }
  if (value->kind == ExprKind::Cast && isPointer(value->type) && memoryBase(value).first) {
    binding.value = value; // another view of memory: still that memory
    return binding;
  }
  if (isPointer(value->type) && isPlace(value) && memoryBase(value).first) {
    binding.value = value; // the pointer in a struct, or in an array: what it reaches is known by that
    return binding;
  }
  if (value->kind == ExprKind::AddrOf || isChoice(value)) { // pointers stay symbolic: base and offset
    binding.value = settledPointer(value, name, range);
    return binding;
  }
  Expr typed = value;
  if (isFloating(type) && isNumber(value) && !sameType(value->type, type))
    typed = floatLit(numberOf(value), type);
  binding.value = isAtom(typed) ? typed : named(typed, name, range, LoadClass::None, false);
  return binding;
}

void ValueFormBuilder::bind(const Place &place, const Expr &value, const SourceRange &range) {
  if (place.choice)
    return bindChosen(place, value, range);
  if (isMemoryType(place.type) || place.firstField || isBaseOfMemory(place))
    return storeObject(place, value, range);
  if (place.memory)
    return storeMemory(place.memory, value, range);
  Binding *binding = find(place.local, place.path, true);
  std::string name = place.local->name;
  Type type = stripReference(place.local->type);
  for (unsigned field : place.path) {
    name += "_" + type->record->fields[field].name;
    type = type->record->fields[field].type;
  }
  *binding = bindingFor(value, place.type, name, range);
  keepAsAsked(*binding, *place.local, range);
}

/// A value that is to be recorded has a name of its own.
void ValueFormBuilder::keepAsAsked(Binding &binding, const Var &surface, const SourceRange &range) {
  if (surface.keeping != Keeping::Record || !binding.value || !isScalar(binding.value->type))
    return;
  auto *last = llvm::dyn_cast_or_null<ValueItem>(region->items.empty() ? nullptr : region->items.back().get());
  auto *ref = llvm::dyn_cast<RefExpr>(binding.value.get());
  if (!last || !ref || last->var != ref->var) // another variable's value
    binding.value = named(binding.value, surface.name, range, LoadClass::None, false);
  llvm::cast<RefExpr>(binding.value.get())->var->keeping = surface.keeping;
}

} // namespace gpuad::transform
