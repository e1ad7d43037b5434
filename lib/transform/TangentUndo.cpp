//===- TangentUndo.cpp - tangents of what an adjoint puts back ------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An adjoint that overwrites memory of its caller keeps the old values in a log. Its
/// tangent overwrites the tangents of that memory as well, and has a second log for them.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/TangentBuilder.h"

namespace gpuad::transform {
using namespace ir;

const rules::Rule *undoRule(const CallExpr &call, const rules::RuleTable &rules) {
  const rules::Rule *rule = analysis::definitionOf(call.callee) ? nullptr : rules.find(call.callee);
  return rule && rule->kind == rules::RuleKind::Undo ? rule : nullptr;
}

/// The array of this thread that a log lies in; null: in the stack.
static Var *arrayOfLog(const Expr &init) {
  Var *found = nullptr;
  auto look = [&](Var *var) {
    if (isArray(var->type))
      found = var;
  };
  forEachExpr(init, [&](const Expr &e) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
      look(ref->var);
    if (auto *text = llvm::dyn_cast<TextExpr>(e.get()))
      for (Var *var : text->mentions)
        look(var);
  });
  return found;
}

/// The logs in which memory with a tangent is kept, and the arrays that they lie in.
void TangentBuilder::findUndone(const Stmt &body) {
  forEachExprIn(body, [&](const Expr &e) {
    auto *call = llvm::dyn_cast<CallExpr>(e.get());
    if (call && call->args.size() > 1 && undoRule(*call, rules) && activity.isActive(call->args[1]))
      undone.insert(rootVar(call->args[0]));
  });
  forEachStmt(body, [&](const Stmt &s) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    if (decl && decl->init && undone.count(decl->var))
      if (Var *array = arrayOfLog(decl->init))
        undone.insert(array);
  });
}

/// A log, or the array that it lies in, with its twin.
void TangentBuilder::undoDeclaration(Var *own, const DeclStmt &s, const SourceRange &range) {
  Var *tangent = owner.makeVar(own->name + "_dot", own->type, own->storage), *array = nullptr;
  Expr init = s.init ? this->own(s.init) : nullptr, twin;
  if (init && (array = arrayOfLog(init))) {
    Callee constructor;
    constructor.name = constructor.spelling = spell(own->type);
    init = makeCall(constructor, {makeRef(array)}, own->type);
    twin = makeCall(constructor, {dotPlace(makeRef(array))}, own->type);
  } else if (init) {
    twin = dotPlace(stripImplicit(init));
  }
  emit(makeDecl(own, init, range));
  emit(makeDecl(tangent, twin));
  dotOf[own] = tangent;
}

/// The same again on the tangents. A mark has no place, and is needed in both logs.
void TangentBuilder::undo(const CallExpr &own, const SourceRange &range) {
  auto copy = std::make_shared<CallExpr>(own);
  emit(makeDo(copy, range));
  if (!isActiveOwn(own.args[0]))
    return;
  auto twin = std::make_shared<CallExpr>(own);
  twin->args[0] = dotPlace(own.args[0]);
  bool hasPlace = own.args.size() > 1 && isPointer(own.args[1]->type);
  if (hasPlace && !isActiveOwn(own.args[1]))
    return;
  if (hasPlace)
    twin->args[1] = dotPlace(own.args[1]);
  Expr present = hasPlace ? presence(own.args[1]) : nullptr;
  emit(present ? makeIf(present, makeBlock({makeDo(twin)})) : makeDo(twin));
}

} // namespace gpuad::transform
