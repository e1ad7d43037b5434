//===- CudaPrinterTest.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/CudaPrinter.h"
#include "emit/Wrap.h"
#include "ir/Builder.h"

#include <gtest/gtest.h>

using namespace gpuad;
using namespace gpuad::ir;
using namespace gpuad::emit;

namespace {
class CudaPrinter : public testing::Test {
protected:
  Expr var(const char *name, Type type) { return makeRef(function.makeVar(name, std::move(type))); }
  Expr plus(Expr a, Expr b) {
    Type type = a->type;
    return makeBinary(BinaryOp::Add, std::move(a), std::move(b), type);
  }
  Expr times(Expr a, Expr b) {
    Type type = a->type;
    return makeBinary(BinaryOp::Mul, std::move(a), std::move(b), type);
  }
  Expr less(Expr a, Expr b) { return makeBinary(BinaryOp::Lt, std::move(a), std::move(b), boolType()); }

  Function function;
  Expr a = var("a", floatType()), b = var("b", floatType()), i = var("i", intType()), n = var("n", intType());
  Expr p = var("p", pointerTo(floatType()));
  Expr place = makeIndex(p, i);
};
} // namespace

TEST_F(CudaPrinter, ShortensAssignments) {
  EXPECT_EQ(printStmt(makeAssign(a, plus(a, b))), "a += b;\n");
  EXPECT_EQ(printStmt(makeAssign(a, plus(b, a))), "a += b;\n");
  EXPECT_EQ(printStmt(makeAssign(a, makeBinary(BinaryOp::Sub, b, a, floatType()))), "a = b - a;\n");
  EXPECT_EQ(printStmt(makeAssign(place, times(place, plus(a, b)))), "p[i] *= a + b;\n");
  EXPECT_EQ(printStmt(makeAssign(i, plus(i, intLit(1)))), "++i;\n");
  EXPECT_EQ(printStmt(makeAssign(a, b)), "a = b;\n");
  // a = a * b + 1 is not a *= b + 1.
  EXPECT_EQ(printStmt(makeAssign(a, plus(times(a, b), b))), "a = a * b + b;\n");
}

TEST_F(CudaPrinter, SpellsAccumulation) {
  Expr minus = makeUnary(UnaryOp::Neg, times(a, b), floatType());
  EXPECT_EQ(printStmt(makeAccum(place, a, AccumHow::Plain)), "p[i] += a;\n");
  EXPECT_EQ(printStmt(makeAccum(place, minus, AccumHow::Plain)), "p[i] -= a * b;\n");
  EXPECT_EQ(printStmt(makeAccum(place, times(makeUnary(UnaryOp::Neg, a, floatType()), b), AccumHow::Plain)),
            "p[i] -= a * b;\n");
  EXPECT_EQ(printStmt(makeAccum(place, minus, AccumHow::GlobalAtomic)), "atomicAdd(&p[i], -(a * b));\n");
  EXPECT_EQ(printStmt(makeAccum(place, a, AccumHow::SharedAtomic)), "atomicAdd(&p[i], a);\n");
  EXPECT_EQ(printStmt(makeAccum(makeDeref(p), a, AccumHow::BlockReduced)), "gpuad::block_add(p, a);\n");
  EXPECT_EQ(printStmt(makeAccum(makeDeref(p), a, AccumHow::WarpReduced)), "gpuad::warp_add(p, a);\n");
  EXPECT_EQ(printStmt(makeAccum(place, a, AccumHow::AnySpace)), "gpuad::add_any_space(&p[i], a);\n");
}

TEST_F(CudaPrinter, AddsInTheTypeOfThePlace) {
  Expr wide = var("wide", doubleType());
  Expr narrowed = makeCast(CastStyle::Implicit, wide, floatType());
  EXPECT_EQ(printStmt(makeAccum(place, narrowed, AccumHow::Plain)), "p[i] += float(wide);\n");
  Expr minus = makeCast(CastStyle::Implicit, makeUnary(UnaryOp::Neg, wide, doubleType()), floatType());
  EXPECT_EQ(printStmt(makeAccum(place, minus, AccumHow::Plain)), "p[i] += float(-wide);\n");
}

TEST_F(CudaPrinter, PrintsBranches) {
  Stmt one = makeAssign(a, b), two = makeAssign(b, a);
  EXPECT_EQ(printStmt(makeIf(less(n, i), makeReturn())), "if (n < i) return;\n");
  EXPECT_EQ(printStmt(makeIf(less(n, i), makeBlock({one}), makeBlock({two}))),
            "if (n < i)\n  a = b;\nelse\n  b = a;\n");
  EXPECT_EQ(printStmt(makeIf(less(n, i), makeBlock({one, two}))), "if (n < i) {\n  a = b;\n  b = a;\n}\n");
  Stmt chain = makeIf(less(n, i), makeBlock({one, two}), makeBlock({makeIf(less(i, n), one, makeBlock({two}))}));
  EXPECT_EQ(printStmt(chain),
            "if (n < i) {\n  a = b;\n  b = a;\n} else if (i < n) {\n  a = b;\n} else {\n  b = a;\n}\n");
}

TEST_F(CudaPrinter, PrintsLoops) {
  Var *s = function.makeVar("s", intType()), *q = function.makeVar("q", pointerTo(floatType()));
  Stmt step = makeAssign(makeRef(s), plus(makeRef(s), intLit(1)));
  Stmt add = makeAssign(a, plus(a, b));
  EXPECT_EQ(printStmt(makeFor({makeDecl(s, intLit(0))}, less(makeRef(s), n), {step}, makeBlock({add}))),
            "for (int s = 0; s < n; ++s) a += b;\n");
  EXPECT_EQ(printStmt(makeFor({}, nullptr, {}, makeBlock({}), "#pragma unroll")), "#pragma unroll\nfor (;;) {}\n");
  Var *t = function.makeVar("t", floatType());
  EXPECT_EQ(printStmt(makeFor({makeDecl(t, a), makeDecl(q, p)}, less(i, n), {}, makeBlock({add, add}))),
            "for (float t = a, * q = p; i < n;) {\n  a += b;\n  a += b;\n}\n");
  EXPECT_EQ(printStmt(makeWhile(less(i, n), makeBlock({add}), true)), "do {\n  a += b;\n} while (i < n);\n");
}

TEST_F(CudaPrinter, PrintsSwitches) {
  SwitchCase first{{intLit(1), intLit(2)}, false, makeBlock({makeAssign(a, b)}), false};
  SwitchCase second{{intLit(3)}, false, makeBlock({makeDecl(function.makeVar("t", floatType()), a)}), true};
  SwitchCase last{{}, true, makeBlock({makeReturn()}), false};
  EXPECT_EQ(printStmt(makeSwitch(i, {first, second, last})),
            "switch (i) {\n  case 1:\n  case 2:\n    a = b;\n    break;\n  case 3: {\n    float t = a;\n    "
            "[[fallthrough]];\n"
            "  }\n  default:\n    return;\n}\n");
}

TEST_F(CudaPrinter, PrintsLaunchesAndDeclarations) {
  auto launch = std::make_shared<LaunchStmt>();
  launch->callee.spelling = "f";
  launch->grid = n;
  launch->block = intLit(256);
  launch->stream = i;
  launch->args = {p, a};
  EXPECT_EQ(printStmt(launch), "f<<<n, 256, 0, i>>>(p, a);\n");
  Var *tile = function.makeVar("tile", arrayOf(floatType(), 32), Storage::Shared);
  EXPECT_EQ(printStmt(makeDecl(tile)), "__shared__ float tile[32];\n");
  Var *pool = function.makeVar("pool", arrayOf(floatType(), std::nullopt), Storage::DynamicShared);
  pool->alignment = "__align__(16)";
  EXPECT_EQ(printStmt(makeDecl(pool)), "extern __shared__ __align__(16) float pool[];\n");
  Var *alias = function.makeVar("alias", referenceTo(floatType()));
  EXPECT_EQ(printStmt(makeDecl(alias, place)), "float& alias = p[i];\n");
}

TEST_F(CudaPrinter, PutsNotesBehind) {
  EXPECT_EQ(printStmt(withNote(makeAssign(a, b), "why")), "a = b;  // why\n");
  EXPECT_EQ(printStmt(withNote(makeAssign(a, b), std::string(119, 'w'))), "// " + std::string(119, 'w') + "\na = b;\n");
  EXPECT_EQ(printStmt(makeComment("one\n\ntwo")), "// one\n//\n// two\n");
}

TEST_F(CudaPrinter, SharesLinesWhereItReadsWell) {
  Var *one = function.makeVar("want_a", withConst(boolType(), true)), *two = function.makeVar("want_b", one->type);
  EXPECT_EQ(printStmt(makeBlock({makeDecl(one, p), makeDecl(two, p), makeAssign(a, b)})),
            "{\n  const bool want_a = p, want_b = p;\n  a = b;\n}\n");
  Stmt noted = withNote(makeAccum(place, a, AccumHow::Plain), "plain: why");
  EXPECT_EQ(printStmt(makeIf(makeRef(one), makeBlock({noted}))), "if (want_a) p[i] += a;  // plain: why\n");
}

TEST_F(CudaPrinter, PrintsFunctions) {
  function.name = "scale";
  function.kind = FunctionKind::Kernel;
  function.returnType = voidType();
  function.params = {llvm::cast<RefExpr>(n.get())->var, llvm::cast<RefExpr>(p.get())->var};
  function.body = makeBlock({makeIf(less(i, n), makeReturn()), makeAssign(place, a)});
  EXPECT_EQ(printDeclaration(function), "__global__ void scale(int n, float* p);\n");
  EXPECT_EQ(printFunction(function),
            "__global__ void scale(int n, float* p) {\n  if (i < n) return;\n  p[i] = a;\n}\n");
  PrintOptions options;
  options.maybeUnused = true;
  function.isStatic = true;
  EXPECT_EQ(printDeclaration(function, options), "[[maybe_unused]] static __global__ void scale(int n, float* p);\n");
}

TEST(Wrap, AlignsWithTheOpenParenthesis) {
  EXPECT_EQ(wrapCode("  call(first, second, third);", 20), "  call(first,\n       second,\n       third);");
  EXPECT_EQ(wrapCode("total = first_part + second_part;", 24), "total = first_part +\n    second_part;");
  EXPECT_EQ(wrapCode("dual<pair<a, b>> f(c);", 20), "dual<pair<a, b>> f(\n    c);");
  EXPECT_EQ(wrapCode("f(a < b ? c : d, e, g);", 20), "f(a < b ? c : d, e,\n  g);");
  EXPECT_EQ(wrapCode("short;", 24), "short;");
  EXPECT_EQ(wrapCode("x = \"a, b, c, d, e, f, g, h\";", 12), "x =\n    \"a, b, c, d, e, f, g, h\";");
}
