//===- Places.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Places.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/NameOperands.h"
#include "transform/ValueFormBuilder.h"

namespace gpuad::transform {
using namespace ir;

namespace {
unsigned usesIn(const Expr &e, Var *var) {
  unsigned count = 0;
  forEachExpr(e, [&](const Expr &one) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      count += ref->var == var;
  });
  return count;
}

/// Whether an index is different in every iteration: the loop variable plus or times
/// constants, plus what it does not touch.
bool isInjective(const Expr &index, Var *iv) {
  const Expr &e = stripImplicit(index);
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
    return ref->var == iv;
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary)
    return false;
  unsigned left = usesIn(binary->lhs, iv), right = usesIn(binary->rhs, iv);
  if (left + right != 1)
    return false;
  const Expr &with = left ? binary->lhs : binary->rhs;
  const Expr &other = left ? binary->rhs : binary->lhs;
  if (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub)
    return isInjective(with, iv) && isCheap(other);
  return binary->op == BinaryOp::Mul && stripImplicit(other)->kind == ExprKind::Lit && !isZeroLit(other) &&
         isInjective(with, iv);
}
} // namespace

bool differsByIteration(const Expr &place, Var *iv) {
  if (auto *access = llvm::dyn_cast<IndexExpr>(place.get()))
    return isInjective(access->index, iv) || differsByIteration(access->base, iv);
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return differsByIteration(member->base, iv);
  return false;
}

namespace {
/// A load or store with where it stands: its place in program order and the loops
/// around it.
struct Access {
  ValueItem *load = nullptr;
  const StoreItem *store = nullptr;
  unsigned order = 0;
  std::vector<const LoopItem *> loops;
};

class Reclassifier {
public:
  void visit(Region &region) {
    for (auto &item : region.items) {
      ++order;
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && value->load == LoadClass::Stale)
        loads.push_back({value, nullptr, order, loops});
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
        stores.push_back({nullptr, store, order, loops});
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
        loops.push_back(loop);
        visit(loop->conditionRegion);
        visit(loop->body);
        loops.pop_back();
      }
    }
  }

  void decide() {
    for (const Access &load : loads) {
      bool readsEntry = true;
      for (const Access &store : stores)
        readsEntry &= memoryBase(store.store->place) != memoryBase(load.load->expr) || comesAfter(store, load);
      if (readsEntry)
        load.load->load = LoadClass::Entry;
    }
  }

private:
  /// Whether no execution of the store to the loaded element comes before the load.
  static bool comesAfter(const Access &store, const Access &load) {
    const Expr &place = load.load->expr;
    bool isShared = false; // a loop around both
    for (const LoopItem *loop : load.loops) {
      if (!llvm::is_contained(store.loops, loop))
        continue;
      isShared = true;
      // An earlier iteration has stored to another element.
      if (!loop->isCounted || !equal(store.store->place, place) || !differsByIteration(place, loop->iv))
        return false;
    }
    if (store.order > load.order)
      return true;
    return !isShared && provablyDifferent(store.store->place, place);
  }

  unsigned order = 0;
  std::vector<const LoopItem *> loops;
  std::vector<Access> loads, stores;
};
} // namespace

void reclassifyLoads(ValueFunction &function) {
  Reclassifier reclassifier;
  reclassifier.visit(function.body);
  reclassifier.decide();
}

} // namespace gpuad::transform
