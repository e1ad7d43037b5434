//===- ExprPrinterTest.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/CudaPrinter.h"
#include "ir/Builder.h"

#include <gtest/gtest.h>

using namespace gpuad;
using namespace gpuad::ir;
using gpuad::emit::printExpr;

namespace {
class ExprPrinter : public testing::Test {
protected:
  Expr var(const char *name, Type type) { return makeRef(function.makeVar(name, std::move(type))); }
  Expr op(BinaryOp o, Expr a, Expr b) {
    Type type = a->type;
    return makeBinary(o, std::move(a), std::move(b), type);
  }
  Expr implicit(Expr e, Type type) { return makeCast(CastStyle::Implicit, std::move(e), std::move(type)); }

  Function function;
  Expr a = var("a", floatType()), b = var("b", floatType()), c = var("c", floatType());
  Expr d = var("d", doubleType());
  Expr i = var("i", intType()), u = var("u", unsignedType());
  Expr p = var("p", pointerTo(floatType()));
};
} // namespace

TEST_F(ExprPrinter, UsesFewParentheses) {
  EXPECT_EQ(printExpr(op(BinaryOp::Add, op(BinaryOp::Mul, a, b), c)), "a * b + c");
  EXPECT_EQ(printExpr(op(BinaryOp::Mul, op(BinaryOp::Add, a, b), c)), "(a + b) * c");
  EXPECT_EQ(printExpr(op(BinaryOp::Sub, a, op(BinaryOp::Sub, b, c))), "a - (b - c)");
  EXPECT_EQ(printExpr(op(BinaryOp::Add, a, op(BinaryOp::Add, b, c))), "a + (b + c)");
  EXPECT_EQ(printExpr(op(BinaryOp::Div, a, op(BinaryOp::Mul, b, c))), "a / (b * c)");
  EXPECT_EQ(printExpr(makeUnary(UnaryOp::Neg, op(BinaryOp::Mul, a, b), floatType())), "-(a * b)");
  Expr minus = makeUnary(UnaryOp::Neg, a, floatType());
  EXPECT_EQ(printExpr(makeUnary(UnaryOp::Neg, minus, floatType())), "-(-a)");
  EXPECT_EQ(printExpr(op(BinaryOp::Sub, a, minus)), "a - -a");
}

TEST_F(ExprPrinter, HelpsTheReaderWithBitsAndLogic) {
  Expr both = makeBinary(BinaryOp::LogicalAnd, i, u, boolType());
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::LogicalOr, both, i, boolType())), "(i && u) || i");
  EXPECT_EQ(printExpr(op(BinaryOp::Shl, op(BinaryOp::Add, i, i), i)), "(i + i) << i");
  EXPECT_EQ(printExpr(op(BinaryOp::Eq, op(BinaryOp::And, i, i), intLit(0))), "(i & i) == 0");
}

TEST_F(ExprPrinter, PrintsPlaces) {
  auto info = std::make_shared<RecordInfo>();
  info->qualifiedName = "Vec";
  info->fields = {{"x", floatType()}, {"y", floatType()}};
  Type vec = recordType(info, "Vec");
  Expr v = var("v", vec), q = var("q", pointerTo(vec));
  EXPECT_EQ(printExpr(makeMember(v, 0)), "v.x");
  EXPECT_EQ(printExpr(makeMember(makeDeref(q), 1)), "q->y");
  EXPECT_EQ(printExpr(makeAddrOf(makeMember(makeIndex(q, i), 1))), "&q[i].y");
  EXPECT_EQ(printExpr(makeDeref(makeAddrOf(v))), "v");
  EXPECT_EQ(printExpr(makeDeref(op(BinaryOp::Add, p, i))), "*(p + i)");
  EXPECT_EQ(printExpr(makeIndex(makeCast(CastStyle::CStyle, q, pointerTo(floatType())), i)), "((float*)q)[i]");
}

TEST_F(ExprPrinter, LeavesOutCastsThatCppMakes) {
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Mul, implicit(a, doubleType()), d, doubleType())), "a * d");
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Add, implicit(i, unsignedType()), u, unsignedType())), "i + u");
  EXPECT_EQ(printExpr(makeIndex(p, implicit(u, sizeType()))), "p[u]");
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Mul, a, implicit(intLit(2), floatType()), floatType())), "a * 2");
}

TEST_F(ExprPrinter, WritesCastsThatMatter) {
  // Both sides converted: in C++ the product would be a float.
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Mul, implicit(a, doubleType()), implicit(b, doubleType()), doubleType())),
            "double(a) * b");
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Div, implicit(i, floatType()), implicit(i, floatType()), floatType())),
            "float(i) / i");
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Add, implicit(implicit(d, floatType()), doubleType()), d, doubleType())),
            "float(d) + d");
  EXPECT_EQ(printExpr(makeIndex(p, implicit(i, unsignedType()))), "p[unsigned(i)]");
}

TEST_F(ExprPrinter, KeepsThePrecisionOfLiterals) {
  Expr half = makeLit("0.5", 0.5, doubleType());
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Mul, half, implicit(a, doubleType()), doubleType())), "0.5 * a");
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Mul, implicit(half, floatType()), a, floatType())), "0.5f * a");
  EXPECT_EQ(printExpr(makeBinary(BinaryOp::Mul, makeLit("2", 2.0, floatType()), a, floatType())), "2 * a");
}

TEST_F(ExprPrinter, PrintsCalls) {
  Callee callee;
  callee.name = callee.spelling = "fmaxf";
  callee.parameterTypes = {floatType(), floatType()};
  EXPECT_EQ(printExpr(makeCall(callee, {a, op(BinaryOp::Mul, b, c)}, floatType())), "fmaxf(a, b * c)");
  Callee method;
  method.spelling = "norm";
  method.isMethod = true;
  EXPECT_EQ(printExpr(makeCall(method, {a}, floatType())), "a.norm()");
  EXPECT_EQ(printExpr(makeCall(method, {makeDeref(p)}, floatType())), "p->norm()");
  method.spelling = "operator[]";
  EXPECT_EQ(printExpr(makeCall(method, {a, i}, floatType())), "a[i]");
  method.spelling = "operator()";
  EXPECT_EQ(printExpr(makeCall(method, {a, i, b}, floatType())), "a(i, b)");
  method.spelling = "operator+";
  Expr sum = makeCall(method, {a, b}, floatType());
  method.spelling = "operator*";
  EXPECT_EQ(printExpr(makeCall(method, {sum, c}, floatType())), "(a + b) * c");
}

TEST_F(ExprPrinter, PrintsSelectsAndThreads) {
  Expr thread = makeThreadIndex(ThreadBuiltin::ThreadIdx, 0);
  Expr below = makeBinary(BinaryOp::Lt, thread, u, boolType());
  EXPECT_EQ(printExpr(makeSelect(below, a, op(BinaryOp::Add, a, b), floatType())), "threadIdx.x < u ? a : a + b");
  EXPECT_EQ(printExpr(op(BinaryOp::Mul, makeSelect(below, a, b, floatType()), c)), "(threadIdx.x < u ? a : b) * c");
}
