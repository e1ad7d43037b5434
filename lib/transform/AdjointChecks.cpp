//===- AdjointChecks.cpp - what has no adjoint ---------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"

#include "analysis/ThreadDependence.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
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

/// Pairs of arrays for which the adjoint would be wrong if they were one: it still
/// loads a primal value after (in the primal's order) the other was written.
std::vector<std::pair<Var *, Var *>> AdjointMaker::pairsToTest(const ValueFunction &function) const {
  std::set<Var *> loaded;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Deref)
      loaded.insert(rootVar(e));
  });
  std::vector<std::pair<Var *, Var *>> pairs;
  for (auto [load, store] : function.loadedAfterStore) {
    auto same = [&, load = load, store = store](const auto &pair) {
      return pair.first == store && pair.second == load;
    };
    if (primal.isKernel() && loaded.count(load) && std::find_if(pairs.begin(), pairs.end(), same) == pairs.end())
      pairs.push_back({load, store});
  }
  return pairs;
}

/// All threads of a group must come to what they do together: no condition around it
/// may differ among them.
bool AdjointMaker::checkDivergence(const ValueFunction &function) {
  analysis::ThreadDependence dependence(function);
  constexpr analysis::ThreadDependence::Mask Threads = 7;
  bool fine = true;
  std::function<void(const Region &, analysis::ThreadDependence::Mask)> visit =
      [&](const Region &region, analysis::ThreadDependence::Mask differs) {
        for (const auto &item : region.items) {
          if (item->kind == ItemKind::Effect && differs) {
            diag::report(sink, diag::Id::DivergentBarrier, item->range, analysis::ThreadDependence::describe(differs));
            fine = false;
          }
          if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
            auto inner = differs | (dependence.of(branch->condition) & Threads);
            visit(branch->thenRegion, inner);
            visit(branch->elseRegion, inner);
          }
          if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
            auto trips = loop->isCounted
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
std::vector<const ValueItem *> AdjointMaker::hazardsLeft(const AdjointBuilder &builder) const {
  std::set<const StmtNode *> kept;
  forEachStmt(owner->body, [&](const Stmt &s) { kept.insert(s.get()); });
  std::vector<const ValueItem *> left;
  for (const HazardousLoad &hazard : builder.hazards())
    if (kept.count(hazard.statement.get()) && !llvm::is_contained(left, hazard.item))
      left.push_back(hazard.item);
  return left;
}

/// Local arrays are put back for such loads, what they load from shared memory is
/// recorded. False, and reported: neither helps.
bool AdjointMaker::mend(const std::vector<const ValueItem *> &hazards) {
  bool fine = true;
  const std::set<Var *> before = restored;
  for (const ValueItem *load : hazards) {
    Var *root = rootVar(load->expr);
    bool isArray = load->load == LoadClass::Array;
    bool isMended = isArray && !isRecord(root->type) &&
                    (isShared(root) ? recordedLoads.insert(load).second : before.count(root) == 0);
    if (isMended && !isShared(root))
      restored.insert(root);
    if (!isMended)
      diag::report(sink, diag::Id::StaleLoad, load->range, root ? root->name : "memory");
    fine &= isMended;
  }
  return fine;
}

} // namespace gpuad::transform
