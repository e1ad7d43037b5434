//===- LowerInit.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of classes and arrays: element lists, copies, constructors.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// Nothing is written in it, at any depth.
static bool isEmptyInit(const clang::Expr *e) {
  auto *list = dyn_cast<clang::InitListExpr>(e);
  return isa<clang::ImplicitValueInitExpr>(e) || (list && llvm::all_of(list->inits(), isEmptyInit));
}

/// The initializers of a record, those of its base classes among its own, as its fields
/// are; false when a base class is initialized by an object of its type.
static bool addInitializers(const clang::InitListExpr &list, std::vector<const clang::Expr *> &to) {
  const clang::CXXRecordDecl *record = list.getType()->getAsCXXRecordDecl();
  unsigned bases = record && record->hasDefinition() ? record->getNumBases() : 0;
  for (unsigned i = 0; i < list.getNumInits(); ++i) {
    auto *base = i < bases ? dyn_cast<clang::InitListExpr>(list.getInit(i)) : nullptr;
    if (i < bases ? !base || !addInitializers(*base, to) : false)
      return false;
    if (i >= bases)
      to.push_back(list.getInit(i));
  }
  return true;
}

Expr FunctionLowering::VisitInitListExpr(const clang::InitListExpr *e) {
  const clang::InitListExpr *list = e->isSemanticForm() || !e->getSemanticForm() ? e : e->getSemanticForm();
  Type type = typeOf(list);
  if (isScalar(type) || isPointer(type))
    return list->getNumInits() == 1 ? Visit(list->getInit(0)) : zeroOf(type);
  if (list->isTransparent())
    return Visit(list->getInit(0));
  if (list->isStringLiteralInit() && list->getNumInits() == 1)
    return Visit(list->getInit(0));
  if (type->kind == TypeKind::Opaque && llvm::all_of(list->inits(), isEmptyInit)) // plus<float>{}
    return makeInit({}, type, true, rangeOf(e));
  if (!isArray(type) && !(isRecord(type) && !type->record->isUnion))
    return textOf(e);
  std::vector<const clang::Expr *> written;
  if (!addInitializers(*list, written))
    return textOf(e);
  auto readsOthers = [](const clang::Expr *one) {
    auto *ofClass = dyn_cast<clang::CXXDefaultInitExpr>(one);
    return ofClass && readsObject(ofClass->getExpr());
  };
  if (isRecord(type) && type->record->hasDefaultConstructor && llvm::any_of(written, readsOthers))
    return aggregateInPlace(written, type, e);
  while (!written.empty() && isEmptyInit(written.back()))
    written.pop_back();
  return makeInit(operands(written), type, false, rangeOf(e));
}

Expr FunctionLowering::VisitCompoundLiteralExpr(const clang::CompoundLiteralExpr *e) {
  auto *list = dyn_cast<clang::InitListExpr>(e->getInitializer());
  Type type = typeOf(e);
  if (!list || !isRecord(type))
    return textOf(e);
  Expr made = Visit(list);
  auto *init = llvm::dyn_cast<InitExpr>(made.get());
  return init ? makeInit(init->elements, type, true, rangeOf(e)) : textOf(e);
}

Expr FunctionLowering::VisitCXXScalarValueInitExpr(const clang::CXXScalarValueInitExpr *e) {
  return zeroOf(typeOf(e));
}

Expr FunctionLowering::VisitImplicitValueInitExpr(const clang::ImplicitValueInitExpr *e) {
  return zeroOf(typeOf(e));
}

/// An object of a library's class that is known by its name alone: a function object, or
/// a group of threads made of another one.
Expr FunctionLowering::lowerHandle(const clang::CXXConstructExpr &e, const Type &type) {
  if (e.getNumArgs() == 0)
    return makeInit({}, type, true, rangeOf(&e));
  Expr operand = e.getNumArgs() == 1 ? Visit(e.getArg(0)) : nullptr;
  bool isSeenAsAnother = operand && operand->type->kind == TypeKind::Opaque && !isa<clang::CXXTemporaryObjectExpr>(e);
  return isSeenAsAnother ? makeCast(CastStyle::Implicit, operand, type, rangeOf(&e)) : textOf(&e);
}

Expr FunctionLowering::VisitCXXConstructExpr(const clang::CXXConstructExpr *e) {
  const clang::CXXConstructorDecl *constructor = e->getConstructor();
  Type type = typeOf(e);
  bool isHalf = isFloating(type), isPairOfHalves = isVectorRecord(*constructor->getParent());
  if (e->getNumArgs() >= 1 && (constructor->isCopyOrMoveConstructor() || e->isElidable())) {
    if (constructor->isTrivial() || constructor->isDefaulted() || e->isElidable() || isHalf || isPairOfHalves)
      return Visit(e->getArg(0));
  } else if (isHalf) {
    if (e->getNumArgs() == 0)
      return zeroOf(type);
    bool written = isa<clang::CXXTemporaryObjectExpr>(e);
    return makeCast(written ? CastStyle::Functional : CastStyle::Implicit, Visit(e->getArg(0)), type, rangeOf(e));
  }
  if (Expr made = lowerElements(*e, type))
    return made;
  if (isPairOfHalves && isRecord(type) && e->getNumArgs() == type->record->fields.size())
    return makeInit(operands({e->getArg(0), e->getArg(1)}), type, true, rangeOf(e));
  if (type->kind == TypeKind::Opaque)
    return lowerHandle(*e, type);
  if (e->getNumArgs() == 0 && isRecord(type) && constructor->isTrivial())
    return makeInit({}, type, true, rangeOf(e));
  if (!isRecord(type) || e->isStdInitListInitialization())
    return textOf(e);
  if (Expr made = constructInPlace(*e, type))
    return made;
  std::vector<const clang::Expr *> written(e->arguments().begin(), e->arguments().end());
  unsigned writtenArgs = 0;
  while (writtenArgs < written.size() && !isa<clang::CXXDefaultArgExpr>(written[writtenArgs]))
    ++writtenArgs;
  Callee callee = makeCallee(*constructor, nullptr);
  Expr made = makeCall(std::move(callee), operands(written), type, rangeOf(e));
  if (writtenArgs == written.size())
    return made;
  auto copy = std::make_shared<ir::CallExpr>(*llvm::cast<ir::CallExpr>(made.get()));
  copy->writtenArgs = writtenArgs;
  return copy;
}

} // namespace gpuad::frontend
