//===- LowerSwitch.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// Case labels below the top level of the body: control enters a nested statement.
static bool hasNestedCase(const clang::Stmt *s) {
  if (!s || isa<clang::SwitchStmt>(s))
    return false;
  if (isa<clang::SwitchCase>(s))
    return true;
  for (const clang::Stmt *child : s->children())
    if (hasNestedCase(child))
      return true;
  return false;
}

static bool endsControl(const std::vector<Stmt> &stmts) {
  if (stmts.empty())
    return false;
  switch (stmts.back()->kind) {
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
    return true;
  case StmtKind::Block:
    return endsControl(llvm::cast<BlockStmt>(stmts.back().get())->stmts);
  default:
    return false;
  }
}

/// Removes the closing break, also out of a block around the whole case.
static void dropBreak(std::vector<Stmt> &stmts) {
  if (stmts.back()->kind == StmtKind::Break) {
    stmts.pop_back();
    return;
  }
  auto *block = llvm::dyn_cast<BlockStmt>(stmts.back().get());
  if (!block || block->stmts.empty())
    return;
  std::vector<Stmt> inner = block->stmts;
  if (!endsControl(inner))
    return;
  dropBreak(inner);
  stmts.back() = makeBlock(std::move(inner), stmts.back()->range);
}

bool FunctionLowering::splitCases(const clang::CompoundStmt &body, std::vector<ir::SwitchCase> &cases) {
  std::vector<Stmt> *outer = output, stmts;
  auto close = [&] {
    if (cases.empty())
      return stmts.empty();
    cases.back().fallsThrough = !endsControl(stmts);
    if (!cases.back().fallsThrough)
      dropBreak(stmts);
    cases.back().body = makeBlock(std::move(stmts));
    stmts.clear();
    return true;
  };
  bool ok = true;
  for (const clang::Stmt *s : body.body()) {
    if (isa<clang::SwitchCase>(s)) {
      output = outer;
      ok &= close();
      cases.emplace_back();
    }
    while (auto *label = dyn_cast<clang::SwitchCase>(s)) {
      if (auto *value = dyn_cast<clang::CaseStmt>(label)) {
        ok &= !value->getRHS(); // a range of values is an extension
        cases.back().labels.push_back(Visit(value->getLHS()));
      } else {
        cases.back().isDefault = true;
      }
      s = label->getSubStmt();
    }
    ok &= !hasNestedCase(s) && !cases.empty();
    output = &stmts;
    if (ok)
      lowerStmt(s);
  }
  output = outer;
  ok &= close();
  if (!cases.empty())
    cases.back().fallsThrough = false;
  return ok;
}

/// Whether a later case uses a variable that an earlier one declares.
static bool sharesVariables(const clang::CompoundStmt &body) {
  for (const clang::Stmt *s : body.body()) {
    while (auto *label = dyn_cast<clang::SwitchCase>(s))
      s = label->getSubStmt();
    if (isa<clang::DeclStmt>(s))
      return true;
  }
  return false;
}

void FunctionLowering::lowerSwitch(const clang::SwitchStmt &s) {
  auto *body = dyn_cast<clang::CompoundStmt>(s.getBody());
  if (!body || staysVerbatim(s.getCond()) || sharesVariables(*body))
    return emitText(&s, "a switch of unusual shape");
  std::vector<Stmt> *outer = output, list; // with what its head declares
  output = &list;
  if (s.getInit())
    lowerStmt(s.getInit());
  if (s.getConditionVariable())
    lowerVariable(*s.getConditionVariable());
  Expr value = Visit(s.getCond());
  std::vector<ir::SwitchCase> cases;
  bool outerSwitch = inlined.inSwitch;
  inlined.inSwitch = inlined.active;
  bool isSplit = splitCases(*body, cases);
  inlined.inSwitch = outerSwitch;
  output = outer;
  if (!isSplit)
    return emitText(&s, "a switch of unusual shape");
  list.push_back(makeSwitch(std::move(value), std::move(cases), rangeOf(&s)));
  if (s.getInit() || s.getConditionVariable())
    return emit(makeBlock(std::move(list), rangeOf(&s)));
  for (Stmt &one : list)
    emit(std::move(one));
}

} // namespace gpuad::frontend
