//===- SinkRecalls.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/SinkRecalls.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// So many values at once are no burden.
constexpr size_t MostAtStart = 12;

/// `T v = v_at[k];` out of memory of the thread's own.
const DeclStmt *asRecall(const Stmt &s) {
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  auto *access = decl && decl->init ? llvm::dyn_cast<IndexExpr>(decl->init.get()) : nullptr;
  auto *record = access ? llvm::dyn_cast<RefExpr>(access->base.get()) : nullptr;
  bool isOwn = record && record->var->storage == Storage::Local && !isPointer(record->var->type) &&
               !isReference(record->var->type);
  if (!isOwn)
    return nullptr;
  bool isArithmetic = true;
  forEachExpr(access->index, [&](const Expr &e) {
    isArithmetic &= e->kind == ExprKind::Ref || e->kind == ExprKind::Lit || e->kind == ExprKind::Binary ||
                    e->kind == ExprKind::Cast;
  });
  return isArithmetic ? decl : nullptr;
}

/// Whether the recall may not stand behind s: s uses the value, or may change what it is made of.
bool holdsUp(const Stmt &s, const DeclStmt &recall) {
  auto madeOf = variablesIn(recall.init);
  bool found = false;
  auto writes = [&](const Expr &place) {
    Var *root = rootVar(place);
    found |= root && llvm::is_contained(madeOf, root);
  };
  forEachStmt(s, [&](const Stmt &one) {
    if (auto *assign = llvm::dyn_cast<AssignStmt>(one.get()))
      writes(assign->place);
    if (auto *accum = llvm::dyn_cast<AccumStmt>(one.get()))
      writes(accum->place);
    auto *decl = llvm::dyn_cast<DeclStmt>(one.get());
    found |=
        one->kind == StmtKind::Text || (decl && (decl->var == recall.var || llvm::is_contained(madeOf, decl->var)));
    for (const Expr &held : expressionsOf(one))
      forEachExpr(held, [&](const Expr &e) {
        auto *ref = llvm::dyn_cast<RefExpr>(e.get());
        found |= ref && ref->var == recall.var;
        if (auto *address = llvm::dyn_cast<AddrOfExpr>(e.get()))
          writes(address->place);
        if (auto *call = llvm::dyn_cast<CallExpr>(e.get())) // put() among them
          for (const Expr &arg : call->args)
            writes(arg);
      });
  });
  return found;
}
} // namespace

void sinkRecalls(Function &function) {
  function.body = rewriteLists(function.body, [](std::vector<Stmt> stmts) {
    if (static_cast<size_t>(llvm::count_if(stmts, asRecall)) <= MostAtStart)
      return stmts;
    for (size_t at = stmts.size(); at-- > 0;) {
      const DeclStmt *recall = asRecall(stmts[at]);
      if (!recall)
        continue;
      size_t to = at;
      while (to + 1 < stmts.size() && !holdsUp(stmts[to + 1], *recall))
        ++to;
      std::rotate(stmts.begin() + static_cast<std::ptrdiff_t>(at), stmts.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  stmts.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    }
    return stmts;
  });
}

} // namespace gpuad::transform
