//===- AdjointFacts.cpp - facts the reversal asks for --------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Every expression that an item and its regions hold.
void forEachExprOf(const Item &item, llvm::function_ref<void(const Expr &)> visit);

void forEachExprOf(const Region &region, llvm::function_ref<void(const Expr &)> visit) {
  for (const auto &item : region.items)
    forEachExprOf(*item, visit);
}

void forEachExprOf(const Item &item, llvm::function_ref<void(const Expr &)> visit) {
  auto one = [&](const Expr &e) {
    if (e)
      visit(e);
  };
  switch (item.kind) {
  case ItemKind::Value:
    return one(llvm::cast<ValueItem>(&item)->expr);
  case ItemKind::Store:
    one(llvm::cast<StoreItem>(&item)->value);
    one(llvm::cast<StoreItem>(&item)->update);
    one(llvm::cast<StoreItem>(&item)->won);
    return one(llvm::cast<StoreItem>(&item)->increment);
  case ItemKind::Array:
    return one(llvm::cast<ArrayItem>(&item)->init);
  case ItemKind::Branch: {
    auto *branch = llvm::cast<BranchItem>(&item);
    for (const Merge &merge : branch->merges) {
      one(merge.thenValue);
      one(merge.elseValue);
    }
    forEachExprOf(branch->thenRegion, visit);
    return forEachExprOf(branch->elseRegion, visit);
  }
  case ItemKind::Loop: {
    auto *loop = llvm::cast<LoopItem>(&item);
    for (const Carried &carried : loop->carried) {
      one(carried.init);
      one(carried.next);
    }
    return forEachExprOf(loop->body, visit);
  }
  case ItemKind::Call:
    for (const CallArgument &arg : llvm::cast<CallItem>(&item)->args)
      one(arg.value);
    return;
  case ItemKind::Effect:
    return;
  }
}

void regionsIn(const Region &region, OrderedSet<const Region> &found) {
  found.insert(&region);
  for (const auto &item : region.items) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      regionsIn(branch->thenRegion, found);
      regionsIn(branch->elseRegion, found);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      regionsIn(loop->body, found);
  }
}
} // namespace

/// Before a nested construct is reversed, the adjoints of outer values that it adds
/// to must exist.
void AdjointBuilder::declareOuterBars(const Item &item) {
  std::vector<Var *> needed;
  auto need = [&](const Expr &e) {
    activity.forEachLeaf(e, [&](const Expr &leaf) {
      MemoryBase object = analysis::ValueActivity::objectOf(leaf);
      Var *var = object.first;
      if (!var || !object.second.empty() || !activity.isActive(object) || declared.count(var) || shadows.count(object))
        return;
      auto found = definedIn.find(var);
      if (found != definedIn.end() && found->second == current && !llvm::is_contained(needed, var))
        needed.push_back(var);
    });
  };
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
    // The initial values get their share behind the loop, in this region.
    forEachExprOf(loop->body, need);
    for (const Carried &carried : loop->carried)
      need(carried.next);
  } else {
    forEachExprOf(item, need);
  }
  for (Var *var : needed)
    declareBar(var);
}

/// Where each value is defined, and by what.
void AdjointBuilder::collectFacts(const Region &region, bool isInLoop) {
  for (size_t i = 0; i < region.items.size(); ++i) {
    const Item &item = *region.items[i];
    if (auto *value = llvm::dyn_cast<ValueItem>(&item)) {
      if (!isInLoop)
        runsOnce.insert(value);
      definedIn[value->var] = &region;
      definitions[value->var] = value->expr;
    }
    if (auto *call = llvm::dyn_cast<CallItem>(&item))
      for (Var *value : valuesOf(*call))
        definedIn[value] = &region;
    if (auto *array = llvm::dyn_cast<ArrayItem>(&item)) {
      definedIn[array->array] = &region;
      if (!array->init)
        startsUnwritten.insert(array->array);
    }
    if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
      for (const Merge &merge : branch->merges) {
        definedIn[merge.var] = &region;
        merges[merge.var] = &merge;
      }
      collectFacts(branch->thenRegion, isInLoop);
      collectFacts(branch->elseRegion, isInLoop);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
      for (const Carried &carried : loop->carried) {
        definedIn[carried.var] = &region;
        carriers[carried.var] = {loop, &carried};
      }
      collectFacts(loop->conditionRegion, true);
      collectFacts(loop->body, true);
      loopBodies.insert(&loop->body);
    }
  }
}

/// A function without a derivative is refused wherever it meets what depends on an
/// independent, whatever its result is: bits of a number are an integer, and a number
/// can be made of them again.
void AdjointBuilder::refuseForbidden() {
  auto isVaried = [&](const Expr &arg) {
    const std::set<MemoryBase, InOrder> &varied = activity.variedObjects();
    if (isPointer(arg->type))
      return varied.count(memoryBase(arg)) != 0;
    bool found = false;
    activity.forEachLeaf(arg, [&](const Expr &leaf) { found |= varied.count(activity.objectOf(leaf)) != 0; });
    return found;
  };
  forEachExprOf(function.body, [&](const Expr &e) {
    forEachExpr(e, [&](const Expr &one) {
      auto *call = llvm::dyn_cast<CallExpr>(one.get());
      const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
      if (!rule || rule->kind != rules::RuleKind::Forbidden || !llvm::any_of(call->args, isVaried))
        return;
      failed = true;
      diag::report(sink, diag::Id::ForbiddenFunction, call->range, call->callee.name, rule->note);
    });
  });
}

bool AdjointBuilder::isMaskable(const CallItem &item) const {
  return llvm::any_of(valuesOf(item), [&](Var *value) { return maskable.count(value) != 0; });
}

/// A value that a selection may leave unused has a seed that can be exactly zero
/// where its partial derivative is infinite: one that stands in a `?:`, one from
/// outside that only an arm uses, and what such values are made of.
void AdjointBuilder::collectMaskable() {
  bool changed = false;
  auto mark = [&](const Expr &e, const OrderedSet<const Region> *inside) {
    if (!e)
      return;
    for (Var *var : variablesIn(e))
      if (!inside || !inside->count(definedIn[var]))
        changed |= maskable.insert(var).second;
  };
  std::function<void(const Region &)> visit = [&](const Region &region) {
    for (const auto &item : region.items) {
      forEachExprOf(*item, [&](const Expr &whole) {
        forEachExpr(whole, [&](const Expr &e) {
          if (auto *choice = llvm::dyn_cast<SelectExpr>(e.get())) {
            mark(choice->thenValue, nullptr);
            mark(choice->elseValue, nullptr);
          }
        });
      });
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && maskable.count(value->var))
        mark(value->expr, nullptr);
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()); call && isMaskable(*call))
        for (const CallArgument &arg : call->args)
          mark(arg.value, nullptr);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        OrderedSet<const Region> inside;
        regionsIn(branch->thenRegion, inside);
        regionsIn(branch->elseRegion, inside);
        forEachExprOf(*branch, [&](const Expr &e) { mark(e, &inside); });
        for (const Merge &merge : branch->merges)
          if (maskable.count(merge.var)) {
            mark(merge.thenValue, nullptr);
            mark(merge.elseValue, nullptr);
          }
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
        for (const Carried &carried : loop->carried)
          if (maskable.count(carried.var)) {
            mark(carried.init, nullptr);
            mark(carried.next, nullptr);
          }
        visit(loop->body);
      }
    }
  };
  if (function.seedsMayBeZero) {
    mark(function.result, nullptr);
    for (const BoundObject &object : function.objects)
      mark(object.last, nullptr);
  }
  do {
    changed = false;
    visit(function.body);
  } while (changed);
}

} // namespace gpuad::transform
