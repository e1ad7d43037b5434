//===- Rounding.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Rounding.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::analysis {
using namespace ir;

Rounding::Rounding(const ValueFunction &function, const OrderedSet<Var> &recorded) : recorded(recorded) {
  do {
    changed = false;
    spread(function.body, false);
  } while (changed);
}

void Rounding::mark(Var *var, bool differs) {
  if (differs && var && !recorded.count(var))
    changed |= rounded.insert(var).second;
}

/// A group of threads and its like, made of no number.
static bool isHandle(const Expr &e) {
  return e->kind == ExprKind::Call && e->type->kind == TypeKind::Opaque &&
         llvm::none_of(children(e), [](const Expr &arg) { return holdsFloating(arg->type); });
}

static bool isArithmetic(const Expr &e) {
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(e.get()))
    return isFloating(binary->type);
  if (isHandle(e))
    return false;
  return e->kind == ExprKind::Call && !isInteger(e->type) && !isPointer(e->type) && !readsKept(e);
}

bool Rounding::mayDiffer(const Expr &e) const {
  return mayDiffer(e, nullptr);
}

bool Rounding::mayDiffer(const Expr &e, const Var *untouched) const {
  bool found = false;
  if (e)
    forEachExpr(e, [&](const Expr &one) {
      auto *ref = llvm::dyn_cast<RefExpr>(one.get());
      found |= isArithmetic(one) || (ref && ref->var != untouched && rounded.count(ref->var));
    });
  return found;
}

bool Rounding::mayDiffer(const LoopItem &loop) const {
  if (loop.isCounted)
    return mayDiffer(loop.begin) || mayDiffer(loop.end) || mayDiffer(loop.step);
  return !recorded.count(loop.trips) && mayDiffer(loop.condition);
}

/// `control`: whether the region is run may differ.
void Rounding::spread(const Region &region, bool control) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      mark(value->var, mayDiffer(value->expr, value->load == LoadClass::Entry ? rootVar(value->expr) : nullptr));
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      mark(rootVar(store->place), control || mayDiffer(store->place, rootVar(store->place)) ||
                                      mayDiffer(store->value) || (store->isAtomic && isFloating(store->place->type)));
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      bool differs = mayDiffer(branch->condition);
      spread(branch->thenRegion, control || differs);
      spread(branch->elseRegion, control || differs);
      for (const Merge &merge : branch->merges)
        mark(merge.var, differs || mayDiffer(merge.thenValue) || mayDiffer(merge.elseValue));
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      spread(loop->conditionRegion, control);
      bool differs = mayDiffer(*loop);
      mark(loop->isCounted ? loop->iv : loop->trips, differs);
      spread(loop->body, control || differs);
      for (const Carried &carried : loop->carried)
        mark(carried.var, differs || mayDiffer(carried.init) || mayDiffer(carried.next));
    }
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (Var *var : valuesOf(*call))
        mark(var, true);
  }
}

} // namespace gpuad::analysis
