//===- AdjointChecks.cpp - what has no adjoint ---------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"

#include "analysis/ThreadDependence.h"

#include "ir/Builder.h"
#include "ir/Items.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/PutBack.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

/// A function that must not be differentiated hides an active value from us, whatever
/// type its result has: the bits of a float, a norm over an array.
bool AdjointMaker::checkForbidden(const ValueFunction &function, const analysis::ValueActivity &activity) {
  bool fine = true;
  auto check = [&](const Expr &whole) {
    if (!whole)
      return;
    forEachExpr(whole, [&](const Expr &e) {
      auto *call = llvm::dyn_cast<CallExpr>(e.get());
      const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
      if (!rule || rule->kind != rules::RuleKind::Forbidden)
        return;
      bool hides = false;
      // Varied is enough: what the result goes into cannot be seen through it.
      auto isVaried = [&](const MemoryBase &object) { return activity.variedObjects().count(object) != 0; };
      for (const Expr &arg : call->args) {
        if (isPointer(arg->type))
          hides |= isVaried(memoryBase(arg));
        activity.forEachLeaf(arg,
                             [&](const Expr &leaf) { hides |= isVaried(analysis::ValueActivity::objectOf(leaf)); });
      }
      if (!hides)
        return;
      diag::report(sink, diag::Id::ForbiddenFunction, e->range, call->callee.name, rule->note);
      fine = false;
    });
  };
  std::function<void(const Region &)> visit = [&](const Region &region) {
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
        check(value->expr);
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
        check(store->increment ? store->increment : store->value);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
        visit(loop->body);
    }
  };
  visit(function.body);
  return fine;
}

/// The cast that shows bits of numbers where the place lies, not where its index does; null: there is none.
static const CastExpr *bitsSeenAt(const Expr &place) {
  for (Expr at = place;;) {
    if (auto *access = llvm::dyn_cast<IndexExpr>(at.get()))
      at = access->base;
    else if (auto *deref = llvm::dyn_cast<DerefExpr>(at.get()))
      at = deref->pointer;
    else if (auto *member = llvm::dyn_cast<MemberExpr>(at.get()))
      at = member->base;
    else if (auto *address = llvm::dyn_cast<AddrOfExpr>(at.get()))
      at = address->place;
    else if (auto *cast = llvm::dyn_cast<CastExpr>(at.get())) {
      if (seesBits(*cast))
        return cast;
      at = cast->operand;
    } else {
      return nullptr;
    }
  }
}

/// Memory of which a derivative is wanted, and that is reached as integers: whatever comes of
/// it, no derivative does.
bool AdjointMaker::checkBits(const ValueFunction &function, const analysis::ValueActivity &activity) {
  bool fine = true;
  std::set<std::pair<unsigned, unsigned>> said;
  auto check = [&](const Expr &whole, const SourceRange &range) {
    if (whole)
      forEachExpr(whole, [&](const Expr &e) {
        bool isAccess = e->kind == ExprKind::Index || e->kind == ExprKind::Deref;
        const CastExpr *cast = isAccess && !holdsFloating(e->type) ? bitsSeenAt(e) : nullptr;
        MemoryBase object = cast ? memoryBase(e) : MemoryBase();
        if (!cast || isOwnArray(object.first) || !activity.variedObjects().count(object) ||
            !said.insert({range.line, range.column}).second)
          return;
        diag::report(sink, diag::Id::NumberBits, range, object.first ? object.first->name : "memory",
                     spell(elementOf(cast->type)));
        fine = false;
      });
  };
  forEachItem(function.body, [&](const Item &item) {
    if (auto *value = llvm::dyn_cast<ValueItem>(&item))
      check(value->expr, value->range);
    if (auto *store = llvm::dyn_cast<StoreItem>(&item)) {
      check(store->place, store->range);
      check(store->value, store->range);
    }
  });
  return fine;
}

/// Pairs of arrays for which the adjoint would be wrong if they were one: it still
/// loads a primal value after (in the primal's order) the other was written.
std::vector<std::pair<Var *, Var *>> AdjointMaker::pairsToTest(const ValueFunction &function) const {
  OrderedSet<Var> loaded;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Deref)
      loaded.insert(rootVar(e));
    if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && call->callee.function)
      for (const Expr &arg : call->args)
        if (isPointer(arg->type))
          loaded.insert(rootVar(arg));
  });
  std::vector<std::pair<Var *, Var *>> pairs;
  for (auto [load, store] : function.loadedAfterStore) {
    auto same = [&, load = load, store = store](const auto &pair) {
      return pair.first == store && pair.second == load;
    };
    if (primal.isKernel() && loaded.count(load) && std::find_if(pairs.begin(), pairs.end(), same) == pairs.end())
      pairs.push_back({load, store});
  }
  // What is really stored to shows in whatever is the same array.
  for (const MemoryBase &object : undo.objects)
    for (Var *load : loaded) {
      bool isKnown = llvm::any_of(pairs, [&](const auto &pair) {
        return pair == std::make_pair(load, object.first) || pair == std::make_pair(object.first, load);
      });
      bool isOwn = llvm::any_of(params, [&](const Param &param) { return param.own == load; });
      if (primal.isKernel() && isOwn && !isKnown && mayBeOneArray(load, object.first))
        pairs.push_back({load, object.first});
    }
  return pairs;
}

/// The same for pointers that are loaded from memory: each block asks about its own, and leaves if two are one.
std::vector<Stmt> AdjointMaker::testsOfPointers(const ValueFunction &function) const {
  std::set<MemoryBase, InOrder> loaded;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if ((e->kind == ExprKind::Index || e->kind == ExprKind::Deref) && !isPointer(e->type))
      loaded.insert(memoryBase(e));
  });
  std::vector<Stmt> tests;
  std::vector<std::pair<Expr, Expr>> asked; // once a pair, whichever of the two is written
  auto isAsked = [&](const Expr &a, const Expr &b) {
    return llvm::any_of(asked, [&](const auto &one) { return equal(one.first, a) && equal(one.second, b); });
  };
  for (const ApartPointers &pair : function.apart) {
    // What is really stored to shows in whatever is the same array.
    bool isStored = pair.afterStore || undo.objects.count(pair.written) != 0;
    if (!pair.loaded || !isStored || !loaded.count(pair.read))
      continue;
    if (isAsked(pair.loaded, pair.stored) || isAsked(pair.stored, pair.loaded))
      continue;
    asked.push_back({pair.loaded, pair.stored});
    Callee areApart;
    areApart.name = areApart.spelling = "gpuad::are_apart";
    Expr name = makeLit("\"" + owner->name + "\"", std::monostate{}, pointerTo(opaqueType("const char")));
    Expr apart = makeCall(areApart, {pair.loaded, pair.stored, name}, boolType());
    tests.push_back(makeIf(logicalNot(apart), makeBlock({makeReturn()})));
  }
  return tests;
}

/// All threads of a group must come to what they do together: no condition around it
/// may differ among them.
bool AdjointMaker::checkDivergence(const ValueFunction &function) {
  analysis::ThreadDependence dependence(function, rules);
  constexpr analysis::ThreadDependence::Mask Threads = 7;
  bool fine = true;
  std::function<void(const Region &, analysis::ThreadDependence::Mask)> visit =
      [&](const Region &region, analysis::ThreadDependence::Mask differs) {
        for (const auto &item : region.items) {
          if (isBarrier(*item) && differs) {
            diag::report(sink, diag::Id::DivergentBarrier, item->range, analysis::ThreadDependence::describe(differs));
            fine = false;
          }
          if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
            auto inner = differs | (dependence.of(branch->condition) & Threads);
            visit(branch->thenRegion, inner);
            visit(branch->elseRegion, inner);
          }
          if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
            auto trips = loop->isVoted ? 0
                         : loop->isCounted
                             ? dependence.of(loop->begin) | dependence.of(loop->end) | dependence.of(loop->step)
                             : dependence.of(loop->condition);
            visit(loop->body, differs | (trips & Threads));
          }
        }
      };
  visit(function.body, 0);
  return fine;
}

/// Loads that are still there and would read another value than the primal did.
std::vector<HazardousLoad> AdjointMaker::hazardsLeft(const AdjointBuilder &builder) const {
  OrderedSet<const StmtNode> kept;
  forEachStmt(owner->body, [&](const Stmt &s) { kept.insert(s.get()); });
  std::vector<HazardousLoad> left;
  for (const HazardousLoad &hazard : builder.hazards())
    if (kept.count(hazard.statement.get()))
      left.push_back(hazard);
  return left;
}

/// A barrier that the primal does not have, at the end or before the reverse sweep, would
/// hold back lanes that others wait for in an exchange.
bool AdjointMaker::checkPartWarps() {
  bool hasSums = llvm::any_of(params, [](const Param &param) { return param.sum != nullptr; }) ||
                 llvm::any_of(globals, [](const Global &global) { return global.sum != nullptr; });
  bool meets = primal.isKernel() && (hasSums || (plan && plan->stack));
  if (!partWarps || !meets)
    return true;
  diag::report(sink, diag::Id::DivergentBarrier, *partWarps, "the thread's index within a warp");
  return false;
}

/// Memory that other threads may change or read at any time: volatile, and nobody's own variable.
static bool isVolatileMemory(const Expr &e) {
  bool isPlace = e->kind == ExprKind::Index || e->kind == ExprKind::Deref || e->kind == ExprKind::Member ||
                 e->kind == ExprKind::Ref;
  if (!isPlace || !e->type || !e->type->isVolatile)
    return false;
  const Var *root = rootVar(e);
  return !root || isPointer(root->type) || isReference(root->type) || root->storage != Storage::Local;
}

/// Fences order what other threads see, and volatile memory is seen by others as it changes.
bool ordersMemory(const Function &function, const rules::RuleTable &rules) {
  OrderedSet<const Function> seen;
  std::function<bool(const Function &)> visit = [&](const Function &one) {
    if (!one.body || !seen.insert(&one).second)
      return false;
    bool found = false;
    forEachExprIn(one.body, [&](const Expr &e) {
      found |= isVolatileMemory(e);
      auto *call = llvm::dyn_cast<CallExpr>(e.get());
      const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
      found |= (rule && rule->kind == rules::RuleKind::Fence) ||
               (call && call->callee.function && visit(*call->callee.function));
    });
    return found;
  };
  return visit(function);
}

/// There is no way to have what the item loads once more. False.
bool AdjointMaker::refuseLoad(const ValueItem &item, const std::string &why) {
  Var *root = memoryBase(item.expr).first;
  Diagnostic diagnostic = diag::make(diag::Id::StaleLoad, item.range, root ? root->name : "memory");
  diagnostic.notes.push_back(diag::note(item.range, "it cannot be overwritten and put back: " + why));
  sink.report(std::move(diagnostic));
  return false;
}

/// From memory of the caller that the function overwrites: the adjoint overwrites it as
/// well, and puts it back; if it does so already, the region around the load has to be
/// run on memory as it was.
bool AdjointMaker::mendByUndo(const HazardousLoad &hazard, ValueFunction &function) {
  if (undo.loads(hazard.item->expr)) {
    if (!hazard.isUndone || undo.allow(*hazard.item, hazard.regions)) // else it was found when nothing was
      return true;
    if (recordedLoads.insert(hazard.item).second)
      return true;
    return refuseLoad(*hazard.item, "other threads have overwritten it behind the next barrier");
  }
  MemoryBase object = memoryBase(hazard.item->expr);
  if (primal.isKernel() && !isOwnArray(object.first) && (isReplay || ordersMemory(primal, rules))) {
    diag::report(sink, diag::Id::BlockReads, hazard.item->range, object.first ? object.first->name : "memory");
    return false;
  }
  std::string why = ordersMemory(primal, rules)
                        ? "the function has a fence, or the memory is volatile, so other threads may read it meanwhile"
                    : function.aliased.count(object.first)
                        ? "a pragma says that another parameter may be the same array"
                        : whyNotUndone(function, object);
  if (!why.empty())
    return refuseLoad(*hazard.item, why);
  if (!undo.log)
    undo.log = owner->makeVar("undo", opaqueType("gpuad::undo_log"));
  undo.objects.insert(object);
  if (isHandedOn(function, object))
    undo.betweenThreads.insert(object);
  undo.reruns.clear(); // with more that is undone, other code is run again
  undo.findSteps(function.body);
  nameLoads(function, object);
  undo.findFirst(function.body);
  return true;
}

/// What the function does together with other threads, in the value form.
static bool hasCollective(const Region &region, const rules::RuleTable &rules) {
  return llvm::any_of(region.items, [&](const auto &item) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get()))
      return hasCollective(branch->thenRegion, rules) || hasCollective(branch->elseRegion, rules);
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      return hasCollective(loop->body, rules);
    bool found = isBarrier(*item);
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      forEachExpr(value->expr, [&](const Expr &e) {
        auto *call = llvm::dyn_cast<CallExpr>(e.get());
        const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
        found |= rule && rule->kind == rules::RuleKind::Collective;
      });
    return found;
  });
}

/// Whether the log of what is overwritten has a place. A thread that has to stop, since
/// it does not fit, must not leave others waiting at a barrier.
bool AdjointMaker::checkLog(const ValueFunction &function) {
  if (!plan->logIsInStack && !plan->decisionsAreInStack)
    return true;
  if (!undo.log) // what is decided stands beside records, which are the kernel's
    return true;
  const std::string &name = undo.objects.begin()->first->name;
  if (!primal.isKernel()) {
    diag::report(sink, diag::Id::LoopRecords, primal.nameRange, name);
    return false;
  }
  if (!plan->mayStop() || !hasCollective(function.body, rules))
    return true;
  Diagnostic diagnostic = diag::make(diag::Id::StaleLoad, primal.nameRange, name);
  diagnostic.notes.push_back(diag::note(primal.nameRange,
                                        "it cannot be overwritten and put back: only the run knows how "
                                        "often it is, and threads wait for each other"));
  sink.report(std::move(diagnostic));
  return false;
}

/// Calls that cannot be kept: they are put in place when the adjoint is made again.
bool AdjointMaker::giveUpCalls(const AdjointBuilder &builder) {
  size_t before = kept.putInPlaceCount();
  auto giveUp = [&](const CallItem &item) { kept.putInPlace(*item.callee, item.range); };
  for (const CallItem *item : builder.callsWithoutAdjoint())
    giveUp(*item);
  OrderedSet<const StmtNode> left;
  forEachStmt(owner->body, [&](const Stmt &s) { left.insert(s.get()); });
  for (const HazardousCall &hazard : builder.callHazards())
    if (left.count(hazard.statement.get()))
      giveUp(*hazard.item);
  return gaveUp = kept.putInPlaceCount() > before;
}

/// Calls that read memory which is overwritten and put back are put in place: which of
/// its states they find is seen only for loads.
bool AdjointMaker::giveUpCallsOnUndone(const Region &region) {
  for (const auto &item : region.items) {
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (const CallArgument &argument : call->args)
        if (argument.isMemory && undo.objects.count(memoryBase(argument.value))) {
          kept.putInPlace(*call->callee, call->range);
          gaveUp = true;
        }
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      giveUpCallsOnUndone(branch->thenRegion);
      giveUpCallsOnUndone(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      giveUpCallsOnUndone(loop->body);
  }
  return gaveUp;
}

/// A shared array of which other elements have changed than those that are stored to anew.
bool AdjointMaker::mendByPutBack(Var *array, ValueFunction &function) {
  if (putBackArrays.count(array))
    return false;
  std::vector<const ValueItem *> old = keepOldElements(function, array, rules);
  if (old.empty())
    return false;
  putBackArrays.insert(array);
  std::erase_if(recordedLoads, [&](const ValueItem *load) { return rootVar(load->expr) == array; });
  recordedLoads.insert(old.begin(), old.end());
  return true;
}

/// What was recorded of a shared array did not help.
void AdjointMaker::dropPutBack(Var *array, Region &region) {
  putBackArrays.erase(array);
  std::erase_if(recordedLoads, [&](const ValueItem *load) { return rootVar(load->expr) == array; });
  std::erase_if(region.items, [&](auto &item) {
    auto *value = llvm::dyn_cast<ValueItem>(item.get());
    bool isOld = value && value->isSaved && rootVar(value->expr) == array;
    if (isOld)
      dropped.push_back(std::move(item));
    return isOld;
  });
  for (auto &item : region.items) {
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()); store && rootVar(store->place) == array)
      store->old = nullptr;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      dropPutBack(array, branch->thenRegion);
      dropPutBack(array, branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      dropPutBack(array, loop->body);
  }
}

/// Local arrays are put back for such loads, what they load from shared memory is
/// recorded. False, and reported: neither helps.
bool AdjointMaker::mend(const std::vector<HazardousLoad> &hazards, ValueFunction &function) {
  bool fine = true;
  const OrderedSet<Var> before = restored;
  OrderedSet<const ValueItem> seen;
  OrderedSet<Var> putBackNow;
  for (const HazardousLoad &hazard : hazards) {
    const ValueItem *load = hazard.item;
    if (!load->resultOf.empty()) {
      diag::report(sink, diag::Id::AtomicResult, load->range, load->resultOf);
      fine = false;
      break;
    }
    if (offered.count(load)) {
      diag::report(sink, diag::Id::AtomicPick, load->range,
                   "this number is offered in code that is run again, in nested loops or under a condition, and may be "
                   "rounded in another way then, so that nobody seems to have won; find the largest or smallest of the "
                   "inner loop in a local variable, and offer that");
      fine = false;
      break;
    }
    bool isArray = load->load == LoadClass::Array && !undo.loads(load->expr);
    if (!isArray) {
      fine &= mendByUndo(hazard, function);
      if (!fine)
        break;
      continue;
    }
    if (!seen.insert(load).second)
      continue;
    Var *root = rootVar(load->expr);
    if (putBackNow.count(root))
      continue;
    bool isMended = (!isRecord(root->type) || (!isShared(root) && isObjectOfSlots(*root))) &&
                    (isShared(root) ? recordedLoads.insert(load).second : before.count(root) == 0);
    if (!isMended && isShared(root) && !isRecord(root->type) && mendByPutBack(root, function))
      isMended = putBackNow.insert(root).second;
    if (isMended && !isShared(root))
      restored.insert(root);
    if (!isMended && isShared(root) && !isRecord(root->type)) {
      dropPutBack(root, function.body);
      fine &= mendByUndo(hazard, function);
      continue;
    }
    if (!isMended)
      diag::report(sink, diag::Id::StaleLoad, load->range, root ? root->name : "memory");
    fine &= isMended;
  }
  return fine;
}

} // namespace gpuad::transform
