//===- ValueFormElements.cpp - places behind pointers ---------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a pointer and an index lead to. Among it are (&v.x)[k] and reinterpret_cast<float *>(&v)[k], where all that v
/// holds is numbers of one type: the number is chosen by the index. In an array of float4 it is an element of the array
/// of their numbers.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "transform/Places.h"
#include "transform/ValueFormBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

using Path = std::vector<unsigned>;

/// Where the numbers of an object are, in their order in memory, with nothing between them; none:
/// it holds something else as well.
static std::vector<Path> numbersOf(const Type &type, const Type &number) {
  std::vector<Path> found;
  if (!isRecord(type) || type->record->isUnion || !type->record->isDense)
    return found;
  const std::vector<Field> &fields = type->record->fields;
  for (unsigned i = 0; i < fields.size(); ++i) {
    if (isRecord(fields[i].type)) { // float4 of which there are several
      bool isVector = fields[i].type->record->isVector && sameType(fields[i].type, fields[0].type);
      std::vector<Path> inner = isVector ? numbersOf(fields[i].type, number) : std::vector<Path>();
      if (inner.empty())
        return {};
      for (Path &path : inner) {
        path.insert(path.begin(), i);
        found.push_back(std::move(path));
      }
    } else if (isRecord(fields[0].type) || !sameType(withConst(fields[i].type, false), withConst(number, false))) {
      return {};
    } else {
      found.push_back({i});
    }
  }
  return found;
}

std::optional<Place> ValueFormBuilder::elementOfObject(const Expr &pointer, const Expr &index, const Type &type,
                                                       const SourceRange &range) {
  Expr inner = pointer;
  while (auto *cast = llvm::dyn_cast<CastExpr>(inner.get()))
    inner = cast->operand;
  auto *address = llvm::dyn_cast<AddrOfExpr>(inner.get());
  bool isSeenAsNumbers = address && (address->place->kind == ExprKind::Member || pointer->kind == ExprKind::Cast);
  if (!isSeenAsNumbers || isRecord(type) || address->place->kind == ExprKind::Index)
    return std::nullopt;
  // The outermost object around it that holds nothing but such numbers.
  Expr object = address->place;
  Path start;
  while (auto *member = llvm::dyn_cast<MemberExpr>(object.get())) {
    if (numbersOf(member->base->type, type).empty())
      break;
    start.insert(start.begin(), member->field);
    object = member->base;
  }
  std::vector<Path> numbers = numbersOf(object->type, type);
  auto first = llvm::find_if(numbers, [&](const Path &one) { // of what the pointer leads to
    return one.size() >= start.size() && std::equal(start.begin(), start.end(), one.begin());
  });
  if (first == numbers.end())
    return std::nullopt;
  Expr at = foldedSum(index, intLit(first - numbers.begin()));
  Place whole = placeOfAddress(object);
  auto *access = whole.memory ? llvm::dyn_cast<IndexExpr>(whole.memory.get()) : nullptr;
  if (access && isPointer(access->base->type) && whole.type->record->isVector) {
    auto count = static_cast<int64_t>(numbers.size());
    Expr before = makeBinary(BinaryOp::Mul, access->index, intLit(count), access->index->type);
    bool isConst = elementOf(access->base->type)->isConst;
    Expr base = makeCast(CastStyle::Reinterpret, access->base, pointerTo(withConst(type, isConst)));
    Place place;
    place.memory = makeIndex(base, foldedSum(before, at), range);
    place.type = type;
    return place;
  }
  if (!whole.local)
    return std::nullopt;
  auto number = [&](size_t k) {
    Place one = whole;
    for (unsigned field : numbers[k])
      one = fieldOf(one, field, one.type->record->fields[field].type, range);
    return one;
  };
  if (auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(at).get()))
    if (auto *known = std::get_if<int64_t>(&lit->value); known && *known >= 0 && size_t(*known) < numbers.size())
      return number(size_t(*known));
  at = atom(at, "at", range);
  auto isAt = [&](size_t k) { return makeBinary(BinaryOp::Eq, at, intLit(int64_t(k)), boolType()); };
  Place chosen = number(numbers.size() - 1);
  for (size_t k = numbers.size() - 1; k-- > 0;) {
    Place both;
    both.type = type;
    both.choice = std::make_shared<PlaceChoice>(PlaceChoice{isAt(k), number(k), chosen, "element", isAt(k + 1)});
    chosen = both;
  }
  return chosen;
}

/// The place pointer[index], with addresses and offsets folded.
Place ValueFormBuilder::placeBehind(const Expr &start, const Expr &index, const Type &type, const SourceRange &range) {
  Place place;
  Expr pointer = isZeroLit(index) ? start : flatAddress(start);
  if (auto *choice = llvm::dyn_cast<SelectExpr>(pointer.get())) {
    for (const auto &[arm, other] :
         {std::pair(choice->thenValue, choice->elseValue), std::pair(choice->elseValue, choice->thenValue)})
      if (arm->kind == ExprKind::Lit) // null, which leads nowhere
        return placeBehind(other, index, type, range);
    Expr at = atom(index, "index", range);
    place.choice =
        std::make_shared<PlaceChoice>(PlaceChoice{choice->condition, placeBehind(choice->thenValue, at, type, range),
                                                  placeBehind(choice->elseValue, at, type, range)});
    place.type = type;
    return place;
  }
  if (auto element = elementOfObject(pointer, index, type, range))
    return *element;
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get())) {
    if (auto *access = llvm::dyn_cast<IndexExpr>(address->place.get())) {
      if (auto element = elementOfObject(access->base, foldedSum(access->index, index), type, range))
        return *element;
      place.memory = structuredPlace(makeIndex(access->base, foldedSum(access->index, index), range));
      place.type = type;
      return place;
    }
    if (isZeroLit(index)) {
      place = placeOfAddress(address->place);
      place.type = type;
      return place;
    }
    refuse(diag::Id::NotInReverse, range, "indexing past a variable through its address");
  }
  Expr base = pointer;
  if (pointer->kind != ExprKind::Ref && pointer->kind != ExprKind::Cast && !isPlace(pointer))
    base = atom(pointer, "base", range);
  place.memory = structuredPlace(makeIndex(base, index, range));
  place.type = type;
  return place;
}

} // namespace gpuad::transform
