//===- Items.cpp ----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Items.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

namespace gpuad::ir {

void rewriteItems(Region &region, llvm::function_ref<Expr(const Expr &)> change) {
  for (auto &item : region.items)
    rewriteItem(*item, change);
}

static void rewriteLoop(LoopItem &loop, llvm::function_ref<Expr(const Expr &)> change) {
  auto one = [&](Expr &e) {
    if (e)
      e = change(e);
  };
  for (Expr *e : {&loop.begin, &loop.end, &loop.step, &loop.condition, &loop.mostTrips})
    one(*e);
  for (Carried &carried : loop.carried) {
    one(carried.init);
    one(carried.next);
    one(carried.step);
  }
  rewriteItems(loop.conditionRegion, change);
  rewriteItems(loop.body, change);
}

void rewriteItem(Item &item, llvm::function_ref<Expr(const Expr &)> change) {
  auto one = [&](Expr &e) {
    if (e)
      e = change(e);
  };
  switch (item.kind) {
  case ItemKind::Value:
    return one(llvm::cast<ValueItem>(&item)->expr);
  case ItemKind::Store: {
    auto *store = llvm::cast<StoreItem>(&item);
    one(store->place);
    one(store->value);
    one(store->update);
    one(store->won);
    return one(store->increment);
  }
  case ItemKind::Array:
    return one(llvm::cast<ArrayItem>(&item)->init);
  case ItemKind::Branch: {
    auto *branch = llvm::cast<BranchItem>(&item);
    one(branch->condition);
    for (Merge &merge : branch->merges) {
      one(merge.thenValue);
      one(merge.elseValue);
    }
    rewriteItems(branch->thenRegion, change);
    return rewriteItems(branch->elseRegion, change);
  }
  case ItemKind::Loop:
    return rewriteLoop(*llvm::cast<LoopItem>(&item), change);
  case ItemKind::Effect: {
    auto *effect = llvm::cast<EffectItem>(&item);
    effect->stmt = rewriteHeldExprs(effect->stmt, change);
    return;
  }
  case ItemKind::Call: {
    auto *call = llvm::cast<CallItem>(&item);
    one(call->call);
    for (CallArgument &arg : call->args)
      one(arg.value);
    return;
  }
  }
}

void forEachItem(const Region &region, llvm::function_ref<void(const Item &)> visit) {
  for (const auto &item : region.items) {
    visit(*item);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      forEachItem(branch->thenRegion, visit);
      forEachItem(branch->elseRegion, visit);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      forEachItem(loop->conditionRegion, visit);
      forEachItem(loop->body, visit);
    }
  }
}

std::vector<Var *> definedBy(const Item &item) {
  std::vector<Var *> defined;
  if (auto *value = llvm::dyn_cast<ValueItem>(&item))
    defined.push_back(value->var);
  if (auto *call = llvm::dyn_cast<CallItem>(&item))
    defined = valuesOf(*call);
  if (auto *array = llvm::dyn_cast<ArrayItem>(&item))
    defined.push_back(array->array);
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    for (const Merge &merge : branch->merges)
      defined.push_back(merge.var);
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    for (const Carried &carried : loop->carried)
      defined.push_back(carried.var);
  return defined;
}

namespace {
class Cloner {
public:
  Cloner(Function &owner, OrderedMap<Var, Var *> &fresh) : owner(owner), fresh(fresh) {}

  std::unique_ptr<Item> clone(const Item &item) {
    switch (item.kind) {
    case ItemKind::Value: {
      auto copy = copyOf(*llvm::cast<ValueItem>(&item));
      rename(copy->var);
      return copy;
    }
    case ItemKind::Store:
      return copyOf(*llvm::cast<StoreItem>(&item));
    case ItemKind::Array: {
      auto copy = copyOf(*llvm::cast<ArrayItem>(&item));
      rename(copy->array);
      return copy;
    }
    case ItemKind::Effect:
      return copyOf(*llvm::cast<EffectItem>(&item));
    case ItemKind::Call: {
      auto copy = copyOf(*llvm::cast<CallItem>(&item));
      if (copy->result)
        rename(copy->result);
      for (CallArgument &arg : copy->args)
        if (arg.object)
          rename(arg.object);
      return copy;
    }
    case ItemKind::Branch: {
      auto *branch = llvm::cast<BranchItem>(&item);
      auto copy = std::make_unique<BranchItem>();
      copy->range = branch->range;
      copy->condition = branch->condition;
      copy->isForExit = branch->isForExit;
      copy->merges = branch->merges;
      for (Merge &merge : copy->merges)
        rename(merge.var);
      clone(branch->thenRegion, copy->thenRegion);
      clone(branch->elseRegion, copy->elseRegion);
      return copy;
    }
    case ItemKind::Loop:
      return cloneLoop(*llvm::cast<LoopItem>(&item));
    }
    return nullptr;
  }

private:
  template <class Kind> std::unique_ptr<Kind> copyOf(const Kind &item) { return std::make_unique<Kind>(item); }
  void clone(const Region &from, Region &to) {
    for (const auto &item : from.items)
      to.items.push_back(clone(*item));
  }
  std::unique_ptr<Item> cloneLoop(const LoopItem &loop) {
    auto copy = std::make_unique<LoopItem>();
    copy->range = loop.range;
    copy->isCounted = loop.isCounted;
    copy->begin = loop.begin;
    copy->end = loop.end;
    copy->step = loop.step;
    copy->compare = loop.compare;
    copy->stepIsNegative = loop.stepIsNegative;
    copy->isVoted = loop.isVoted;
    copy->condition = loop.condition;
    copy->pragma = loop.pragma;
    copy->staticTrips = loop.staticTrips;
    copy->mostTrips = loop.mostTrips;
    copy->carried = loop.carried;
    for (Carried &carried : copy->carried)
      rename(carried.var);
    for (auto [to, from] :
         {std::pair(&copy->iv, loop.iv), std::pair(&copy->trips, loop.trips), std::pair(&copy->joined, loop.joined)})
      if (from) {
        *to = from;
        rename(*to);
      }
    clone(loop.conditionRegion, copy->conditionRegion);
    clone(loop.body, copy->body);
    return copy;
  }
  void rename(Var *&var) {
    Var *copy = owner.makeVar(var->name, var->type, var->storage);
    copy->isTemporary = var->isTemporary;
    copy->keeping = var->keeping;
    fresh[var] = copy;
    var = copy;
  }

  Function &owner;
  OrderedMap<Var, Var *> &fresh;
};
} // namespace

std::unique_ptr<Item> cloneItem(const Item &item, Function &owner, OrderedMap<Var, Var *> &fresh) {
  std::unique_ptr<Item> copy = Cloner(owner, fresh).clone(item);
  rewriteItem(*copy, [&](const Expr &e) {
    return substitute(e, [&](Var *var) -> Expr {
      auto found = fresh.find(var);
      return found == fresh.end() ? nullptr : makeRef(found->second);
    });
  });
  return copy;
}

} // namespace gpuad::ir
