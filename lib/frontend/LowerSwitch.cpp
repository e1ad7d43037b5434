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
    auto *declared = cases.empty() ? dyn_cast<clang::DeclStmt>(s) : nullptr;
    if (declared && llvm::all_of(declared->decls(), [](auto *one) { return isa<clang::VarDecl>(one); }))
      continue; // nothing gives them a value there, and what is used is declared before
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

static bool names(const clang::Stmt *s, const clang::VarDecl &variable) {
  if (!s)
    return false;
  auto *reference = dyn_cast<clang::DeclRefExpr>(s);
  return (reference && reference->getDecl() == &variable) ||
         llvm::any_of(s->children(), [&](const clang::Stmt *child) { return names(child, variable); });
}

/// The variables that one case declares and a later one uses. They have no initial value:
/// C++ lets no label stand behind one.
static std::vector<const clang::VarDecl *> sharedVariables(const clang::CompoundStmt &body) {
  std::vector<const clang::VarDecl *> declared, shared;
  size_t earlier = 0;
  for (const clang::Stmt *s : body.body()) {
    if (isa<clang::SwitchCase>(s))
      earlier = declared.size();
    for (size_t i = 0; i < earlier; ++i)
      if (names(s, *declared[i]) && !llvm::is_contained(shared, declared[i]))
        shared.push_back(declared[i]);
    while (auto *label = dyn_cast<clang::SwitchCase>(s))
      s = label->getSubStmt();
    if (auto *statement = dyn_cast<clang::DeclStmt>(s))
      for (const clang::Decl *one : statement->decls())
        if (auto *variable = dyn_cast<clang::VarDecl>(one))
          declared.push_back(variable);
  }
  return shared;
}

void FunctionLowering::lowerSwitch(const clang::SwitchStmt &s) {
  auto *body = dyn_cast<clang::CompoundStmt>(s.getBody());
  if (!body || staysVerbatim(s.getCond()))
    return emitText(&s, "a switch of unusual shape");
  std::vector<Stmt> *outer = output, list; // with what its head declares
  output = &list;
  std::vector<const clang::VarDecl *> shared = sharedVariables(*body);
  for (const clang::VarDecl *variable : shared) {
    if (variable->getInit())
      return output = outer, emitText(&s, "a switch of unusual shape");
    lowerVariable(*variable);
    declaredBefore.insert(variable);
  }
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
  if (s.getInit() || s.getConditionVariable() || !shared.empty())
    return emit(makeBlock(std::move(list), rangeOf(&s)));
  for (Stmt &one : list)
    emit(std::move(one));
}

} // namespace gpuad::frontend
