//===- InstantiateTest.cpp - partials as a person would write them --------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/Rules.h"

#include "Show.h"

#include "gtest/gtest.h"

using namespace gpuad;
using namespace gpuad::ir;
using rules::RuleTable;

namespace {

class Instantiate : public ::testing::Test {
protected:
  static const RuleTable &table() {
    static CollectingSink sink;
    static std::optional<RuleTable> loaded = rules::loadRules({}, sink);
    for (const Diagnostic &diagnostic : sink.diagnostics)
      ADD_FAILURE() << diagnostic.message;
    return *loaded;
  }

  Expr var(const std::string &name, Type type) { return makeRef(function.makeVar(name, std::move(type))); }

  Expr callOf(const std::string &name, std::vector<Expr> args, Type type) {
    Callee callee;
    callee.name = callee.spelling = name;
    for (const Expr &arg : args)
      callee.parameterTypes.push_back(arg->type);
    return makeCall(callee, std::move(args), std::move(type));
  }

  std::string partial(const Expr &e, unsigned index) {
    const auto &call = llvm::cast<CallExpr>(*e);
    const rules::Rule *rule = table().find(call.callee);
    return rule ? show(table().partial(*rule, index, call, call.args, var("r", e->type))) : "no rule";
  }

  std::string contribution(const Expr &e, unsigned index) {
    const auto &call = llvm::cast<CallExpr>(*e);
    const rules::Rule *rule = table().find(call.callee);
    Expr seed = var("r_bar", e->type);
    return rule ? show(table().contribution(*rule, index, seed, call, call.args, var("r", e->type))) : "no rule";
  }

  Function function;
};

TEST_F(Instantiate, PrecisionFollowsTheCall) {
  Expr xf = var("x", floatType()), xd = var("x", doubleType());
  EXPECT_EQ(partial(callOf("sinf", {xf}, floatType()), 0), "cosf(x)");
  EXPECT_EQ(partial(callOf("__sinf", {xf}, floatType()), 0), "__cosf(x)");
  EXPECT_EQ(partial(callOf("sin", {xd}, doubleType()), 0), "cos(x)");
  EXPECT_EQ(partial(callOf("std::sin", {xf}, floatType()), 0), "cosf(x)");
  EXPECT_EQ(partial(callOf("::cuda::std::__4::cos", {xd}, doubleType()), 0), "-sin(x)");
  EXPECT_EQ(partial(callOf("sqrtf", {xf}, floatType()), 0), "0.5f / r");
}

TEST_F(Instantiate, ConstantsFold) {
  Expr x = var("x", floatType()), y = var("y", floatType()), n = var("n", intType());
  auto pow = [&](Expr exponent) { return callOf("powf", {x, std::move(exponent)}, floatType()); };
  EXPECT_EQ(partial(pow(floatLit(2, floatType())), 0), "2.0f * x");
  EXPECT_EQ(partial(pow(floatLit(3, floatType())), 0), "3.0f * (x * x)");
  EXPECT_EQ(partial(pow(floatLit(1, floatType())), 0), "1.0f");
  EXPECT_EQ(partial(pow(floatLit(0, floatType())), 0), "0.0f");
  // 0 at y = 0 as well, written so that its derivative by y is right there too.
  EXPECT_EQ(partial(pow(y), 0), "(y == 0.0f) ? (y / ((x == 0.0f) ? 1.0f : x)) : (y * powf(x, y - 1.0f))");
  EXPECT_EQ(partial(pow(n), 0), "(n == 0) ? (n / ((x == 0.0f) ? 1.0f : x)) : (n * powf(x, n - 1))");
}

TEST_F(Instantiate, SeedsGoIntoQuotients) {
  Expr x = var("x", floatType()), y = var("y", floatType());
  EXPECT_EQ(contribution(callOf("sinf", {x}, floatType()), 0), "cosf(x) * r_bar");
  EXPECT_EQ(contribution(callOf("cosf", {x}, floatType()), 0), "-(sinf(x) * r_bar)");
  EXPECT_EQ(contribution(callOf("logf", {x}, floatType()), 0), "(r_bar != 0.0f) ? (r_bar / x) : 0.0f");
  EXPECT_EQ(contribution(callOf("hypotf", {x, y}, floatType()), 1), "(r > 0.0f) ? ((y * r_bar) / r) : 0.0f");
  EXPECT_EQ(contribution(callOf("fabsf", {x}, floatType()), 0), "(x > 0.0f) ? r_bar : ((x < 0.0f) ? -r_bar : 0.0f)");
  EXPECT_EQ(contribution(callOf("fmaxf", {x, y}, floatType()), 1), "(r == x) ? 0.0f : r_bar");
  EXPECT_EQ(contribution(callOf("expf", {x}, floatType()), 0), "(r_bar != 0.0f) ? (r * r_bar) : 0.0f");
  EXPECT_EQ(contribution(callOf("powf", {x, floatLit(2, floatType())}, floatType()), 0), "(2.0f * x) * r_bar");
}

TEST_F(Instantiate, WideningIsWritten) {
  Expr x = makeCast(CastStyle::Implicit, var("x", floatType()), doubleType());
  EXPECT_EQ(partial(callOf("asin", {x}, doubleType()), 0), "1.0 / sqrt(1.0 - ((double)x * (double)x))");
}

} // namespace
