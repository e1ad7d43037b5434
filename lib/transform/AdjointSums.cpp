//===- AdjointSums.cpp - adjoint updates that wait in a register ---------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread adds to the adjoint of one place of memory, it may sum in a variable
// and add once: behind the loop in which the place does not change, or at the end of
// the kernel where the place is the same for the whole block, which then adds once
// for all its threads. Only for memory that the function never writes: nobody reads
// the shadow of such memory, so it does not matter when the sum arrives. A sum of
// exactly zero is not added: the place may be one that no thread came to. (The helpers
// of the runtime test it, not the generated code, whose branches a second derivative
// would follow.)
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"
#include "transform/NameOperands.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Variables that a block keeps for sums over all its threads.
constexpr size_t MostUniformSums = 8;

void collectStored(const Region &region, std::set<MemoryBase, InOrder> &stored) {
  for (const auto &item : region.items) {
    if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
      stored.insert(memoryBase(store->place));
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      collectStored(branch->thenRegion, stored);
      collectStored(branch->elseRegion, stored);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      collectStored(loop->conditionRegion, stored);
      collectStored(loop->body, stored);
    }
  }
}

void collectDefined(const Region &region, OrderedSet<Var> &defined) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      defined.insert(value->var);
    if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
      for (Var *given : valuesOf(*call))
        defined.insert(given);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      for (const Merge &merge : branch->merges)
        defined.insert(merge.var);
      collectDefined(branch->thenRegion, defined);
      collectDefined(branch->elseRegion, defined);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      for (const Carried &carried : loop->carried)
        defined.insert(carried.var);
      defined.insert({loop->iv, loop->trips});
      collectDefined(loop->conditionRegion, defined);
      collectDefined(loop->body, defined);
    }
  }
}
} // namespace

/// Whether the adjoint of the place can be added to later: a number in memory of the
/// caller that the function does not write, under any name, reached without another
/// load.
bool AdjointBuilder::canWait(const Expr &leaf) const {
  MemoryBase base = memoryBase(leaf);
  bool isOfCaller = function.primal->isKernel() && base.first && base.first->storage == Storage::Parameter &&
                    !function.aliased.count(base.first);
  if (!isOfCaller || !isFloating(leaf->type))
    return false;
  bool isBehindPointer = isPointer(base.first->type) || isReference(base.first->type) || !base.second.empty();
  std::set<MemoryBase, InOrder> stored;
  collectStored(function.body, stored);
  unsigned loads = 0;
  forEachExpr(leaf, [&](const Expr &e) { loads += e->kind == ExprKind::Index || e->kind == ExprKind::Deref; });
  return isBehindPointer && stored.count(base) == 0 && loads == 1;
}

/// The place over parameters and the block's own index; null when threads of a block
/// may come to different places.
Expr AdjointBuilder::sameForBlock(const Expr &e) const {
  switch (e->kind) {
  case ExprKind::Ref: {
    Var *var = llvm::cast<RefExpr>(e.get())->var;
    if (auto found = definitions.find(var); found != definitions.end())
      return sameForBlock(found->second);
    return var->storage == Storage::Parameter || var->storage == Storage::ConstexprGlobal ? e : nullptr;
  }
  case ExprKind::ThreadIndex:
    return llvm::cast<ThreadIndexExpr>(e.get())->builtin == ThreadBuiltin::ThreadIdx ? nullptr : e;
  case ExprKind::Lit:
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::Member:
  case ExprKind::Binary:
  case ExprKind::Unary:
  case ExprKind::Cast:
    break;
  default:
    return nullptr;
  }
  std::vector<Expr> operands;
  for (const Expr &operand : children(e)) {
    operands.push_back(sameForBlock(operand));
    if (!operands.back())
      return nullptr;
  }
  return operands.empty() ? e : withChildren(e, operands);
}

static Var *findSum(std::vector<WaitingSum> &sums, const Expr &place) {
  auto found = llvm::find_if(sums, [&](const WaitingSum &sum) { return equal(sum.place, place); });
  return found == sums.end() ? nullptr : found->sum;
}

Var *AdjointBuilder::makeSum(std::vector<WaitingSum> &sums, const Expr &place) {
  std::string name = nameOfArray(place);
  if (auto *access = llvm::dyn_cast<IndexExpr>(place.get()))
    if (auto *number = llvm::dyn_cast<LitExpr>(stripImplicit(access->index).get()))
      name += "_" + number->spelling;
  Var *sum = owner.makeVar(name + "_sum", withConst(place->type, false));
  sums.push_back({place, sum});
  return sum;
}

/// The variable in which the adjoint of the place is summed up here; null: it is added
/// to memory at once.
Var *AdjointBuilder::waitingSumOf(const Expr &leaf) {
  if (!canWait(leaf))
    return nullptr;
  if (Expr place = sameForBlock(leaf)) {
    if (Var *sum = findSum(blockSums, place))
      return sum;
    if (takesBlockSums && blockSums.size() < MostUniformSums)
      return makeSum(blockSums, place);
  }
  // Of the outermost loop in which the place stays the same.
  std::vector<WaitingSum> *sums = nullptr;
  for (LoopSums &loop : llvm::reverse(loopSums)) {
    if (llvm::any_of(variablesIn(leaf), [&](Var *var) { return loop.defined.count(var) != 0; }))
      break;
    sums = &loop.sums;
  }
  if (!sums)
    return nullptr;
  Var *sum = findSum(*sums, leaf);
  return sum ? sum : makeSum(*sums, leaf);
}

/// `body` makes the statements of a reverse loop; its sums are declared in front of what
/// `close` puts around them, and handed on behind it.
void AdjointBuilder::withLoopSums(const LoopItem &item, llvm::function_ref<std::vector<Stmt>()> body,
                                  llvm::function_ref<void(std::vector<Stmt>)> close) {
  LoopSums own;
  collectDefined(item.body, own.defined);
  collectDefined(item.conditionRegion, own.defined);
  own.defined.insert(item.iv);
  for (const Carried &carried : item.carried)
    own.defined.insert(carried.var);
  loopSums.push_back(std::move(own));
  std::vector<Stmt> made = body();
  std::vector<WaitingSum> sums = std::move(loopSums.back().sums);
  loopSums.pop_back();
  for (const WaitingSum &one : sums)
    emit(makeDecl(one.sum, zeroOf(one.sum->type)));
  close(std::move(made));
  for (const WaitingSum &one : sums)
    contribute(one.place, makeRef(one.sum), /*mayBeIdle=*/true);
}

/// The sums that all threads of the block add up at the end of the kernel.
std::vector<Stmt> AdjointBuilder::declareBlockSums() const {
  std::vector<Stmt> list;
  for (const WaitingSum &one : blockSums)
    list.push_back(makeDecl(one.sum, zeroOf(one.sum->type)));
  return list;
}

std::vector<Stmt> AdjointBuilder::addBlockSums() {
  return collect([&] {
    for (const WaitingSum &one : blockSums) {
      Stmt add = makeAccum(shadowPlace(one.place), makeRef(one.sum), AccumHow::BlockReduced);
      const Shadow *shadow = shadowOf(one.place);
      emit(shadow->want ? makeIf(makeRef(shadow->want), makeBlock({add})) : add);
    }
  });
}

} // namespace gpuad::transform
