//===- ExclusiveArrays.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ExclusiveArrays.h"

#include "analysis/LinearIndex.h"
#include "analysis/ThreadDependence.h"
#include "analysis/WarpsApart.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <optional>
#include <set>

namespace gpuad::analysis {
using namespace ir;

namespace {
/// The index by which a place is reached from its pointer; null when there is more
/// than one, or a cast that changes the unit.
Expr elementIndex(const Expr &place) {
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return isPointer(member->type) ? nullptr : elementIndex(member->base);
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  if (!access)
    return nullptr;
  bool isDirect = access->base->kind == ExprKind::Ref || access->base->kind == ExprKind::Member;
  return isDirect && isPointer(access->base->type) ? access->index : nullptr;
}

struct Access {
  std::optional<LinearIndex> index;
  std::vector<const Region *> regions; ///< outermost first
};

/// Whether a value is computed from other values alone, without a look at memory.
bool isArithmetic(const Expr &e, const ThreadDependence &dependence) {
  bool holds = true;
  forEachExpr(e, [&](const Expr &one) {
    ExprKind kind = one->kind;
    if (auto place = dependence.placeBy(one); place && *place != rules::ThreadPlace::Unknown)
      return;
    holds &= kind == ExprKind::Lit || kind == ExprKind::Ref || kind == ExprKind::ThreadIndex ||
             kind == ExprKind::Unary || kind == ExprKind::Binary || kind == ExprKind::Cast || kind == ExprKind::Select;
  });
  return holds;
}

class Collector {
public:
  Collector(const ValueFunction &function, const rules::RuleTable &rules) : dependence(function, rules) {
    visit(function.body);
  }

  std::map<MemoryBase, std::vector<Access>> accesses;
  std::vector<std::pair<Access, Expr>> facts; ///< plain stores and their places

private:
  std::optional<LinearIndex> indexOf(const Expr &place) const {
    Expr index = elementIndex(place);
    auto made = index ? linearIndex(index, [&](Var *var) { return definitionOf(var); }) : std::nullopt;
    bool isKnown = made && llvm::all_of(made->terms, [&](const auto &term) { return isArithmetic(term.first, dependence); });
    return isKnown ? made : std::nullopt;
  }
  Expr definitionOf(Var *var) const {
    auto found = definitions.find(var);
    return found == definitions.end() ? nullptr : found->second;
  }
  void note(const Expr &place) { accesses[memoryBase(place)].push_back({indexOf(place), regions}); }
  void loads(const Expr &e);
  void noteStore(const StoreItem &store);
  bool staysBetweenBarriers(const LinearIndex &index) const;
  void visit(const Region &region);
  void visitItem(const Item &item);

  ThreadDependence dependence;
  OrderedMap<Var, Expr> definitions;
  std::vector<const Region *> regions;
  std::vector<const LoopItem *> barrierLoops; ///< around this place, with barriers in them
  std::vector<Expr> guards;                   ///< conditions around this place
  ThreadDependence::Mask pinned = 0;          ///< indices that the conditions around fix
};

void Collector::loads(const Expr &e) {
  if (!e)
    return;
  bool isPlace = e->kind == ExprKind::Index || e->kind == ExprKind::Deref || e->kind == ExprKind::Member;
  if (isPlace && !isPointer(e->type) && memoryBase(e).first) {
    if (holdsFloating(e->type))
      note(e);
    for (Expr at = e; at->kind == ExprKind::Index || at->kind == ExprKind::Member;) {
      if (auto *access = llvm::dyn_cast<IndexExpr>(at.get())) {
        loads(access->index);
        at = access->base;
      } else {
        at = llvm::cast<MemberExpr>(at.get())->base;
      }
    }
    return;
  }
  for (const Expr &operand : children(e))
    loads(operand);
}

bool holdsBarrier(const Region &region) {
  return llvm::any_of(region.items, [](const auto &item) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      return holdsBarrier(branch->thenRegion) || holdsBarrier(branch->elseRegion);
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    return isBarrier(*item) ||
           (loop && (holdsBarrier(loop->body) || holdsBarrier(loop->conditionRegion)));
  });
}

/// What a region defines, at any depth.
void collectDefined(const Region &region, OrderedSet<Var> &defined) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      defined.insert(value->var);
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (Var *var : valuesOf(*call))
        defined.insert(var);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      collectDefined(branch->thenRegion, defined);
      collectDefined(branch->elseRegion, defined);
      for (const Merge &merge : branch->merges)
        defined.insert(merge.var);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      defined.insert(loop->iv);
      for (const Carried &carried : loop->carried)
        defined.insert(carried.var);
      collectDefined(loop->conditionRegion, defined);
      collectDefined(loop->body, defined);
    }
  }
}

/// A loop with barriers may hand an element from thread to thread, if the index changes in it.
bool Collector::staysBetweenBarriers(const LinearIndex &index) const {
  for (const LoopItem *loop : barrierLoops) {
    OrderedSet<Var> defined = {loop->iv};
    for (const Carried &carried : loop->carried)
      defined.insert(carried.var);
    collectDefined(loop->body, defined);
    for (const auto &[term, factor] : index.terms)
      for (Var *var : variablesIn(term))
        if (defined.count(var))
          return false;
  }
  return true;
}

void Collector::noteStore(const StoreItem &store) {
  note(store.place);
  if (store.isAtomicAdd)
    return;
  // Threads that the index does not tell apart write the same value to one place.
  bool tellsApart = !(dependence.dimensionsOfLaunch() & ~(dependence.of(store.place) | pinned)) &&
                    !isSharedByThreads(store.place, guards, definitions, dependence);
  auto index = indexOf(store.place);
  if (tellsApart && index && staysBetweenBarriers(*index))
    facts.push_back({{index, regions}, store.place});
}

void Collector::visitItem(const Item &item) {
  if (auto *value = llvm::dyn_cast<ValueItem>(&item)) {
    loads(value->expr);
    if (value->load == LoadClass::None && isArithmetic(value->expr, dependence))
      definitions[value->var] = value->expr;
  }
  if (auto *array = llvm::dyn_cast<ArrayItem>(&item))
    loads(array->init);
  if (auto *store = llvm::dyn_cast<StoreItem>(&item)) {
    noteStore(*store);
    loads(store->value);
    loads(store->increment);
  }
  if (auto *call = llvm::dyn_cast<CallItem>(&item))
    for (const CallArgument &arg : call->args) {
      if (arg.value && arg.isMemory) // where the callee reads is not known here
        accesses[memoryBase(arg.value)].push_back({std::nullopt, regions});
      else
        loads(arg.value);
    }
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    ThreadDependence::Mask outside = pinned;
    pinned |= dependence.pinnedBy(branch->condition);
    guards.push_back(branch->condition);
    visit(branch->thenRegion);
    pinned = outside;
    visit(branch->elseRegion);
    guards.pop_back();
    for (const Merge &merge : branch->merges) {
      loads(merge.thenValue);
      loads(merge.elseValue);
    }
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
    bool hasBarriers = holdsBarrier(loop->body) || holdsBarrier(loop->conditionRegion);
    if (hasBarriers)
      barrierLoops.push_back(loop);
    visit(loop->conditionRegion);
    visit(loop->body);
    if (hasBarriers)
      barrierLoops.pop_back();
  }
}

void Collector::visit(const Region &region) {
  regions.push_back(&region);
  for (const auto &item : region.items)
    visitItem(*item);
  regions.pop_back();
}

/// Whether every thread that comes to `inner` also executes `outer`'s region.
bool encloses(const std::vector<const Region *> &outer, const std::vector<const Region *> &inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// The store that proves its thread to be the only one that comes to all of these
/// elements, one into `base` itself if there is one; null: there is none.
const Expr *ownerOf(const MemoryBase &base, const std::vector<Access> &accesses, const Collector &collector) {
  const std::optional<LinearIndex> &first = accesses.front().index;
  int64_t low = first ? first->offset : 0, high = low;
  for (const Access &access : accesses) {
    if (!access.index || access.index->isConstant())
      return nullptr;
    if (!access.index->hasTermsOf(*first) || access.index->scale != first->scale)
      return nullptr;
    low = std::min(low, access.index->offset);
    high = std::max(high, access.index->offset);
  }
  if (high - low >= std::abs(first->scale))
    return nullptr;
  const Expr *found = nullptr;
  for (auto &[fact, place] : collector.facts) {
    bool covers = fact.index->hasTermsOf(*first);
    for (const Access &access : accesses)
      covers &= encloses(fact.regions, access.regions);
    if (covers && (!found || memoryBase(place) == base))
      found = &place;
  }
  return found;
}

/// Two arrays by the contract's rule for parameters; pointers inside of structs of
/// which nothing is known count the same.
bool mayBeOne(const MemoryBase &a, const MemoryBase &b) {
  if (a == b || !a.first || !b.first)
    return false;
  bool areParameters = a.second.empty() && b.second.empty();
  return areParameters ? mayBeOneArray(a.first, b.first)
                       : a.first->storage == Storage::Parameter && b.first->storage == Storage::Parameter;
}
} // namespace

std::map<MemoryBase, ExclusiveProof> exclusiveArrays(const ValueFunction &function, const rules::RuleTable &rules) {
  Collector collector(function, rules);
  std::map<MemoryBase, ExclusiveProof> found;
  for (auto &[base, accesses] : collector.accesses) {
    const Expr *fact = ownerOf(base, accesses, collector);
    if (!fact)
      continue;
    Var *root = rootVar(*fact);
    ExclusiveProof &proof = found[base];
    proof.words = "one thread alone writes " + (root ? root->name : "memory") + " at this index in the primal";
    if (memoryBase(*fact) == base)
      continue; // another thread that read it under another name would race in the primal
    for (auto &[other, more] : collector.accesses) {
      if (!mayBeOne(base, other))
        continue;
      std::vector<Access> both = accesses;
      both.insert(both.end(), more.begin(), more.end());
      if (!ownerOf(base, both, collector))
        proof.apartFrom.push_back(other);
    }
  }
  return found;
}

} // namespace gpuad::analysis
