//===- VerifyTest.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Verify.h"

#include "ir/Builder.h"
#include "ir/Dump.h"

#include <gtest/gtest.h>

using namespace gpuad;
using namespace gpuad::ir;

namespace {
class Verify : public testing::Test {
protected:
  Verify() {
    function.name = "f";
    function.kind = FunctionKind::Kernel;
    function.returnType = voidType();
    function.params = {x, n};
  }
  /// The first violation of a function with this body, or "".
  std::string first(std::vector<Stmt> stmts, bool decided = false) {
    function.body = makeBlock(std::move(stmts));
    std::vector<std::string> found = verify(function, decided);
    return found.empty() ? "" : found.front();
  }
  bool says(const std::string &line, const char *part) { return line.find(part) != std::string::npos; }

  Function function;
  Var *x = function.makeVar("x", pointerTo(floatType()), Storage::Parameter);
  Var *n = function.makeVar("n", intType(), Storage::Parameter);
  Var *v = function.makeVar("v", floatType());
  Expr one = floatLit(1.0, floatType());
};
} // namespace

TEST_F(Verify, AcceptsWhatIsRight) {
  EXPECT_EQ(first({makeDecl(v, one), makeAccum(makeIndex(makeRef(x), makeRef(n)), makeRef(v), AccumHow::GlobalAtomic),
                   makeAccum(makeRef(v), one, AccumHow::Plain), makeReturn()},
                  true),
            "");
}

TEST_F(Verify, RejectsAtomicsOnPrivateMemory) {
  EXPECT_TRUE(says(first({makeDecl(v, one), makeAccum(makeRef(v), one, AccumHow::GlobalAtomic)}), "of one thread"));
  Var *array = function.makeVar("array", arrayOf(floatType(), 4));
  Expr element = makeIndex(makeRef(array), makeRef(n));
  EXPECT_TRUE(says(first({makeDecl(array), makeAccum(element, one, AccumHow::SharedAtomic)}), "of one thread"));
  Var *p = function.makeVar("p", pointerTo(floatType()));
  Stmt set = makeDecl(p, makeAddrOf(makeRef(v)));
  Stmt add = makeAccum(makeDeref(makeRef(p)), one, AccumHow::GlobalAtomic);
  EXPECT_TRUE(says(first({makeDecl(v, one), set, add}), "of one thread"));
  EXPECT_EQ(first({makeDecl(v, one), set, makeAssign(makeRef(p), makeRef(x)), add}), "");
}

TEST_F(Verify, RejectsUndecidedSums) {
  Stmt add = makeAccum(makeIndex(makeRef(x), makeRef(n)), one);
  EXPECT_EQ(first({add}), "");
  EXPECT_TRUE(says(first({add}, true), "nothing decided"));
}

TEST_F(Verify, RejectsVariablesOutOfScope) {
  EXPECT_TRUE(says(first({makeAssign(makeRef(v), one)}), "outside its scope"));
  EXPECT_TRUE(says(first({makeBlock({makeDecl(v, one)}), makeAssign(makeRef(v), one)}), "outside its scope"));
  Function other;
  Var *foreign = other.makeVar("w", floatType());
  EXPECT_TRUE(says(first({makeAssign(makeRef(foreign), one)}), "another function"));
}

TEST_F(Verify, RejectsWrongShapes) {
  EXPECT_TRUE(says(first({makeAssign(one, one)}), "no place"));
  EXPECT_TRUE(says(first({makeBreak()}), "break outside"));
  EXPECT_TRUE(says(first({makeDecl(v, makeRef(x))}), "where a float is wanted"));
  Var *reference = function.makeVar("r", referenceTo(floatType()));
  EXPECT_TRUE(says(first({makeDecl(reference)}), "names nothing"));
}

TEST_F(Verify, DumpsWhatThePrinterHides) {
  Expr wide = makeCast(CastStyle::Implicit, makeRef(v), doubleType());
  EXPECT_EQ(dump(wide), "implicit<double>(v)");
  EXPECT_EQ(dump(makeAccum(makeIndex(makeRef(x), makeRef(n)), one, AccumHow::BlockReduced)),
            "accum block_reduced x[n] += 1.0f\n");
  EXPECT_EQ(dump(makeIf(makeRef(n), makeBlock({makeReturn()}))), "if n\n  block\n    return\n");
}
