//===- AdjointReplay.cpp - what the primal's own run kept ----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Results of atomics in an adjoint: read from the record of the augmented kernel, or
/// refused.
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"

#include "ir/Builder.h"
#include "ir/Items.h"
#include "support/Diagnostics.h"
#include "transform/KeepResults.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace gpuad::transform {
using namespace ir;

bool AdjointMaker::readsRecord() const {
  return record && readVariables().count(record);
}

/// Over a record that does not hold everything, nothing is added. All threads find the same.
void AdjointMaker::guardByRecord() {
  Expr isComplete = callOn(record, RecordView, "is_complete", {}, boolType());
  Stmt leave = makeIf(logicalNot(isComplete), makeBlock({makeReturn()}));
  std::vector<Stmt> list{leave};
  const auto &body = llvm::cast<BlockStmt>(owner->body.get())->stmts;
  list.insert(list.end(), body.begin(), body.end());
  owner->body = makeBlock(list);
}

void AdjointMaker::takeRecord(Derivative &derivative, const ValueFunction &function) {
  owner->params.push_back(record);
  derivative.params.push_back({record, ParamRole::Record, 0, false});
  RecordNeed need;
  need.slots = mostKept(function);
  forEachStore(function.body,
               [&](const StoreItem &store) { need.holdsOffers |= store.picks && !isShared(rootVar(store.place)); });
  derivative.record = need;
}

static std::string nameOfPick(const StoreItem &store) {
  return llvm::cast<CallExpr>(store.update.get())->callee.name;
}

/// Where threads pick a number, nothing else may change it: then what is there in the end is
/// one of the numbers that were offered.
bool AdjointMaker::checkPicks(const ValueFunction &function) {
  std::map<MemoryBase, std::string, InOrder> picked; // by what
  forEachStore(function.body, [&](const StoreItem &store) {
    if (store.picks && !isShared(rootVar(store.place)))
      picked.try_emplace(memoryBase(store.place), nameOfPick(store));
  });
  bool fine = true;
  forEachStore(function.body, [&](const StoreItem &store) {
    auto found = picked.find(memoryBase(store.place));
    if (found == picked.end() || (store.picks && nameOfPick(store) == found->second) || !fine)
      return;
    Var *root = rootVar(store.place);
    diag::report(sink, diag::Id::AtomicPick, store.range,
                 "'" + (root ? root->name : std::string("memory")) +
                     "' holds the largest or smallest number of all threads, and is changed here as well; use another "
                     "array, or another kernel");
    fine = false;
  });
  return fine;
}

/// A result that nobody kept carries no derivative. (One that is needed for another reason
/// is a load that cannot be repeated.) Where blocks tell each other how far they are, one may
/// read what another has written, whose adjoint has run then.
bool AdjointMaker::checkResults(const ValueFunction &function, const analysis::ValueActivity &activity) {
  bool fine = true;
  bool blocksTalk = primal.isKernel() && (isReplay || ordersMemory(primal, rules));
  std::map<MemoryBase, std::vector<Expr>, InOrder> stored;
  forEachItem(function.body, [&](const Item &item) {
    if (auto *store = llvm::dyn_cast<StoreItem>(&item); store && blocksTalk)
      stored[memoryBase(store->place)].push_back(store->place);
  });
  // What the thread itself has stored there is known, and what it stores to later is its own.
  auto isOfOthers = [&](const ValueItem &value) {
    ExprKind kind = value.expr->kind;
    bool isLoad = kind == ExprKind::Index || kind == ExprKind::Deref || kind == ExprKind::Member;
    auto found = isLoad ? stored.find(memoryBase(value.expr)) : stored.end();
    return found != stored.end() && value.resultOf.empty() && !isOwnArray(found->first.first) &&
           (value.load == LoadClass::Stale
                ? activity.isActive(value.var)
                : llvm::none_of(found->second, [&](const Expr &place) { return equal(place, value.expr); }));
  };
  forEachItem(function.body, [&](const Item &item) {
    auto *value = llvm::dyn_cast<ValueItem>(&item);
    if (value && isOfOthers(*value)) {
      Var *root = rootVar(value->expr);
      diag::report(sink, diag::Id::BlockReads, value->range, root ? root->name : "memory");
      fine = false;
    } else if (value && !value->resultOf.empty() && activity.isActive(value->var)) {
      diag::report(sink, diag::Id::AtomicResult, value->range, value->resultOf);
      fine = false;
    }
  });
  return fine;
}

} // namespace gpuad::transform
