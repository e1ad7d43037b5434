//===- ValueFormMemory.cpp - loads and stores ----------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/NameOperands.h"
#include "transform/Places.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// An index as (rest, constant).
std::pair<Expr, int64_t> splitConstant(const Expr &e) {
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get()))
    if (auto *whole = std::get_if<int64_t>(&lit->value))
      return {nullptr, *whole};
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(e.get()); minus && minus->op == UnaryOp::Neg) {
    auto [rest, constant] = splitConstant(minus->operand);
    if (!rest)
      return {nullptr, -constant};
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()); cast && cast->style == CastStyle::Implicit)
    if (auto [rest, constant] = splitConstant(cast->operand); !rest)
      return {nullptr, constant};
  if (auto *sum = llvm::dyn_cast<BinaryExpr>(e.get()); sum && (sum->op == BinaryOp::Add || sum->op == BinaryOp::Sub)) {
    auto [left, leftConstant] = splitConstant(sum->lhs);
    auto [right, rightConstant] = splitConstant(sum->rhs);
    if (!right)
      return {left, leftConstant + (sum->op == BinaryOp::Add ? rightConstant : -rightConstant)};
    if (!left && sum->op == BinaryOp::Add)
      return {right, leftConstant + rightConstant};
  }
  return {e, 0};
}

} // namespace

Expr foldedSum(const Expr &a, const Expr &b) {
  if (isZeroLit(a))
    return b;
  if (isZeroLit(b))
    return a;
  auto [rest, constant] = splitConstant(b);
  if (!rest) { // a + (rest + c): fold the constants only where no cast hides them
    auto [inner, innerConstant] = splitConstant(a);
    int64_t total = innerConstant + constant;
    if (!inner)
      return intLit(total);
    if (total == 0)
      return inner;
    return total > 0 ? makeBinary(BinaryOp::Add, inner, intLit(total), inner->type)
                     : makeBinary(BinaryOp::Sub, inner, intLit(-total), inner->type);
  }
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(b.get()); minus && minus->op == UnaryOp::Neg)
    return makeBinary(BinaryOp::Sub, a, minus->operand, a->type->bits >= b->type->bits ? a->type : b->type);
  return makeBinary(BinaryOp::Add, a, b, a->type->bits >= b->type->bits ? a->type : b->type);
}

bool provablyDifferent(const Expr &a, const Expr &b) {
  if (differByField(a, b))
    return true;
  if (a->kind != b->kind)
    return false;
  if (auto *left = llvm::dyn_cast<MemberExpr>(a.get())) {
    auto *right = llvm::cast<MemberExpr>(b.get());
    if (provablyDifferent(left->base, right->base))
      return true;
    return left->field != right->field && equal(left->base, right->base);
  }
  if (auto *left = llvm::dyn_cast<IndexExpr>(a.get())) {
    auto *right = llvm::cast<IndexExpr>(b.get());
    if (!isPointer(left->base->type) && provablyDifferent(left->base, right->base)) // of pointers, two may be one
      return true;
    if (!equal(left->base, right->base))
      return false;
    auto [leftRest, leftConstant] = splitConstant(left->index);
    auto [rightRest, rightConstant] = splitConstant(right->index);
    bool sameRest = leftRest && rightRest ? equal(leftRest, rightRest) : !leftRest && !rightRest;
    return sameRest && leftConstant != rightConstant;
  }
  return false;
}

bool ValueFormBuilder::isLocalArray(const Base &base) const {
  return base.first && localArrays.count(base.first);
}

/// The owner's variable for a shared one; a scalar becomes an array of one element, as
/// it is memory and no value.
Var *ValueFormBuilder::sharedArray(Var *surface) {
  Var *&own = sharedOf[surface];
  if (!own) {
    Type type = withConst(surface->type, false);
    own = owner.makeVar(surface->name, isArray(type) ? type : arrayOf(type, 1), surface->storage);
    own->alignment = surface->alignment;
    own->range = surface->range;
    shared.push_back(own);
  }
  return own;
}

/// Other threads may have written what is not private since.
void ValueFormBuilder::passBarrier() {
  std::erase_if(memory.known, [&](const auto &entry) { return !isLocalArray(entry.first); });
  for (const auto &[base, places] : memory.stored)
    if (!places.empty() && !isLocalArray(base))
      memory.storedAnywhere.insert(base);
}

/// Parameters of one element type that may be the same array: the plan is made for
/// different ones, and what would differ is noted.
void ValueFormBuilder::askAboutAliases(const Base &loaded) {
  if (isBehindLoaded(loaded)) // nothing can be tested at the entry
    return;
  auto ask = [&](const Base &stored) {
    if (!loaded.second.empty() || !stored.second.empty())
      askAboutFields(loaded, stored);
    else if (mayBeOneArray(loaded.first, stored.first) && !isPartner(loaded, stored))
      aliasQuestions.insert({loaded.first, stored.first});
  };
  for (const auto &[base, places] : memory.stored)
    if (!places.empty())
      ask(base);
  for (const Base &base : memory.storedAnywhere)
    ask(base);
}

/// How a parameter, or the struct that it is, leads to an object.
void ValueFormBuilder::noteField(const Base &base, const Expr &place) {
  Expr pointer = base.first && base.first->storage == Storage::Parameter ? pointerOf(place) : nullptr;
  if (pointer && !isBehindLoaded(base) && (isPlace(pointer) || pointer->kind == ExprKind::Ref))
    pointers[base] = pointer;
}

/// The same for pointers in by-value structs.
void ValueFormBuilder::askAboutFields(const Base &loaded, const Base &stored) {
  auto from = pointers.find(loaded), to = pointers.find(stored);
  if (loaded == stored || from == pointers.end() || to == pointers.end() || isBehindLoaded(stored))
    return;
  const Type &read = from->second->type, &written = to->second->type;
  if (sameType(elementOf(read), elementOf(written)) && !read->isRestrict && !written->isRestrict)
    fieldQuestions.insert({loaded, stored});
}

std::vector<ApartPointers> ValueFormBuilder::fieldsLoadedAfterStore() const {
  std::vector<ApartPointers> pairs;
  for (const auto &[loaded, stored] : fieldQuestions)
    pairs.push_back({pointers.at(loaded), pointers.at(stored), loaded, stored, true});
  return pairs;
}

bool ValueFormBuilder::isPartner(const Base &a, const Base &b) const {
  return a.second.empty() && b.second.empty() && llvm::is_contained(partners, std::pair(a.first, b.first));
}

/// The same place in the array that a pragma says may be this one; null: there is none.
static Expr placeInPartner(const Expr &place, Var *array, Var *partner) {
  return substitute(place, [&](Var *var) { return var == array ? makeRef(partner) : nullptr; });
}

/// What a load sees if a partner of its array, into which something was stored, is the
/// same array: what is known to be there, chosen by a test of the pointers.
Expr ValueFormBuilder::loadBesidePartners(const Expr &place, const Expr &own) {
  Base base = memoryBase(place);
  Expr value = own;
  for (const auto &[array, partner] : partners) {
    if (array != base.first || !base.second.empty())
      continue;
    Base other{partner, ""};
    Expr there = placeInPartner(place, array, partner);
    auto stored = memory.stored.find(other);
    bool mayBeStored = memory.storedAnywhere.count(other) != 0;
    if (stored != memory.stored.end())
      mayBeStored |= llvm::any_of(stored->second, [&](const Expr &one) { return !provablyDifferent(one, there); });
    if (!mayBeStored)
      continue;
    auto known = llvm::find_if(memory.known[other], [&](const auto &one) { return equal(one.place, there); });
    if (known == memory.known[other].end())
      return nullptr;
    Expr isSame = makeBinary(BinaryOp::Eq, makeRef(array), makeRef(partner), boolType());
    value = makeSelect(isSame, known->value, value, value->type);
  }
  return value;
}

/// Behind a pointer that is a value of its own, nobody knows whose memory it is, and so
/// whether it carries a derivative.
void ValueFormBuilder::refuseUnknownOrigin(const Expr &place, const Base &base, const SourceRange &range) {
  bool isOrphan = base.first && base.first->storage == Storage::Local && !isLocalArray(base) && !isShared(base.first);
  if (isOrphan && holdsFloating(place->type))
    refuse(diag::Id::NotInReverse, range, "memory behind a pointer of '" + base.first->name + "', a copy of a struct,");
}

Expr ValueFormBuilder::loadMemory(const Expr &place, const SourceRange &range) {
  Base base = memoryBase(place);
  if (isPointer(place->type)) { // part of the places behind it; pointers in memory are never stored to
    bool isOfCaller = base.first && !isOwnArray(base.first) && base.first->storage != Storage::Local;
    if (!isOfCaller)
      refuse(diag::Id::NotInReverse, range, "a pointer that is loaded from memory");
    return place;
  }
  refuseUnknownOrigin(place, base, range);
  noteField(base, place);
  askAboutAliases(base);
  for (const MemoryState::Known &known : memory.known[base])
    if (equal(known.place, place))
      return known.value;
  LoadClass load = LoadClass::Entry;
  if (isLocalArray(base) || isShared(base.first)) {
    load = LoadClass::Array;
  } else if (memory.storedAnywhere.count(base)) {
    load = LoadClass::Stale;
  } else {
    for (const Expr &stored : memory.stored[base])
      if (!provablyDifferent(stored, place))
        load = LoadClass::Stale;
  }
  Expr seen = loadBesidePartners(place, place);
  if (load == LoadClass::Entry && seen)
    return seen;
  if (seen != place)
    load = LoadClass::Stale;
  Expr value = named(place, nameOfValue(place), range, load, true);
  memory.known[base].push_back({place, value});
  return value;
}

/// A struct with pointers, field by field: a copy of it as a whole would lead to nobody's memory.
Expr ValueFormBuilder::loadParts(const Expr &place, const SourceRange &range) {
  std::vector<Expr> parts;
  for (unsigned i = 0; i < place->type->record->fields.size(); ++i) {
    Expr field = makeMember(place, i);
    parts.push_back(holdsPointers(field->type) ? loadParts(field, range) : loadMemory(field, range));
  }
  return makeInit(std::move(parts), withConst(place->type, false), true, range);
}

void ValueFormBuilder::clobber(const Base &base, const Expr &place) {
  noteField(base, place);
  std::vector<MemoryState::Known> kept;
  for (MemoryState::Known &known : memory.known[base])
    if (provablyDifferent(known.place, place))
      kept.push_back(known);
  memory.known[base] = std::move(kept);
  memory.stored[base].push_back(place);
  if (loadedPointer(place)) // others may lead there, too
    for (auto &[other, known] : memory.known)
      if (other != base)
        std::erase_if(known, [](const MemoryState::Known &one) { return loadedPointer(one.place) != nullptr; });
  for (const auto &[array, partner] : partners)
    if (array == base.first && base.second.empty())
      std::erase_if(memory.known[{partner, ""}], [&](const MemoryState::Known &known) {
        return !provablyDifferent(known.place, placeInPartner(place, array, partner));
      });
}

/// The store to the same place just before, when nothing in between can have read
/// or written the object: it is dead as soon as another store follows.
StoreItem *ValueFormBuilder::overwrittenStore(const Expr &place) {
  Base base = memoryBase(place);
  for (auto at = region->items.rbegin(); at != region->items.rend(); ++at) {
    if (auto *store = llvm::dyn_cast<StoreItem>(at->get())) {
      if (memoryBase(store->place) != base)
        continue;
      return equal(store->place, place) && !store->isAtomic ? store : nullptr;
    }
    auto *value = llvm::dyn_cast<ValueItem>(at->get());
    if (!value)
      return nullptr;
    bool mayRead = memoryBase(value->expr) == base || (loadedPointer(place) && loadedPointer(value->expr));
    if (value->load != LoadClass::None && mayRead)
      return nullptr;
  }
  return nullptr;
}

/// The place that a value was loaded from, as a whole or as part of a struct; null: another one.
static Expr sourceOf(const Expr &value, const OrderedMap<Var, Expr> &namedPlaces) {
  if (auto *member = llvm::dyn_cast<MemberExpr>(value.get())) {
    Expr base = sourceOf(member->base, namedPlaces);
    return base ? makeMember(base, member->field) : nullptr;
  }
  auto *ref = llvm::dyn_cast<RefExpr>(value.get());
  auto loaded = ref ? namedPlaces.find(ref->var) : namedPlaces.end();
  return loaded == namedPlaces.end() ? nullptr : loaded->second;
}

/// Whether the value was loaded from the place, to which nothing has been stored: a
/// struct that is stored back as a whole, with one field changed. Then other threads may
/// even read the place meanwhile, and its adjoint is theirs as well.
bool ValueFormBuilder::holdsAlready(const Expr &place, const Expr &value) const {
  Base base = memoryBase(place);
  Expr source = sourceOf(value, namedPlaces);
  bool isSame = equal(value, place) || (source && equal(source, place));
  if (!isSame || !sameType(value->type, place->type) || isLocalArray(base) || isShared(base.first) ||
      memory.storedAnywhere.count(base))
    return false;
  auto stored = memory.stored.find(base);
  return stored == memory.stored.end() ||
         llvm::all_of(stored->second, [&](const Expr &other) { return provablyDifferent(other, place); });
}

void ValueFormBuilder::storeMemory(const Expr &place, const Expr &value, const SourceRange &range) {
  if (holdsAlready(place, value))
    return;
  if (isPointer(place->type))
    return refuse(diag::Id::NotInReverse, range, "a pointer that is stored to memory");
  // Of a struct, only the fields that change.
  auto *fields = isRecord(place->type) ? llvm::dyn_cast<InitExpr>(value.get()) : nullptr;
  if (fields && fields->elements.size() == place->type->record->fields.size()) {
    bool keepsSome = false;
    for (unsigned i = 0; i < fields->elements.size(); ++i)
      keepsSome |= holdsAlready(makeMember(place, i), fields->elements[i]);
    for (unsigned i = 0; keepsSome && i < fields->elements.size(); ++i)
      storeMemory(makeMember(place, i), fields->elements[i], range);
    if (keepsSome)
      return;
  }
  Base base = memoryBase(place);
  refuseUnknownOrigin(place, base, range);
  StoreItem *dead = isLocalArray(base) ? nullptr : overwrittenStore(place);
  auto readsPlace = [&](const Expr &e) {
    if (equal(e, place))
      return true;
    auto *ref = llvm::dyn_cast<RefExpr>(e.get());
    if (!ref)
      return false;
    // A value that was loaded from there, with no store since.
    for (const MemoryState::Known &known : memory.known[base])
      if (equal(known.place, place) && equal(known.value, e))
        for (auto &item : region->items)
          if (auto *loaded = llvm::dyn_cast<ValueItem>(item.get()); loaded && loaded->var == ref->var)
            return loaded->load != LoadClass::None;
    return false;
  };
  Expr increment = isLocalArray(base) ? nullptr : withoutAddend(value, readsPlace);
  if (dead) { // two increments in a row are one
    if (dead->increment)
      if (Expr rest = withoutAddend(value, [&](const Expr &e) { return equal(e, dead->value); }))
        increment = add(dead->increment, rest);
    std::erase_if(region->items, [&](const auto &item) { return item.get() == dead; });
  }
  Expr kept = value;
  if (!isRecord(value->type))
    kept = atom(value, nameOfValue(place), range);
  else if (value->kind != ExprKind::Init)
    kept = atom(value, nameOfValue(place), range);
  auto &item = emit<StoreItem>(range);
  item.place = place;
  item.value = kept;
  item.increment = increment;
  clobber(base, place);
  if (isAtom(kept))
    memory.known[base].push_back({place, kept});
}

/// Threads of a warp that hand values on through volatile memory meet at no barrier: nothing says when. Memory of the
/// kernel's caller is no such place; whether blocks talk through it is asked later.
void ValueFormBuilder::refuseVolatile(const Place &place, const SourceRange &range) {
  if (place.choice) {
    refuseVolatile(place.choice->first, range);
    refuseVolatile(place.choice->second, range);
    return;
  }
  const Var *root = place.local ? nullptr : rootVar(place.memory);
  bool isFine = place.local || (root && !isShared(root) && (owner.isKernel() || isOwnArray(root)));
  if (isFine || volatileRefused)
    return;
  volatileRefused = speculating == 0;
  refuse(diag::Id::NotInReverse, range,
         "volatile shared memory ('" + (root ? root->name : "memory") + "') in place of __syncwarp()");
}

/// What lies behind the pointer p goes by p's name, whichever array it is in.
static void nameChoice(Place &place, const std::string &name) {
  if (!place.choice)
    return;
  auto named = std::make_shared<PlaceChoice>(*place.choice);
  named->name = name;
  nameChoice(named->first, name);
  nameChoice(named->second, name);
  place.choice = named;
}

Place ValueFormBuilder::evalPlace(const Expr &e) {
  Place place = findPlace(e);
  if (place.choice)
    nameChoice(place, nameOfValue(e));
  if (e->type->isVolatile)
    refuseVolatile(place, e->range);
  return place;
}

} // namespace gpuad::transform
