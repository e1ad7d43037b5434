//===- ValueFormExpr.cpp - expressions and places --------------------===//
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

bool isAtom(const Expr &e) {
  return e->kind == ExprKind::Ref || e->kind == ExprKind::Lit || e->kind == ExprKind::ThreadIndex ||
         (e->kind == ExprKind::Init && llvm::cast<InitExpr>(e.get())->elements.empty());
}

bool isNumber(const Expr &e) {
  auto *lit = llvm::dyn_cast<LitExpr>(e.get());
  return lit && (std::holds_alternative<int64_t>(lit->value) || std::holds_alternative<double>(lit->value));
}
double numberOf(const Expr &e) {
  auto *lit = llvm::cast<LitExpr>(e.get());
  if (auto *whole = std::get_if<int64_t>(&lit->value))
    return static_cast<double>(*whole);
  return std::get<double>(lit->value);
}

Type offsetType() {
  return scalarType(ScalarKind::Int, 64, true, "ptrdiff_t");
}

std::optional<std::pair<Expr, Expr>> baseAndOffset(const Expr &pointer) {
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get())) {
    auto *access = llvm::dyn_cast<IndexExpr>(address->place.get());
    if (!access)
      return std::nullopt;
    return std::pair{access->base, access->index};
  }
  return std::pair{pointer, intLit(0)};
}

bool holdsPointers(const Type &type) {
  return isRecord(type) && !isMemoryType(type) && llvm::any_of(type->record->fields, [](const Field &field) {
           return isPointer(field.type) || holdsPointers(field.type);
         });
}

static Expr convertedIndex(const Expr &index, const Type &type) {
  return sameType(index->type, type) ? index : makeCast(CastStyle::Implicit, index, type);
}

void ValueFormBuilder::bindParameter(Var *primal, Var *own) {
  if (isReference(own->type)) // what it refers to is memory
    environment[primal] = Binding{makeAddrOf(makeRef(own)), {}};
  else if (isRecord(own->type) && isMemoryType(own->type))
    arrays[primal] = own;
  else
    environment[primal] = Binding{makeRef(own), {}};
}

Expr ValueFormBuilder::eval(const Expr &e) {
  return evalNode(e);
}

Expr ValueFormBuilder::evalNode(const Expr &e) {
  switch (e->kind) {
  case ExprKind::Lit:
  case ExprKind::ThreadIndex:
    return e;
  case ExprKind::Deref:
    // The value of a choice between places is a choice between their values.
    if (auto *choice = llvm::dyn_cast<SelectExpr>(llvm::cast<DerefExpr>(e.get())->pointer.get())) {
      Expr first = makeDeref(choice->thenValue), second = makeDeref(choice->elseValue);
      return eval(makeSelect(choice->condition, first, second, withConst(e->type, false), e->range));
    }
    return load(evalPlace(e), e->range);
  case ExprKind::Ref:
  case ExprKind::Index:
    return load(evalPlace(e), e->range);
  case ExprKind::Member: {
    auto *member = llvm::cast<MemberExpr>(e.get());
    // A field of a temporary: make_float2(a, b).x
    const Expr &base = stripImplicit(member->base);
    if (base->kind == ExprKind::Call || base->kind == ExprKind::Init || base->kind == ExprKind::Select) {
      if (isMemoryType(base->type) || isReferenceCall(base))
        return load(evalPlace(e), e->range);
      Expr object = eval(base);
      if (auto *init = llvm::dyn_cast<InitExpr>(object.get()))
        return member->field < init->elements.size() ? init->elements[member->field] : zeroOf(e->type);
      return makeMember(atom(object, "object", e->range), member->field, e->range);
    }
    return load(evalPlace(e), e->range);
  }
  case ExprKind::AddrOf:
    return addressOf(evalPlace(llvm::cast<AddrOfExpr>(e.get())->place));
  case ExprKind::Unary: {
    auto *unary = llvm::cast<UnaryExpr>(e.get());
    Expr operand = eval(unary->operand);
    if (unary->op == UnaryOp::Plus)
      return operand;
    return makeUnary(unary->op, operand, e->type, e->range);
  }
  case ExprKind::Binary:
    return evalBinary(*llvm::cast<BinaryExpr>(e.get()));
  case ExprKind::Select:
    return evalChoice(*llvm::cast<SelectExpr>(e.get()));
  case ExprKind::Cast:
    return evalCast(*llvm::cast<CastExpr>(e.get()), e);
  case ExprKind::Init: {
    std::vector<Expr> elements;
    for (const Expr &element : llvm::cast<InitExpr>(e.get())->elements)
      elements.push_back(eval(element));
    return withChildren(e, elements);
  }
  case ExprKind::Call:
    return evalCall(*llvm::cast<CallExpr>(e.get()), e);
  case ExprKind::Text: {
    auto *text = llvm::cast<TextExpr>(e.get());
    if (!text->mentions.empty())
      refuse(diag::Id::ActiveThroughOpaque, e->range, "code", text->text);
    return e;
  }
  }
  return e;
}

Expr ValueFormBuilder::evalCast(const CastExpr &e, const Expr &whole) {
  if (isArray(e.operand->type) && isPointer(e.type)) { // decay
    Expr first = addressOf(eachPlace(evalPlace(e.operand), [](Place place) {
      place.memory = makeIndex(place.memory, intLit(0));
      return place;
    }));
    return eachAddress(first, [](const Expr &address) -> Expr {
      auto row = std::make_shared<AddrOfExpr>(*llvm::cast<AddrOfExpr>(address.get()));
      auto *whole = llvm::dyn_cast<IndexExpr>(llvm::cast<IndexExpr>(row->place.get())->base.get());
      row->isRow = whole && !isZeroLit(whole->index); // the first row often stands for all of them
      return row;
    });
  }
  if (isRecord(e.type) && isRecord(e.operand->type) && !sameType(e.type, e.operand->type))
    return load(evalPlace(whole), e.range);
  Expr operand = eval(e.operand);
  if (isPointer(e.type))
    return eachAddress(operand, [&](const Expr &address) -> Expr {
      if (address->kind == ExprKind::Lit)
        return address;
      if (Expr object = castObjectAddress(address, e.type, e.range))
        return object;
      if (isPointer(address->type) && sameType(elementOf(address->type), elementOf(e.type)))
        return address; // only const changes
      if (e.style == CastStyle::Implicit)
        return address;
      // Only a cast as in C takes const away as well.
      bool losesConst = isPointer(address->type) && elementOf(address->type)->isConst && !elementOf(e.type)->isConst;
      return makeCast(losesConst ? CastStyle::CStyle : CastStyle::Reinterpret, address, e.type, e.range);
    });
  if (e.style == CastStyle::Implicit && isNumber(operand) && isFloating(e.type))
    return floatLit(numberOf(operand), e.type);
  if (sameType(operand->type, e.type))
    return operand;
  return makeCast(e.style, operand, e.type, whole->range);
}

/// The value of e, which will be kept as `name`.
Expr ValueFormBuilder::evalAs(const std::string &name, const Expr &e) {
  choiceName = stripImplicit(e)->kind == ExprKind::Select ? name : "chosen";
  Expr value = eval(e);
  choiceName = "chosen";
  return value;
}

/// A conditional becomes a branch, so that the arm not taken adds exactly nothing;
/// only where both arms are plain values it stays an expression.
Expr ValueFormBuilder::evalChoice(const SelectExpr &e) {
  const std::string name = std::exchange(choiceName, "chosen");
  Expr condition = eval(e.condition);
  if (auto *lit = llvm::dyn_cast<LitExpr>(condition.get()))
    if (auto *known = std::get_if<bool>(&lit->value))
      return eval(*known ? e.thenValue : e.elseValue);
  auto isPlain = [](const Expr &arm) {
    const Expr &inner = stripImplicit(arm);
    return isAtom(inner) || inner->kind == ExprKind::ThreadIndex;
  };
  if (isMemoryType(e.type))
    return chooseObject(condition, e);
  if (isPlain(e.thenValue) && isPlain(e.elseValue) && !isRecord(e.type)) // the parts of structs are chosen one by one
    return makeSelect(condition, eval(e.thenValue), eval(e.elseValue), e.type, e.range);
  Var *chosen = owner.makeVar(name, withConst(e.type, false));
  environment[chosen] = Binding{};
  Place target;
  target.local = chosen;
  target.type = chosen->type;
  makeBranch(
      condition, [&] { bind(target, eval(e.thenValue), e.range); }, [&] { bind(target, eval(e.elseValue), e.range); },
      e.range);
  Expr value = wholeValue(environment[chosen], chosen->type);
  environment.erase(chosen);
  return value;
}

/// a && b evaluates b only where a holds: what b needs goes into a branch.
Expr ValueFormBuilder::evalLogical(const BinaryExpr &e) {
  Expr lhs = eval(e.lhs);
  MemoryState memoryBefore = memory;
  Environment before = environment;
  Region rhsRegion;
  Expr rhs;
  in(rhsRegion, [&] { rhs = eval(e.rhs); });
  if (rhsRegion.items.empty())
    return makeBinary(e.op, lhs, rhs, e.type, e.range);
  MemoryState memoryAfter = std::move(memory);
  mergeMemory(memoryAfter, memoryBefore, nullptr); // what b loaded is not known where b did not run
  bool isAnd = e.op == BinaryOp::LogicalAnd;
  auto &item = emit<BranchItem>(e.range);
  item.condition = lhs;
  Region &evaluated = isAnd ? item.thenRegion : item.elseRegion;
  evaluated = std::move(rhsRegion);
  Expr value;
  in(evaluated, [&] { value = atom(rhs, "holds", e.range); });
  Merge merge;
  merge.var = owner.makeVar("holds", boolType());
  merge.thenValue = isAnd ? value : boolLit(true);
  merge.elseValue = isAnd ? boolLit(false) : value;
  item.merges.push_back(merge);
  // What b assigned, by functions that it calls, is assigned only where it ran.
  Environment after = std::move(environment);
  environment = std::move(before);
  for (auto &[surface, binding] : environment) {
    Binding skipped = binding;
    const Binding &ran = after.find(surface)->second;
    mergeBindings(surface, binding, isAnd ? ran : skipped, isAnd ? skipped : ran, stripReference(surface->type),
                  surface->name, item);
  }
  return makeRef(merge.var);
}

Expr ValueFormBuilder::evalBinary(const BinaryExpr &e) {
  if (e.op == BinaryOp::LogicalAnd || e.op == BinaryOp::LogicalOr)
    return evalLogical(e);
  Expr lhs = eval(e.lhs), rhs = eval(e.rhs);
  if (Expr known = comparedNumbers(e.op, lhs, rhs))
    return known;
  if (isPointer(e.type) && (e.op == BinaryOp::Add || e.op == BinaryOp::Sub)) {
    // Pointer arithmetic is kept as base + offset.
    Expr pointer = isPointer(lhs->type) ? lhs : rhs, offset = isPointer(lhs->type) ? rhs : lhs;
    return movedPointer(pointer, offset, e.op == BinaryOp::Sub, e.range);
  }
  if (e.op == BinaryOp::Sub && isPointer(lhs->type) && isPointer(rhs->type))
    if (auto to = baseAndOffset(flatAddress(lhs)), from = baseAndOffset(flatAddress(rhs));
        to && from && equal(to->first, from->first))
      return isZeroLit(from->second) ? convertedIndex(to->second, e.type)
                                     : makeBinary(BinaryOp::Sub, to->second, from->second, e.type, e.range);
  return makeBinary(e.op, lhs, rhs, e.type, e.range);
}

//===--- Places -----------------------------------------------------------===//

Place ValueFormBuilder::placeOfVariable(const Expr &e) {
  Place place;
  place.type = e->type;
  Var *var = llvm::cast<RefExpr>(e.get())->var;
  if (auto array = arrays.find(var); array != arrays.end()) {
    place.memory = makeRef(array->second);
    return place;
  }
  if (isReference(var->type)) {
    auto found = environment.find(var);
    if (found == environment.end() || !found->second.value) {
      refuse(diag::Id::NotInReverse, e->range, "the reference '" + var->name + "'");
      place.local = var;
      return place;
    }
    Expr address = found->second.value;
    if (auto *of = llvm::dyn_cast<AddrOfExpr>(address.get()))
      place = placeOfAddress(of->place);
    else
      place = placeBehind(address, intLit(0), e->type, e->range);
    return eachPlace(place, [&](const Place &one) {
      Place seen = asClass(one, e->type, e->range);
      seen.type = e->type;
      return seen;
    });
  }
  if (var->storage == Storage::Local || var->storage == Storage::Parameter) {
    place.local = var;
    return place;
  }
  if (isShared(var)) {
    Expr array = makeRef(sharedArray(var), e->range);
    place.memory = isArray(var->type) ? array : makeIndex(array, intLit(0), e->range);
    return place;
  }
  place.memory = e;
  return place;
}

Place ValueFormBuilder::findPlace(const Expr &e) {
  Place place;
  place.type = e->type;
  switch (e->kind) {
  case ExprKind::Ref:
    return placeOfVariable(e);
  case ExprKind::Member: {
    auto *member = llvm::cast<MemberExpr>(e.get());
    return eachPlace(evalPlace(member->base),
                     [&](const Place &one) { return fieldOf(one, member->field, e->type, e->range); });
  }
  case ExprKind::Index: {
    auto *access = llvm::cast<IndexExpr>(e.get());
    Expr index = eval(access->index);
    const Expr &base = stripImplicit(access->base);
    if (isArray(base->type)) {
      Place array = evalPlace(base);
      index = atom(index, "index", e->range);
      return eachPlace(array, [&](Place one) {
        if (one.local) {
          refuse(diag::Id::NotInReverse, e->range, "this array inside a struct");
          return one;
        }
        one.memory = makeIndex(one.memory, index, e->range);
        one.type = e->type;
        return one;
      });
    }
    return placeBehind(eval(access->base), index, e->type, e->range);
  }
  case ExprKind::Deref:
    return placeBehind(eval(llvm::cast<DerefExpr>(e.get())->pointer), intLit(0), e->type, e->range);
  case ExprKind::Cast:
    return eachPlace(evalPlace(llvm::cast<CastExpr>(e.get())->operand),
                     [&](const Place &one) { return asClass(one, e->type, e->range); });
  case ExprKind::Call:
    if (isReferenceCall(e))
      return placeOfCall(*llvm::cast<CallExpr>(e.get()));
    [[fallthrough]];
  default:
    // A temporary of which a member is read: give it a variable.
    if (isMemoryType(e->type)) {
      place.memory = objectOf(eval(e), "temporary", e->range);
      return place;
    }
    Var *temporary = owner.makeVar("temporary", withConst(e->type, false));
    environment[temporary] = bindingFor(eval(e), temporary->type, "temporary", e->range);
    place.local = temporary;
    return place;
  }
}

/// Turns what AddrOf held back into a place: a surface variable with fields, or memory.
Place ValueFormBuilder::placeOfAddress(const Expr &held) {
  Place place;
  place.type = held->type;
  if (auto *ref = llvm::dyn_cast<RefExpr>(held.get()))
    if (environment.count(ref->var)) {
      place.local = ref->var;
      return place;
    }
  if (auto *member = llvm::dyn_cast<MemberExpr>(held.get())) {
    Place base = placeOfAddress(member->base);
    if (base.local)
      return fieldOf(base, member->field, held->type, held->range);
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(held.get()); cast && isRecord(cast->type))
    return asClass(placeOfAddress(cast->operand), cast->type, held->range);
  place.memory = structuredPlace(held);
  return place;
}

Expr ValueFormBuilder::addressOf(const Place &place) {
  if (place.choice) {
    Expr first = addressOf(place.choice->first), second = addressOf(place.choice->second);
    return makeSelect(place.choice->condition, first, second, first->type);
  }
  if (place.memory)
    return makeAddrOf(place.memory);
  Expr held = makeRef(place.local);
  for (unsigned field : place.path)
    held = makeMember(held, field);
  if (place.firstField)
    held = makeCast(CastStyle::Implicit, held, withConst(place.type, false));
  return makeAddrOf(held);
}

} // namespace gpuad::transform
