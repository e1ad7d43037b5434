//===- LibraryFunctions.cpp ----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LibraryFunctions.h"

#include "ir/Walk.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace gpuad::frontend {

using namespace ir;
using llvm::dyn_cast;

bool isStandardUtility(const clang::FunctionDecl &declaration) {
  const clang::DeclContext *outer = nullptr, *inner = nullptr; // of the namespaces, inline ones left out
  for (const clang::DeclContext *scope = declaration.getDeclContext(); scope; scope = scope->getParent()) {
    auto *space = dyn_cast<clang::NamespaceDecl>(scope);
    if (!space || space->isInline())
      continue;
    inner = outer;
    outer = space;
  }
  auto nameOf = [](const clang::DeclContext *scope) {
    return scope ? llvm::cast<clang::NamespaceDecl>(scope)->getName() : llvm::StringRef();
  };
  bool isStandard =
      nameOf(outer) == "std" || nameOf(outer) == "thrust" || (nameOf(outer) == "cuda" && nameOf(inner) == "std");
  return isStandard && declaration.getDefinition() && declaration.getDefinition()->getBody();
}

static bool canHold(const Type &type) {
  return reachesFloating(type) || isRecord(innermost(type));
}

bool mayMoveNumbers(const Function &function) {
  return canHold(function.returnType) || llvm::any_of(function.params, [](const Var *param) {
           bool isWritten = (isReference(param->type) || isPointer(param->type)) && !elementOf(param->type)->isConst;
           return isWritten || canHold(param->type);
         });
}

static bool isOpen(const Type &type) {
  Type inner = innermost(type);
  while (isPointer(inner))
    inner = innermost(elementOf(inner));
  if (!isRecord(inner))
    return inner->kind != TypeKind::Opaque;
  return !inner->record->isUnion &&
         llvm::all_of(inner->record->fields, [](const Field &field) { return field.accessible && isOpen(field.type); });
}

bool hasOpenTypes(const clang::FunctionDecl &declaration, TypeLowering &types) {
  auto isOpenType = [&](clang::QualType type) {
    clang::QualType object = type.getNonReferenceType();
    while (object->isPointerType())
      object = object->getPointeeType();
    const clang::CXXRecordDecl *record = object->getAsCXXRecordDecl();
    bool isEmpty = record && record->hasDefinition() && record->isEmpty(); // a function object, a tag
    return isEmpty || isOpen(types.lowerValue(object));
  };
  auto *method = dyn_cast<clang::CXXMethodDecl>(&declaration);
  return isOpenType(declaration.getReturnType()) &&
         (!method || !method->isInstance() || isOpenType(method->getFunctionObjectParameterType())) &&
         llvm::all_of(declaration.parameters(),
                      [&](const clang::ParmVarDecl *parameter) { return isOpenType(parameter->getType()); });
}

bool isReferenceCast(const clang::FunctionDecl &declaration) {
  const clang::FunctionDecl *definition = declaration.getDefinition();
  auto *body = definition ? llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody()) : nullptr;
  if (!body || definition->getNumParams() != 1 || llvm::isa<clang::CXXMethodDecl>(definition) ||
      !definition->getReturnType()->isReferenceType())
    return false;
  const clang::Stmt *last = nullptr;
  for (const clang::Stmt *one : body->body()) {
    if (last || llvm::isa<clang::CompoundStmt>(one))
      return false;
    if (!llvm::isa<clang::DeclStmt>(one)) // static_assert, an alias
      last = one;
  }
  auto *returned = llvm::dyn_cast_or_null<clang::ReturnStmt>(last);
  auto *cast = returned && returned->getRetValue()
                   ? dyn_cast<clang::CXXStaticCastExpr>(returned->getRetValue()->IgnoreParenImpCasts())
                   : nullptr;
  auto *named = cast && cast->getCastKind() == clang::CK_NoOp
                    ? dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParenImpCasts())
                    : nullptr;
  return named && named->getDecl() == definition->getParamDecl(0);
}

void tidyNames(Function &function, llvm::function_ref<bool(llvm::StringRef)> isKeyword) {
  llvm::StringSet<> taken;
  for (const auto &var : function.vars)
    taken.insert(var->name);
  for (const auto &var : function.vars) {
    llvm::StringRef bare = llvm::StringRef(var->name).trim('_');
    if (bare.size() == var->name.size() || bare.empty() || var->pinned || !llvm::isAlpha(bare[0]))
      continue;
    std::string name = bare.str();
    for (unsigned k = 2; isKeyword(name) || !taken.insert(name).second; ++k)
      name = (bare + "_" + llvm::Twine(k)).str();
    var->name = name;
  }
}

bool holdsUnknown(const Function &function, llvm::function_ref<bool(const Callee &)> hasRule) {
  bool found = false;
  forEachExprIn(function.body, [&](const Expr &e) {
    auto *call = dyn_cast<CallExpr>(e.get());
    bool isKnown = !call || (call->callee.function && call->callee.function->body) || hasRule(call->callee);
    found |= e->kind == ExprKind::Text || !isKnown;
  });
  forEachStmt(function.body, [&](const Stmt &s) { found |= s->kind == StmtKind::Text; });
  return found;
}

} // namespace gpuad::frontend
