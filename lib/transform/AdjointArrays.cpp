//===- AdjointArrays.cpp - local arrays that are put back ----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A local array that is stored to after it was loaded from holds other elements
/// when the reverse sweep comes to the load. Values loaded in a region are named, so
/// its own reverse has them; but a branch arm or an iteration is run again, and needs
/// the array as it was when it began. A loop that stores to the array records it at
/// the start of each iteration, like any variable that it carries; for all else a copy
/// is made in front, if something behind it stores to the array.
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Counting.h"
#include "transform/DeadCode.h"
#include "transform/Places.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <optional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// What an item and its regions do to an array.
struct Use {
  bool loads = false, stores = false, declares = false;
};

void addUse(const Region &region, const Var *array, Use &use);

void addUse(const Item &item, const Var *array, Use &use) {
  if (auto *value = llvm::dyn_cast<ValueItem>(&item))
    use.loads |= value->load == LoadClass::Array && rootVar(value->expr) == array;
  if (auto *call = llvm::dyn_cast<CallItem>(&item))
    use.loads |= llvm::is_contained(arraysReadBy(*call), array);
  if (auto *store = llvm::dyn_cast<StoreItem>(&item))
    use.stores |= rootVar(store->place) == array;
  if (auto *made = llvm::dyn_cast<ArrayItem>(&item))
    use.declares |= made->array == array;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    addUse(branch->thenRegion, array, use);
    addUse(branch->elseRegion, array, use);
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
    addUse(loop->conditionRegion, array, use);
    addUse(loop->body, array, use);
  }
}

void addUse(const Region &region, const Var *array, Use &use) {
  for (const auto &item : region.items)
    addUse(*item, array, use);
}

Use useOf(const Item &item, const Var *array) {
  Use use;
  addUse(item, array, use);
  return use;
}

/// How many elements a type holds; the fields of an object count one by one, or not at all.
uint64_t slotsInside(const Type &type, bool goesIntoFields) {
  if (isArray(type))
    return *type->extent * slotsInside(elementOf(type), goesIntoFields);
  if (!goesIntoFields || !isRecord(type))
    return 1;
  uint64_t sum = 0;
  for (const Field &field : type->record->fields)
    sum += slotsInside(field.type, true);
  return sum;
}

/// Whether nothing has been written to the array when the item begins, so that there is nothing to keep.
bool isBlank(const Region &region, size_t at, const Var *array) {
  for (size_t i = at; i-- > 0;) {
    auto *made = llvm::dyn_cast<ArrayItem>(region.items[i].get());
    if (made && made->array == array)
      return !made->init;
    if (useOf(*region.items[i], array).stores)
      return false;
  }
  return false;
}
} // namespace

/// Runs through what is recorded of an array or object: `body` gets the place of one and its number.
Stmt AdjointBuilder::forEachElement(Var *array, llvm::function_ref<Stmt(const Expr &, const Expr &)> body) {
  bool goesIntoFields = isObjectOfSlots(*array);
  std::function<std::vector<Stmt>(const Expr &, const Expr &, int64_t &)> visit =
      [&](const Expr &place, const Expr &first, int64_t &next) -> std::vector<Stmt> {
    if (isArray(place->type)) {
      // Element e of an array has the numbers from `next` + e * (numbers of one).
      int64_t extent = static_cast<int64_t>(*place->type->extent), start = next;
      int64_t each = static_cast<int64_t>(slotsInside(elementOf(place->type), goesIntoFields));
      Stmt loop = forEachIndex(owner, place->type, "e", [&](const Expr &index) {
        Expr before = each == 1 ? index : mul(index, intLit(each));
        return visit(makeIndex(place, index), first ? add(first, before) : before, next);
      });
      next = start + extent * each;
      return {loop};
    }
    if (goesIntoFields && isRecord(place->type)) {
      std::vector<Stmt> list;
      for (unsigned i = 0; i < place->type->record->fields.size(); ++i)
        for (Stmt &made : visit(makeMember(place, i), first, next))
          list.push_back(std::move(made));
      return list;
    }
    Expr number = intLit(next++);
    return {body(place, !first ? number : isZeroLit(number) ? first : add(first, number))};
  };
  int64_t next = 0;
  std::vector<Stmt> made = visit(makeRef(array), nullptr, next);
  return made.size() == 1 ? made[0] : makeBlock(made);
}

/// The arrays that the loop records at the start of each iteration.
std::vector<Var *> AdjointBuilder::recordedArrays(const LoopItem &item) const {
  std::vector<Var *> found;
  for (Var *array : restored) {
    Use use = useOf(item, array);
    if (use.loads && use.stores && !use.declares && !withoutArray.count({&item, array}))
      found.push_back(array);
  }
  return found;
}

/// The loads from the array that an iteration comes to at most once; none: it has others.
static std::optional<std::vector<const ValueItem *>> loadsOnce(const Region &region, const Var *array) {
  std::vector<const ValueItem *> found;
  for (const auto &item : region.items) {
    auto *value = llvm::dyn_cast<ValueItem>(item.get());
    if (value && useOf(*value, array).loads) {
      if (!isScalar(value->var->type) || value->var->type->bits > 64)
        return std::nullopt;
      found.push_back(value);
    }
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      for (const Region *arm : {&branch->thenRegion, &branch->elseRegion}) {
        auto inside = loadsOnce(*arm, array);
        if (!inside)
          return std::nullopt;
        found.insert(found.end(), inside->begin(), inside->end());
      }
    } else if (!value && useOf(*item, array).loads) {
      return std::nullopt;
    }
  }
  return found;
}

/// What of an array the reverse of a loop needs: all of its elements at the start of each iteration, or only what the
/// iteration loads, where that is less.
void AdjointBuilder::chooseLoads(const Region &region) {
  for (const auto &item : region.items) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      chooseLoads(branch->thenRegion);
      chooseLoads(branch->elseRegion);
    }
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    if (!loop)
      continue;
    chooseLoads(loop->body);
    for (Var *array : recordedArrays(*loop)) {
      auto loads = loadsOnce(loop->body, array);
      if (!loads || loads->size() >= slotsOf(*array))
        continue;
      withoutArray.insert({loop, array});
      recordedLoads.insert(loads->begin(), loads->end());
    }
  }
}

/// Before the item runs for the first time: copies of what its reverse runs on.
void AdjointBuilder::copyArraysBefore(const Region &region, size_t at) {
  const Item &item = *region.items[at];
  for (Var *array : restored) {
    Use use = useOf(item, array);
    if (!use.loads || use.declares || (item.kind == ItemKind::Loop && use.stores) || isBlank(region, at, array))
      continue;
    bool isChanged = use.stores;
    for (size_t i = at + 1; i < region.items.size(); ++i)
      isChanged |= useOf(*region.items[i], array).stores;
    if (!isChanged)
      continue;
    Var *copy = owner.makeVar(array->name + "_before", withConst(array->type, false));
    copies[{&item, array}] = copy;
    emit(makeDecl(copy));
    emit(copyArray(copy, array));
  }
}

/// What is recorded of an element, which may not have been written yet: a copy is no use.
Expr AdjointBuilder::savedElement(Var *array, const Expr &place) const {
  if (!startsUnwritten.count(array))
    return place;
  Callee save;
  save.name = save.spelling = "gpuad::save";
  return makeCall(save, {makeAddrOf(place)}, withConst(place->type, false));
}

Stmt AdjointBuilder::copyArray(Var *to, Var *from) {
  return forEachElement(from, [&](const Expr &place, const Expr &) {
    return makeAssign(substitute(place, [&](Var *var) { return var == from ? makeRef(to) : nullptr; }),
                      savedElement(from, place));
  });
}

void AdjointBuilder::restoreArrays(const Item &item) {
  for (Var *array : restored)
    if (auto copy = copies.find({&item, array}); copy != copies.end()) {
      forget(array);
      emit(copyArray(array, copy->second));
    }
}

/// What the array holds so far, nothing will read.
void AdjointBuilder::forget(Var *array) {
  Callee marker;
  marker.name = marker.spelling = ForgetMarker;
  emit(makeDo(makeCall(marker, {makeRef(array)}, voidType())));
}

/// At the start of an iteration of the reverse.
void AdjointBuilder::recallArrays(const LoopItem &item, const Expr &iteration) {
  auto loop = recordOf.find(&item);
  if (loop == recordOf.end())
    return;
  for (Var *array : recordedArrays(item))
    if (auto record = loop->second.find(array); record != loop->second.end()) {
      forget(array);
      emit(forEachElement(array, [&](const Expr &place, const Expr &number) {
        Expr slot = add(mul(iteration, intLit(slotsOfElements(item, array))), number);
        return makeAssign(place, recordedAt(record->second, slot, place->type));
      }));
    }
}

/// The recorded loads of the loop's own body, in branches as well; inner loops have
/// their own. And where its frames begin, where that is recorded.
std::vector<Var *> AdjointBuilder::valuesRecordedIn(const LoopItem &item) const {
  std::vector<Var *> found;
  std::function<void(const Region &)> visit = [&](const Region &region) {
    for (const auto &one : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(one.get()); value && recordedLoads.count(value))
        found.push_back(value->var);
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
    }
  };
  visit(item.body);
  if (auto origin = decisions->origins.find(&item); origin != decisions->origins.end())
    found.push_back(origin->second);
  return found;
}

void AdjointBuilder::declareLoads(const LoopItem &item) {
  for (Var *var : valuesRecordedIn(item)) {
    Var *&array = recordOf[&item][var];
    if (array)
      continue;
    array = owner.makeVar(var->name + "_at", arrayOf(var->type, item.staticTrips));
    recordPlaces.push_back({array, &item, var});
  }
}

/// What stands where the value is loaded, to be recorded.
static Expr readFirst(const ValueItem &item) {
  if (!item.isSaved)
    return item.expr;
  Callee save;
  save.name = save.spelling = "gpuad::save";
  return makeCall(save, {makeAddrOf(item.expr)}, item.expr->type);
}

/// A load whose value is recorded. False: it is an ordinary one here.
bool AdjointBuilder::forwardRecorded(const ValueItem &item, bool isFirstRun) {
  if (!recordedLoads.count(&item))
    return false;
  if (runsOnce.count(&item))
    return forwardKept(item, isFirstRun);
  const LoopItem *loop = recallingIn ? recallingIn : recordingIn;
  if (!loop)
    return false;
  auto array = recordOf[loop].find(item.var);
  if (array == recordOf[loop].end())
    return false;
  Expr iteration = recallingIn ? recalledIteration : iterationHere(*loop);
  if (recallingIn) {
    emit(makeDecl(item.var, recordedAt(array->second, iteration, item.var->type), item.range));
    return true;
  }
  Stmt declaration = makeDecl(item.var, readFirst(item), item.range);
  bool isUndone = undo && undo->loads(item.expr);
  bool isPutBack = llvm::is_contained(restored, rootVar(item.expr)) || freshArrays.count(rootVar(item.expr));
  bool finds = isUndone ? !undo->mayReload(item, reruns)
                        : (item.load == LoadClass::Array && !isPutBack) || item.load == LoadClass::Stale;
  if (!isFirstRun &&
      (finds || offered.count(&item))) // an iteration of a loop around this one, which finds other elements
    noteHazard(declaration, item);
  emit(declaration);
  emit(recordValue(array->second, iteration, makeRef(item.var)));
  return true;
}

/// Outside of loops a variable is enough.
bool AdjointBuilder::forwardKept(const ValueItem &item, bool isFirstRun) {
  auto kept = keptLoads.find(item.var);
  if (isFirstRun) {
    if (kept == keptLoads.end())
      kept =
          keptLoads.emplace(item.var, owner.makeVar(item.var->name + "_kept", withConst(item.var->type, false))).first;
    emit(makeDecl(item.var, readFirst(item), item.range));
    emit(makeAssign(makeRef(kept->second), makeRef(item.var)));
    return true;
  }
  if (kept == keptLoads.end())
    return false;
  emit(makeDecl(item.var, makeRef(kept->second), item.range));
  return true;
}

} // namespace gpuad::transform
