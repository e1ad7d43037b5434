//===- Arithmetic.cpp - folding helpers of the builder ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"

#include <cmath>

namespace gpuad::ir {

namespace {
std::optional<double> number(const Expr &e) {
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get())) {
    if (auto *real = std::get_if<double>(&lit->value))
      return *real;
    if (auto *whole = std::get_if<int64_t>(&lit->value))
      return isPointer(e->type) ? std::nullopt : std::optional<double>(static_cast<double>(*whole));
  }
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(e.get()); minus && minus->op == UnaryOp::Neg)
    if (auto inner = number(minus->operand))
      return -*inner;
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()); cast && cast->style == CastStyle::Implicit)
    return number(cast->operand);
  return std::nullopt;
}

/// The operand of a negation, or null.
Expr negated(const Expr &e) {
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(e.get()); minus && minus->op == UnaryOp::Neg)
    return minus->operand;
  return nullptr;
}

Type widerType(const Expr &a, const Expr &b) {
  // A literal takes the other operand's type, so that 2 * x stays in float.
  if (number(a) && !number(b))
    return withConst(b->type, false);
  if (number(b) && !number(a))
    return withConst(a->type, false);
  if (isFloating(a->type) != isFloating(b->type))
    return withConst(isFloating(a->type) ? a->type : b->type, false);
  return withConst(a->type->bits >= b->type->bits ? a->type : b->type, false);
}

Expr literal(double value, const Type &type) {
  if (isFloating(type))
    return floatLit(value, type);
  return intLit(static_cast<int64_t>(value));
}

/// The operand in the result's type, where it is a literal.
Expr retyped(const Expr &e, const Type &type) {
  if (auto value = number(e); value && isFloating(type) && !isFloating(e->type))
    return literal(*value, type);
  if (auto value = number(e); value && isFloating(type) && e->type->bits != type->bits)
    return literal(*value, type);
  return e;
}

Expr arithmetic(BinaryOp op, const Expr &a, const Expr &b) {
  Type type = widerType(a, b);
  return makeBinary(op, retyped(a, type), retyped(b, type), type);
}

const BinaryExpr *asBinary(const Expr &e, BinaryOp op) {
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  return binary && binary->op == op ? binary : nullptr;
}
} // namespace

bool isZeroLit(const Expr &e) {
  auto value = number(e);
  return value && *value == 0;
}
bool isOneLit(const Expr &e) {
  auto value = number(e);
  return value && *value == 1;
}

Expr add(Expr a, Expr b) {
  if (isZeroLit(a))
    return b;
  if (isZeroLit(b))
    return a;
  auto x = number(a), y = number(b);
  if (x && y)
    return literal(*x + *y, widerType(a, b));
  if (Expr inner = negated(b))
    return sub(a, inner);
  if (Expr inner = negated(a))
    return sub(b, inner);
  return arithmetic(BinaryOp::Add, a, b);
}

Expr sub(Expr a, Expr b) {
  if (isZeroLit(b))
    return a;
  if (isZeroLit(a))
    return neg(b);
  auto x = number(a), y = number(b);
  if (x && y)
    return literal(*x - *y, widerType(a, b));
  if (Expr inner = negated(b))
    return add(a, inner);
  return arithmetic(BinaryOp::Sub, a, b);
}

Expr mul(Expr a, Expr b) {
  if (isZeroLit(a) || isZeroLit(b))
    return literal(0, widerType(a, b));
  if (isOneLit(a))
    return b;
  if (isOneLit(b))
    return a;
  auto x = number(a), y = number(b);
  if (x && y)
    return literal(*x * *y, widerType(a, b));
  if (x && *x == -1)
    return neg(b);
  if (y && *y == -1)
    return neg(a);
  if (Expr inner = negated(a))
    return neg(mul(inner, b));
  if (Expr inner = negated(b))
    return neg(mul(a, inner));
  if (y) // constants first, as people write them
    return mul(b, a);
  if (x)
    if (auto *product = asBinary(b, BinaryOp::Mul))
      if (auto z = number(product->lhs))
        return mul(literal(*x * *z, b->type), product->rhs);
  if (auto *quotient = asBinary(b, BinaryOp::Div); quotient && isOneLit(quotient->lhs))
    return div(a, quotient->rhs);
  if (auto *quotient = asBinary(a, BinaryOp::Div); quotient && isOneLit(quotient->lhs))
    return div(b, quotient->rhs);
  return arithmetic(BinaryOp::Mul, a, b);
}

Expr div(Expr a, Expr b) {
  if (isOneLit(b) || isZeroLit(a))
    return a;
  if (Expr inner = negated(a))
    return neg(div(inner, b));
  if (Expr inner = negated(b))
    return neg(div(a, inner));
  return arithmetic(BinaryOp::Div, a, b);
}

Expr neg(Expr a) {
  if (Expr inner = negated(a))
    return inner;
  if (isZeroLit(a))
    return a;
  if (auto *difference = asBinary(a, BinaryOp::Sub); difference && isFloating(a->type))
    return makeBinary(BinaryOp::Sub, difference->rhs, difference->lhs, a->type);
  return makeUnary(UnaryOp::Neg, a, withConst(a->type, false));
}

Expr select(Expr condition, Expr thenValue, Expr elseValue) {
  if (auto *lit = llvm::dyn_cast<LitExpr>(condition.get()))
    if (auto *known = std::get_if<bool>(&lit->value))
      return *known ? thenValue : elseValue;
  if (equal(thenValue, elseValue))
    return thenValue;
  Type type = widerType(thenValue, elseValue);
  return makeSelect(condition, retyped(thenValue, type), retyped(elseValue, type), type);
}

Expr logicalAnd(Expr a, Expr b) {
  if (!a)
    return b;
  if (!b)
    return a;
  return makeBinary(BinaryOp::LogicalAnd, a, b, boolType());
}

Expr logicalNot(Expr a) {
  if (auto *inner = llvm::dyn_cast<UnaryExpr>(a.get()); inner && inner->op == UnaryOp::Not)
    return inner->operand;
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(a.get()); binary && !isFloating(binary->lhs->type)) {
    // Of integers only: with NaN, !(a < b) is not a >= b.
    static const std::pair<BinaryOp, BinaryOp> Opposite[] = {
        {BinaryOp::Eq, BinaryOp::Ne}, {BinaryOp::Ne, BinaryOp::Eq}, {BinaryOp::Lt, BinaryOp::Ge},
        {BinaryOp::Ge, BinaryOp::Lt}, {BinaryOp::Gt, BinaryOp::Le}, {BinaryOp::Le, BinaryOp::Gt}};
    for (auto [from, to] : Opposite)
      if (binary->op == from && !isFloating(binary->rhs->type))
        return makeBinary(to, binary->lhs, binary->rhs, binary->type);
  }
  return makeUnary(UnaryOp::Not, a, boolType());
}

} // namespace gpuad::ir
