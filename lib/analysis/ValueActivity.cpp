//===- ValueActivity.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ValueActivity.h"

#include "llvm/ADT/STLExtras.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

namespace gpuad::analysis {
using namespace ir;

ValueActivity::ValueActivity(const ValueFunction &function, const rules::RuleTable &rules,
                             std::set<MemoryBase, InOrder> independents, std::set<MemoryBase, InOrder> dependents,
                             const std::vector<Expr> &results)
    : rules(rules), varied(std::move(independents)), useful(std::move(dependents)), flows(rules) {
  // What a dependent held on entry is an independent as well.
  varied.insert(useful.begin(), useful.end());
  do {
    changed = false;
    spreadVaried(function.body);
  } while (changed);
  for (const Expr &result : results)
    markUseful(result);
  do {
    changed = false;
    spreadUseful(function.body);
  } while (changed);
}

MemoryBase ValueActivity::objectOf(const Expr &leaf) {
  if (auto *ref = llvm::dyn_cast<RefExpr>(leaf.get()))
    return {ref->var, ""};
  if (auto *member = llvm::dyn_cast<MemberExpr>(leaf.get()))
    if (!isPointer(leaf->type) && member->base->kind == ExprKind::Ref)
      return {llvm::cast<RefExpr>(member->base.get())->var, ""};
  return memoryBase(leaf);
}

void ValueActivity::forEachLeaf(const Expr &e, llvm::function_ref<void(const Expr &)> visit) const {
  if (!holdsFloating(e->type))
    return;
  switch (e->kind) {
  case ExprKind::Ref:
  case ExprKind::Index:
  case ExprKind::Deref:
    return visit(e);
  case ExprKind::Member: {
    const Expr &base = llvm::cast<MemberExpr>(e.get())->base;
    bool isPlace = base->kind == ExprKind::Ref || base->kind == ExprKind::Index || base->kind == ExprKind::Deref ||
                   base->kind == ExprKind::Member;
    return isPlace ? visit(e) : forEachLeaf(base, visit);
  }
  case ExprKind::Unary:
    return forEachLeaf(llvm::cast<UnaryExpr>(e.get())->operand, visit);
  case ExprKind::Cast:
    return forEachLeaf(llvm::cast<CastExpr>(e.get())->operand, visit);
  case ExprKind::Binary:
    forEachLeaf(llvm::cast<BinaryExpr>(e.get())->lhs, visit);
    return forEachLeaf(llvm::cast<BinaryExpr>(e.get())->rhs, visit);
  case ExprKind::Select:
    forEachLeaf(llvm::cast<SelectExpr>(e.get())->thenValue, visit);
    return forEachLeaf(llvm::cast<SelectExpr>(e.get())->elseValue, visit);
  case ExprKind::Init:
    for (const Expr &element : llvm::cast<InitExpr>(e.get())->elements)
      forEachLeaf(element, visit);
    return;
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(e.get());
    const rules::Rule *rule = rules.find(call->callee);
    if (rule && rule->kind == rules::RuleKind::Inactive)
      return;
    if (rule && rule->kind == rules::RuleKind::Collective) {
      for (unsigned i = 0; i < call->args.size() && i < rule->params.size(); ++i)
        if (llvm::is_contained(rule->active, rule->params[i].name))
          forEachLeaf(call->args[i], visit);
      return;
    }
    for (unsigned i = 0; i < call->args.size(); ++i)
      if (!rule || rule->kind != rules::RuleKind::Pure || !rules.isZero(*rule, i))
        forEachLeaf(call->args[i], visit);
    return;
  }
  case ExprKind::AddrOf:
  case ExprKind::Lit:
  case ExprKind::Text:
  case ExprKind::ThreadIndex:
    return;
  }
}

bool ValueActivity::isVaried(const Expr &e) const {
  bool found = false;
  forEachLeaf(e, [&](const Expr &leaf) { found |= varied.count(objectOf(leaf)) != 0; });
  return found;
}

bool ValueActivity::isActive(const Expr &e) const {
  bool found = false;
  forEachLeaf(e, [&](const Expr &leaf) { found |= isActive(objectOf(leaf)); });
  return found;
}

void ValueActivity::markUseful(const Expr &e) {
  forEachLeaf(e, [&](const Expr &leaf) { changed |= useful.insert(objectOf(leaf)).second; });
}

void ValueActivity::forEachReached(const CallItem &item, unsigned arg, llvm::function_ref<void(Var *)> visit) const {
  for (int to : flows.of(*item.callee).flows[arg])
    if (to < 0 && item.result)
      visit(item.result);
    else if (to >= 0 && item.args[to].isWritten)
      visit(item.args[to].object);
}

bool ValueActivity::isActiveArgument(const CallItem &item, unsigned arg) const {
  const CallArgument &passed = item.args[arg];
  bool goesIn = passed.value && (passed.isMemory ? isActive(memoryBase(passed.value)) : isActive(passed.value));
  bool goesOn = false;
  if (goesIn)
    forEachReached(item, arg, [&](Var *to) { goesOn |= isActive(to); });
  return goesOn;
}

void ValueActivity::spreadVariedCall(const CallItem &item) {
  for (unsigned i = 0; i < item.args.size(); ++i) {
    const Expr &value = item.args[i].value;
    if (value && (item.args[i].isMemory ? varied.count(memoryBase(value)) != 0 : isVaried(value)))
      forEachReached(item, i, [&](Var *to) { markVaried({to, ""}); });
  }
}

void ValueActivity::spreadUsefulCall(const CallItem &item) {
  for (unsigned i = 0; i < item.args.size(); ++i) {
    const Expr &value = item.args[i].value;
    bool isUseful = false;
    forEachReached(item, i, [&](Var *to) { isUseful |= useful.count({to, ""}) != 0; });
    if (!value || !isUseful)
      continue;
    if (item.args[i].isMemory)
      changed |= useful.insert(memoryBase(value)).second;
    else
      markUseful(value);
  }
}

void ValueActivity::spreadVaried(const Region &region) {
  for (const auto &item : region.items) {
    switch (item->kind) {
    case ItemKind::Value: {
      auto *value = llvm::cast<ValueItem>(item.get());
      if (isVaried(value->expr))
        markVaried({value->var, ""});
      break;
    }
    case ItemKind::Store: {
      auto *store = llvm::cast<StoreItem>(item.get());
      if (isVaried(store->value))
        markVaried(memoryBase(store->place));
      break;
    }
    case ItemKind::Branch: {
      auto *branch = llvm::cast<BranchItem>(item.get());
      spreadVaried(branch->thenRegion);
      spreadVaried(branch->elseRegion);
      for (const Merge &merge : branch->merges)
        if ((merge.thenValue && isVaried(merge.thenValue)) || (merge.elseValue && isVaried(merge.elseValue)))
          markVaried({merge.var, ""});
      break;
    }
    case ItemKind::Loop: {
      auto *loop = llvm::cast<LoopItem>(item.get());
      spreadVaried(loop->conditionRegion);
      spreadVaried(loop->body);
      for (const Carried &carried : loop->carried)
        if (isVaried(carried.init) || isVaried(carried.next))
          markVaried({carried.var, ""});
      break;
    }
    case ItemKind::Array: {
      auto *array = llvm::cast<ArrayItem>(item.get());
      if (array->init && isVaried(array->init))
        markVaried({array->array, ""});
      break;
    }
    case ItemKind::Call:
      spreadVariedCall(*llvm::cast<CallItem>(item.get()));
      break;
    case ItemKind::Effect:
      break;
    }
  }
}

void ValueActivity::spreadUseful(const Region &region) {
  for (auto at = region.items.rbegin(); at != region.items.rend(); ++at) {
    const Item *item = at->get();
    switch (item->kind) {
    case ItemKind::Value: {
      auto *value = llvm::cast<ValueItem>(item);
      if (useful.count({value->var, ""}))
        markUseful(value->expr);
      break;
    }
    case ItemKind::Store: {
      auto *store = llvm::cast<StoreItem>(item);
      if (!useful.count(memoryBase(store->place)))
        break;
      markUseful(store->increment ? store->increment : store->value);
      break;
    }
    case ItemKind::Branch: {
      auto *branch = llvm::cast<BranchItem>(item);
      for (const Merge &merge : branch->merges)
        if (useful.count({merge.var, ""}))
          for (const Expr &arm : {merge.thenValue, merge.elseValue})
            if (arm)
              markUseful(arm);
      spreadUseful(branch->thenRegion);
      spreadUseful(branch->elseRegion);
      break;
    }
    case ItemKind::Loop: {
      auto *loop = llvm::cast<LoopItem>(item);
      for (const Carried &carried : loop->carried)
        if (useful.count({carried.var, ""})) {
          markUseful(carried.init);
          markUseful(carried.next);
        }
      spreadUseful(loop->body);
      spreadUseful(loop->conditionRegion);
      break;
    }
    case ItemKind::Array: {
      auto *array = llvm::cast<ArrayItem>(item);
      if (array->init && useful.count({array->array, ""}))
        markUseful(array->init);
      break;
    }
    case ItemKind::Call:
      spreadUsefulCall(*llvm::cast<CallItem>(item));
      break;
    case ItemKind::Effect:
      break;
    }
  }
}

} // namespace gpuad::analysis
