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
#include "llvm/ADT/STLExtras.h"

#include <set>

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

/// Every variable that gets a value in the region.
void definedIn(const Region &region, OrderedSet<Var> &defined) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      defined.insert(value->var);
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (Var *given : valuesOf(*call))
        defined.insert(given);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      for (const Merge &merge : branch->merges)
        defined.insert(merge.var);
      definedIn(branch->thenRegion, defined);
      definedIn(branch->elseRegion, defined);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      for (const Carried &carried : loop->carried)
        defined.insert(carried.var);
      defined.insert(loop->iv);
      definedIn(loop->conditionRegion, defined);
      definedIn(loop->body, defined);
    }
  }
}

/// Whether an index is different in every iteration: the loop variable plus or times
/// constants, plus what is the same in all iterations.
bool isInjective(const Expr &index, Var *iv, const OrderedSet<Var> &varying) {
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
    return isInjective(with, iv, varying) && isCheap(other) &&
           llvm::none_of(variablesIn(other), [&](Var *var) { return varying.count(var) != 0; });
  return binary->op == BinaryOp::Mul && stripImplicit(other)->kind == ExprKind::Lit && !isZeroLit(other) &&
         isInjective(with, iv, varying);
}

bool differs(const Expr &place, Var *iv, const OrderedSet<Var> &varying) {
  if (auto *access = llvm::dyn_cast<IndexExpr>(place.get()))
    return isInjective(access->index, iv, varying) ||
           (!isPointer(access->base->type) && differs(access->base, iv, varying)); // other pointers may lead there, too
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return differs(member->base, iv, varying);
  return false;
}
} // namespace

/// Whether a variable with a closed form is different in every iteration: its step is no
/// zero, or the loop runs until the variable has reached something.
static bool moves(const LoopItem &loop, const Carried &carried) {
  if (carried.step->kind == ExprKind::Lit)
    return !isZeroLit(carried.step);
  auto *test = loop.condition ? llvm::dyn_cast<BinaryExpr>(stripImplicit(loop.condition).get()) : nullptr;
  auto *tested = test ? llvm::dyn_cast<RefExpr>(stripImplicit(test->lhs).get()) : nullptr;
  bool compares = test && (test->op == BinaryOp::Lt || test->op == BinaryOp::Le || test->op == BinaryOp::Gt ||
                           test->op == BinaryOp::Ge);
  return compares && tested && tested->var == carried.var;
}

bool differsByIteration(const Expr &place, const LoopItem &loop) {
  OrderedSet<Var> varying;
  definedIn(loop.body, varying);
  for (const Carried &carried : loop.carried)
    varying.insert(carried.var);
  if (loop.isCounted)
    return differs(place, loop.iv, varying);
  return llvm::any_of(loop.carried, [&](const Carried &carried) {
    return carried.step && moves(loop, carried) && differs(place, carried.var, varying);
  });
}

bool isPlace(const Expr &e) {
  return e->kind == ExprKind::Index || e->kind == ExprKind::Deref || e->kind == ExprKind::Member;
}

void forEachLoad(const Expr &e, llvm::function_ref<void(const Expr &)> visit) {
  std::function<void(const Expr &, bool)> walk = [&](const Expr &one, bool isBase) {
    bool place = isPlace(one);
    if (place && !isBase && !isPointer(one->type))
      visit(one);
    std::vector<Expr> parts = children(one);
    for (size_t i = 0; i < parts.size(); ++i) {
      bool isPart = i == 0 && (place || one->kind == ExprKind::AddrOf);
      walk(parts[i], isPart);
    }
  };
  if (e)
    walk(e, false);
}

namespace {
/// The fields that a place goes through, innermost first; false: it is seen through a cast.
bool fieldsOf(Expr at, std::vector<const MemberExpr *> &fields) {
  for (;;) {
    if (auto *member = llvm::dyn_cast<MemberExpr>(at.get())) {
      fields.push_back(member);
      at = member->base;
    } else if (auto *access = llvm::dyn_cast<IndexExpr>(at.get())) {
      at = access->base;
    } else if (auto *star = llvm::dyn_cast<DerefExpr>(at.get())) {
      at = star->pointer;
    } else if (auto *address = llvm::dyn_cast<AddrOfExpr>(at.get())) {
      at = address->place;
    } else {
      return at->kind == ExprKind::Ref;
    }
  }
}
} // namespace

bool differByField(const Expr &a, const Expr &b) {
  std::vector<const MemberExpr *> left, right;
  if (!fieldsOf(a, left) || !fieldsOf(b, right))
    return false;
  return llvm::any_of(left, [&](const MemberExpr *one) {
    return llvm::any_of(right, [&](const MemberExpr *other) {
      const Type &type = one->base->type;
      return isRecord(type) && isRecord(other->base->type) && type->record == other->base->type->record &&
             !type->record->isUnion && one->field != other->field;
    });
  });
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
      if (isBarrier(*item))
        barriers.push_back({nullptr, nullptr, order, loops});
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

  void decide(const OrderedSet<Var> &aliased) {
    for (const Access &load : loads) {
      if (aliased.count(memoryBase(load.load->expr).first))
        continue; // stores to another name of the array are not among these
      bool readsEntry = true;
      for (const Access &store : stores)
        readsEntry &= memoryBase(store.store->place) != memoryBase(load.load->expr) ||
                      differByField(store.store->place, load.load->expr) ||
                      (comesAfter(store, load) && !isSeenByOthers(store, load));
      if (readsEntry)
        load.load->load = LoadClass::Entry;
    }
  }

private:
  /// Whether another thread may have stored before a barrier that stands before the load.
  bool isSeenByOthers(const Access &store, const Access &load) const {
    return llvm::any_of(barriers, [&](const Access &barrier) {
      if (store.order < barrier.order && barrier.order < load.order)
        return true;
      return llvm::any_of(load.loops, [&](const LoopItem *loop) {
        return llvm::is_contained(store.loops, loop) && llvm::is_contained(barrier.loops, loop);
      });
    });
  }

  /// Whether no execution of the store to the loaded element comes before the load.
  static bool comesAfter(const Access &store, const Access &load) {
    const Expr &place = load.load->expr;
    bool isShared = false; // a loop around both
    for (const LoopItem *loop : load.loops) {
      if (!llvm::is_contained(store.loops, loop))
        continue;
      isShared = true;
      // An earlier iteration has stored to another element.
      if (!equal(store.store->place, place) || !differsByIteration(place, *loop))
        return false;
    }
    if (store.order > load.order)
      return true;
    return !isShared && provablyDifferent(store.store->place, place);
  }

  unsigned order = 0;
  std::vector<const LoopItem *> loops;
  std::vector<Access> loads, stores, barriers;
};
} // namespace

void reclassifyLoads(ValueFunction &function) {
  Reclassifier reclassifier;
  reclassifier.visit(function.body);
  reclassifier.decide(function.aliased);
}

Stmt forEachIndex(Function &owner, const Type &array, const char *name,
                  llvm::function_ref<std::vector<Stmt>(const Expr &)> body) {
  Var *index = owner.makeVar(name, intType());
  Expr more = makeBinary(BinaryOp::Lt, makeRef(index), intLit(static_cast<int64_t>(*array->extent)), boolType());
  Stmt next = makeAssign(makeRef(index), makeBinary(BinaryOp::Add, makeRef(index), intLit(1), intType()));
  return makeFor({makeDecl(index, intLit(0))}, more, {next}, makeBlock(body(makeRef(index))));
}

} // namespace gpuad::transform
