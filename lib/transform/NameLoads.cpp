//===- NameLoads.cpp - every load stands at one place --------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A load that reads what was there on entry may stand inside an expression, and is
/// written wherever that is used. Where memory changes under the derivative, a load has
/// to be a value of its own, made where the primal makes it.
///
//===----------------------------------------------------------------------===//

#include "transform/Undo.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/NameOperands.h"
#include "transform/Places.h"

namespace gpuad::transform {
using namespace ir;

namespace {
class Namer {
public:
  Namer(Function &owner, MemoryBase object) : owner(owner), object(std::move(object)) {}

  void region(Region &r) {
    std::vector<std::unique_ptr<Item>> items = std::move(r.items), made;
    r.items.clear();
    for (auto &item : items) {
      auto outer = std::move(before);
      before.clear();
      range = item->range;
      visit(*item);
      for (auto &one : before)
        made.push_back(std::move(one));
      before = std::move(outer);
      made.push_back(std::move(item));
    }
    r.items = std::move(made);
  }

private:
  static bool isChoice(const Expr &e) {
    auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
    return e->kind == ExprKind::Select ||
           (binary && (binary->op == BinaryOp::LogicalAnd || binary->op == BinaryOp::LogicalOr));
  }
  bool loads(const Expr &e) const {
    bool found = false;
    forEachLoad(e, [&](const Expr &place) { found |= memoryBase(place) == object; });
    return found;
  }
  Expr value(const Expr &e);
  Expr named(const Expr &inner);
  Expr place(const Expr &e);
  void visit(Item &item);
  void loop(LoopItem &item);
  void rename(Expr &e) {
    if (e)
      e = value(e);
  }

  Function &owner;
  MemoryBase object;
  SourceRange range;
  std::vector<std::unique_ptr<Item>> before;
};

/// A place that stays one: only what its indices load is named.
Expr Namer::place(const Expr &e) {
  std::vector<Expr> parts = children(e);
  for (size_t i = 0; i < parts.size(); ++i) {
    bool isBase = i == 0 && (isPlace(e) || e->kind == ExprKind::AddrOf);
    parts[i] = isBase && (isPlace(parts[i]) || parts[i]->kind == ExprKind::AddrOf) && !isPointer(parts[i]->type)
                   ? place(parts[i])
                   : value(parts[i]);
  }
  return parts.empty() ? e : withChildren(e, parts);
}

Expr Namer::value(const Expr &e) {
  if (e->kind == ExprKind::AddrOf)
    return place(e);
  if (isChoice(e)) { // of the rest, not all is evaluated
    std::vector<Expr> parts = children(e);
    parts[0] = value(parts[0]);
    Expr made = withChildren(e, parts);
    return loads(made) ? named(made) : made;
  }
  if (!isPlace(e)) {
    std::vector<Expr> parts = children(e);
    for (Expr &part : parts)
      part = value(part);
    return parts.empty() ? e : withChildren(e, parts);
  }
  Expr inner = place(e);
  if (memoryBase(e) != object || isPointer(e->type) || isArray(e->type))
    return inner;
  return named(inner);
}

Expr Namer::named(const Expr &inner) {
  for (auto &one : before)
    if (auto *known = llvm::dyn_cast<ValueItem>(one.get()); known && equal(known->expr, inner))
      return makeRef(known->var);
  auto item = std::make_unique<ValueItem>();
  item->range = range;
  item->var = owner.makeVar(nameOfValue(inner), withConst(inner->type, false));
  item->expr = inner;
  item->load = isShared(object.first) ? LoadClass::Array : LoadClass::Entry;
  Var *var = item->var;
  before.push_back(std::move(item));
  return makeRef(var);
}

void Namer::loop(LoopItem &item) {
  rename(item.begin);
  rename(item.end);
  rename(item.step);
  for (Carried &carried : item.carried) {
    rename(carried.init);
    rename(carried.step);
  }
  region(item.conditionRegion);
  auto outer = std::move(before);
  before.clear();
  rename(item.condition);
  for (auto &one : before)
    item.conditionRegion.items.push_back(std::move(one));
  before.clear();
  region(item.body);
  for (Carried &carried : item.carried)
    rename(carried.next);
  for (auto &one : before)
    item.body.items.push_back(std::move(one));
  before = std::move(outer);
}

void Namer::visit(Item &item) {
  switch (item.kind) {
  case ItemKind::Value: {
    auto &one = *llvm::cast<ValueItem>(&item);
    bool isLoad = isPlace(one.expr) && memoryBase(one.expr) == object;
    one.expr = isLoad ? place(one.expr) : value(one.expr);
    if (isLoad)
      one.var->isTemporary = false; // must not move
    return;
  }
  case ItemKind::Store: {
    auto &store = *llvm::cast<StoreItem>(&item);
    store.place = place(store.place);
    rename(store.value);
    return rename(store.increment);
  }
  case ItemKind::Array:
    return rename(llvm::cast<ArrayItem>(&item)->init);
  case ItemKind::Branch: {
    auto &branch = *llvm::cast<BranchItem>(&item);
    rename(branch.condition);
    region(branch.thenRegion);
    return region(branch.elseRegion);
  }
  case ItemKind::Loop:
    return loop(*llvm::cast<LoopItem>(&item));
  case ItemKind::Call: // one that reads the object is put in place before the sweeps are made again
  case ItemKind::Effect:
    return;
  }
}
} // namespace

void nameLoads(ValueFunction &function, const MemoryBase &object) {
  Namer(*function.owner, object).region(function.body);
}

} // namespace gpuad::transform
