//===- LowerBinding.cpp - structured bindings -------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `auto [a, b] = e;` keeps an object without a name, `parts` here, and its names are fields or elements of that.
/// A reference to a variable needs no such object, a copy of an array becomes a variable for each element, and so
/// does an object that gives its parts by get<>().
///
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// Numbers in an array that is copied element by element.
static uint64_t countOf(clang::QualType type, const clang::ASTContext &context) {
  const clang::ConstantArrayType *array = context.getAsConstantArrayType(type);
  return array ? array->getSize().getZExtValue() * countOf(array->getElementType(), context) : 1;
}

bool FunctionLowering::canNameParts(const clang::DecompositionDecl &declaration) const {
  constexpr uint64_t LongestCopy = 64;
  return llvm::all_of(declaration.bindings(), [](const auto *binding) { return binding->getBinding() != nullptr; }) &&
         countOf(declaration.getType(), pass.context) <= LongestCopy;
}

std::string FunctionLowering::declaredName(const clang::VarDecl &variable) {
  if (isa<clang::DecompositionDecl>(variable))
    return uniqueName("parts");
  std::string name = nameOf(variable);
  return hidden.contains(name) ? uniqueName(name) : name;
}

bool FunctionLowering::namePartsOfOthers(const clang::DecompositionDecl &declaration) {
  const clang::Expr *init = declaration.getInit();
  if (declaration.getType()->isArrayType()) {
    auto *copy = dyn_cast<clang::ArrayInitLoopExpr>(init->IgnoreImplicit());
    if (!copy)
      return false;
    const clang::Expr *source = copy->getCommonExpr()->getSourceExpr();
    Expr array = Visit(source);
    copyElements(declaration, array->kind == ExprKind::Ref ? array : keep(array, source, "parts"));
    return true;
  }
  auto *named = dyn_cast<clang::DeclRefExpr>(init->IgnoreParens());
  auto *variable = named ? dyn_cast<clang::VarDecl>(named->getDecl()) : nullptr;
  if (!variable || !variable->isLocalVarDeclOrParm() || !declaration.getType()->isReferenceType())
    return false;
  variables[&declaration] = variableFor(variable);
  declareHeldParts(declaration);
  return true;
}

/// The value of an array as a list of its elements.
static Expr copiedElements(const Expr &place) {
  if (!isArray(place->type))
    return place;
  std::vector<Expr> elements;
  for (uint64_t i = 0; i < *place->type->extent; ++i)
    elements.push_back(copiedElements(makeIndex(place, intLit(static_cast<int64_t>(i)))));
  return makeInit(std::move(elements), place->type);
}

void FunctionLowering::copyElements(const clang::DecompositionDecl &declaration, const Expr &array) {
  int64_t i = 0;
  for (const clang::BindingDecl *binding : declaration.bindings()) {
    std::string name = binding->getNameAsString();
    Var *var = function.makeVar(hidden.contains(name) ? uniqueName(name) : name, pass.types.lower(binding->getType()));
    var->range = pass.sources.range(binding->getLocation());
    variables[binding] = var;
    emit(makeDecl(var, copiedElements(makeIndex(array, intLit(i++))), pass.sources.range(declaration.getSourceRange())));
  }
}

void FunctionLowering::declareHeldParts(const clang::DecompositionDecl &declaration) {
  for (const clang::BindingDecl *binding : declaration.bindings())
    if (const clang::VarDecl *held = binding->getHoldingVar())
      lowerVariable(*held);
}

/// For a lambda that keeps one.
Var *FunctionLowering::copyOfPart(const clang::BindingDecl &binding) {
  Var *copy =
      function.makeVar(uniqueName(binding.getNameAsString() + "_copy"), pass.types.lowerValue(binding.getType()));
  Var *own = variables.lookup(&binding);
  emit(makeDecl(copy, copiedElements(own ? makeRef(own) : Visit(binding.getBinding()))));
  return copy;
}

void FunctionLowering::declareElement(const clang::VarDecl &element, const Expr &place, const SourceRange &range) {
  auto *parts = dyn_cast<clang::DecompositionDecl>(&element);
  Type type = pass.types.lower(element.getType());
  if (parts && isArray(type))
    return copyElements(*parts, place);
  Var *var = function.makeVar(declaredName(element), type);
  var->range = pass.sources.range(element.getLocation());
  variables[&element] = var;
  emit(makeDecl(var, isReference(type) ? place : convert(place, type), range));
  if (parts)
    declareHeldParts(*parts);
}

} // namespace gpuad::frontend
