//===- AdjointChecks.cpp - what has no adjoint ---------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

/// Variables at namespace scope have no shadow here.
bool AdjointMaker::checkGlobals(const analysis::ValueActivity &activity) {
  std::set<Var *> active;
  for (const MemoryBase &object : activity.variedObjects()) {
    Var *var = object.first;
    bool isOwn = !var || var->storage == Storage::Local || var->storage == Storage::Parameter;
    if (!isOwn && activity.isActive(object))
      active.insert(var);
  }
  active.insert(request.globalIndependents.begin(), request.globalIndependents.end());
  active.insert(request.globalDependents.begin(), request.globalDependents.end());
  for (Var *var : active)
    diag::report(sink, diag::Id::NotInReverse, var->range.isValid() ? var->range : primal.nameRange,
                 "'" + var->name + "', a variable at namespace scope, as active");
  return active.empty();
}

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

/// Loads that are still there and would read another value than the primal did.
bool AdjointMaker::checkHazards(const AdjointBuilder &builder) {
  std::set<const StmtNode *> kept;
  forEachStmt(owner->body, [&](const Stmt &s) { kept.insert(s.get()); });
  bool fine = true;
  std::set<const ValueItem *> reported;
  for (const HazardousLoad &hazard : builder.hazards()) {
    if (!kept.count(hazard.statement.get()) || !reported.insert(hazard.item).second)
      continue;
    Var *root = rootVar(hazard.item->expr);
    diag::report(sink, diag::Id::StaleLoad, hazard.item->range, root ? root->name : "memory");
    fine = false;
  }
  return fine;
}

} // namespace gpuad::transform
