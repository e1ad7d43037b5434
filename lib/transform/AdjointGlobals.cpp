//===- AdjointGlobals.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"

#include "analysis/ThreadDependence.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace gpuad::transform {
using namespace ir;

/// A variable of at most this many numbers is summed in registers.
static constexpr uint64_t MostSummed = 16;

static uint64_t numbersIn(const Type &type) {
  if (isArray(type))
    return type->extent.value_or(MostSummed + 1) * numbersIn(elementOf(type));
  if (!isRecord(type))
    return 1;
  uint64_t count = 0;
  for (const Field &field : type->record->fields)
    count += numbersIn(field.type);
  return count;
}

namespace {
/// Which variables all threads of a block read at one address, and nobody writes.
class UniformReads {
public:
  UniformReads(const ValueFunction &function, const rules::RuleTable &rules) : dependence(function, rules) {
    visit(function.body);
  }
  bool holds(Var *var) const { return differing.count(var) == 0; }

private:
  void read(const Expr &e) {
    if (!e)
      return;
    forEachExpr(e, [&](const Expr &one) {
      auto *access = llvm::dyn_cast<IndexExpr>(one.get());
      constexpr analysis::ThreadDependence::Mask Threads = 7;
      if (access && (dependence.of(access->index) & Threads))
        if (Var *root = rootVar(access->base))
          differing.insert(root);
    });
  }
  void visit(const Region &region) {
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
        read(value->expr);
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
        differing.insert(rootVar(store->place));
        read(store->value);
        read(store->increment);
      }
      if (auto *array = llvm::dyn_cast<ArrayItem>(item.get()))
        read(array->init);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
        for (const Merge &merge : branch->merges) {
          read(merge.thenValue);
          read(merge.elseValue);
        }
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
        visit(loop->conditionRegion);
        visit(loop->body);
        for (const Carried &carried : loop->carried) {
          read(carried.init);
          read(carried.next);
        }
      }
    }
  }

  analysis::ThreadDependence dependence;
  OrderedSet<Var> differing;
};
} // namespace

/// The variables at namespace scope that are active get their shadows.
bool AdjointMaker::shadowGlobals(const ValueFunction &function, const analysis::ValueActivity &activity) {
  std::vector<Var *> active = request.globalDependents, onTheWay;
  active.insert(active.end(), request.globalIndependents.begin(), request.globalIndependents.end());
  for (const MemoryBase &object : activity.variedObjects()) {
    Var *var = object.first;
    bool isOwn = !var || var->storage == Storage::Local || var->storage == Storage::Parameter || isShared(var);
    if (isOwn || !activity.isActive(object))
      continue;
    if (!object.second.empty()) {
      diag::report(sink, diag::Id::NotInReverse, var->range.isValid() ? var->range : primal.nameRange,
                   "'" + var->name + "', a pointer at namespace scope, as active");
      return false;
    }
    onTheWay.push_back(var);
  }
  llvm::sort(onTheWay, [](const Var *a, const Var *b) {
    return std::tie(a->range.offset, a->name) < std::tie(b->range.offset, b->name);
  });
  active.insert(active.end(), onTheWay.begin(), onTheWay.end());
  UniformReads reads(function, rules);
  OrderedSet<Var> seen;
  for (Var *var : active) {
    if (!seen.insert(var).second)
      continue;
    Var *shadow = globalShadows.shadowOf(var, DerivativeMode::Adjoint, primal, sink);
    if (!shadow)
      return false;
    Global made{var, shadow, nullptr};
    if (reads.holds(var) && numbersIn(var->type) <= MostSummed)
      made.sum = owner->makeVar(var->name + "_sum", shadow->type);
    globals.push_back(made);
  }
  return true;
}

void AdjointMaker::connectGlobals(AdjointBuilder &builder) {
  for (const Global &global : globals) {
    if (global.sum && !isArray(global.sum->type))
      builder.useBar(global.own, global.sum);
    if (!global.sum || isArray(global.sum->type) || isRecord(global.sum->type))
      builder.useShadow({global.own, ""}, Shadow{makeRef(global.sum ? global.sum : global.shadow), nullptr});
  }
}

void AdjointMaker::declareGlobalSums(std::vector<Stmt> &to) {
  for (const Global &global : globals)
    if (global.sum)
      to.push_back(makeDecl(global.sum, zeroOf(global.sum->type)));
}

void AdjointMaker::addGlobalSums(std::vector<Stmt> &to) {
  for (const Global &global : globals)
    if (global.sum)
      addLeaves(to, makeRef(global.shadow), makeRef(global.sum), global.sum->type);
}

} // namespace gpuad::transform
