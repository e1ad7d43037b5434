//===- LowerReference.cpp - calls that return references -------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that returns a reference names a place, and the stages behind know places
// only by what they are made of. `a += b` is a; what else ends in one return of a place
// is lowered into the call. Accessors, which do nothing but name their place, stay
// calls: later stages put the place in.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

static void collectReturns(const clang::Stmt *s, std::vector<const clang::ReturnStmt *> &found) {
  if (!s || isa<clang::LambdaExpr>(s))
    return;
  if (auto *one = dyn_cast<clang::ReturnStmt>(s))
    found.push_back(one);
  for (const clang::Stmt *child : s->children())
    collectReturns(child, found);
}

/// Which of its arguments (the object first) a function always returns a reference to.
static std::optional<unsigned> returnedArgument(const clang::FunctionDecl &definition) {
  auto *method = dyn_cast<clang::CXXMethodDecl>(&definition);
  unsigned object = method && method->isInstance();
  std::vector<const clang::ReturnStmt *> returns;
  collectReturns(definition.getBody(), returns);
  std::optional<unsigned> same;
  for (const clang::ReturnStmt *one : returns) {
    const clang::Expr *value = one->getRetValue()->IgnoreParens();
    std::optional<unsigned> index;
    if (auto *deref = dyn_cast<clang::UnaryOperator>(value); deref && deref->getOpcode() == clang::UO_Deref) {
      if (isa<clang::CXXThisExpr>(deref->getSubExpr()->IgnoreParens()))
        index = 0;
    } else if (auto *reference = dyn_cast<clang::DeclRefExpr>(value)) {
      auto *parameter = dyn_cast<clang::ParmVarDecl>(reference->getDecl());
      if (parameter && parameter->getType()->isLValueReferenceType())
        index = object + parameter->getFunctionScopeIndex();
    }
    if (!index || (same && *same != *index))
      return std::nullopt;
    same = index;
  }
  return same;
}

/// Declarations, and the return of a place.
static bool isAccessor(const clang::CompoundStmt &body) {
  return llvm::all_of(llvm::drop_end(body.body()), [](const clang::Stmt *s) {
    auto *declared = dyn_cast<clang::DeclStmt>(s);
    auto *variable =
        declared && declared->isSingleDecl() ? dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    return variable && variable->getType()->isScalarType();
  });
}

Expr FunctionLowering::placeOfCall(const clang::CallExpr &e, const clang::FunctionDecl &declaration,
                                   const Callee &callee, const std::vector<Expr> &args) {
  const clang::FunctionDecl *definition = nullptr;
  if (!callee.function || !declaration.hasBody(definition))
    return nullptr;
  bool hasEffects = pass.effects.callHasEffects(&declaration);
  if (std::optional<unsigned> same = returnedArgument(*definition); same && *same < args.size() && hasEffects) {
    emit(makeDo(makeCall(callee, args, typeOf(&e), rangeOf(&e)), rangeOf(&e)));
    return args[*same];
  }
  auto *body = dyn_cast<clang::CompoundStmt>(definition->getBody());
  if (!body || body->body_empty() || !isa<clang::ReturnStmt>(body->body_back()))
    return nullptr;
  std::vector<const clang::ReturnStmt *> returns;
  collectReturns(body, returns);
  if (returns.size() != 1 || (isAccessor(*body) && !hasEffects) || definition->getNumParams() > args.size())
    return nullptr;
  return inlineReference(*definition, args);
}

Expr FunctionLowering::inlineReference(const clang::FunctionDecl &definition, const std::vector<Expr> &args) {
  BodyFacts inner = scanBody(definition.getBody());
  if (inner.jump || !inlinedReferences.insert(&definition).second)
    return nullptr;
  for (const auto &name : inner.names)
    facts.names.insert(name.getKey());
  facts.escaped.insert(inner.escaped.begin(), inner.escaped.end());
  facts.hasLocalText |= inner.hasLocalText;
  unsigned object = args.size() - definition.getNumParams();
  Var *outerSelf = self;
  if (object) {
    auto *named = llvm::dyn_cast<RefExpr>(args[0].get());
    self = named ? named->var : function.makeVar(uniqueName("object"), referenceTo(args[0]->type));
    if (!named)
      emit(makeDecl(self, args[0]));
  }
  for (unsigned i = 0; i < definition.getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = definition.getParamDecl(i);
    const Expr &arg = stripImplicit(args[object + i]);
    bool isPlace = arg->kind == ExprKind::Ref || arg->kind == ExprKind::Member || arg->kind == ExprKind::Index ||
                   arg->kind == ExprKind::Deref;
    Type type = pass.types.lower(parameter->getType());
    if (isReference(type) && !isPlace) // a temporary object
      type = elementOf(type);
    if (auto *named = llvm::dyn_cast<RefExpr>(arg.get()); named && isReference(type)) { // another name for it
      variables[parameter] = named->var;
      continue;
    }
    Var *var = function.makeVar(nameOf(*parameter), type);
    variables[parameter] = var;
    emit(makeDecl(var, args[object + i]));
  }
  auto *body = clang::cast<clang::CompoundStmt>(definition.getBody());
  for (const clang::Stmt *s : llvm::drop_end(body->body()))
    lowerStmt(s);
  Expr place = Visit(clang::cast<clang::ReturnStmt>(body->body_back())->getRetValue());
  self = outerSelf;
  inlinedReferences.erase(&definition);
  return place;
}

} // namespace gpuad::frontend
