//===- ValueFormObjects.cpp - objects with arrays, base classes -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structs that hold arrays are memory, copied leaf by leaf. Base classes are ranges of
// an object's fields.
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// Arrays of at most this many numbers are copied one by one, so that each is known
/// by itself; longer ones in a loop.
constexpr uint64_t LongestUnrolledCopy = 32;

uint64_t leavesOf(const Type &type) {
  if (isArray(type))
    return type->extent.value_or(0) * leavesOf(elementOf(type));
  if (!isRecord(type))
    return 1;
  uint64_t count = 0;
  for (const Field &field : type->record->fields)
    count += leavesOf(field.type);
  return count;
}

Expr elementOfInit(const InitExpr &init, size_t i, const Type &type) {
  return i < init.elements.size() ? init.elements[i] : zeroOf(type);
}
/// Whether an element list copies objects that are memory themselves.
bool holdsObjects(const ExprNode &value) {
  auto *init = llvm::dyn_cast<InitExpr>(&value);
  return init ? llvm::any_of(init->elements, [](const Expr &e) { return holdsObjects(*e); }) : isMemoryType(value.type);
}
} // namespace

bool isMemoryType(const Type &type) {
  if (isArray(type))
    return true;
  if (!isRecord(type))
    return false;
  if (type->record->isUnion)
    return true;
  return llvm::any_of(type->record->fields, [](const Field &field) { return isMemoryType(field.type); });
}

//===--- Objects that are memory ------------------------------------------===//

Var *ValueFormBuilder::newObject(const Type &type, const std::string &name, const Expr &init,
                                 const SourceRange &range) {
  auto &item = emit<ArrayItem>(range);
  item.array = owner.makeVar(name, withConst(type, false));
  item.init = init;
  localArrays[item.array] = &item;
  Base base{item.array, ""};
  memory.known.erase(base);
  memory.stored.erase(base);
  return item.array;
}

/// An object of its own that holds the value. The object that a call returned is
/// nobody else's.
Var *ValueFormBuilder::copyOf(const Expr &value, bool isFresh, const Type &type, const std::string &name,
                              const SourceRange &range) {
  if (auto *ref = llvm::dyn_cast<RefExpr>(value.get()); ref && isFresh && localArrays.count(ref->var))
    return ref->var;
  if (value->kind == ExprKind::Init && !holdsObjects(*value))
    return newObject(type, name, value, range);
  Var *object = newObject(type, name, nullptr, range);
  Place place;
  place.memory = makeRef(object);
  place.type = object->type;
  storeObject(place, value, range);
  return object;
}

/// A place that holds the value: where it lies already, or an object made for it.
Expr ValueFormBuilder::objectOf(const Expr &value, const std::string &name, const SourceRange &range) {
  return value->kind == ExprKind::Init ? makeRef(copyOf(value, true, value->type, name, range)) : value;
}

Expr ValueFormBuilder::chooseObject(const Expr &condition, const SelectExpr &e) {
  Place chosen;
  chosen.memory = makeRef(newObject(e.type, "chosen", nullptr, e.range));
  chosen.type = e.type;
  makeBranch(
      condition, [&] { bind(chosen, eval(e.thenValue), e.range); }, [&] { bind(chosen, eval(e.elseValue), e.range); },
      e.range);
  return chosen.memory;
}

/// place = value, leaf by leaf. The value is a place in memory, an element list, or,
/// where no arrays are inside, any value.
void ValueFormBuilder::storeObject(const Place &place, const Expr &written, const SourceRange &range) {
  bool isComputed = written->kind == ExprKind::Call || written->kind == ExprKind::Select;
  Expr value = isComputed ? atom(written, "object", range) : written;
  auto *init = llvm::dyn_cast<InitExpr>(value.get());
  if (isArray(place.type)) {
    const Type &element = elementOf(place.type);
    auto part = [&](const Expr &index, size_t i) {
      Place inner = place;
      inner.memory = makeIndex(place.memory, index, range);
      inner.type = element;
      return bind(inner, init ? elementOfInit(*init, i, element) : elementValue(value, index, element, range), range);
    };
    uint64_t extent = place.type->extent.value_or(0);
    if (init || leavesOf(place.type) <= LongestUnrolledCopy) {
      for (uint64_t i = 0; i < extent; ++i)
        part(intLit(int64_t(i)), i);
      return;
    }
    return copyInLoop(place, value, range);
  }
  if (!isRecord(place.type) || place.type->record->isUnion)
    return refuse(diag::Id::NotInReverse, range, "copying this object");
  for (unsigned i = 0; i < place.type->record->fields.size(); ++i) {
    const Type &type = place.type->record->fields[i].type;
    Expr part = init ? elementOfInit(*init, i, type) : nullptr;
    if (!part) {
      Expr inner = makeMember(value, i);
      bool isPlace = isMemoryType(value->type) || value->kind != ExprKind::Ref;
      part = isMemoryType(type) || !isPlace ? inner : loadMemory(inner, range);
    }
    bind(fieldOf(place, i, type, range), part, range);
  }
}

Expr ValueFormBuilder::elementValue(const Expr &array, const Expr &index, const Type &type, const SourceRange &range) {
  Expr place = makeIndex(array, index, range);
  return isMemoryType(type) ? place : loadMemory(place, range);
}

/// for (int k = 0; k < N; ++k) place[k] = value[k];
void ValueFormBuilder::copyInLoop(const Place &place, const Expr &value, const SourceRange &range) {
  Var *k = owner.makeVar("k", intType());
  // Surface code: places in memory are named by references.
  Var *to = owner.makeVar("to", referenceTo(place.type)), *from = owner.makeVar("from", referenceTo(place.type));
  environment[to] = Binding{makeAddrOf(place.memory), {}};
  environment[from] = Binding{makeAddrOf(value), {}};
  Stmt copy = makeAssign(makeIndex(makeRef(to), makeRef(k)), makeIndex(makeRef(from), makeRef(k)), range);
  Expr more = makeBinary(BinaryOp::Lt, makeRef(k), intLit(int64_t(place.type->extent.value_or(0))), boolType());
  Stmt next = makeAssign(makeRef(k), makeBinary(BinaryOp::Add, makeRef(k), intLit(1), intType()));
  statement(makeFor({makeDecl(k, intLit(0))}, more, {next}, makeBlock({copy}), "", range));
  environment.erase(to);
  environment.erase(from);
}

//===--- Base classes -------------------------------------------------------===//

/// A field of a place, which may be seen as an object of a base class.
Place ValueFormBuilder::fieldOf(Place place, unsigned field, const Type &type, const SourceRange &range) {
  if (place.local) {
    place.path.push_back(place.firstField.value_or(0) + field);
    place.firstField.reset();
  } else if (isBaseOfMemory(place)) {
    auto *cast = llvm::cast<CastExpr>(place.memory.get());
    place.memory = makeMember(cast->operand, *firstFieldOf(cast->type, cast->operand->type) + field, range);
  } else {
    place.memory = makeMember(place.memory, field, range);
  }
  place.type = type;
  return place;
}

bool ValueFormBuilder::isBaseOfMemory(const Place &place) const {
  auto *cast = place.memory ? llvm::dyn_cast<CastExpr>(place.memory.get()) : nullptr;
  return cast && isRecord(cast->type);
}

/// The type of the variable's part that the path leads to.
static Type wholeType(const Place &place) {
  Type type = stripReference(place.local->type);
  for (unsigned field : place.path)
    type = type->record->fields[field].type;
  return type;
}

/// The place seen as an object of a base class of its class, or again as of its class.
Place ValueFormBuilder::asClass(Place place, const Type &type, const SourceRange &range) {
  if (!isRecord(type) || !isRecord(place.type) || sameType(type, place.type)) {
    return place;
  }
  Type plain = withConst(type, false);
  Type whole = place.local             ? wholeType(place)
               : isBaseOfMemory(place) ? llvm::cast<CastExpr>(place.memory.get())->operand->type
                                       : place.type;
  std::optional<unsigned> first = firstFieldOf(plain, whole);
  if (!first && !sameType(plain, whole)) {
    refuse(diag::Id::NotInReverse, range, "this conversion to another class");
    return place;
  }
  place.type = plain;
  if (place.local) {
    place.firstField = first;
    return place;
  }
  Expr object = isBaseOfMemory(place) ? llvm::cast<CastExpr>(place.memory.get())->operand : place.memory;
  place.memory = first ? makeCast(CastStyle::Implicit, object, plain) : object;
  return place;
}

Expr ValueFormBuilder::loadBase(const Place &place, const SourceRange &range) {
  std::vector<Expr> fields;
  for (unsigned i = 0; i < place.type->record->fields.size(); ++i)
    fields.push_back(load(fieldOf(place, i, place.type->record->fields[i].type, range), range));
  return makeInit(fields, withConst(place.type, false), true, range);
}

/// static_cast<Derived *>(this) and its like: the address of the same object, seen as
/// of another class. Null for other pointers.
Expr ValueFormBuilder::castObjectAddress(const Expr &pointer, const Type &type, const SourceRange &range) {
  if (!isPointer(pointer->type) || !isRecord(elementOf(type)) || !isRecord(elementOf(pointer->type)) ||
      sameType(elementOf(type), elementOf(pointer->type)))
    return nullptr;
  Type from = withConst(elementOf(pointer->type), false), to = withConst(elementOf(type), false);
  bool isRelated = firstFieldOf(from, to) || firstFieldOf(to, from);
  if (!isRelated)
    return nullptr;
  Place place = placeBehind(pointer, intLit(0), from, range);
  return addressOf(asClass(place, to, range));
}

} // namespace gpuad::transform
