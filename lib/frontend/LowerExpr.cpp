//===- LowerExpr.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names, places and operators.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

Expr FunctionLowering::VisitParenExpr(const clang::ParenExpr *e) {
  if (Expr constant = namedConstant(e))
    return constant;
  return Visit(e->getSubExpr());
}

Expr FunctionLowering::VisitSubstNonTypeTemplateParmExpr(const clang::SubstNonTypeTemplateParmExpr *e) {
  return Visit(e->getReplacement());
}

std::optional<ThreadBuiltin> threadBuiltin(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (auto *opaque = dyn_cast<clang::OpaqueValueExpr>(e); opaque && opaque->getSourceExpr())
    e = opaque->getSourceExpr()->IgnoreParenImpCasts();
  auto *reference = dyn_cast<clang::DeclRefExpr>(e);
  auto *variable = reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
  if (!variable || !variable->getIdentifier() || !variable->getDeclContext()->getRedeclContext()->isTranslationUnit())
    return std::nullopt;
  llvm::StringRef name = variable->getName();
  if (name == "threadIdx")
    return ThreadBuiltin::ThreadIdx;
  if (name == "blockIdx")
    return ThreadBuiltin::BlockIdx;
  if (name == "blockDim")
    return ThreadBuiltin::BlockDim;
  if (name == "gridDim")
    return ThreadBuiltin::GridDim;
  if (name == "warpSize")
    return ThreadBuiltin::WarpSize;
  return std::nullopt;
}

static std::optional<unsigned> dimensionOf(llvm::StringRef field) {
  if (field.size() == 1 && field[0] >= 'x' && field[0] <= 'z')
    return field[0] - 'x';
  return std::nullopt;
}

/// Clang's own header declares threadIdx.x as a property: a call in disguise.
Expr FunctionLowering::VisitPseudoObjectExpr(const clang::PseudoObjectExpr *e) {
  if (auto *property = dyn_cast<clang::MSPropertyRefExpr>(e->getSyntacticForm()->IgnoreParenImpCasts())) {
    std::optional<ThreadBuiltin> builtin = threadBuiltin(property->getBaseExpr());
    std::optional<unsigned> dimension = dimensionOf(property->getPropertyDecl()->getName());
    if (builtin && dimension)
      return makeThreadIndex(*builtin, *dimension, rangeOf(e));
  }
  return textOf(e);
}

Expr FunctionLowering::VisitDeclRefExpr(const clang::DeclRefExpr *e) {
  const clang::ValueDecl *declaration = e->getDecl();
  if (Expr number = hiddenConstant(*declaration, e))
    return number;
  if (auto *enumerator = dyn_cast<clang::EnumConstantDecl>(declaration))
    return makeLit(pass.qualifiedName(*enumerator), enumerator->getInitVal().getExtValue(), typeOf(e), rangeOf(e));
  if (auto *binding = dyn_cast<clang::BindingDecl>(declaration)) {
    if (Var *own = variables.lookup(binding))
      return makeRef(own, rangeOf(e));
    auto *whole = dyn_cast_or_null<clang::DecompositionDecl>(binding->getDecomposedDecl());
    return whole && canNameParts(*whole) ? Visit(binding->getBinding()) : textOf(e);
  }
  auto *variable = dyn_cast<clang::VarDecl>(declaration);
  if (!variable)
    return textOf(e);
  if (std::optional<ThreadBuiltin> builtin = threadBuiltin(e)) {
    if (*builtin == ThreadBuiltin::WarpSize)
      return makeThreadIndex(*builtin, 0, rangeOf(e));
    return makeText(variable->getNameAsString(), {}, typeOf(e), rangeOf(e));
  }
  return makeRef(variableFor(variable), rangeOf(e));
}

Expr FunctionLowering::VisitCXXThisExpr(const clang::CXXThisExpr *e) {
  if (!self)
    return textOf(e);
  return makeAddrOf(makeRef(self), rangeOf(e));
}

Expr FunctionLowering::VisitMemberExpr(const clang::MemberExpr *e) {
  if (Expr number = hiddenConstant(*e->getMemberDecl(), e))
    return number;
  if (auto *variable = dyn_cast<clang::VarDecl>(e->getMemberDecl()))
    return makeRef(pass.globalFor(variable), rangeOf(e));
  if (auto *enumerator = dyn_cast<clang::EnumConstantDecl>(e->getMemberDecl()))
    return makeLit(pass.qualifiedName(*enumerator), enumerator->getInitVal().getExtValue(), typeOf(e), rangeOf(e));
  auto *field = dyn_cast<clang::FieldDecl>(e->getMemberDecl());
  if (!field || !field->getIdentifier() || field->isBitField())
    return textOf(e);
  if (!e->isArrow())
    if (std::optional<ThreadBuiltin> builtin = threadBuiltin(e->getBase()))
      if (std::optional<unsigned> dimension = dimensionOf(field->getName()))
        return makeThreadIndex(*builtin, *dimension, rangeOf(e));
  // A field of a base class, or of a transparent field, is one of the object's own fields here.
  auto *outer = dyn_cast<clang::MemberExpr>(e->getBase()->IgnoreParens());
  auto *outerField = outer ? dyn_cast<clang::FieldDecl>(outer->getMemberDecl()) : nullptr;
  if (outerField && pass.types.isTransparent(*outerField))
    return memberOf(outer->getBase(), outer->isArrow(), *field, e);
  return memberOf(e->getBase(), e->isArrow(), *field, e);
}

Expr FunctionLowering::memberOf(const clang::Expr *bare, bool isArrow, const clang::FieldDecl &field,
                                const clang::MemberExpr *e) {
  while (auto *cast = dyn_cast<clang::ImplicitCastExpr>(bare->IgnoreParens())) {
    if (cast->getCastKind() != clang::CK_UncheckedDerivedToBase && cast->getCastKind() != clang::CK_DerivedToBase)
      break;
    bare = cast->getSubExpr();
  }
  clang::QualType objectType = isArrow ? bare->getType()->getPointeeType() : bare->getType();
  Type object = pass.types.lowerValue(objectType);
  std::optional<unsigned> index =
      isRecord(object) && object->record ? fieldIndex(object, pass.types.nameOf(field)) : std::nullopt;
  if (!index)
    return textOf(e);
  Expr base = Visit(bare);
  if (isArrow)
    base = makeDeref(std::move(base), rangeOf(e));
  if (!isRecord(base->type))
    return textOf(e);
  index = fieldIndex(base->type, pass.types.nameOf(field));
  if (!index)
    return textOf(e);
  return makeMember(std::move(base), *index, rangeOf(e));
}

Expr FunctionLowering::VisitArraySubscriptExpr(const clang::ArraySubscriptExpr *e) {
  const clang::Expr *base = e->getBase();
  const clang::Expr *array = base->IgnoreParens();
  if (auto *decay = dyn_cast<clang::ImplicitCastExpr>(array))
    if (decay->getCastKind() == clang::CK_ArrayToPointerDecay)
      array = decay->getSubExpr();
  // `i[p]` reads p after i; nobody writes it with effects, so p comes first here.
  std::vector<Expr> parts = operands({array, e->getIdx()});
  if (!isArray(parts[0]->type) && !isPointer(parts[0]->type))
    return textOf(e);
  // An argument of a template has a type that needs no suffix here.
  auto *number = llvm::dyn_cast<LitExpr>(parts[1].get());
  bool isArgument = number && isa<clang::SubstNonTypeTemplateParmExpr>(e->getIdx()->IgnoreParenImpCasts());
  if (auto *value = isArgument ? std::get_if<int64_t>(&number->value) : nullptr)
    parts[1] = intLit(*value);
  return makeIndex(parts[0], parts[1], rangeOf(e));
}

Expr FunctionLowering::VisitUnaryOperator(const clang::UnaryOperator *e) {
  if (e->isIncrementDecrementOp())
    return stepBy(*e, /*wantsOld=*/true);
  if (Expr constant = namedConstant(e))
    return constant;
  switch (e->getOpcode()) {
  case clang::UO_Deref: {
    Expr pointer = Visit(e->getSubExpr());
    if (!isPointer(pointer->type))
      return textOf(e);
    // *(p + i) is p[i].
    if (auto *sum = llvm::dyn_cast<ir::BinaryExpr>(pointer.get()); sum && sum->op == BinaryOp::Add)
      if (isPointer(sum->lhs->type))
        return makeIndex(sum->lhs, sum->rhs, rangeOf(e));
    return makeDeref(std::move(pointer), rangeOf(e));
  }
  case clang::UO_AddrOf:
    if (!e->getSubExpr()->isGLValue() || e->getSubExpr()->getType()->isFunctionType())
      return textOf(e);
    return makeAddrOf(Visit(e->getSubExpr()), rangeOf(e));
  case clang::UO_Minus:
    return makeUnary(UnaryOp::Neg, Visit(e->getSubExpr()), typeOf(e), rangeOf(e));
  case clang::UO_Plus:
    return makeUnary(UnaryOp::Plus, Visit(e->getSubExpr()), typeOf(e), rangeOf(e));
  case clang::UO_LNot:
    return makeUnary(UnaryOp::Not, Visit(e->getSubExpr()), typeOf(e), rangeOf(e));
  case clang::UO_Not:
    return makeUnary(UnaryOp::BitNot, Visit(e->getSubExpr()), typeOf(e), rangeOf(e));
  case clang::UO_Extension:
    return Visit(e->getSubExpr());
  default:
    return textOf(e);
  }
}

std::optional<BinaryOp> binaryOp(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_Add:
  case clang::BO_AddAssign:
    return BinaryOp::Add;
  case clang::BO_Sub:
  case clang::BO_SubAssign:
    return BinaryOp::Sub;
  case clang::BO_Mul:
  case clang::BO_MulAssign:
    return BinaryOp::Mul;
  case clang::BO_Div:
  case clang::BO_DivAssign:
    return BinaryOp::Div;
  case clang::BO_Rem:
  case clang::BO_RemAssign:
    return BinaryOp::Rem;
  case clang::BO_Shl:
  case clang::BO_ShlAssign:
    return BinaryOp::Shl;
  case clang::BO_Shr:
  case clang::BO_ShrAssign:
    return BinaryOp::Shr;
  case clang::BO_And:
  case clang::BO_AndAssign:
    return BinaryOp::And;
  case clang::BO_Or:
  case clang::BO_OrAssign:
    return BinaryOp::Or;
  case clang::BO_Xor:
  case clang::BO_XorAssign:
    return BinaryOp::Xor;
  case clang::BO_LAnd:
    return BinaryOp::LogicalAnd;
  case clang::BO_LOr:
    return BinaryOp::LogicalOr;
  case clang::BO_EQ:
    return BinaryOp::Eq;
  case clang::BO_NE:
    return BinaryOp::Ne;
  case clang::BO_LT:
    return BinaryOp::Lt;
  case clang::BO_LE:
    return BinaryOp::Le;
  case clang::BO_GT:
    return BinaryOp::Gt;
  case clang::BO_GE:
    return BinaryOp::Ge;
  default:
    return std::nullopt;
  }
}

Expr FunctionLowering::VisitBinaryOperator(const clang::BinaryOperator *e) {
  if (e->getOpcode() == clang::BO_Comma) {
    discard(e->getLHS());
    return Visit(e->getRHS());
  }
  if (auto *compound = dyn_cast<clang::CompoundAssignOperator>(e))
    return assignCompound(*compound);
  if (e->getOpcode() == clang::BO_Assign) {
    assign(e->getLHS(), e->getRHS(), e);
    // The place again; what has effects in it was kept when it was assigned.
    if (auto *assigned = llvm::dyn_cast<ir::AssignStmt>(output->back().get()))
      return assigned->place;
    return textOf(e);
  }
  if (Expr constant = namedConstant(e))
    return constant;
  std::optional<BinaryOp> op = binaryOp(e->getOpcode());
  if (!op)
    return textOf(e);
  if (e->isLogicalOp() && pass.effects.hasEffects(e->getRHS())) {
    bool isAnd = e->getOpcode() == clang::BO_LAnd;
    return lazily(e->getLHS(), isAnd ? e->getRHS() : nullptr, isAnd ? nullptr : e->getRHS(), boolType(), rangeOf(e));
  }
  std::vector<Expr> parts = operands({e->getLHS(), e->getRHS()});
  // i + p is p + i.
  if (*op == BinaryOp::Add && isPointer(parts[1]->type) && !isPointer(parts[0]->type))
    std::swap(parts[0], parts[1]);
  return makeBinary(*op, parts[0], parts[1], typeOf(e), rangeOf(e));
}

/// The value of one whose operands are assignments, in parentheses or not.
Expr FunctionLowering::valueOfChoice(const clang::Expr *e) {
  auto *choice = dyn_cast<clang::ConditionalOperator>(e->IgnoreParens());
  bool hasEffects =
      choice && (pass.effects.hasEffects(choice->getTrueExpr()) || pass.effects.hasEffects(choice->getFalseExpr()));
  return hasEffects ? lazily(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr(), typeOf(e), rangeOf(e))
                    : nullptr;
}

Expr FunctionLowering::VisitConditionalOperator(const clang::ConditionalOperator *e) {
  if (Expr constant = namedConstant(e))
    return constant;
  Type type = typeOf(e);
  if (e->isGLValue()) {
    // A choice between places is a choice between their addresses.
    if (pass.effects.hasEffects(e->getTrueExpr()) || pass.effects.hasEffects(e->getFalseExpr()))
      return textOf(e);
    Expr condition = Visit(e->getCond());
    Expr first = makeAddrOf(Visit(e->getTrueExpr())), second = makeAddrOf(Visit(e->getFalseExpr()));
    return makeDeref(makeSelect(condition, first, second, first->type, rangeOf(e)), rangeOf(e));
  }
  if (pass.effects.hasEffects(e->getTrueExpr()) || pass.effects.hasEffects(e->getFalseExpr()))
    return lazily(e->getCond(), e->getTrueExpr(), e->getFalseExpr(), type, rangeOf(e));
  Expr condition = Visit(e->getCond());
  Expr first = Visit(e->getTrueExpr()), second = Visit(e->getFalseExpr());
  return makeSelect(condition, first, second, type, rangeOf(e));
}

} // namespace gpuad::frontend
