//===- ExclusiveArrays.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ExclusiveArrays.h"

#include "analysis/FinalValues.h"
#include "analysis/LinearIndex.h"
#include "analysis/ThreadDependence.h"
#include "analysis/ThreadForm.h"
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
  if (loadedPointer(place)) // of any number of arrays
    return nullptr;
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  if (!access)
    return nullptr;
  bool isDirect = access->base->kind == ExprKind::Ref || access->base->kind == ExprKind::Member;
  return isDirect && (isPointer(access->base->type) || isArray(access->base->type)) ? access->index : nullptr;
}

/// A region that control has come into.
struct Step {
  const Region *region = nullptr;
  std::vector<Guard> guards; ///< what held, where the region is an arm of a branch
  bool isArm = false;
};

struct Access {
  std::optional<LinearIndex> index;
  std::vector<Step> path; ///< outermost first
  std::optional<ThreadForm> form;
  std::vector<ThreadForm> residues;
  bool isByCallee = false;
};

bool isAmong(const Guard &guard, const std::vector<Guard> &list) {
  return llvm::any_of(
      list, [&](const Guard &one) { return one.holds == guard.holds && equal(one.condition, guard.condition); });
}

std::vector<Guard> guardsOf(const std::vector<Step> &path) {
  std::vector<Guard> all;
  for (const Step &step : path)
    all.insert(all.end(), step.guards.begin(), step.guards.end());
  return all;
}

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
  using IsMeant = llvm::function_ref<bool(const StoreItem &)>;

  /// `isMeant`: only of these stores and of atomics the places are looked at, and they are no facts. Null: of all
  /// accesses.
  Collector(const ValueFunction &function, const rules::RuleTable &rules, IsMeant isMeant = nullptr)
      : dependence(function, rules), isMeant(isMeant) {
    visit(function.body);
  }

  std::map<MemoryBase, std::vector<Access>, InOrder> accesses;
  std::vector<std::pair<Access, Expr>> facts; ///< plain stores and their places
  bool indicesOfRun = false;                  ///< indices may come of what the primal's run kept

  /// Indices of threads that a condition fixes.
  ThreadDependence::Mask pinnedBy(const Guard &guard) const;
  ThreadDependence::Mask dimensionsOfLaunch() const { return dependence.dimensionsOfLaunch(); }

private:
  std::optional<LinearIndex> indexOf(const Expr &place) const {
    Expr index = elementIndex(place);
    auto made = index ? linearIndex(index, [&](Var *var) { return definitionOf(var); }) : std::nullopt;
    bool isKnown =
        made && llvm::all_of(made->terms, [&](const auto &term) { return isArithmetic(term.first, dependence); });
    return isKnown ? made : std::nullopt;
  }
  Expr choiceOf(Var *var) const {
    auto merge = choices.find(var);
    return merge == choices.end() ? definitionOf(var) : merge->second;
  }
  Expr definitionOf(Var *var) const {
    auto found = definitions.find(var);
    return found == definitions.end() ? nullptr : found->second;
  }
  void note(const Expr &written) {
    Expr place = finals.here(written);
    Access access{indexOf(place), path, std::nullopt, {}};
    if (Expr index = elementIndex(place)) {
      auto definition = [&](Var *var) { return choiceOf(var); };
      access.form = threadForm(index, around, definition);
      access.residues = residueForms(index, around, definition);
    }
    accesses[memoryBase(place)].push_back(access);
  }
  void loads(const Expr &e);
  void noteStore(const StoreItem &store);
  bool staysBetweenBarriers(const LinearIndex &index) const;
  void visit(const Region &region, const Expr &condition = nullptr, bool holds = true);
  void visitItem(const Item &item);
  void visitLoop(const LoopItem &loop);
  ThreadDependence::Mask pinned() const;

  ThreadDependence dependence;
  FinalValues finals{dependence};
  IsMeant isMeant;
  OrderedMap<Var, Expr> definitions;
  OrderedMap<Var, Expr> choices; ///< integers that a branch yields, as expressions
  std::vector<Step> path;
  Surroundings around;
  std::vector<const LoopItem *> barrierLoops; ///< around this place, with barriers in them
  std::vector<Expr> conditions;               ///< around this place, as they stand there
};

/// A guard that does not hold pins like its negation: !(threadIdx.x != 0), !threadIdx.x.
ThreadDependence::Mask Collector::pinnedBy(const Guard &guard) const {
  auto *compare = llvm::dyn_cast<BinaryExpr>(guard.condition.get());
  if (guard.holds || (compare && compare->op != BinaryOp::Ne))
    return guard.holds ? dependence.pinnedBy(guard.condition) : 0;
  Expr zero = intLit(0);
  return dependence.pinnedBy(
      makeBinary(BinaryOp::Eq, compare ? compare->lhs : guard.condition, compare ? compare->rhs : zero, boolType()));
}

ThreadDependence::Mask Collector::pinned() const {
  ThreadDependence::Mask mask = 0;
  for (const Guard &guard : around.guards)
    mask |= pinnedBy(guard);
  return mask;
}

void Collector::loads(const Expr &e) {
  if (!e || isMeant)
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
    return isBarrier(*item) || (loop && (holdsBarrier(loop->body) || holdsBarrier(loop->conditionRegion)));
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
  if (!isMeant || isMeant(store) || store.isAtomic)
    note(store.place);
  if (isMeant && isMeant(store))
    return;
  Var *root = rootVar(store.place);
  bool isOfThread = root && root->storage == Storage::Local && !isShared(root); // others have one of their own
  if (store.isAtomic || isOfThread)
    return;
  // Threads that the index does not tell apart write the same value to one place.
  bool tellsApart = !(dependence.dimensionsOfLaunch() & ~(dependence.of(store.place) | pinned())) &&
                    !isSharedByThreads(store.place, conditions, definitions, dependence);
  auto index = indexOf(finals.here(store.place));
  if (tellsApart && index && staysBetweenBarriers(*index))
    facts.push_back({{index, path, std::nullopt, {}}, store.place});
}

void Collector::visitItem(const Item &item) {
  if (auto *value = llvm::dyn_cast<ValueItem>(&item)) {
    loads(value->expr);
    indicesOfRun |= readsKept(value->expr);
    if (value->load == LoadClass::None && isArithmetic(value->expr, dependence))
      definitions[value->var] = finals.here(value->expr);
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
        accesses[memoryBase(arg.value)].push_back({std::nullopt, path, std::nullopt, {}, true});
      else
        loads(arg.value);
    }
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    conditions.push_back(branch->condition);
    visit(branch->thenRegion, branch->condition, true);
    visit(branch->elseRegion, branch->condition, false);
    conditions.pop_back();
    for (const Merge &merge : branch->merges) {
      loads(merge.thenValue);
      loads(merge.elseValue);
      if (isInteger(merge.var->type) && merge.thenValue && merge.elseValue &&
          isArithmetic(branch->condition, dependence))
        choices[merge.var] =
            finals.here(makeSelect(branch->condition, merge.thenValue, merge.elseValue, merge.var->type));
    }
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    visitLoop(*loop);
}

void Collector::visitLoop(const LoopItem &loop) {
  bool hasBarriers = holdsBarrier(loop.body) || holdsBarrier(loop.conditionRegion);
  if (hasBarriers)
    barrierLoops.push_back(&loop);
  around.loops.push_back(&loop);
  finals.enter(loop);
  visit(loop.conditionRegion);
  visit(loop.body);
  finals.leave(loop);
  around.loops.pop_back();
  if (hasBarriers)
    barrierLoops.pop_back();
}

void Collector::visit(const Region &region, const Expr &condition, bool holds) {
  Step step{&region, {}, condition != nullptr};
  if (condition) {
    Expr whole = finals.here(condition);
    for (auto *ref = llvm::dyn_cast<RefExpr>(whole.get()); ref; ref = llvm::dyn_cast<RefExpr>(whole.get())) {
      Expr made = definitionOf(ref->var);
      if (!made)
        break;
      whole = made;
    }
    addGuards(whole, holds, step.guards);
    // What a condition loads may be another value where it stands again.
    step.isArm =
        llvm::all_of(step.guards, [&](const Guard &guard) { return isArithmetic(guard.condition, dependence); });
  }
  path.push_back(step);
  size_t outside = around.guards.size();
  around.guards.insert(around.guards.end(), step.guards.begin(), step.guards.end());
  for (const auto &item : region.items)
    visitItem(*item);
  around.guards.resize(outside);
  path.pop_back();
}

/// Whether every thread that comes to `inner` also comes to `outer`: each region on the way
/// is on the other way as well, or is an arm whose conditions hold there.
bool encloses(const std::vector<Step> &outer, const std::vector<Step> &inner) {
  std::vector<Guard> held = guardsOf(inner);
  return llvm::all_of(outer, [&](const Step &step) {
    bool isOnTheWay = llvm::any_of(inner, [&](const Step &one) { return one.region == step.region; });
    return isOnTheWay ||
           (step.isArm && llvm::all_of(step.guards, [&](const Guard &guard) { return isAmong(guard, held); }));
  });
}

/// Whether a store may prove something of an array: one to shared memory does so in its block alone.
bool speaksOf(const Expr &stored, const MemoryBase &base) {
  return !isShared(rootVar(stored)) || isShared(base.first);
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
    bool covers = speaksOf(place, base) && fact.index->hasTermsOf(*first);
    for (const Access &access : accesses)
      covers &= encloses(fact.path, access.path);
    if (covers && (!found || memoryBase(place) == base))
      found = &place;
  }
  return found;
}

/// Whether forms of the indices tell that one thread alone comes to each element. `formOf` gives null where an
/// access has no such form.
bool formsTell(const std::vector<Access> &accesses, const Collector &collector,
               llvm::function_ref<const ThreadForm *(const Access &)> formOf) {
  ThreadDependence::Mask told = 0;
  for (const Guard &guard : guardsOf(accesses.front().path))
    if (llvm::all_of(accesses, [&](const Access &one) { return isAmong(guard, guardsOf(one.path)); }))
      told |= collector.pinnedBy(guard);
  return llvm::all_of(accesses, [&](const Access &one) {
    const ThreadForm *form = formOf(one);
    return form && !(collector.dimensionsOfLaunch() & ~(told | form->thread)) &&
           llvm::all_of(accesses, [&](const Access &other) {
             const ThreadForm *second = formOf(other);
             return second && (form->isOneWith(*second) || form->isApartFrom(*second));
           });
  });
}

/// Whether the indices themselves tell that one thread alone comes to each element.
bool isOwnedByIndex(const std::vector<Access> &accesses, const Collector &collector) {
  if (formsTell(accesses, collector, [](const Access &one) { return one.form ? &*one.form : nullptr; }))
    return true;
  return llvm::any_of(accesses.front().residues, [&](const ThreadForm &wanted) {
    return formsTell(accesses, collector, [&](const Access &one) {
      auto found = llvm::find_if(one.residues, [&](const ThreadForm &form) { return form.isOneWith(wanted); });
      return found == one.residues.end() ? nullptr : &*found;
    });
  });
}

/// threadIdx.x == 0, which some thread of every block is.
bool isFirstThread(const Expr &condition) {
  auto *compare = llvm::dyn_cast<BinaryExpr>(condition.get());
  if (!compare || compare->op != BinaryOp::Eq)
    return false;
  auto *index = llvm::dyn_cast<ThreadIndexExpr>(stripImplicit(compare->lhs).get());
  auto *zero = llvm::dyn_cast<LitExpr>(stripImplicit(compare->rhs).get());
  auto *value = zero ? std::get_if<int64_t>(&zero->value) : nullptr;
  return index && index->builtin == ThreadBuiltin::ThreadIdx && value && *value == 0;
}

/// Whether a store tells that the launch has no dimension that the function does not look
/// at: its index tells the threads apart, and either who comes to the accesses comes to it,
/// or some thread of every block does.
bool fixesDimensions(const Collector &collector, const MemoryBase &base, const std::vector<Access> &accesses) {
  if (collector.indicesOfRun) // threads that the function does not tell apart may store to different places
    return false;
  auto isOfEveryBlock = [](const std::vector<Step> &path) {
    return llvm::all_of(path, [&](const Step &step) {
      return (!step.isArm && &step == &path.front()) ||
             (step.isArm && llvm::all_of(step.guards, [&](const Guard &guard) {
                return guard.holds && isFirstThread(guard.condition);
              }));
    });
  };
  return llvm::any_of(collector.facts, [&](const auto &fact) {
    return speaksOf(fact.second, base) &&
           (isOfEveryBlock(fact.first.path) ||
            llvm::all_of(accesses, [&](const Access &access) { return encloses(fact.first.path, access.path); }));
  });
}

/// What keeps an array from having an owner for each element.
std::string whyShared(const std::vector<Access> &accesses, const Collector &collector) {
  if (llvm::any_of(accesses, [](const Access &one) { return one.isByCallee; }))
    return "a function that is called here may read any element";
  if (llvm::any_of(accesses, [](const Access &one) { return !one.index && !one.form; }))
    return "threads may have one index";
  const Access &first = accesses.front();
  bool isOne = llvm::all_of(accesses, [&](const Access &one) {
    return one.form && first.form ? one.form->digits == first.form->digits || one.form->isApartFrom(*first.form)
                                  : one.index && first.index && one.index->hasTermsOf(*first.index);
  });
  if (!isOne)
    return "read at several indices";
  bool isShifted = llvm::any_of(accesses, [&](const Access &one) {
    return one.form && first.form ? one.form->rest != first.form->rest && !one.form->isApartFrom(*first.form)
                                  : one.index->offset != first.index->offset;
  });
  if (isShifted)
    return "other threads read it at another offset";
  ThreadDependence::Mask missing = first.form ? collector.dimensionsOfLaunch() & ~first.form->thread : 0;
  return missing ? "the index leaves out " + ThreadDependence::describe(missing)
                 : "no proof that threads have indices of their own";
}

/// Two arrays by the contract's rule for parameters; pointers inside of structs of
/// which nothing is known count the same.
bool mayBeOne(const MemoryBase &a, const MemoryBase &b) {
  if (a == b || !a.first || !b.first || isBehindLoaded(a) || isBehindLoaded(b)) // behind loaded pointers none is proven
    return false;
  bool areParameters = a.second.empty() && b.second.empty();
  return areParameters ? mayBeOneArray(a.first, b.first)
                       : a.first->storage == Storage::Parameter && b.first->storage == Storage::Parameter;
}
} // namespace

/// The arrays with which the proof would not hold, were they this very array.
static std::vector<MemoryBase> mustBeApart(const MemoryBase &base, const Collector &collector,
                                           llvm::function_ref<bool(const std::vector<Access> &)> holds) {
  std::vector<MemoryBase> apart;
  for (const auto &[other, more] : collector.accesses) {
    if (!mayBeOne(base, other))
      continue;
    std::vector<Access> both = collector.accesses.at(base);
    both.insert(both.end(), more.begin(), more.end());
    if (!holds(both))
      apart.push_back(other);
  }
  return apart;
}

ExclusiveArrays exclusiveArrays(const ValueFunction &function, const rules::RuleTable &rules) {
  Collector collector(function, rules);
  ExclusiveArrays found;
  for (auto &[base, accesses] : collector.accesses) {
    const MemoryBase &mine = base;
    if (const Expr *fact = ownerOf(base, accesses, collector)) {
      Var *root = rootVar(*fact);
      ExclusiveProof &proof = found.proofs[base];
      proof.words = "one thread alone writes " + (root ? root->name : "memory") + " at this index in the primal";
      if (memoryBase(*fact) != base) // else another thread that read it under another name would race in the primal
        proof.apartFrom = mustBeApart(base, collector, [&](const std::vector<Access> &both) {
          return ownerOf(mine, both, collector) != nullptr;
        });
    } else if (isOwnedByIndex(accesses, collector)) {
      ExclusiveProof &proof = found.proofs[base];
      proof.words = "no two threads have the same index";
      bool isFixed =
          collector.dimensionsOfLaunch() == ThreadDependence::All || fixesDimensions(collector, base, accesses);
      proof.dimensions = isFixed ? 0 : collector.dimensionsOfLaunch();
      proof.apartFrom = mustBeApart(base, collector,
                                    [&](const std::vector<Access> &both) { return isOwnedByIndex(both, collector); });
    } else {
      found.whyNot[base] = whyShared(accesses, collector);
    }
  }
  return found;
}

OwnedMemory ownedByStores(const ValueFunction &function, const rules::RuleTable &rules,
                          llvm::function_ref<bool(const StoreItem &)> isMeant) {
  Collector collector(function, rules, isMeant);
  OwnedMemory owned;
  const bool isLine = collector.dimensionsOfLaunch() == (ThreadDependence::ThreadX | ThreadDependence::BlockX);
  for (const auto &[base, accesses] : collector.accesses) {
    const MemoryBase &mine = base;
    auto isFixed = [&](const std::vector<Access> &list) {
      return collector.dimensionsOfLaunch() == ThreadDependence::All || fixesDimensions(collector, mine, list);
    };
    auto isOwned = [&](const std::vector<Access> &list) {
      return ownerOf(mine, list, collector) || ((isLine || isFixed(list)) && isOwnedByIndex(list, collector));
    };
    if (!isOwned(accesses) || !mustBeApart(base, collector, isOwned).empty())
      continue;
    owned.bases.insert(base);
    owned.onlyInLine |= !ownerOf(mine, accesses, collector) && !isFixed(accesses);
  }
  return owned;
}

} // namespace gpuad::analysis
