//===- ValueForm.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/ValueForm.h"

#include "ir/Walk.h"

namespace gpuad::ir {

bool isShared(const Var *var) {
  return var && (var->storage == Storage::Shared || var->storage == Storage::DynamicShared);
}

/// An array, or an object that holds one.
static bool holdsArray(const Type &type) {
  if (!isRecord(type))
    return isArray(type);
  for (const Field &field : type->record->fields)
    if (holdsArray(field.type))
      return true;
  return false;
}

/// The numbers inside, if they are of one type.
static uint64_t countInside(const Type &type, Type &one) {
  if (isArray(type))
    return type->extent ? *type->extent * countInside(elementOf(type), one) : 0;
  if (!isRecord(type)) {
    bool fits = isScalar(type) && (!one || sameType(one, type));
    one = one ? one : type;
    return fits ? 1 : 0;
  }
  uint64_t sum = 0;
  for (const Field &field : type->record->fields) {
    uint64_t inside = countInside(field.type, one);
    if (inside == 0)
      return 0;
    sum += inside;
  }
  return sum;
}

bool isObjectOfSlots(const Var &var) {
  Type one;
  return isRecord(var.type) && holdsArray(var.type) && countInside(var.type, one) != 0;
}

Type slotType(const Var &var) {
  Type one;
  bool isObject = isRecord(var.type) && holdsArray(var.type) && countInside(var.type, one) != 0;
  return withConst(isObject ? one : innermost(var.type), false);
}

uint64_t slotsOf(const Var &var) {
  Type one;
  if (isObjectOfSlots(var))
    return countInside(var.type, one);
  uint64_t slots = 1;
  for (Type type = var.type; isArray(type); type = elementOf(type))
    slots *= *type->extent;
  return slots;
}

bool isOwnArray(const Var *var) {
  return var && holdsArray(var->type) && (var->storage == Storage::Local || isShared(var));
}

bool isMembership(const LoopItem &loop, const Carried &carried) {
  auto *ref = loop.isVoted ? llvm::dyn_cast<RefExpr>(loop.condition.get()) : nullptr;
  return ref && ref->var == carried.var;
}

bool isBarrier(const Item &item) {
  auto *value = llvm::dyn_cast<ValueItem>(&item);
  return item.kind == ItemKind::Effect || (value && value->isVote);
}

bool isBarrierOfGrid(const Item &item) {
  auto *effect = llvm::dyn_cast<EffectItem>(&item);
  return effect && effect->isOfGrid;
}

bool isBarrierOfBlock(const Item &item) {
  auto *effect = llvm::dyn_cast<EffectItem>(&item);
  return effect ? effect->isOfBlock : isBarrier(item);
}

std::vector<Var *> valuesOf(const CallItem &item) {
  std::vector<Var *> values;
  if (item.result)
    values.push_back(item.result);
  for (const CallArgument &arg : item.args)
    if (arg.object)
      values.push_back(arg.object);
  return values;
}

std::vector<Var *> arraysReadBy(const CallItem &item) {
  std::vector<Var *> arrays;
  for (const CallArgument &arg : item.args)
    if (arg.isMemory)
      if (Var *root = memoryBase(arg.value).first; isOwnArray(root))
        arrays.push_back(root);
  return arrays;
}

static const Expr &behindCasts(const Expr &pointer) {
  const Expr *at = &pointer;
  while (auto *cast = llvm::dyn_cast<CastExpr>(at->get()))
    at = &cast->operand;
  return *at;
}

/// What a place is part of, or a pointer that a place lies behind; null: a variable.
static Expr containerOf(const Expr &place) {
  switch (place->kind) {
  case ExprKind::Index:
    return llvm::cast<IndexExpr>(place.get())->base;
  case ExprKind::Deref:
    return llvm::cast<DerefExpr>(place.get())->pointer;
  case ExprKind::Member:
    return llvm::cast<MemberExpr>(place.get())->base;
  case ExprKind::Cast:
    return llvm::cast<CastExpr>(place.get())->operand;
  case ExprKind::AddrOf:
    return llvm::cast<AddrOfExpr>(place.get())->place;
  default:
    return nullptr;
  }
}

/// Whether a pointer stands in memory, or in an array: any number of them have one name.
static bool isLoaded(const Expr &pointer) {
  Expr at = behindCasts(pointer);
  if (!isPointer(pointer->type) || at->kind == ExprKind::AddrOf)
    return false;
  for (; at; at = containerOf(at)) {
    bool isOne = at->kind == ExprKind::Member || at->kind == ExprKind::Cast || at->kind == ExprKind::AddrOf;
    if (!isOne)
      break;
  }
  bool isReferred = at && at->kind == ExprKind::Ref && at.get() != behindCasts(pointer).get() &&
                    isReference(llvm::cast<RefExpr>(at.get())->var->type);
  return at && (at->kind == ExprKind::Index || at->kind == ExprKind::Deref || isReferred);
}

Expr pointerOf(const Expr &place) {
  for (Expr at = place; at;) {
    Expr inner = containerOf(at);
    if (inner && at->kind != ExprKind::Cast && isPointer(inner->type))
      return inner;
    at = inner;
  }
  return nullptr;
}

Expr loadedPointer(const Expr &place) {
  Expr pointer = pointerOf(place);
  return pointer && isLoaded(pointer) ? pointer : nullptr;
}

bool isBehindLoaded(const MemoryBase &object) {
  return object.second.find('*') != std::string::npos;
}

/// The object that a pointer leads to.
static MemoryBase objectBehind(const Expr &pointer) {
  switch (pointer->kind) {
  case ExprKind::Ref:
    return {llvm::cast<RefExpr>(pointer.get())->var, ""};
  case ExprKind::Cast:
    return objectBehind(llvm::cast<CastExpr>(pointer.get())->operand);
  case ExprKind::AddrOf:
    return memoryBase(llvm::cast<AddrOfExpr>(pointer.get())->place);
  case ExprKind::Binary: {
    auto *sum = llvm::cast<BinaryExpr>(pointer.get());
    bool leftLeads = isPointer(sum->lhs->type) || isArray(sum->lhs->type);
    return objectBehind(leftLeads ? sum->lhs : sum->rhs);
  }
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::Member: {
    if (!isPointer(pointer->type)) // an array: what it decays to
      return memoryBase(pointer);
    std::string fields;
    Expr at = pointer;
    for (; at && !(at != pointer && isPointer(at->type)) && at->kind != ExprKind::Ref; at = containerOf(at))
      if (auto *member = llvm::dyn_cast<MemberExpr>(at.get()))
        fields = "." + member->name + fields;
    if (!at)
      return {nullptr, "?"};
    MemoryBase object = objectBehind(at);
    return {object.first, object.second + fields + (isLoaded(pointer) ? "*" : "")};
  }
  default:
    return {nullptr, "?"};
  }
}

MemoryBase memoryBase(const Expr &place) {
  if (isPointer(place->type) || place->kind == ExprKind::AddrOf)
    return objectBehind(place);
  switch (place->kind) {
  case ExprKind::Ref:
    return {llvm::cast<RefExpr>(place.get())->var, ""};
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::Member:
  case ExprKind::Cast:
    return memoryBase(containerOf(place));
  case ExprKind::Binary:
    return objectBehind(place);
  default:
    return {nullptr, "?"};
  }
}

bool readsKept(const Expr &e) {
  bool found = false;
  forEachExpr(e, [&](const Expr &one) {
    auto *call = llvm::dyn_cast<CallExpr>(one.get());
    found |= call && (call->callee.name == KeptResult || call->callee.name == KeptWin);
  });
  return found;
}

bool seesBits(const CastExpr &cast) {
  const Type &from = cast.operand->type, &to = cast.type;
  if (!isPointer(to) || !(isPointer(from) || isArray(from)))
    return false;
  const Type &seen = elementOf(to);
  bool holdsBits = isRecord(seen) ? !seen->record->isUnion : isInteger(seen) && seen->bits > 8;
  return holdsBits && holdsFloating(elementOf(from)) && !reachesFloating(seen);
}

bool mayBeOneArray(const Var *a, const Var *b) {
  auto isFree = [](const Var *var) {
    return var && var->storage == Storage::Parameter && isPointer(var->type) && !var->type->isRestrict;
  };
  return a != b && isFree(a) && isFree(b) && sameType(elementOf(a->type), elementOf(b->type));
}

} // namespace gpuad::ir
