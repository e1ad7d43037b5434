//===- TangentBranch.cpp - tangents of conditional expressions -----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The arm of `c ? a : b` that is not taken is not evaluated: it may load from where
/// there is no memory. So what a tangent names or calls inside an arm must not be
/// moved in front of the statement. Where there is such a thing the conditional
/// becomes an `if` over a variable.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

/// Whether evaluating e can go wrong where the program does not evaluate it.
static bool isHazard(const Expr &e, const rules::RuleTable &rules) {
  bool found = false;
  forEachExpr(e, [&](const Expr &part) {
    if (part->kind == ExprKind::Index || part->kind == ExprKind::Deref)
      found = true;
    if (auto *binary = llvm::dyn_cast<BinaryExpr>(part.get()))
      found |= (binary->op == BinaryOp::Div || binary->op == BinaryOp::Rem) && isInteger(part->type);
    if (auto *call = llvm::dyn_cast<CallExpr>(part.get())) {
      const rules::Rule *rule = analysis::definitionOf(call->callee) ? nullptr : rules.find(call->callee);
      found |= !rule || rule->kind == rules::RuleKind::Load;
    }
  });
  return found;
}

/// Whether the tangent of an arm needs statements that must stay in the arm.
bool TangentBuilder::needsStatements(const Expr &arm) const {
  bool found = false, hazard = isHazard(arm, rules);
  forEachExpr(arm, [&](const Expr &part) {
    auto *call = llvm::dyn_cast<CallExpr>(part.get());
    if (!call || llvm::none_of(call->args, [&](const Expr &arg) { return isActiveOwn(arg); }))
      return;
    const rules::Rule *rule = analysis::definitionOf(call->callee) ? nullptr : rules.find(call->callee);
    found |= !rule;
    for (unsigned i = 0; rule && hazard && i < call->args.size(); ++i) // their seed gets a name
      found |= rules.singularity(*rule, i) != rules::Singularity::None;
  });
  if (found || !hazard)
    return found;
  OperandSplitter trial{rules, [this](const Expr &e) { return isActiveOwn(e); },
                        [&](const Expr &e) {
                          found |= isHazard(e, rules);
                          return e;
                        }};
  trial.split(arm, false);
  return found;
}

/// `seed != 0 ? partial * seed : 0` in a derivative that is differentiated again. It is
/// partial * seed as far as its own tangent is concerned: where the seed is zero, its
/// tangent may not be. Returns the seed, or null.
Expr TangentBuilder::guardedSeed(const SelectExpr &choice) const {
  auto isZero = [](const Expr &e) {
    auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(e).get());
    return lit && isFloating(lit->type) && std::holds_alternative<double>(lit->value) &&
           std::get<double>(lit->value) == 0;
  };
  auto *test = llvm::dyn_cast<BinaryExpr>(choice.condition.get());
  bool isGuard =
      primal.isGenerated && test && test->op == BinaryOp::Ne && isZero(test->rhs) && isZero(choice.elseValue);
  return isGuard && isActiveOwn(test->lhs) ? test->lhs : nullptr;
}

bool TangentBuilder::needsBranch(const Expr &e) const {
  auto *choice = llvm::dyn_cast<SelectExpr>(stripImplicit(e).get());
  if (choice && guardedSeed(*choice))
    return false;
  return choice && isActiveOwn(e) && (needsStatements(choice->thenValue) || needsStatements(choice->elseValue));
}

/// if (c) place = a; else place = b; with their tangents.
void TangentBuilder::assignByBranch(const Expr &place, const SelectExpr &choice, const SourceRange &range) {
  auto arm = [&](const Expr &value) {
    std::vector<Stmt> list, *savedOut = out;
    auto savedNames = named;
    out = &list;
    assignOwn(place, value, range);
    out = savedOut;
    named = savedNames;
    return makeBlock(list, range);
  };
  Stmt thenBody = arm(choice.thenValue), elseBody = arm(choice.elseValue);
  emit(makeIf(choice.condition, thenBody, elseBody, range));
}

void TangentBuilder::assignOwn(const Expr &place, const Expr &value, const SourceRange &range) {
  if (needsBranch(value))
    return assignByBranch(place, *llvm::cast<SelectExpr>(stripImplicit(value).get()), range);
  Expr prepared = prepareOwn(value, false);
  assignLeaves(place, prepared);
  emit(makeAssign(place, prepared, range));
}

/// Replaces conditionals inside an expression that need statements by variables.
Expr TangentBuilder::branchInside(const Expr &e) {
  if (e->kind == ExprKind::Select && needsBranch(e)) {
    Var *chosen = owner.makeVar("chosen", withConst(e->type, false));
    Var *tangent = owner.makeVar("chosen_dot", chosen->type);
    emit(makeDecl(chosen));
    emit(makeDecl(tangent));
    dotOf[chosen] = tangent;
    assignByBranch(makeRef(chosen), *llvm::cast<SelectExpr>(e.get()), e->range);
    return makeRef(chosen);
  }
  std::vector<Expr> parts = children(e);
  bool changed = false;
  for (Expr &part : parts) {
    if (!part || !holdsFloating(part->type))
      continue;
    Expr fresh = branchInside(part);
    changed |= fresh != part;
    part = fresh;
  }
  return changed ? withChildren(e, parts) : e;
}

} // namespace gpuad::transform
