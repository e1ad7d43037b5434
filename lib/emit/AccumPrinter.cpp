//===- AccumPrinter.cpp - additions to adjoints as text ----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/AccumPrinter.h"

#include "emit/Conversion.h"
#include "emit/ExprPrinter.h"
#include "ir/Builder.h"

namespace gpuad::emit {
using namespace ir;

/// The operand of a negation that can move into `-=`: -v, or -a * b (the sign of a
/// product is exact).
static Expr withoutMinus(const Expr &value) {
  const Expr &e = stripImplicit(value);
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e.get()))
    return unary->op == UnaryOp::Neg ? unary->operand : nullptr;
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary || (binary->op != BinaryOp::Mul && binary->op != BinaryOp::Div) || !isFloating(binary->type))
    return nullptr;
  if (Expr lhs = withoutMinus(binary->lhs))
    return makeBinary(binary->op, lhs, binary->rhs, binary->type, binary->range);
  return nullptr;
}

/// `place += value`, or `-=` when that spares a minus sign. The sum is made in the
/// type of the place, so a wider value is cast first.
static std::string printPlainSum(const std::string &place, const AccumStmt &s) {
  Expr positive = withoutMinus(s.value);
  bool flips = positive && sameType(positive->type, s.place->type);
  Expr added = flips ? positive : s.value;
  bool changesKind = isScalar(added->type) && isArithmetic(added->type) != isArithmetic(s.place->type);
  if (changesKind) // a half type converts to so many that += would not know which
    added = makeCast(CastStyle::Implicit, added, withConst(s.place->type, false));
  Expr sum = makeBinary(BinaryOp::Add, s.place, added, s.place->type);
  std::string value = inParentheses(printSides(llvm::cast<BinaryExpr>(*sum)).rhs, Precedence::Assign);
  return place + (flips ? " -= " : " += ") + value;
}

std::string printAccum(const AccumStmt &s) {
  std::string place = printBare(s.place).text;
  auto helper = [&](const char *name) {
    return std::string(name) + "(" + printBare(makeAddrOf(s.place)).text + ", " + asArgument(s.value, s.place->type) +
           (s.apart ? ", " + printBare(s.apart).text : "") + ")";
  };
  switch (s.how) {
  case AccumHow::Undecided: // Verify has stopped these; in dumps and tests they read as sums
  case AccumHow::Plain:
    return s.mayBeIdle ? helper("gpuad::add_sum") : printPlainSum(place, s);
  case AccumHow::PlainIfApart:
    return helper(s.mayBeIdle ? "gpuad::add_sum_apart" : "gpuad::add_apart");
  case AccumHow::SharedAtomic:
  case AccumHow::GlobalAtomic:
    return helper(s.mayBeIdle ? "gpuad::atomic_add_sum" : isRecord(s.place->type) ? "gpuad::atomic_add" : "atomicAdd");
  case AccumHow::BlockReduced:
    return helper("gpuad::block_add");
  case AccumHow::WarpReduced:
    return helper("gpuad::warp_add");
  case AccumHow::AnySpace:
    return helper("gpuad::add_any_space");
  }
  return {};
}

} // namespace gpuad::emit
