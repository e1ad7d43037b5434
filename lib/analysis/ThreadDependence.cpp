//===- ThreadDependence.cpp ----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ThreadDependence.h"

#include "analysis/ThreadForm.h"
#include "ir/Builder.h"
#include "ir/Walk.h"

#include <set>

namespace gpuad::analysis {
using namespace ir;

bool ThreadDependence::isPure(const CallExpr &call) const {
  const rules::Rule *rule = rules.find(call.callee);
  return rule && rule->kind == rules::RuleKind::Pure;
}

std::optional<rules::ThreadPlace> ThreadDependence::placeBy(const Expr &e) const {
  auto *call = llvm::dyn_cast<CallExpr>(e.get());
  const rules::Rule *rule = call && !call->callee.function ? rules.find(call->callee) : nullptr;
  bool tells = rule && (rule->kind == rules::RuleKind::Inactive ||
                        (rule->kind == rules::RuleKind::Collective && rule->place != rules::ThreadPlace::Unknown));
  return tells ? std::optional(rule->place) : std::nullopt;
}

static ThreadDependence::Mask maskOfIndex(const Expr &e) {
  auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get());
  if (index && index->builtin == ThreadBuiltin::ThreadIdx)
    return 1u << index->dimension;
  return index && index->builtin == ThreadBuiltin::BlockIdx ? 8u << index->dimension : 0;
}

/// The indices on which the expression itself depends.
ThreadDependence::Mask ThreadDependence::maskOf(const Expr &e) const {
  if (std::optional<rules::ThreadPlace> place = placeBy(e))
    switch (*place) {
    case rules::ThreadPlace::Same:
      return 0;
    case rules::ThreadPlace::Block:
      return All & ~Threads;
    case rules::ThreadPlace::Thread:
    case rules::ThreadPlace::Lane:
    case rules::ThreadPlace::Tile:
      return Threads;
    case rules::ThreadPlace::Unknown:
      return All;
    }
  return maskOfIndex(e);
}

static constexpr unsigned Implied = 6; ///< how far the bits of what calls tell are shifted

static ThreadDependence::Mask together(ThreadDependence::Mask named) {
  return (named | named >> Implied) & ThreadDependence::All;
}

/// What an expression names, and what its calls tell besides.
ThreadDependence::Mask ThreadDependence::namedIn(const Expr &e) const {
  return placeBy(e) ? maskOf(e) << Implied : maskOfIndex(e);
}

/// The indices that a function and those that it calls look at.
ThreadDependence::Mask ThreadDependence::namedIn(const Function &function, OrderedSet<const Function> &seen) const {
  ThreadDependence::Mask mask = 0;
  if (!function.body || !seen.insert(&function).second)
    return mask;
  forEachExprIn(function.body, [&](const Expr &e) {
    mask |= namedIn(e);
    if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && call->callee.function)
      mask |= namedIn(*call->callee.function, seen);
  });
  return mask;
}

ThreadDependence::Mask ThreadDependence::namedBy(const CallItem &call) const {
  OrderedSet<const Function> seen;
  return namedIn(*call.callee, seen);
}

ThreadDependence::Mask ThreadDependence::namedIn(const Region &region) const {
  ThreadDependence::Mask mask = 0;
  auto look = [&](const Expr &whole) {
    if (whole)
      forEachExpr(whole, [&](const Expr &e) { mask |= namedIn(e); });
  };
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      look(value->expr);
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
      look(store->place);
      look(store->value);
    }
    if (auto *call = llvm::dyn_cast<CallItem>(item.get())) {
      mask |= namedBy(*call);
      for (const CallArgument &arg : call->args)
        look(arg.value);
    }
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      look(branch->condition);
      mask |= namedIn(branch->thenRegion) | namedIn(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      for (const Expr &e : {loop->begin, loop->end, loop->step, loop->condition})
        look(e);
      mask |= namedIn(loop->body);
    }
  }
  return mask;
}

ThreadDependence::ThreadDependence(const ValueFunction &function, const rules::RuleTable &rules) : rules(rules) {
  Mask named = namedIn(function.body);
  inUse = named & All;
  for (Mask part : {Threads, All & ~Threads})
    if (!(inUse & part))
      inUse |= named >> Implied & part;
  do {
    changed = false;
    spread(function.body, 0);
  } while (changed);
}

void ThreadDependence::raise(Var *var, Mask mask) {
  Mask &known = masks[var];
  changed |= (known | mask) != known;
  known |= mask;
}

ThreadDependence::Mask ThreadDependence::of(const Expr &e) const {
  Mask mask = 0;
  forEachExpr(e, [&](const Expr &one) {
    mask |= maskOf(one);
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      mask |= of(ref->var);
  });
  return mask;
}

ThreadDependence::Mask ThreadDependence::injectivePart(const Expr &given) const {
  const Expr &e = stripImplicit(given);
  if (auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get()))
    return index->builtin == ThreadBuiltin::ThreadIdx ? 1u << index->dimension : 0;
  if (placeBy(e) == rules::ThreadPlace::Thread)
    return Threads;
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto found = definitions.find(ref->var);
    return found == definitions.end() ? 0 : injectivePart(found->second);
  }
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()))
    return isInteger(cast->type) && cast->type->bits >= 32 ? injectivePart(cast->operand) : 0;
  auto *sum = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub))
    return 0;
  if ((of(sum->rhs) & 7) == 0)
    return injectivePart(sum->lhs);
  return (of(sum->lhs) & 7) == 0 ? injectivePart(sum->rhs) : 0;
}

ThreadDependence::Mask ThreadDependence::pinned(const Expr &condition, bool surely) const {
  const Expr &inner = stripImplicit(condition);
  auto definitionOf = [&](Var *var) {
    auto found = definitions.find(var);
    return found == definitions.end() ? nullptr : found->second;
  };
  auto told = [&](const Expr &index) -> Mask {
    if (!surely)
      return of(index);
    auto form = threadForm(index, {}, definitionOf);
    return form ? form->thread : 0;
  };
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(inner.get()); minus && minus->op == UnaryOp::Not)
    return isBool(stripImplicit(minus->operand)->type) ? 0 : told(stripImplicit(minus->operand));
  auto *binary = llvm::dyn_cast<BinaryExpr>(inner.get());
  if (!binary)
    return 0;
  if (binary->op == BinaryOp::LogicalAnd)
    return pinned(binary->lhs, surely) | pinned(binary->rhs, surely);
  if (binary->op != BinaryOp::Eq)
    return 0;
  // index == something the same for all: only one of the threads that differ in it. With the
  // counter of a loop it is another one each time.
  Mask left = of(binary->lhs), right = of(binary->rhs);
  const Expr &index = left ? binary->lhs : binary->rhs, &fixed = left ? binary->rhs : binary->lhs;
  return (left && right) || (surely && !isOneForLaunch(fixed, definitionOf)) ? 0 : told(index);
}

std::string ThreadDependence::describe(Mask mask) {
  static const char *const Names[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z",
                                      "blockIdx.x",  "blockIdx.y",  "blockIdx.z"};
  std::string text;
  for (unsigned bit = 0; bit < 6; ++bit)
    if (mask & (1u << bit))
      text += (text.empty() ? "" : " and ") + std::string(Names[bit]);
  return text;
}

void ThreadDependence::spread(const Region &region, Mask control) {
  for (const auto &item : region.items) {
    switch (item->kind) {
    case ItemKind::Value: {
      auto *value = llvm::cast<ValueItem>(item.get());
      raise(value->var, of(value->expr) & (value->isVote ? ~Mask(7) : All));
      definitions[value->var] = value->expr;
      break;
    }
    case ItemKind::Store: {
      // A local array depends on all that is stored into it, and on the control.
      auto *store = llvm::cast<StoreItem>(item.get());
      if (Var *root = rootVar(store->place); root && root->storage == Storage::Local)
        raise(root, of(store->value) | of(store->place) | control);
      // Behind a barrier, an element of a shared array is the same for all its block.
      if (Var *root = rootVar(store->place); isShared(root))
        raise(root, (of(store->value) | of(store->place) | control) & ~Threads);
      break;
    }
    case ItemKind::Branch: {
      auto *branch = llvm::cast<BranchItem>(item.get());
      Mask inner = control | of(branch->condition);
      spread(branch->thenRegion, inner);
      spread(branch->elseRegion, inner);
      for (const Merge &merge : branch->merges) {
        sources[merge.var] = {merge.thenValue, merge.elseValue};
        raise(merge.var, of(branch->condition) | (merge.thenValue ? of(merge.thenValue) : 0) |
                             (merge.elseValue ? of(merge.elseValue) : 0));
      }
      break;
    }
    case ItemKind::Loop: {
      auto *loop = llvm::cast<LoopItem>(item.get());
      Mask trips = 0;
      if (loop->isCounted) {
        trips = of(loop->begin) | of(loop->end) | of(loop->step);
        raise(loop->iv, of(loop->begin) | of(loop->step));
        sources[loop->iv] = {loop->begin, loop->step};
      } else {
        spread(loop->conditionRegion, control);
        trips = loop->isVoted ? 0 : of(loop->condition);
      }
      spread(loop->body, control | trips);
      for (const Carried &carried : loop->carried) {
        sources[carried.var] = {carried.init, carried.next};
        raise(carried.var, trips | of(carried.init) | of(carried.next));
      }
      break;
    }
    case ItemKind::Call: { // all that goes in, into all that comes out
      auto *call = llvm::cast<CallItem>(item.get());
      Mask mask = together(namedBy(*call));
      for (const CallArgument &arg : call->args)
        mask |= arg.value ? of(arg.value) : 0;
      if (call->result)
        raise(call->result, mask);
      for (const CallArgument &arg : call->args)
        if (arg.object)
          raise(arg.object, mask);
      break;
    }
    case ItemKind::Array:
    case ItemKind::Effect:
      break;
    }
  }
}

} // namespace gpuad::analysis
