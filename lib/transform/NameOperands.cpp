//===- NameOperands.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/NameOperands.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

bool isCheap(const Expr &e) {
  switch (e->kind) {
  case ExprKind::Lit:
  case ExprKind::Ref:
  case ExprKind::ThreadIndex:
    return true;
  case ExprKind::Member:
    return isCheap(llvm::cast<MemberExpr>(e.get())->base);
  case ExprKind::Unary:
    return isCheap(llvm::cast<UnaryExpr>(e.get())->operand);
  case ExprKind::Cast:
    return isCheap(llvm::cast<CastExpr>(e.get())->operand);
  default:
    return false;
  }
}

std::vector<Expr> factorsOf(const BinaryExpr &product) {
  constexpr size_t Most = 4;
  std::vector<Expr> factors;
  std::function<void(const Expr &)> collect = [&](const Expr &e) {
    auto *inner = llvm::dyn_cast<BinaryExpr>(e.get());
    if (!inner || inner->op != BinaryOp::Mul || !sameType(e->type, product.type)) {
      factors.push_back(e);
      return;
    }
    collect(inner->lhs);
    collect(inner->rhs);
  };
  collect(product.lhs);
  collect(product.rhs);
  return factors.size() <= Most ? factors : std::vector<Expr>{product.lhs, product.rhs};
}

/// A readable name for the value of e.
std::string nameOfArray(const Expr &place) {
  Var *root = rootVar(place);
  std::string name = root ? root->name : "loaded";
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  auto *member = access ? llvm::dyn_cast<MemberExpr>(stripImplicit(access->base).get()) : nullptr;
  return member ? name + "_" + member->name : name;
}

std::string nameOfValue(const Expr &e) {
  switch (e->kind) {
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::Member: {
    std::string name = nameOfArray(e);
    if (auto *member = llvm::dyn_cast<MemberExpr>(e.get()))
      return name + "_" + member->name;
    if (auto *access = llvm::dyn_cast<IndexExpr>(e.get()))
      if (auto *index = llvm::dyn_cast<RefExpr>(stripImplicit(access->index).get()))
        return name + "_" + index->var->name;
    return name + "_value";
  }
  case ExprKind::Call: {
    std::string name = llvm::cast<CallExpr>(e.get())->callee.name;
    if (name.find("operator") != std::string::npos)
      return "call_value";
    name = name.substr(name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
    name.erase(0, name.find_first_not_of('_'));
    if (name.size() > 3 && name.back() == 'f')
      name.pop_back();
    return name + "_value";
  }
  case ExprKind::Binary:
    switch (llvm::cast<BinaryExpr>(e.get())->op) {
    case BinaryOp::Add:
      return "sum";
    case BinaryOp::Sub:
      return "difference";
    case BinaryOp::Mul:
      return "product";
    case BinaryOp::Div:
      return "quotient";
    default:
      return "value";
    }
  case ExprKind::Cast:
    return nameOfValue(llvm::cast<CastExpr>(e.get())->operand);
  default:
    return "value";
  }
}

namespace {
class OperandNamer {
public:
  OperandNamer(Function &owner, const analysis::ValueActivity &activity, const rules::RuleTable &rules)
      : owner(owner), activity(activity), splitter{rules, [&](const Expr &e) { return activity.isActive(e); },
                                                   [this](const Expr &e) { return bind(e); }} {}

  void region(Region &r) {
    std::vector<std::unique_ptr<Item>> items = std::move(r.items);
    r.items.clear();
    for (auto &item : items) {
      before.clear();
      visit(*item);
      for (auto &one : before)
        r.items.push_back(std::move(one));
      r.items.push_back(std::move(item));
    }
  }

private:
  void visit(Item &item) {
    range = item.range;
    switch (item.kind) {
    case ItemKind::Value: {
      auto &value = *llvm::cast<ValueItem>(&item);
      if (activity.isActive(value.var))
        value.expr = splitter.split(value.expr, true);
      return;
    }
    case ItemKind::Store: {
      auto &store = *llvm::cast<StoreItem>(&item);
      if (!activity.isActive(memoryBase(store.place)))
        return;
      if (store.increment)
        store.increment = splitter.split(store.increment, false);
      if (!store.isAtomic && store.value->kind == ExprKind::Init)
        store.value = splitter.split(store.value, false);
      return;
    }
    case ItemKind::Branch: {
      auto saved = std::move(before);
      region(llvm::cast<BranchItem>(&item)->thenRegion);
      region(llvm::cast<BranchItem>(&item)->elseRegion);
      before = std::move(saved);
      return;
    }
    case ItemKind::Loop: {
      auto saved = std::move(before);
      region(llvm::cast<LoopItem>(&item)->body);
      before = std::move(saved);
      return;
    }
    case ItemKind::Array: {
      auto &array = *llvm::cast<ArrayItem>(&item);
      if (array.init && activity.isActive(MemoryBase{array.array, ""}))
        array.init = splitter.split(array.init, false);
      return;
    }
    case ItemKind::Call:
    case ItemKind::Effect:
      return;
    }
  }

  Expr bind(const Expr &e) {
    for (auto &one : before) // the same load or call twice in one statement
      if (auto *value = llvm::dyn_cast<ValueItem>(one.get()); value && equal(value->expr, e))
        return makeRef(value->var);
    auto item = std::make_unique<ValueItem>();
    item->range = range;
    item->var = owner.makeVar(nameOfValue(e), withConst(e->type, false));
    item->var->isTemporary = true;
    item->expr = e;
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Deref || e->kind == ExprKind::Member)
      item->load = LoadClass::Entry;
    Var *var = item->var;
    before.push_back(std::move(item));
    return makeRef(var);
  }

  Function &owner;
  const analysis::ValueActivity &activity;
  OperandSplitter splitter;
  std::vector<std::unique_ptr<Item>> before;
  SourceRange range;
};
} // namespace

Expr OperandSplitter::bindUnlessCheap(const Expr &e) {
  return isCheap(e) ? e : bind(e);
}

/// A factor is needed where another one is active.
Expr OperandSplitter::productOperands(const BinaryExpr &product) {
  std::vector<Expr> factors = factorsOf(product);
  unsigned activeCount = 0;
  for (const Expr &factor : factors)
    activeCount += isActive(factor);
  Expr value;
  for (Expr &factor : factors) {
    bool active = isActive(factor);
    Expr fresh = split(factor, false);
    if (activeCount > (active ? 1u : 0u))
      fresh = bindUnlessCheap(fresh);
    value = value ? makeBinary(BinaryOp::Mul, value, fresh, product.type, product.range) : fresh;
  }
  return value;
}

/// `isResult`: the value of e already has a name.
Expr OperandSplitter::split(const Expr &e, bool isResult) {
  if (!isActive(e) || e->kind == ExprKind::Index || e->kind == ExprKind::Deref || e->kind == ExprKind::Member ||
      e->kind == ExprKind::Ref)
    return e;
  if (e->kind == ExprKind::Cast) {
    auto *cast = llvm::cast<CastExpr>(e.get());
    return withChildren(e, {split(cast->operand, false)});
  }
  if (auto *product = llvm::dyn_cast<BinaryExpr>(e.get()); product && product->op == BinaryOp::Mul)
    return productOperands(*product);
  std::vector<Expr> parts = children(e);
  std::vector<bool> active;
  for (Expr &part : parts) {
    active.push_back(isActive(part));
    part = split(part, false);
  }
  auto finish = [&](bool needsResult) {
    Expr fresh = withChildren(e, parts);
    return needsResult && !isResult ? bindUnlessCheap(fresh) : fresh;
  };
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(e.get())) {
    if (binary->op == BinaryOp::Div) {
      parts[1] = bindUnlessCheap(parts[1]);
      return finish(active[1]);
    }
    return finish(false);
  }
  if (auto *call = llvm::dyn_cast<CallExpr>(e.get())) {
    const rules::Rule *rule = rules.find(call->callee);
    bool needsResult = false;
    for (unsigned i = 0; rule && i < parts.size(); ++i) {
      if (!active[i] || (rules.isZero(*rule, i) && rule->given.empty()))
        continue;
      rules::PartialNeeds needs = rules.needs(*rule, i);
      needsResult |= needs.result;
      for (unsigned param : needs.params)
        if (param < parts.size())
          parts[param] = bindUnlessCheap(parts[param]);
    }
    return finish(needsResult);
  }
  return finish(false);
}

void nameOperands(ValueFunction &function, const analysis::ValueActivity &activity, const rules::RuleTable &rules) {
  OperandNamer(*function.owner, activity, rules).region(function.body);
}

} // namespace gpuad::transform
