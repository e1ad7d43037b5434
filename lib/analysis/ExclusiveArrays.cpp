//===- ExclusiveArrays.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ExclusiveArrays.h"

#include "analysis/ThreadDependence.h"
#include "ir/Builder.h"
#include "ir/Walk.h"

#include <functional>
#include <optional>
#include <set>

namespace gpuad::analysis {
using namespace ir;

namespace {
/// scale * var + offset
struct Linear {
  Var *var = nullptr;
  int64_t scale = 0, offset = 0;
};

std::optional<Linear> linear(const Expr &given) {
  const Expr &e = stripImplicit(given);
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get()))
    if (auto *value = std::get_if<int64_t>(&lit->value))
      return Linear{nullptr, 0, *value};
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
    return Linear{ref->var, 1, 0};
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary)
    return std::nullopt;
  auto a = linear(binary->lhs), b = linear(binary->rhs);
  if (!a || !b)
    return std::nullopt;
  if (binary->op == BinaryOp::Mul && (!a->var || !b->var)) {
    const Linear &with = a->var ? *a : *b;
    int64_t factor = a->var ? b->offset : a->offset;
    return Linear{with.var, with.scale * factor, with.offset * factor};
  }
  if (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub)
    return std::nullopt;
  int64_t sign = binary->op == BinaryOp::Add ? 1 : -1;
  if (a->var && b->var && a->var != b->var)
    return std::nullopt;
  return Linear{a->var ? a->var : b->var, a->scale + sign * b->scale, a->offset + sign * b->offset};
}

/// The index by which a place is reached from its pointer; null when there is more
/// than one, or a cast that changes the unit.
Expr elementIndex(const Expr &place) {
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return isPointer(member->type) ? nullptr : elementIndex(member->base);
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  if (!access)
    return nullptr;
  bool isDirect = access->base->kind == ExprKind::Ref || access->base->kind == ExprKind::Member;
  return isDirect && isPointer(access->base->type) ? access->index : nullptr;
}

struct Access {
  std::optional<Linear> index;
  std::vector<const Region *> regions; ///< outermost first
};

class Collector {
public:
  explicit Collector(const ValueFunction &function) : dependence(function) { visit(function.body); }

  std::map<MemoryBase, std::vector<Access>> accesses;
  std::vector<std::pair<Access, Expr>> facts; ///< plain stores and their places

private:
  void note(const Expr &place) {
    Expr index = elementIndex(place);
    accesses[memoryBase(place)].push_back({index ? linear(index) : std::nullopt, regions});
  }
  void loads(const Expr &e) {
    if (!e)
      return;
    bool isPlace = e->kind == ExprKind::Index || e->kind == ExprKind::Deref || e->kind == ExprKind::Member;
    if (isPlace && !isPointer(e->type) && memoryBase(e).first) {
      if (holdsFloating(e->type))
        note(e);
      for (Expr at = e; at->kind == ExprKind::Index || at->kind == ExprKind::Member;) {
        if (auto *access = llvm::dyn_cast<IndexExpr>(at.get())) {
          loads(access->index);
          at = access->base;
        } else {
          at = llvm::cast<MemberExpr>(at.get())->base;
        }
      }
      return;
    }
    for (const Expr &operand : children(e))
      loads(operand);
  }
  void visit(const Region &region);

  ThreadDependence dependence;
  std::vector<const Region *> regions;
};

void Collector::visit(const Region &region) {
  regions.push_back(&region);
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      loads(value->expr);
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
      note(store->place);
      loads(store->value);
      loads(store->increment);
      ThreadDependence::Mask told = dependence.of(store->place);
      bool tellsApart = (told & 7) && (told & 56);
      Expr index = elementIndex(store->place);
      if (!store->isAtomicAdd && tellsApart && index && linear(index))
        facts.push_back({{linear(index), regions}, store->place});
    }
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (const CallArgument &arg : call->args) {
        if (arg.value && arg.isMemory) // where the callee reads is not known here
          accesses[memoryBase(arg.value)].push_back({std::nullopt, regions});
        else
          loads(arg.value);
      }
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      visit(branch->thenRegion);
      visit(branch->elseRegion);
      for (const Merge &merge : branch->merges) {
        loads(merge.thenValue);
        loads(merge.elseValue);
      }
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      visit(loop->body);
  }
  regions.pop_back();
}

/// Whether every thread that comes to `inner` also executes `outer`'s region.
bool encloses(const std::vector<const Region *> &outer, const std::vector<const Region *> &inner) {
  return outer.size() <= inner.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// The store that proves its thread to be the only one that comes to all of these
/// elements, one into `base` itself if there is one; null: there is none.
const Expr *ownerOf(const MemoryBase &base, const std::vector<Access> &accesses, const Collector &collector) {
  const std::optional<Linear> &first = accesses.front().index;
  int64_t low = first ? first->offset : 0, high = low;
  for (const Access &access : accesses) {
    if (!access.index || !access.index->var || access.index->scale == 0)
      return nullptr;
    if (access.index->var != first->var || access.index->scale != first->scale)
      return nullptr;
    low = std::min(low, access.index->offset);
    high = std::max(high, access.index->offset);
  }
  if (high - low >= std::abs(first->scale))
    return nullptr;
  const Expr *found = nullptr;
  for (auto &[fact, place] : collector.facts) {
    bool covers = fact.index->var == first->var && fact.index->scale != 0;
    for (const Access &access : accesses)
      covers &= encloses(fact.regions, access.regions);
    if (covers && (!found || memoryBase(place) == base))
      found = &place;
  }
  return found;
}

/// Two arrays by the contract's rule for parameters; pointers inside of structs of
/// which nothing is known count the same.
bool mayBeOne(const MemoryBase &a, const MemoryBase &b) {
  if (a == b || !a.first || !b.first)
    return false;
  bool areParameters = a.second.empty() && b.second.empty();
  return areParameters ? mayBeOneArray(a.first, b.first)
                       : a.first->storage == Storage::Parameter && b.first->storage == Storage::Parameter;
}
} // namespace

std::map<MemoryBase, ExclusiveProof> exclusiveArrays(const ValueFunction &function) {
  Collector collector(function);
  std::map<MemoryBase, ExclusiveProof> found;
  for (auto &[base, accesses] : collector.accesses) {
    const Expr *fact = ownerOf(base, accesses, collector);
    if (!fact)
      continue;
    Var *root = rootVar(*fact);
    ExclusiveProof &proof = found[base];
    proof.words = "one thread alone writes " + (root ? root->name : "memory") + " at this index in the primal";
    if (memoryBase(*fact) == base)
      continue; // another thread that read it under another name would race in the primal
    for (auto &[other, more] : collector.accesses) {
      if (!mayBeOne(base, other))
        continue;
      std::vector<Access> both = accesses;
      both.insert(both.end(), more.begin(), more.end());
      if (!ownerOf(base, both, collector))
        proof.apartFrom.push_back(other);
    }
  }
  return found;
}

} // namespace gpuad::analysis
