//===- LowerCast.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions. What changes a value becomes a Cast; what only changes how Clang
// looks at it (a load, added const) is nothing.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

static bool changesValue(clang::CastKind kind) {
  switch (kind) {
  case clang::CK_ArrayToPointerDecay:
  case clang::CK_BitCast:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_FloatingCast:
  case clang::CK_FloatingToBoolean:
  case clang::CK_FloatingToIntegral:
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToBoolean:
  case clang::CK_IntegralToFloating:
  case clang::CK_IntegralToPointer:
  case clang::CK_NullToPointer:
  case clang::CK_PointerToBoolean:
  case clang::CK_PointerToIntegral:
  case clang::CK_AddressSpaceConversion:
    return true;
  default:
    return false;
  }
}

/// Kinds of which the operand alone says everything.
static bool isTransparent(clang::CastKind kind) {
  switch (kind) {
  case clang::CK_LValueToRValue:
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_ToVoid:
    return true;
  default:
    return false;
  }
}

Expr FunctionLowering::VisitImplicitCastExpr(const clang::ImplicitCastExpr *e) {
  const clang::Expr *operand = e->getSubExpr();
  if (e->getCastKind() == clang::CK_LValueToRValue)
    if (Expr chosen = valueOfChoice(operand))
      return chosen;
  clang::CastKind kind = e->getCastKind();
  if (kind == clang::CK_LValueToRValue) {
    // A load through a choice of places is a choice of values.
    auto *choice = dyn_cast<clang::ConditionalOperator>(operand->IgnoreParens());
    if (choice && !pass.effects.hasEffects(choice->getTrueExpr()) && !pass.effects.hasEffects(choice->getFalseExpr())) {
      Expr condition = Visit(choice->getCond());
      Expr first = Visit(choice->getTrueExpr()), second = Visit(choice->getFalseExpr());
      return makeSelect(condition, first, second, typeOf(e), rangeOf(e));
    }
  }
  if (isTransparent(kind))
    return Visit(operand);
  if (changesValue(kind)) {
    Expr constant = kind == clang::CK_ArrayToPointerDecay ? nullptr : namedConstant(operand);
    return makeCast(CastStyle::Implicit, constant ? constant : Visit(operand), typeOf(e), rangeOf(e));
  }
  if (kind == clang::CK_DerivedToBase || kind == clang::CK_UncheckedDerivedToBase) {
    if (!e->getType()->isPointerType())
      return makeCast(CastStyle::Implicit, Visit(operand), typeOf(e), rangeOf(e));
    Expr pointer = Visit(operand);
    if (!isPointer(pointer->type))
      return textOf(e);
    Type base = pass.types.lower(e->getType()->getPointeeType());
    return makeAddrOf(makeCast(CastStyle::Implicit, makeDeref(pointer), base, rangeOf(e)), rangeOf(e));
  }
  return textOf(e);
}

static CastStyle styleOf(const clang::ExplicitCastExpr &e) {
  if (isa<clang::CXXStaticCastExpr>(e))
    return CastStyle::Static;
  if (isa<clang::CXXReinterpretCastExpr>(e))
    return CastStyle::Reinterpret;
  if (isa<clang::CXXConstCastExpr>(e))
    return CastStyle::Const;
  if (isa<clang::CXXFunctionalCastExpr>(e))
    return CastStyle::Functional;
  return CastStyle::CStyle;
}

/// The operand as written: Clang puts the steps of a written cast into implicit
/// casts below it.
static const clang::Expr *writtenOperand(const clang::ExplicitCastExpr &e) {
  const clang::Expr *operand = e.getSubExpr();
  while (auto *step = dyn_cast<clang::ImplicitCastExpr>(operand)) {
    if (!step->isPartOfExplicitCast() || step->getCastKind() == clang::CK_LValueToRValue)
      break;
    operand = step->getSubExpr();
  }
  return operand;
}

Expr FunctionLowering::VisitExplicitCastExpr(const clang::ExplicitCastExpr *e) {
  if (isa<clang::CXXDynamicCastExpr, clang::BuiltinBitCastExpr>(e))
    return textOf(e);
  const clang::Expr *operand = writtenOperand(*e);
  Type type = typeOf(e);
  if (e->isGLValue()) {
    if (e->getCastKind() == clang::CK_NoOp && isa<clang::CXXStaticCastExpr, clang::CXXConstCastExpr>(e))
      return Visit(operand);
    bool isOfClasses = e->getCastKind() == clang::CK_BaseToDerived || e->getCastKind() == clang::CK_DerivedToBase ||
                       e->getCastKind() == clang::CK_UncheckedDerivedToBase;
    if (e->getCastKind() != clang::CK_LValueBitCast && e->getCastKind() != clang::CK_NoOp && !isOfClasses)
      return textOf(e);
    // A place seen as another type: through its address.
    Expr object = Visit(operand);
    if (isOfClasses && sameType(object->type, type))
      return object;
    Type pointee = pass.types.lower(e->getType().getNonReferenceType());
    Expr address = makeAddrOf(object);
    CastStyle style = styleOf(*e) == CastStyle::Static && !isOfClasses ? CastStyle::Reinterpret : styleOf(*e);
    return makeDeref(makeCast(style, address, pointerTo(pointee), rangeOf(e)), rangeOf(e));
  }
  if (auto *construct = dyn_cast<clang::CXXConstructExpr>(e->getSubExpr());
      construct && isScalar(type) && construct->getNumArgs() == 1) // half and bfloat16
    return makeCast(styleOf(*e), Visit(construct->getArg(0)), type, rangeOf(e));
  if (isRecord(type) || type->kind == TypeKind::Opaque) {
    // T(args): what is below constructs the value, or converts by a call.
    Expr made = Visit(e->getSubExpr());
    if (auto *init = llvm::dyn_cast<InitExpr>(made.get()))
      return makeInit(init->elements, type, /*namesType=*/true, rangeOf(e));
    auto *cast = type->kind == TypeKind::Opaque ? llvm::dyn_cast<ir::CastExpr>(made.get()) : nullptr;
    if (cast && cast->style == CastStyle::Implicit)
      return makeCast(styleOf(*e), cast->operand, type, rangeOf(e)); // an object made of another one
    return sameType(made->type, type) ? made : textOf(e);
  }
  Expr value = Visit(operand);
  if (isPointer(type) && isArray(value->type))
    value = makeCast(CastStyle::Implicit, value, pointerTo(elementOf(value->type)), rangeOf(e));
  CastStyle style = styleOf(*e);
  bool oneWord = type->spelling.find(' ') == std::string::npos && isScalar(type);
  if (style == CastStyle::Functional && !oneWord)
    style = CastStyle::CStyle;
  if (style == CastStyle::Static && value->kind == ExprKind::Text)
    return textOf(e);
  return makeCast(style, std::move(value), std::move(type), rangeOf(e));
}

} // namespace gpuad::frontend
