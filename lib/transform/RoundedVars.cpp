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
    spread(function.body, {});
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

bool isKeptInteger(const Expr &place) {
  return place->kind == ExprKind::Ref && (isInteger(place->type) || isBool(place->type));
}

void RoundedVars::mark(const Expr &place, bool differs, Control control) {
  bool isRounded = isKeptInteger(place) ? control.ofLoop : differs || control.any;
  if (Var *root = isRounded ? rootVar(place) : nullptr)
    changed |= rounded.insert(root).second;
}

void RoundedVars::spread(const Stmt &s, Control control) {
  if (!s)
    return;
  if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->init)
    mark(makeRef(decl->var), mayDiffer(decl->init), {});
  if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()))
    mark(assign->place, mayDiffer(assign->value) || mayDiffer(assign->place), control);
  if (auto *standing = llvm::dyn_cast<DoStmt>(s.get()))
    if (auto *call = llvm::dyn_cast<CallExpr>(standing->call.get()))
      for (const Expr &arg : call->args)
        if (isPointer(arg->type) || arg->kind == ExprKind::Ref || arg->kind == ExprKind::Index)
          mark(arg, reachesFloating(arg->type) || arg->kind == ExprKind::Cast || mayDiffer(standing->call), control);
  if (auto *text = llvm::dyn_cast<TextStmt>(s.get()))
    rounded.insert(text->mentions.begin(), text->mentions.end());
  auto *branch = llvm::dyn_cast<IfStmt>(s.get());
  auto *choice = llvm::dyn_cast<SwitchStmt>(s.get());
  control.any |= (branch && mayDiffer(branch->condition)) || (choice && mayDiffer(choice->value));
  auto *counted = llvm::dyn_cast<ForStmt>(s.get());
  auto *open = llvm::dyn_cast<WhileStmt>(s.get());
  const Expr &condition = counted ? counted->condition : open ? open->condition : nullptr;
  if (condition && mayDiffer(condition))
    control.any = control.ofLoop = true;
  for (const Stmt &inner : nestedStmts(s))
    spread(inner, control);
}

} // namespace gpuad::transform
