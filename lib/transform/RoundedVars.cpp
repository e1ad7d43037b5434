//===- RoundedVars.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/RoundedVars.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

namespace gpuad::transform {
using namespace ir;

RoundedVars::RoundedVars(const Function &function, const rules::RuleTable &rules) : rules(rules) {
  do {
    changed = false;
    spread(function.body, false);
  } while (changed);
}

bool RoundedVars::mayDiffer(const Expr &e) const {
  bool found = false;
  forEachExpr(e, [&](const Expr &one) {
    auto *ref = llvm::dyn_cast<RefExpr>(one.get());
    found |= (ref && rounded.count(ref->var)) || one->kind == ExprKind::Text;
    if (auto *binary = llvm::dyn_cast<BinaryExpr>(one.get()))
      found |= isFloating(binary->type);
    auto *call = llvm::dyn_cast<CallExpr>(one.get());
    if (!call)
      return;
    const rules::Rule *rule = call->callee.function ? nullptr : rules.find(call->callee);
    if (rule && (rule->kind == rules::RuleKind::Load || rule->kind == rules::RuleKind::Atomic))
      return; // what is loaded; the result is kept itself
    found |= holdsFloating(call->type);
    for (const Expr &arg : call->args)
      found |= call->callee.function && reachesFloating(arg->type);
  });
  return found;
}

void RoundedVars::mark(const Expr &place, bool differs) {
  if (Var *root = differs ? rootVar(place) : nullptr)
    changed |= rounded.insert(root).second;
}

/// `control`: whether it is run may differ.
void RoundedVars::spread(const Stmt &s, bool control) {
  if (!s)
    return;
  if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->init)
    mark(makeRef(decl->var), mayDiffer(decl->init));
  if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()))
    mark(assign->place, control || mayDiffer(assign->value) || mayDiffer(assign->place));
  if (auto *standing = llvm::dyn_cast<DoStmt>(s.get()))
    if (auto *call = llvm::dyn_cast<CallExpr>(standing->call.get()))
      for (const Expr &arg : call->args)
        if (isPointer(arg->type) || arg->kind == ExprKind::Ref || arg->kind == ExprKind::Index)
          mark(arg, control || reachesFloating(arg->type) || arg->kind == ExprKind::Cast || mayDiffer(standing->call));
  if (auto *text = llvm::dyn_cast<TextStmt>(s.get()))
    for (Var *var : text->mentions)
      mark(makeRef(var), true);
  if (auto *counted = llvm::dyn_cast<ForStmt>(s.get()))
    control |= counted->condition && mayDiffer(counted->condition);
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get()))
    control |= mayDiffer(branch->condition);
  if (auto *open = llvm::dyn_cast<WhileStmt>(s.get()))
    control |= mayDiffer(open->condition);
  if (auto *choice = llvm::dyn_cast<SwitchStmt>(s.get()))
    control |= mayDiffer(choice->value);
  for (const Stmt &inner : nestedStmts(s))
    spread(inner, control);
}

} // namespace gpuad::transform
