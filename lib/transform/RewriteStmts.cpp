//===- RewriteStmts.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/RewriteStmts.h"

#include "ir/Builder.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// A copy of a compound statement over rewritten bodies.
Stmt withBodies(const Stmt &s, llvm::function_ref<Stmt(const Stmt &)> body) {
  auto orEmpty = [&](const Stmt &inner) {
    Stmt fresh = inner ? body(inner) : nullptr;
    return fresh ? fresh : makeBlock({});
  };
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
    auto copy = std::make_shared<IfStmt>(*branch);
    copy->thenBody = orEmpty(branch->thenBody);
    copy->elseBody = branch->elseBody ? body(branch->elseBody) : nullptr;
    return copy;
  }
  if (auto *loop = llvm::dyn_cast<ForStmt>(s.get())) {
    auto copy = std::make_shared<ForStmt>(*loop);
    copy->body = orEmpty(loop->body);
    return copy;
  }
  if (auto *loop = llvm::dyn_cast<WhileStmt>(s.get())) {
    auto copy = std::make_shared<WhileStmt>(*loop);
    copy->body = orEmpty(loop->body);
    return copy;
  }
  if (auto *choice = llvm::dyn_cast<SwitchStmt>(s.get())) {
    auto copy = std::make_shared<SwitchStmt>(*choice);
    for (SwitchCase &one : copy->cases)
      one.body = orEmpty(one.body);
    return copy;
  }
  return s;
}
} // namespace

Stmt rewriteStmts(const Stmt &s, llvm::function_ref<Stmt(const Stmt &)> change) {
  auto *block = llvm::dyn_cast<BlockStmt>(s.get());
  if (!block)
    return change(withBodies(s, [&](const Stmt &inner) { return rewriteStmts(inner, change); }));
  std::vector<Stmt> list;
  for (const Stmt &one : block->stmts) {
    Stmt fresh = rewriteStmts(one, change);
    if (!fresh)
      continue;
    auto *spliced = llvm::dyn_cast<BlockStmt>(fresh.get());
    if (spliced && one->kind != StmtKind::Block)
      list.insert(list.end(), spliced->stmts.begin(), spliced->stmts.end());
    else
      list.push_back(fresh);
  }
  return makeBlock(list, s->range);
}

Stmt rewriteLists(const Stmt &s, llvm::function_ref<std::vector<Stmt>(std::vector<Stmt>)> change) {
  auto *block = llvm::dyn_cast<BlockStmt>(s.get());
  if (!block) // a body that is one statement is a list of one
    return withBodies(s, [&](const Stmt &inner) {
      return rewriteLists(inner->kind == StmtKind::Block ? inner : makeBlock({inner}, inner->range), change);
    });
  std::vector<Stmt> list;
  for (const Stmt &one : block->stmts)
    list.push_back(rewriteLists(one, change));
  return makeBlock(change(list), s->range);
}

} // namespace gpuad::transform
