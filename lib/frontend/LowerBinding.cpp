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

bool FunctionLowering::canNameParts(const clang::DecompositionDecl &declaration) const {
  return llvm::all_of(declaration.bindings(), [](const auto *binding) { return binding->getBinding() != nullptr; });
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

static uint64_t countOf(const Type &type) {
  return isArray(type) ? *type->extent * countOf(type->element) : 1;
}

/// The value of an array as a list of its elements.
static Expr listed(const Expr &place) {
  if (!isArray(place->type))
    return place;
  std::vector<Expr> elements;
  for (uint64_t i = 0; i < *place->type->extent; ++i)
    elements.push_back(listed(makeIndex(place, intLit(static_cast<int64_t>(i)))));
  return makeInit(std::move(elements), place->type);
}

/// place = value; for arrays, in loops.
static Stmt copied(const Expr &place, const Expr &value, Function &function) {
  if (!isArray(place->type))
    return makeAssign(place, value);
  Var *k = function.makeVar("k", intType());
  Expr index = makeRef(k), end = intLit(static_cast<int64_t>(*place->type->extent));
  Stmt body = copied(makeIndex(place, index), makeIndex(value, index), function);
  return makeFor({makeDecl(k, intLit(0))}, makeBinary(BinaryOp::Lt, index, end, boolType()),
                 {makeAssign(index, makeBinary(BinaryOp::Add, index, intLit(1), intType()))}, makeBlock({body}));
}

void FunctionLowering::declareCopy(Var *var, const Expr &place, const SourceRange &range) {
  constexpr uint64_t LongestList = 16;
  if (countOf(var->type) <= LongestList)
    return emit(makeDecl(var, listed(place), range));
  emit(makeDecl(var, nullptr, range));
  emit(copied(makeRef(var), place, function));
}

void FunctionLowering::copyElements(const clang::DecompositionDecl &declaration, const Expr &array) {
  int64_t i = 0;
  for (const clang::BindingDecl *binding : declaration.bindings()) {
    std::string name = binding->getNameAsString();
    Var *var = function.makeVar(hidden.contains(name) ? uniqueName(name) : name, pass.types.lower(binding->getType()));
    var->range = pass.sources.range(binding->getLocation());
    variables[binding] = var;
    declareCopy(var, makeIndex(array, intLit(i++)), pass.sources.range(declaration.getSourceRange()));
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
  declareCopy(copy, own ? makeRef(own) : Visit(binding.getBinding()), pass.sources.range(binding.getSourceRange()));
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
