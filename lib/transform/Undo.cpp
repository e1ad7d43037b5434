//===- Undo.cpp - what is undone, and what may be loaded again -----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Undo.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Places.h"
#include "transform/ValueFormBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>

namespace gpuad::transform {
using namespace ir;

static void forEachExprOf(const Region &region, llvm::function_ref<void(const Expr &)> visit) {
  auto all = [&](std::initializer_list<Expr> list) {
    for (const Expr &e : list)
      if (e)
        visit(e);
  };
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      all({value->expr});
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      all({store->place, store->value, store->increment});
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      all({branch->condition});
      forEachExprOf(branch->thenRegion, visit);
      forEachExprOf(branch->elseRegion, visit);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      all({loop->begin, loop->end, loop->step, loop->condition});
      forEachExprOf(loop->conditionRegion, visit);
      forEachExprOf(loop->body, visit);
    }
  }
}

/// Whether something loads what is undone, in a value or where control goes. A place that is
/// stored to is no load.
static bool loadsIn(const Region &region, const UndoPlan &undo) {
  return llvm::any_of(region.items, [&](const auto &item) {
    auto loads = [&](const Expr &e) { return e && undo.loads(e); };
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      return loads(value->expr);
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      return loads(store->value);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      return loads(branch->condition) || loadsIn(branch->thenRegion, undo) || loadsIn(branch->elseRegion, undo);
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    return loop && (loads(loop->condition) || loadsIn(loop->conditionRegion, undo) || loadsIn(loop->body, undo));
  });
}

unsigned UndoPlan::numberOf(const Region &region) {
  return numbers.try_emplace(&region, static_cast<unsigned>(numbers.size() + 1)).first->second;
}

bool UndoPlan::loads(const Expr &e) const {
  bool found = false;
  forEachLoad(e, [&](const Expr &place) { found |= covers(place); });
  return found;
}

bool UndoPlan::isOfBlockAlone() const {
  return llvm::all_of(objects, [](const MemoryBase &object) { return isShared(object.first); });
}

bool UndoPlan::storesIn(const Region &region) const {
  return llvm::any_of(region.items, [&](const auto &item) { return storesIn(*item); });
}

bool UndoPlan::storesIn(const Item &item) const {
  if (auto *store = llvm::dyn_cast<StoreItem>(&item))
    return covers(*store);
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return storesIn(branch->thenRegion) || storesIn(branch->elseRegion);
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    return storesIn(loop->body);
  return false;
}

unsigned UndoPlan::entriesOf(const Region &region) const {
  unsigned entries = isMarked(region);
  for (const auto &item : region.items)
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && keeps(*store))
      entries += static_cast<unsigned>(scalarsOf(store->place).size());
  return entries;
}

bool UndoPlan::needsAddresses() const {
  return llvm::any_of(reruns, [&](const auto &entry) { return isMarked(*entry.first); });
}

namespace {
/// Expressions as they can be worked out before the region is run.
class Ahead {
public:
  Ahead(const Region &region, const UndoPlan &undo) : undo(undo) { define(region, true); }

  std::optional<Expr> of(const Expr &e) {
    bool fine = true;
    unsigned size = 0;
    std::function<Expr(const Expr &)> walk = [&](const Expr &one) -> Expr {
      auto *ref = llvm::dyn_cast<RefExpr>(one.get());
      if (ref && inside.count(ref->var)) {
        auto known = values.find(ref->var);
        fine &= known != values.end() && !undo.loads(known->second) && size < Longest;
        return fine ? walk(known->second) : one;
      }
      // Arithmetic of floating point may round differently at another place.
      fine &= ++size < Longest && one->kind != ExprKind::Call && one->kind != ExprKind::Text &&
              !(one->kind == ExprKind::Binary && isFloating(one->type));
      std::vector<Expr> parts = children(one);
      for (Expr &part : parts)
        part = walk(part);
      return parts.empty() ? one : withChildren(one, parts);
    };
    Expr made = walk(e);
    return fine ? std::optional<Expr>(made) : std::nullopt;
  }

private:
  static constexpr unsigned Longest = 24;

  void define(const Region &region, bool isTop) {
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get())) {
        inside.insert(value->var);
        if (isTop && (value->load == LoadClass::None || value->load == LoadClass::Entry))
          values[value->var] = value->expr;
      }
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
        for (Var *value : valuesOf(*call))
          inside.insert(value);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        for (const Merge &merge : branch->merges)
          inside.insert(merge.var);
        define(branch->thenRegion, false);
        define(branch->elseRegion, false);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
        inside.insert(loop->iv);
        inside.insert(loop->trips);
        for (const Carried &carried : loop->carried)
          inside.insert(carried.var);
        define(loop->conditionRegion, false);
        define(loop->body, false);
      }
    }
  }

  const UndoPlan &undo;
  OrderedSet<Var> inside;
  OrderedMap<Var, Expr> values;
};
} // namespace

std::optional<std::vector<std::pair<const StoreItem *, Expr>>> UndoPlan::flatStores(const Region &region) const {
  Ahead ahead(region, *this);
  std::vector<std::pair<const StoreItem *, Expr>> found;
  for (const auto &item : region.items) {
    if (!storesIn(*item))
      continue;
    auto *store = llvm::dyn_cast<StoreItem>(item.get());
    std::optional<Expr> place = store ? ahead.of(store->place) : std::nullopt;
    if (!place)
      return std::nullopt;
    found.push_back({store, *place});
  }
  return found;
}

std::vector<Expr> scalarsOf(const Expr &place) {
  if (isScalar(place->type))
    return place->type->bits <= 64 ? std::vector<Expr>{place} : std::vector<Expr>{};
  if (!isRecord(place->type))
    return {};
  std::vector<Expr> scalars;
  for (unsigned i = 0; i < place->type->record->fields.size(); ++i) {
    std::vector<Expr> inner = scalarsOf(makeMember(place, i));
    if (inner.empty())
      return {};
    scalars.insert(scalars.end(), inner.begin(), inner.end());
  }
  return scalars;
}

void UndoPlan::findFirst(const Region &body) {
  std::function<bool(const Region &)> visit = [&](const Region &region) { // false: there was a load
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && loads(value->expr))
        return false;
      auto *loop = llvm::dyn_cast<LoopItem>(item.get());
      if (loop && (loadsIn(loop->conditionRegion, *this) || loadsIn(loop->body, *this) || !visit(loop->body)))
        return false;
      auto *branch = llvm::dyn_cast<BranchItem>(item.get());
      if (branch && !(visit(branch->thenRegion) && visit(branch->elseRegion)))
        return false;
      auto *store = llvm::dyn_cast<StoreItem>(item.get());
      if (store && loads(store->value))
        return false;
      if (store && covers(*store) && isShared(rootVar(store->place)))
        first.insert(store);
    }
    return true;
  };
  first.clear();
  visit(body);
}

void UndoPlan::findSteps(const Region &region, const std::vector<Expr> &outer) {
  stepsAround[&region] = outer;
  for (const auto &item : region.items) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      findSteps(branch->thenRegion, outer);
      findSteps(branch->elseRegion, outer);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      std::vector<Expr> steps = outer;
      if (loop->isCounted)
        steps.push_back(stripImplicit(loop->step));
      findSteps(loop->body, steps);
    }
  }
}

/// Whether the places are elements of one array that lie a loop's step apart.
static bool differByStep(const Expr &a, const Expr &b, const std::vector<Expr> &steps) {
  auto *left = llvm::dyn_cast<IndexExpr>(a.get());
  auto *right = llvm::dyn_cast<IndexExpr>(b.get());
  if (!left || !right || !equal(left->base, right->base))
    return false;
  auto isApart = [&](const Expr &near, const Expr &far) {
    auto *sum = llvm::dyn_cast<BinaryExpr>(stripImplicit(far).get());
    if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub) ||
        !equal(stripImplicit(sum->lhs), stripImplicit(near)))
      return false;
    return llvm::any_of(steps, [&](const Expr &step) { return equal(stripImplicit(sum->rhs), step); });
  };
  return isApart(left->index, right->index) || isApart(right->index, left->index);
}

namespace {
/// Where loads and stores of one object stand in a region.
struct Access {
  Expr place;
  unsigned order = 0;
  std::vector<const LoopItem *> loops; ///< of the region, around it
};

class Survey {
public:
  Survey(const Region &region, const ValueItem &item, const Expr &load, const std::vector<Expr> &steps)
      : item(item), load(load), steps(steps) {
    visit(region);
  }

  /// Whether a store of the region may have changed what the load reads before it, or
  /// (`behind`) after it.
  bool isDisturbed(bool behind) const {
    return llvm::any_of(stores, [&](const Access &store) {
      bool sharesLoop = llvm::any_of(store.loops, [&](const auto *loop) { return llvm::is_contained(at.loops, loop); });
      return (sharesLoop || (behind ? store.order > at.order : store.order < at.order)) && meets(store);
    });
  }

private:
  bool meets(const Access &store) const {
    if (differByField(store.place, at.place))
      return false;
    // Variables of inner loops have other values at the store than at the load.
    bool sameValues = store.loops.empty() && at.loops.empty();
    return !sameValues || !(provablyDifferent(store.place, at.place) || differByStep(store.place, at.place, steps));
  }
  void visit(const Region &region) {
    for (const auto &one : region.items) {
      ++order;
      if (one.get() == &item)
        at = {load, order, loops};
      if (auto *store = llvm::dyn_cast<StoreItem>(one.get()); store && memoryBase(store->place) == memoryBase(load))
        stores.push_back({store->place, order, loops});
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(one.get())) {
        loops.push_back(loop);
        visit(loop->conditionRegion);
        visit(loop->body);
        loops.pop_back();
      }
    }
  }

  const ValueItem &item;
  const Expr &load;
  const std::vector<Expr> &steps;
  unsigned order = 0;
  std::vector<const LoopItem *> loops;
  Access at;
  std::vector<Access> stores;
};
} // namespace

/// Inside a region that was rewound and whose stores are not repeated, memory is as that
/// region found it, however deep the load. Otherwise it is as the innermost region is
/// run: nothing around that has happened yet to what lies behind it is still there.
bool UndoPlan::mayReload(const ValueItem &item, const std::vector<const Region *> &regions) const {
  if (regions.empty())
    return true;
  for (const Region *region : regions)
    if (rerunOf(*region) == Rerun::Rewound)
      return staysInEpoch(*region, item, true) && !isDisturbed(*region, item, false);
  bool isRedone = rerunOf(*regions.back()) == Rerun::Redone;
  return staysInEpoch(*regions.back(), item, isRedone) && (isRedone || !isDisturbed(*regions.back(), item, true));
}

namespace {
/// What an item of a region holds.
struct Holding {
  bool load = false, stores = false, barrier = false, barrierOfWarp = false;
};
} // namespace

static Holding holdingOf(const Item &item, const ValueItem &load, const UndoPlan &undo) {
  Holding found;
  auto look = [&](const Region &region) {
    for (const auto &one : region.items) {
      Holding inside = holdingOf(*one, load, undo);
      found.load |= inside.load;
      found.stores |= inside.stores;
      found.barrier |= inside.barrier;
      found.barrierOfWarp |= inside.barrierOfWarp;
    }
  };
  found.load = &item == &load;
  found.barrier = isBarrierOfBlock(item);
  found.barrierOfWarp = isBarrier(item) && !found.barrier;
  if (auto *store = llvm::dyn_cast<StoreItem>(&item))
    found.stores = undo.covers(*store);
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    look(branch->thenRegion);
    look(branch->elseRegion);
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
    look(loop->conditionRegion);
    look(loop->body);
  }
  return found;
}

/// The load is run again when the end of the region is reversed, behind a barrier if the
/// region has one behind the load (waitsBefore). Memory is then as it was in the epoch of
/// the load, if nothing is stored behind that epoch; `withStores`: nor in front of it, as
/// these stores are undone, too.
bool UndoPlan::staysInEpoch(const Region &region, const ValueItem &item, bool withStores) const {
  bool isBetweenThreads = false;
  forEachLoad(item.expr, [&](const Expr &place) { isBetweenThreads |= betweenThreads.count(memoryBase(place)) != 0; });
  if (!isBetweenThreads)
    return true;
  bool isBehind = true, isSameEpoch = true;
  bool stays = true, storesInEpoch = false;
  for (auto at = region.items.rbegin(); at != region.items.rend(); ++at) {
    Holding holds = holdingOf(**at, item, *this);
    bool hasBarrier = holds.barrier || holds.barrierOfWarp;
    if (hasBarrier && (holds.load || holds.stores))
      return false;
    storesInEpoch |= holds.stores;
    if (holds.load) {
      isBehind = false;
      continue;
    }
    if (isBehind && hasBarrier) { // an epoch behind the load
      stays &= !storesInEpoch && !holds.barrierOfWarp;
      storesInEpoch = false;
    }
    isSameEpoch &= isBehind || !hasBarrier;
    stays &= !withStores || isSameEpoch || !holds.stores;
  }
  return stays && !isBehind;
}

bool UndoPlan::waitsBefore(const Region &region) const {
  if (betweenThreads.empty())
    return false;
  bool hasBarrier = false;
  for (auto at = region.items.rbegin(); at != region.items.rend(); ++at) {
    hasBarrier |= isBarrierOfBlock(**at);
    bool uses = storesIn(**at);
    if (auto *value = llvm::dyn_cast<ValueItem>(at->get()))
      uses |= loads(value->expr);
    if (auto *branch = llvm::dyn_cast<BranchItem>(at->get()))
      uses |= loadsIn(branch->thenRegion, *this) || loadsIn(branch->elseRegion, *this);
    if (auto *loop = llvm::dyn_cast<LoopItem>(at->get()))
      uses |= loadsIn(loop->body, *this) || loadsIn(loop->conditionRegion, *this);
    if (uses && hasBarrier)
      return true;
  }
  return false;
}

bool UndoPlan::isDisturbed(const Region &region, const ValueItem &item, bool behind) const {
  static const std::vector<Expr> None;
  auto around = stepsAround.find(&region);
  const std::vector<Expr> &steps = around == stepsAround.end() ? None : around->second;
  bool found = false;
  forEachLoad(item.expr, [&](const Expr &load) {
    found |= covers(load) && Survey(region, item, load, steps).isDisturbed(behind);
  });
  return found;
}

bool UndoPlan::allow(const ValueItem &item, const std::vector<const Region *> &regions) {
  if (mayReload(item, regions))
    return true; // by what another load needed
  const Region *outermost = nullptr;
  for (const Region *region : regions)
    if (!outermost && rerunOf(*region) == Rerun::Rewound)
      outermost = region;
  const Region *changed = outermost ? outermost : regions.back();
  if (rerunOf(*changed) == Rerun::Redone || !staysInEpoch(*changed, item, true))
    return false;
  reruns[changed] = outermost || isDisturbed(*changed, item, false) ? Rerun::Redone : Rerun::Rewound;
  return true;
}

namespace {
/// Barriers between a store to the object and a load from it let threads hand values
/// to each other, which undoing does not keep apart.
class BarrierCheck {
public:
  BarrierCheck(const Region &body, const MemoryBase &object) : object(object) { visit(body); }
  bool isBetween = false;

private:
  struct State {
    bool accessed = false, barrierSince = false;
  };
  void access() {
    isBetween |= state.accessed && state.barrierSince;
    state.accessed = true;
  }
  void loads(const Expr &e);
  void visit(const Region &region) {
    for (const auto &item : region.items)
      visit(*item);
  }
  void visit(const Item &item);

  MemoryBase object;
  State state;
};

void BarrierCheck::loads(const Expr &e) {
  forEachLoad(e, [&](const Expr &place) {
    if (memoryBase(place) == object)
      access();
  });
}

void BarrierCheck::visit(const Item &item) {
  switch (item.kind) {
  case ItemKind::Value:
    loads(llvm::cast<ValueItem>(&item)->expr);
    if (isBarrier(item))
      state.barrierSince = state.accessed;
    return;
  case ItemKind::Store: {
    auto *store = llvm::cast<StoreItem>(&item);
    loads(store->value);
    return loads(store->place); // a store accesses it as a load does
  }
  case ItemKind::Effect:
    state.barrierSince = state.accessed;
    return;
  case ItemKind::Branch:
    visit(llvm::cast<BranchItem>(&item)->thenRegion);
    return visit(llvm::cast<BranchItem>(&item)->elseRegion);
  case ItemKind::Loop: {
    auto *loop = llvm::cast<LoopItem>(&item);
    for (int round = 0; round < 2; ++round) { // the next iteration comes behind this one
      visit(loop->conditionRegion);
      visit(loop->body);
    }
    return;
  }
  case ItemKind::Call:
    for (const CallArgument &argument : llvm::cast<CallItem>(&item)->args)
      if (argument.isMemory && memoryBase(argument.value) == object)
        access();
    return;
  case ItemKind::Array:
    return;
  }
}

} // namespace

void forEachStore(const Region &region, llvm::function_ref<void(const StoreItem &)> visit) {
  for (const auto &item : region.items) {
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      visit(*store);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      forEachStore(branch->thenRegion, visit);
      forEachStore(branch->elseRegion, visit);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      forEachStore(loop->body, visit);
  }
}

/// Whether a choice evaluates a load from the object in only one case, and takes it for an index.
static bool choosesIndex(const Expr &e, const MemoryBase &object, bool isInChoice) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  bool isChoice = e->kind == ExprKind::Select ||
                  (binary && (binary->op == BinaryOp::LogicalAnd || binary->op == BinaryOp::LogicalOr));
  std::vector<Expr> parts = children(e);
  for (size_t i = 0; i < parts.size(); ++i) {
    bool isIndex = e->kind == ExprKind::Index && i == 1;
    bool loads = false;
    forEachLoad(parts[i], [&](const Expr &place) { loads |= memoryBase(place) == object; });
    if ((isInChoice && isIndex && loads) || choosesIndex(parts[i], object, isInChoice || (isChoice && i > 0)))
      return true;
  }
  return false;
}

std::string whyNotUndone(const ValueFunction &function, const MemoryBase &object) {
  Var *root = object.first;
  if (!root || (root->storage != Storage::Parameter && !isShared(root)))
    return "it is no memory of the caller's";
  for (const ApartPointers &pair : function.apart)
    if (pair.written == object && !pair.loaded)
      return "another pointer may lead there, and a block cannot tell when it begins";
  if (function.aliased.count(root))
    return "a pragma says that it may be the array of another parameter";
  std::string why;
  forEachStore(function.body, [&](const StoreItem &store) {
    if (memoryBase(store.place) != object)
      return;
    if (store.isAtomic)
      why = "other threads update it";
    else if (scalarsOf(store.place).empty())
      why = "whole objects are stored there that hold more than numbers";
  });
  forEachExprOf(function.body, [&](const Expr &e) {
    if (choosesIndex(e, object, false))
      why = "one side of a choice takes it for an index";
  });
  return why;
}

bool isHandedOn(const ValueFunction &function, const MemoryBase &object) {
  return isShared(object.first) || BarrierCheck(function.body, object).isBetween;
}

} // namespace gpuad::transform
