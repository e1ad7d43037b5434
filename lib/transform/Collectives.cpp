//===- Collectives.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Collectives.h"

#include "ir/Builder.h"
#include "ir/Items.h"
#include "ir/Walk.h"
#include "transform/Places.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
const CallExpr *callIn(const Item &item) {
  auto *value = llvm::dyn_cast<ValueItem>(&item);
  return value ? llvm::dyn_cast<CallExpr>(stripImplicit(value->expr).get()) : nullptr;
}

bool namesAllLanes(const Expr &mask) {
  Expr inner = stripImplicit(mask);
  while (auto *cast = llvm::dyn_cast<CastExpr>(inner.get()))
    inner = cast->operand;
  bool isInverted = false;
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(inner.get())) {
    isInverted = unary->op == UnaryOp::BitNot || unary->op == UnaryOp::Neg;
    inner = stripImplicit(unary->operand);
  }
  auto *lit = llvm::dyn_cast<LitExpr>(inner.get());
  auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  if (!value)
    return false;
  return isInverted ? *value == 0 || *value == 1 : *value == 0xffffffff || *value == -1;
}

Meetings meetingsOfCall(const CallExpr &call, const rules::Rule &rule) {
  Meetings found;
  auto has = [&](const char *name) {
    return llvm::find_if(rule.params, [&](const rules::RuleParam &param) { return param.name == name; });
  };
  auto mask = has("mask");
  size_t at = mask - rule.params.begin();
  bool isWhole =
      mask != rule.params.end() && (at < call.args.size() ? namesAllLanes(call.args[at]) : !mask->defaultValue.empty());
  isWhole |= has("group") != rule.params.end() || has("lanes") != rule.params.end(); // all threads of a tile
  if (rule.ofBlock && rule.kind == rules::RuleKind::Collective) {
    found.block = true;
    return found;
  }
  if (!isWhole)
    return found; // those that the mask names come together, wherever that is
  bool canIdle = rule.idle || !rule.transpose.empty() || rule.kind == rules::RuleKind::Barrier;
  (canIdle ? found.warp : found.unknown) = true;
  return found;
}
} // namespace

const rules::Rule *exchangeOf(const Item &item, const rules::RuleTable &rules) {
  const CallExpr *call = callIn(item);
  const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
  bool isOne = rule && (rule->kind == rules::RuleKind::Collective || rule->kind == rules::RuleKind::Barrier);
  return isOne ? rule : nullptr;
}

Meetings meetingsIn(const Item &item, const rules::RuleTable &rules) {
  Meetings found;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    found = meetingsIn(branch->thenRegion, rules);
    return found |= meetingsIn(branch->elseRegion, rules);
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
    found = meetingsIn(loop->body, rules);
    found |= meetingsIn(loop->conditionRegion, rules);
    found.block |= loop->isVoted;
    return found;
  }
  if (isBarrierOfBlock(item)) {
    found.block = true;
    return found;
  }
  if (auto *effect = llvm::dyn_cast<EffectItem>(&item)) {
    auto *call = llvm::dyn_cast<CallExpr>(llvm::cast<DoStmt>(effect->stmt.get())->call.get());
    const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
    return rule ? meetingsOfCall(*call, *rule) : found;
  }
  if (const rules::Rule *rule = exchangeOf(item, rules))
    return meetingsOfCall(*callIn(item), *rule);
  return found;
}

Stmt mirrorOfBarrier(const Item &item) {
  auto *effect = llvm::dyn_cast<EffectItem>(&item);
  return effect ? effect->stmt : llvm::cast<ValueItem>(&item)->mirror;
}

Meetings meetingsIn(const Region &region, const rules::RuleTable &rules) {
  Meetings found;
  for (const auto &item : region.items)
    found |= meetingsIn(*item, rules);
  return found;
}

namespace {
/// The shared arrays that are used in front of the first barrier of a region.
struct FirstEpoch {
  bool ofBlock = false; ///< no barrier of a warp ends it
  OrderedSet<Var> loaded, stored;

  /// Whether the region has a barrier.
  bool visit(const Region &region) {
    return llvm::any_of(region.items, [&](const auto &item) { return visit(*item); });
  }

private:
  void load(const Expr &e) {
    if (e)
      forEachLoad(e, [&](const Expr &place) { loaded.insert(rootVar(place)); });
  }
  bool visit(const Item &item) {
    if (ofBlock ? isBarrierOfBlock(item) : isBarrier(item))
      return true;
    if (auto *value = llvm::dyn_cast<ValueItem>(&item))
      load(value->expr);
    if (auto *store = llvm::dyn_cast<StoreItem>(&item)) {
      load(store->value);
      stored.insert(rootVar(store->place));
    }
    if (auto *call = llvm::dyn_cast<CallItem>(&item))
      for (Var *array : arraysReadBy(*call))
        loaded.insert(array);
    if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
      bool hasBarrier = visit(branch->thenRegion);
      return visit(branch->elseRegion) || hasBarrier;
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) { // which may have no iteration
      visit(loop->conditionRegion);
      visit(loop->body);
    }
    return false;
  }
};
} // namespace

bool reusesSharedBeforeBarrier(const Region &region, bool ofBlock) {
  FirstEpoch epoch{ofBlock, {}, {}};
  epoch.visit(region);
  return llvm::any_of(epoch.stored, [&](Var *array) { return isShared(array) && epoch.loaded.count(array) != 0; });
}

void Common::collect(const Region &region) {
  for (const auto &item : region.items) {
    for (Var *var : definedBy(*item))
      definitions[var] = {item.get(), nullptr, nullptr};
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      for (const Merge &merge : branch->merges)
        definitions[merge.var].merge = &merge;
      collect(branch->thenRegion);
      collect(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      for (const Carried &carried : loop->carried)
        definitions[carried.var].carried = &carried;
      if (loop->iv)
        definitions[loop->iv] = {item.get(), nullptr, nullptr};
      collect(loop->conditionRegion);
      collect(loop->body);
    }
  }
}

bool Common::has(const Expr &e) {
  return !e || llvm::all_of(variablesIn(e), [&](Var *var) { return has(var); });
}

bool Common::has(Var *var) {
  auto definition = definitions.find(var);
  if (definition == definitions.end())
    return true;                                      // from outside
  auto [found, isNew] = known.try_emplace(var, true); // a cycle through a loop holds if the rest does
  if (!isNew)
    return found->second;
  bool holds = derive(definition->second);
  known[var] = holds;
  return holds;
}

/// Whether running e again, with whatever values, does no harm.
static bool isPure(const Expr &e) {
  bool pure = isInteger(e->type) || isBool(e->type);
  forEachExpr(e, [&](const Expr &one) {
    pure &= one->kind != ExprKind::Index && one->kind != ExprKind::Deref && one->kind != ExprKind::Text &&
            one->kind != ExprKind::Call;
  });
  return pure;
}

bool Common::derive(const Definition &definition) {
  const Item &item = *definition.item;
  bool isMet = meetingsIn(item, rules).any();
  if (auto *value = llvm::dyn_cast<ValueItem>(&item)) {
    if (value->isVote)
      return true;
    if (isMet || value->load != LoadClass::None || !isPure(value->expr) || !has(value->expr))
      return false;
    needed.insert(&item);
    return true;
  }
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    bool isEmpty = branch->thenRegion.items.empty() && branch->elseRegion.items.empty();
    if (!isMet && !isEmpty)
      return false;
    if (!has(branch->condition) || !has(definition.merge->thenValue) || !has(definition.merge->elseValue))
      return false;
    for (const Merge &merge : branch->merges) // they stay together
      if (!isMet && (!has(merge.thenValue) || !has(merge.elseValue)))
        return false;
    if (!isMet)
      needed.insert(&item);
    return true;
  }
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  if (!loop || !isMet || loop->isVoted || !decides(*loop))
    return false;
  if (definition.carried)
    return has(definition.carried->init) && has(definition.carried->next);
  return has(loop->begin) && has(loop->step);
}

bool Common::decides(const Item &item) {
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return has(branch->condition);
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  if (!loop || loop->isVoted) // what a voted loop does, each thread guards by itself
    return true;
  return loop->conditionRegion.items.empty() && has(loop->begin) && has(loop->end) && has(loop->step) &&
         has(loop->condition);
}

} // namespace gpuad::transform
