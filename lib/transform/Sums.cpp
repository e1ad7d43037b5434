//===- Sums.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Sums.h"

#include "ir/Builder.h"

namespace gpuad::transform {
using namespace ir;

Expr withoutAddend(const Expr &e, llvm::function_ref<bool(const Expr &)> isPlace) {
  auto *sum = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!sum || !isFloating(e->type) || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub))
    return nullptr;
  const Expr &lhs = stripImplicit(sum->lhs);
  const Expr &rhs = stripImplicit(sum->rhs);
  if (isPlace(lhs))
    return sum->op == BinaryOp::Add ? sum->rhs : neg(sum->rhs);
  if (sum->op == BinaryOp::Add && isPlace(rhs))
    return sum->lhs;
  if (Expr rest = withoutAddend(lhs, isPlace))
    return sum->op == BinaryOp::Add ? add(rest, sum->rhs) : sub(rest, sum->rhs);
  if (sum->op == BinaryOp::Add)
    if (Expr rest = withoutAddend(rhs, isPlace))
      return add(sum->lhs, rest);
  return nullptr;
}

namespace {
/// A product as (constant, rest): 2 * x * s is (2, x * s).
std::pair<double, Expr> splitFactor(const Expr &e) {
  auto *product = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!product || product->op != BinaryOp::Mul)
    return {1.0, e};
  if (auto *lit = llvm::dyn_cast<LitExpr>(product->lhs.get()))
    if (auto *value = std::get_if<double>(&lit->value))
      return {*value, product->rhs};
  auto [factor, rest] = splitFactor(product->lhs);
  if (factor == 1.0)
    return {1.0, e};
  return {factor, makeBinary(BinaryOp::Mul, rest, product->rhs, e->type)};
}

/// 2 * a * b rather than 2 * (a * b).
Expr timesConstant(double constant, const Expr &e) {
  auto *product = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!product || product->op != BinaryOp::Mul)
    return mul(floatLit(constant, e->type), e);
  return makeBinary(BinaryOp::Mul, timesConstant(constant, product->lhs), product->rhs, e->type);
}
} // namespace

Expr addTerms(const Expr &a, const Expr &b) {
  if (!isFloating(a->type))
    return add(a, b);
  auto [left, leftRest] = splitFactor(a);
  auto [right, rightRest] = splitFactor(b);
  if (equal(leftRest, rightRest))
    return timesConstant(left + right, leftRest);
  return add(a, b);
}

namespace {
bool isNonNegative(const Expr &given, llvm::function_ref<Expr(Var *)> definition, bool strictly, unsigned depth) {
  constexpr unsigned Deepest = 32;
  const Expr &e = stripImplicit(given);
  if (depth > Deepest)
    return false;
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get())) {
    if (auto *real = std::get_if<double>(&lit->value))
      return strictly ? *real > 0 : *real >= 0;
    auto *whole = std::get_if<int64_t>(&lit->value);
    return whole && (strictly ? *whole > 0 : *whole >= 0);
  }
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    Expr value = definition(ref->var);
    return value && isNonNegative(value, definition, strictly, depth + 1);
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary)
    return false;
  auto of = [&](const Expr &part, bool strict) { return isNonNegative(part, definition, strict, depth + 1); };
  if (binary->op == BinaryOp::Add)
    return strictly
               ? (of(binary->lhs, true) && of(binary->rhs, false)) || (of(binary->lhs, false) && of(binary->rhs, true))
               : of(binary->lhs, false) && of(binary->rhs, false);
  if (binary->op == BinaryOp::Mul)
    return (!strictly && equal(binary->lhs, binary->rhs)) || (of(binary->lhs, strictly) && of(binary->rhs, strictly));
  return false;
}
} // namespace

bool isPositive(const Expr &e, llvm::function_ref<Expr(Var *)> definition) {
  return isNonNegative(e, definition, true, 0);
}

Expr acrossHalf(const Expr &e, const Type &type) {
  auto isHalf = [](const Type &one) {
    return isScalar(one) && (one->scalar == ScalarKind::Half || one->scalar == ScalarKind::BFloat16);
  };
  bool differs =
      (isHalf(e->type) || isHalf(type)) && isFloating(e->type) && isFloating(type) && !sameType(e->type, type);
  return differs ? makeCast(CastStyle::CStyle, e, withConst(type, false)) : e;
}

} // namespace gpuad::transform
