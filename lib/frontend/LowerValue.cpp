//===- LowerValue.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of evaluation: when values must be kept, and how.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// Without wrappers that neither convert nor compute.
static const clang::Expr *bare(const clang::Expr *e) {
  for (;;) {
    e = e->IgnoreParens();
    if (auto *cleanups = dyn_cast<clang::ExprWithCleanups>(e))
      e = cleanups->getSubExpr();
    else if (auto *temporary = dyn_cast<clang::MaterializeTemporaryExpr>(e))
      e = temporary->getSubExpr();
    else if (auto *cast = dyn_cast<clang::ImplicitCastExpr>(e); cast && cast->getCastKind() == clang::CK_NoOp)
      e = cast->getSubExpr();
    else if (auto *copy = dyn_cast<clang::CXXConstructExpr>(e);
             copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor() &&
             (copy->isElidable() || copy->getConstructor()->isTrivial()) && copy->getArg(0)->isPRValue())
      e = copy->getArg(0);
    else
      return e;
  }
}

Expr FunctionLowering::wholeValue(const clang::Expr *e) {
  const clang::Expr *inner = bare(e);
  if (auto *call = dyn_cast<clang::CallExpr>(inner); call && !isa<clang::CUDAKernelCallExpr>(inner))
    return lowerCall(call, /*standsAlone=*/true);
  return Visit(e);
}

std::vector<Expr> FunctionLowering::operands(llvm::ArrayRef<const clang::Expr *> list) {
  std::vector<Expr> made;
  for (size_t i = 0; i < list.size(); ++i) {
    Expr e = Visit(list[i]);
    for (size_t later = i + 1; later < list.size(); ++later)
      if (pass.effects.hasEffects(list[later]) && mayChange(list[i], pass.effects.effectsOf(list[later]), facts)) {
        e = keep(std::move(e), list[i], "earlier");
        break;
      }
    made.push_back(std::move(e));
  }
  return made;
}

Expr FunctionLowering::temporary(Expr value, const std::string &name, SourceRange range) {
  Var *var = function.makeVar(uniqueName(name), withConst(stripReference(value->type), false));
  temporaries.insert(var);
  emit(makeDecl(var, std::move(value), range));
  return makeRef(var, std::move(range));
}

Expr FunctionLowering::keep(Expr e, const clang::Expr *from, const std::string &name) {
  if (e->kind == ExprKind::Lit)
    return e;
  if (auto *reference = llvm::dyn_cast<RefExpr>(e.get()); reference && temporaries.contains(reference->var))
    return e;
  bool isValue = from->isPRValue() || from->IgnoreImplicit()->isPRValue() || e->kind == ExprKind::Unary ||
                 e->kind == ExprKind::Init; // an object made for a reference is that object
  if (isValue && !isArray(e->type))
    return temporary(std::move(e), name, rangeOf(from));
  if (e->kind == ExprKind::Ref)
    return e;
  Var *var = function.makeVar(uniqueName(name), referenceTo(pass.types.lower(from->getType().getNonReferenceType())));
  emit(makeDecl(var, std::move(e), rangeOf(from)));
  return makeRef(var, rangeOf(from));
}

/// `c ? a : b`, `a && b` and `a || b` where what is evaluated only sometimes has
/// effects. A missing side is the constant that the operator gives.
Expr FunctionLowering::lazily(const clang::Expr *condition, const clang::Expr *thenValue, const clang::Expr *elseValue,
                              Type type, SourceRange range) {
  Expr test = Visit(condition);
  Var *var = nullptr;
  if (!isVoid(type)) {
    var = function.makeVar(uniqueName("chosen"), withConst(type, false));
    emit(makeDecl(var, nullptr, range));
  }
  std::vector<Stmt> *outer = output;
  auto side = [&](const clang::Expr *value, bool constant) {
    std::vector<Stmt> inner;
    output = &inner;
    if (!var)
      discard(value);
    else if (Expr nested = value && value->isGLValue() ? valueOfChoice(value) : nullptr)
      emit(makeAssign(makeRef(var, range), nested, range));
    else
      emit(makeAssign(makeRef(var, range), value ? wholeValue(value) : boolLit(constant), range));
    output = outer;
    return makeBlock(std::move(inner), range);
  };
  Stmt first = side(thenValue, true), second = side(elseValue, false);
  emit(makeIf(std::move(test), std::move(first), std::move(second), range));
  return var ? makeRef(var, range) : zeroOf(intType());
}

std::string FunctionLowering::uniqueName(const std::string &wanted) {
  std::string name = wanted;
  for (unsigned i = 2; facts.names.contains(name) || pass.preprocessor.isMacroDefined(name); ++i)
    name = wanted + std::to_string(i);
  facts.names.insert(name);
  return name;
}

/// What a library names with underscores, which are only for it, goes without them.
std::string FunctionLowering::nameOf(const clang::VarDecl &declaration) {
  llvm::StringRef name = declaration.getIdentifier() ? declaration.getName() : "";
  llvm::StringRef bare = name.trim('_');
  bool isOfLibrary = bare.size() != name.size() && !bare.empty() && llvm::isAlpha(bare[0]) &&
                     pass.sources.inSystemHeader(declaration.getLocation());
  return isOfLibrary ? uniqueName(bare.str()) : name.str();
}

Var *FunctionLowering::variableFor(const clang::VarDecl *declaration) {
  auto found = variables.find(declaration);
  if (found != variables.end())
    return found->second;
  if (!declaration->isLocalVarDeclOrParm())
    return pass.globalFor(declaration);
  // Declared inside text that stayed verbatim.
  Var *var = function.makeVar(declaration->getNameAsString(), pass.types.lower(declaration->getType()));
  var->pinned = true;
  var->range = pass.sources.range(declaration->getLocation());
  variables[declaration] = var;
  return var;
}

} // namespace gpuad::frontend
