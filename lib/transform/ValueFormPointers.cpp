//===- ValueFormPointers.cpp - pointers to one array or another ----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// p = inside ? x : z; and, in a loop, t = p; p = q; q = t. The value of such a pointer is a
/// choice between addresses, each in an array that is known. What is read or written through
/// it stands in a branch, so that everything else sees one array at a time.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Places.h"
#include "transform/ValueFormBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

bool isChoice(const Expr &pointer) {
  return pointer->kind == ExprKind::Select && isPointer(pointer->type);
}

Place eachPlace(const Place &place, llvm::function_ref<Place(const Place &)> change) {
  if (!place.choice)
    return change(place);
  PlaceChoice made{place.choice->condition, eachPlace(place.choice->first, change),
                   eachPlace(place.choice->second, change), place.choice->name, place.choice->isSecond};
  Place changed;
  changed.type = made.first.type;
  changed.choice = std::make_shared<PlaceChoice>(std::move(made));
  return changed;
}

Expr eachAddress(const Expr &pointer, llvm::function_ref<Expr(const Expr &)> change) {
  if (!isChoice(pointer))
    return change(pointer);
  auto *choice = llvm::cast<SelectExpr>(pointer.get());
  Expr first = eachAddress(choice->thenValue, change), second = eachAddress(choice->elseValue, change);
  return makeSelect(choice->condition, first, second, first->type, pointer->range);
}

Expr ValueFormBuilder::loadChosen(const Place &place, const SourceRange &range) {
  if (isMemoryType(place.type)) {
    refuse(diag::Id::NotInReverse, range, "an object with arrays behind a pointer to one object or another");
    return zeroOf(place.type);
  }
  if (place.choice->isSecond) {
    Expr first = load(place.choice->first, range), second = load(place.choice->second, range);
    return named(makeSelect(place.choice->condition, first, second, first->type), "element", range, LoadClass::None,
                 true);
  }
  Place target;
  target.local = owner.makeVar(place.choice->name, withConst(place.type, false));
  target.type = target.local->type;
  environment[target.local] = Binding{};
  makeBranch(
      place.choice->condition, [&] { bind(target, load(place.choice->first, range), range); },
      [&] { bind(target, load(place.choice->second, range), range); }, range);
  Expr value = wholeValue(environment[target.local], target.type);
  environment.erase(target.local);
  return value;
}

void ValueFormBuilder::bindChosen(const Place &place, const Expr &value, const SourceRange &range) {
  Expr kept = value->kind == ExprKind::Init || isMemoryType(place.type) ? value : atom(value, "stored", range);
  if (place.choice->isSecond) {
    auto bindIf = [&](const Expr &condition, const Place &one) {
      if (one.choice)
        return bindChosen(one, kept, range);
      Expr old = load(one, range);
      bind(one, makeSelect(condition, kept, old, old->type), range);
    };
    bindIf(place.choice->condition, place.choice->first);
    return bindIf(place.choice->isSecond, place.choice->second);
  }
  makeBranch(
      place.choice->condition, [&] { bind(place.choice->first, kept, range); },
      [&] { bind(place.choice->second, kept, range); }, range);
}

//===--- Rows ---------------------------------------------------------------===//

Expr movedAddress(const Expr &address, const Expr &place) {
  auto moved = makeAddrOf(place, address->range);
  auto *from = llvm::dyn_cast<AddrOfExpr>(address.get());
  auto *to = llvm::dyn_cast<AddrOfExpr>(moved.get());
  if (!from || !to || !from->isRow)
    return moved;
  auto copy = std::make_shared<AddrOfExpr>(*to);
  copy->isRow = true;
  return copy;
}

static Expr scaled(const Expr &index, uint64_t by) {
  if (auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(index).get()))
    if (auto *value = std::get_if<int64_t>(&lit->value))
      return intLit(*value * int64_t(by));
  return makeBinary(BinaryOp::Mul, index, intLit(int64_t(by)), index->type);
}

Expr flatAddress(const Expr &address) {
  auto *of = llvm::dyn_cast<AddrOfExpr>(address.get());
  auto *access = of && !of->isRow ? llvm::dyn_cast<IndexExpr>(of->place.get()) : nullptr;
  if (!access || !isArray(access->base->type) || access->base->kind != ExprKind::Index)
    return address;
  Expr flat = access->index, base = access->base;
  uint64_t size = 1;
  while (isArray(base->type)) {
    size *= base->type->extent.value_or(0);
    auto *outer = llvm::dyn_cast<IndexExpr>(base.get());
    if (!outer)
      break;
    flat = foldedSum(scaled(outer->index, size), flat);
    base = outer->base;
  }
  if (size == 0) // an extent that is not known
    return address;
  Expr first = isArray(base->type) ? makeAddrOf(makeIndex(base, intLit(0))) : base;
  return makeAddrOf(makeIndex(makeCast(CastStyle::Reinterpret, first, pointerTo(access->type)), flat), address->range);
}

Expr structuredPlace(const Expr &place) {
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  auto *view = access ? llvm::dyn_cast<CastExpr>(access->base.get()) : nullptr;
  auto *lit = access ? llvm::dyn_cast<LitExpr>(stripImplicit(access->index).get()) : nullptr;
  auto *at = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  if (!view || !at || *at < 0 || view->style != CastStyle::Reinterpret || !isPointer(view->operand->type))
    return place;
  auto *first = llvm::dyn_cast<AddrOfExpr>(view->operand.get());
  auto *start = first ? llvm::dyn_cast<IndexExpr>(first->place.get()) : nullptr;
  Expr made = start && isArray(start->base->type) && isZeroLit(start->index) ? start->base : view->operand;
  bool isRoot = isArray(made->type);
  if (!isArray(elementOf(made->type)) ||
      !sameType(withConst(innermost(elementOf(made->type)), false), withConst(access->type, false)))
    return place;
  uint64_t size = 1, rest = uint64_t(*at);
  for (Type type = elementOf(made->type); isArray(type); type = elementOf(type))
    size *= type->extent.value_or(0);
  if (size == 0 || (isRoot && rest / size >= made->type->extent.value_or(0)))
    return place;
  while (true) {
    made = makeIndex(made, intLit(int64_t(rest / size)), place->range);
    rest %= size;
    if (!isArray(made->type))
      return made;
    size /= *made->type->extent;
  }
}

/// pointer + offset, or pointer - offset
Expr ValueFormBuilder::movedPointer(const Expr &pointer, Expr offset, bool isBack, const SourceRange &range) {
  if (isChoice(pointer))
    offset = atom(offset, "offset", range);
  if (isBack)
    offset = makeUnary(UnaryOp::Neg, offset, offset->type);
  return eachAddress(pointer, [&](Expr one) {
    if (!isZeroLit(offset))
      one = flatAddress(one);
    if (auto *address = llvm::dyn_cast<AddrOfExpr>(one.get()))
      if (auto *access = llvm::dyn_cast<IndexExpr>(address->place.get()))
        return movedAddress(one, makeIndex(access->base, foldedSum(access->index, offset)));
    bool isNumber = one->kind == ExprKind::AddrOf && elementOfObject(one, intLit(0), elementOf(one->type), range);
    if (one->kind != ExprKind::Ref && one->kind != ExprKind::Cast && !isPlace(one) && !isNumber)
      one = atom(one, "base", range);
    return makeAddrOf(makeIndex(one, offset), range);
  });
}

//===--- Choices ------------------------------------------------------------===//

/// Whether it comes out the same wherever it is computed: integers and flags, no arithmetic on numbers, no call.
static bool isStable(const Expr &condition) {
  bool stable = true;
  forEachExpr(condition, [&](const Expr &one) {
    bool isInner = one->kind == ExprKind::Ref || one->kind == ExprKind::Lit || one->kind == ExprKind::ThreadIndex ||
                   one->kind == ExprKind::Unary || one->kind == ExprKind::Binary || one->kind == ExprKind::Cast;
    stable &= isInner && (isInteger(one->type) || isBool(one->type));
  });
  return stable;
}

/// A place, with something else in the place of each of its indices.
static Expr withIndices(const Expr &place, llvm::function_ref<Expr(const Expr &)> change) {
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return makeMember(withIndices(member->base, change), member->field);
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  return access ? makeIndex(withIndices(access->base, change), change(access->index)) : place;
}

/// With names for what its offsets and conditions are computed by.
Expr ValueFormBuilder::settledPointer(const Expr &pointer, const std::string &name, const SourceRange &range) {
  if (auto *choice = llvm::dyn_cast<SelectExpr>(pointer.get())) {
    Expr condition = choice->condition;
    if (!isStable(condition))
      condition = atom(condition, name + "_is_first", range);
    Expr first = settledPointer(choice->thenValue, name, range);
    Expr second = settledPointer(choice->elseValue, name, range);
    return makeSelect(condition, first, second, first->type, range);
  }
  auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get());
  auto *access = address ? llvm::dyn_cast<IndexExpr>(address->place.get()) : nullptr;
  if (!access || isAtom(access->index))
    return pointer;
  Expr offset = named(makeCast(CastStyle::Implicit, access->index, offsetType()), name + "_offset", range,
                      LoadClass::None, false);
  return movedAddress(pointer, makeIndex(access->base, offset));
}

/// A pointer of one arm, as it is known behind the branch.
Expr ValueFormBuilder::mergedPointer(const Expr &pointer, bool isThen, const std::string &name, BranchItem &item) {
  Region &arm = isThen ? item.thenRegion : item.elseRegion;
  auto behind = [&](const Expr &value, const std::string &as, const Type &type) -> Expr {
    if (value->kind == ExprKind::Lit)
      return value;
    for (const Merge &known : item.merges)
      if (const Expr &there = isThen ? known.thenValue : known.elseValue; there && equal(there, value))
        return makeRef(known.var);
    Expr kept, none = isBool(type) ? boolLit(false) : intLit(0);
    in(arm, [&] { kept = atom(value, as, item.range); });
    Merge merge;
    merge.var = owner.makeVar(as, type);
    merge.thenValue = isThen ? kept : none;
    merge.elseValue = isThen ? none : kept;
    item.merges.push_back(merge);
    return makeRef(merge.var);
  };
  if (auto *choice = llvm::dyn_cast<SelectExpr>(pointer.get())) {
    Expr condition = behind(choice->condition, name + "_is_first", boolType());
    Expr first = mergedPointer(choice->thenValue, isThen, name, item);
    Expr second = mergedPointer(choice->elseValue, isThen, name, item);
    return makeSelect(condition, first, second, first->type);
  }
  auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get());
  if (!address)
    return pointer;
  return makeAddrOf(
      withIndices(address->place, [&](const Expr &index) { return behind(index, name + "_offset", offsetType()); }));
}

/// Pointers into one array merge by their offsets; into different ones, by the branch's
/// condition. Returns false for values that are no pointers (they merge like scalars).
bool ValueFormBuilder::mergePointers(Binding &merged, const Expr &thenValue, const Expr &elseValue,
                                     const std::string &name, BranchItem &item) {
  if (!thenValue || !elseValue) {
    merged = Binding{thenValue ? thenValue : elseValue, {}};
    return true;
  }
  bool isSimple = !isChoice(thenValue) && !isChoice(elseValue);
  auto left = baseAndOffset(thenValue), right = baseAndOffset(elseValue);
  if (isSimple && left && right && equal(left->first, right->first)) {
    Merge merge;
    merge.var = owner.makeVar(name + "_offset", offsetType());
    in(item.thenRegion, [&] { merge.thenValue = atom(left->second, name + "_offset", item.range); });
    in(item.elseRegion, [&] { merge.elseValue = atom(right->second, name + "_offset", item.range); });
    item.merges.push_back(merge);
    merged = Binding{movedAddress(thenValue, makeIndex(left->first, makeRef(merge.var))), {}};
    return true;
  }
  bool isOpen = region->items.empty() || region->items.back().get() != &item; // it can be named in front of the branch
  if (!isOpen && !isStable(item.condition)) {
    refuse(diag::Id::NotInReverse, item.range, "the pointer '" + name + "', which points into different arrays here");
    merged = Binding{thenValue, {}};
    return true;
  }
  if (!isStable(item.condition))
    item.condition = atom(item.condition, name + "_is_first", item.range);
  Expr first = mergedPointer(thenValue, true, name, item), second = mergedPointer(elseValue, false, name, item);
  merged = Binding{makeSelect(item.condition, first, second, first->type), {}};
  return true;
}

//===--- Loops --------------------------------------------------------------===//

/// Adds the arrays that the pointer leads to; false: it leads to a variable.
bool ValueFormBuilder::addBases(Wanderer &one, const Expr &pointer) {
  if (auto *choice = llvm::dyn_cast<SelectExpr>(pointer.get()))
    return addBases(one, choice->thenValue) && addBases(one, choice->elseValue);
  auto place = baseAndOffset(pointer);
  if (!place)
    return false;
  one.hasOffset |= !isZeroLit(place->second);
  if (llvm::none_of(one.bases, [&](const Expr &base) { return equal(base, place->first); }))
    one.bases.push_back(place->first);
  return true;
}

static Expr addressIn(const Expr &base, const Expr &offset) {
  return base->kind == ExprKind::Lit ? base : makeAddrOf(makeIndex(base, offset));
}

/// bases[which] + offset
static Expr addressOfSeveral(const std::vector<Expr> &bases, const Expr &which, const Expr &offset) {
  Expr pointer = addressIn(bases.back(), offset);
  for (size_t i = bases.size() - 1; i-- > 0;) {
    Expr isThis = makeBinary(BinaryOp::Eq, which, intLit(int64_t(i)), boolType());
    pointer = makeSelect(isThis, addressIn(bases[i], offset), pointer, pointer->type);
  }
  return pointer;
}

/// The pointers that lead to several arrays, taken out of the changes. What an iteration does
/// is looked at again with each of them leading anywhere it may, until that adds nothing.
std::vector<ValueFormBuilder::Wanderer> ValueFormBuilder::followPointers(const LoopSource &source,
                                                                         LoopChanges &changes) {
  // What a loop moves may leave its row.
  bool isFlattened = false;
  for (const Change &change : changes.variables) {
    Expr &value = find(change.surface, change.path, true)->value;
    Expr flat = isPointer(change.type) && value ? eachAddress(value, flatAddress) : value;
    isFlattened |= flat != value && !equal(flat, value);
    value = flat;
  }
  if (isFlattened)
    changes = changesOf(source);
  std::vector<Wanderer> found;
  constexpr unsigned MostRounds = 8;
  for (unsigned round = 0; round < MostRounds; ++round) {
    std::vector<Wanderer> before = std::exchange(found, {});
    bool grew = false;
    for (const Change &change : changes.variables) {
      Binding *binding = find(change.surface, change.path, true);
      if (!isPointer(change.type) || !change.after || !binding->value)
        continue;
      Wanderer one;
      auto known = llvm::find_if(before, [&](const Wanderer &other) {
        return other.change.surface == change.surface && other.change.path == change.path;
      });
      if (known != before.end())
        one = *known;
      size_t size = one.bases.size();
      bool hadOffset = one.hasOffset;
      one.change = change;
      one.before = binding->value;
      if (!addBases(one, one.before) || !addBases(one, change.after))
        continue;
      grew |= one.bases.size() > size || one.hasOffset != hadOffset;
      if (one.bases.size() > 1)
        found.push_back(one);
    }
    if (found.empty())
      return found;
    if (!grew) {
      std::erase_if(changes.variables, [&](const Change &change) {
        return llvm::any_of(found, [&](const Wanderer &one) {
          return one.change.surface == change.surface && one.change.path == change.path;
        });
      });
      return found;
    }
    Environment saved = environment;
    for (Wanderer &one : found) {
      Expr offset = one.hasOffset ? makeRef(owner.makeVar("anywhere", offsetType())) : intLit(0);
      one.current = addressOfSeveral(one.bases, makeRef(owner.makeVar("any", intType())), offset);
      *find(one.change.surface, one.change.path, true) = Binding{one.current, {}};
    }
    changes = changesOf(source);
    environment = std::move(saved);
  }
  refuse(diag::Id::NotInReverse, source.range, "a pointer that leads to so many arrays");
  return {};
}

/// Whether each of them takes the place of another one, in every iteration.
ValueFormBuilder::Turns ValueFormBuilder::turnsOf(const std::vector<Wanderer> &wanderers) {
  Turns turns;
  std::vector<bool> taken(wanderers.size());
  for (const Wanderer &one : wanderers) {
    auto next = llvm::find_if(wanderers, [&](const Wanderer &other) { return equal(one.change.after, other.current); });
    if (next == wanderers.end() || taken[next - wanderers.begin()] || isChoice(one.before))
      return Turns();
    taken[next - wanderers.begin()] = true;
    turns.next.push_back(next - wanderers.begin());
  }
  if (!wanderers.empty())
    turns.count = owner.makeVar("turn", intType());
  return turns;
}

/// What it holds when so many turns were taken: the arrays of its circle one after the other.
Expr ValueFormBuilder::pointerInTurn(const std::vector<Wanderer> &wanderers, size_t one, const Turns &turns) const {
  std::vector<Expr> circle;
  for (size_t at = one; circle.empty() || at != one; at = turns.next[at])
    circle.push_back(wanderers[at].before);
  Expr pointer = circle.back();
  Expr turn = makeBinary(BinaryOp::Rem, makeRef(turns.count), intLit(int64_t(circle.size())), intType());
  for (size_t i = circle.size() - 1; i-- > 0;)
    pointer =
        makeSelect(makeBinary(BinaryOp::Eq, turn, intLit(int64_t(i)), boolType()), circle[i], pointer, pointer->type);
  return pointer;
}

/// Which of the bases a pointer leads to, or how far behind it, as an integer.
static Expr partOf(const Expr &pointer, llvm::function_ref<Expr(const Expr &)> part, const Type &type) {
  auto *choice = llvm::dyn_cast<SelectExpr>(pointer.get());
  if (!choice)
    return part(pointer);
  Expr first = partOf(choice->thenValue, part, type), second = partOf(choice->elseValue, part, type);
  return equal(first, second) ? first : makeSelect(choice->condition, first, second, type);
}

static Expr whichOf(const std::vector<Expr> &bases, const Expr &pointer) {
  return partOf(
      pointer,
      [&](const Expr &address) {
        Expr base = baseAndOffset(address)->first;
        return intLit(llvm::find_if(bases, [&](const Expr &one) { return equal(one, base); }) - bases.begin());
      },
      intType());
}

static Expr offsetOf(const Expr &pointer) {
  return partOf(pointer, [](const Expr &address) { return baseAndOffset(address)->second; }, offsetType());
}

void ValueFormBuilder::carryPointers(std::vector<Wanderer> &wanderers, Turns &turns, LoopItem &item) {
  if (turns.count) {
    Carried carried;
    carried.var = turns.count;
    carried.init = intLit(0);
    item.carried.push_back(carried);
  }
  for (size_t i = 0; i < wanderers.size(); ++i) {
    Wanderer &one = wanderers[i];
    const std::string &name = one.change.name;
    if (turns.count) {
      one.current = pointerInTurn(wanderers, i, turns);
    } else {
      auto carry = [&](const std::string &as, const Type &type, const Expr &init) {
        Carried carried;
        carried.var = owner.makeVar(as, type);
        carried.init = atom(init, as, item.range);
        item.carried.push_back(carried);
        return item.carried.size() - 1;
      };
      one.which = carry(name + "_array", intType(), whichOf(one.bases, one.before));
      one.offset = one.hasOffset ? carry(name + "_offset", offsetType(), offsetOf(one.before)) : 0;
      Expr offset = one.hasOffset ? makeRef(item.carried[one.offset].var) : intLit(0);
      one.current = addressOfSeveral(one.bases, makeRef(item.carried[one.which].var), offset);
    }
  }
  for (const Wanderer &one : wanderers)
    *find(one.change.surface, one.change.path, true) = Binding{one.current, {}};
}

void ValueFormBuilder::finishPointers(const std::vector<Wanderer> &wanderers, const Turns &turns, LoopItem &item) {
  for (size_t i = 0; i < wanderers.size(); ++i) {
    const Wanderer &one = wanderers[i];
    Expr after = find(one.change.surface, one.change.path, true)->value;
    Wanderer seen;
    seen.bases = one.bases;
    seen.hasOffset = one.hasOffset;
    bool isExpected =
        turns.count ? equal(after, wanderers[turns.next[i]].current)
                    : addBases(seen, after) && seen.bases.size() == one.bases.size() && seen.hasOffset == one.hasOffset;
    if (!isExpected)
      return refuse(diag::Id::NotInReverse, item.range,
                    "the pointer '" + one.change.name + "', which the loop changes");
    if (turns.count)
      continue;
    item.carried[one.which].next = atom(whichOf(one.bases, after), one.change.name + "_array", item.range);
    if (one.hasOffset)
      item.carried[one.offset].next = atom(offsetOf(after), one.change.name + "_offset", item.range);
  }
  if (!turns.count)
    return;
  for (Carried &carried : item.carried)
    if (carried.var == turns.count)
      carried.next = named(makeBinary(BinaryOp::Add, makeRef(turns.count), intLit(1), intType()), "turn", item.range,
                           LoadClass::None, false);
}

} // namespace gpuad::transform
