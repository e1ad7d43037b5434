//===- NumericTest.cpp - every pure rule against differences --------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// No code per rule: what is in the tables is tested.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "rules/Evaluate.h"
#include "rules/Formula.h"
#include "rules/Rules.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace gpuad;
using namespace gpuad::ir;
using namespace gpuad::rules;

namespace {

const RuleTable &builtin() {
  static CollectingSink sink;
  static std::optional<RuleTable> loaded = loadRules({}, sink);
  for (const Diagnostic &diagnostic : sink.diagnostics)
    ADD_FAILURE() << *diagnostic.range.file << ":" << diagnostic.range.line << ": " << diagnostic.message;
  static RuleTable none;
  return loaded ? *loaded : none;
}

TEST(RuleNumbers, PartialsAgreeWithDifferences) {
  CollectingSink sink;
  unsigned compared = checkRules(builtin(), "", sink);
  for (const Diagnostic &diagnostic : sink.diagnostics)
    ADD_FAILURE() << *diagnostic.range.file << ":" << diagnostic.range.line << ": " << diagnostic.message;
  EXPECT_GT(compared, 80u);
}

TEST(RuleNumbers, FewRulesAreUnchecked) {
  unsigned unchecked = 0;
  for (const auto &rule : builtin().rules())
    if (rule->kind == RuleKind::Pure && !rule->unchecked.empty()) {
      ++unchecked;
      EXPECT_TRUE(rule->partials.empty()) << rule->name << " has partials that nothing checks";
    }
  EXPECT_LE(unchecked, 10u);
}

/// Values of expressions over named variables.
class Values {
public:
  std::map<const Var *, double> of;

  double operator()(const Expr &e) const {
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
      return of.at(ref->var);
    if (auto *lit = llvm::dyn_cast<LitExpr>(e.get())) {
      if (auto *whole = std::get_if<int64_t>(&lit->value))
        return static_cast<double>(*whole);
      return std::get<double>(lit->value);
    }
    if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()))
      return (*this)(cast->operand);
    if (auto *unary = llvm::dyn_cast<UnaryExpr>(e.get()))
      return -(*this)(unary->operand);
    if (auto *select = llvm::dyn_cast<SelectExpr>(e.get()))
      return (*this)(select->condition) != 0 ? (*this)(select->thenValue) : (*this)(select->elseValue);
    if (auto *binary = llvm::dyn_cast<BinaryExpr>(e.get()))
      return arithmetic(binary->op, (*this)(binary->lhs), (*this)(binary->rhs));
    const auto &call = llvm::cast<CallExpr>(*e);
    const Rule *callee = builtin().find(call.callee);
    EXPECT_TRUE(callee) << "generated code calls " << call.callee.name << ", which has no rule";
    std::vector<double> args;
    for (const Expr &arg : call.args)
      args.push_back((*this)(arg));
    return callee ? rules::evaluate(builtin(), *callee, args).value_or(std::nan("")) : std::nan("");
  }

private:
  static double arithmetic(BinaryOp op, double a, double b) {
    switch (op) {
    case BinaryOp::Add:
      return a + b;
    case BinaryOp::Sub:
      return a - b;
    case BinaryOp::Mul:
      return a * b;
    case BinaryOp::Div:
      return a / b;
    case BinaryOp::Eq:
      return a == b;
    case BinaryOp::Ne:
      return a != b;
    case BinaryOp::Lt:
      return a < b;
    case BinaryOp::Le:
      return a <= b;
    case BinaryOp::Gt:
      return a > b;
    case BinaryOp::Ge:
      return a >= b;
    default:
      ADD_FAILURE() << "an operator that formulas do not have";
      return 0;
    }
  }
};

Type typeOf(const RuleParam &param, Precision precision) {
  if (param.type == TypeClass::Integer)
    return intType();
  if (param.type == TypeClass::Half)
    return scalarType(ScalarKind::Half, 16, true, "__half");
  if (param.type == TypeClass::BFloat16)
    return scalarType(ScalarKind::BFloat16, 16, true, "__nv_bfloat16");
  return precision == Precision::Float ? floatType() : doubleType();
}

/// The expressions that derivatives are made of say the same as the formulas, for
/// every spelling.
void checkSpelling(const Rule &rule, const Spelling &spelling) {
  Function function;
  Values values;
  Callee callee;
  callee.name = callee.spelling = spelling.name;
  std::vector<Expr> args;
  std::vector<double> point;
  for (const RuleParam &param : rule.params) {
    Var *var = function.makeVar(param.name, typeOf(param, spelling.precision));
    double middle = param.hasDomain ? param.domain[0] + 0.6180339 * (param.domain[1] - param.domain[0]) : 0.5;
    point.push_back(param.type == TypeClass::Integer ? std::floor(middle) : middle);
    values.of[var] = point.back();
    callee.parameterTypes.push_back(var->type);
    args.push_back(makeRef(var));
  }
  ASSERT_EQ(builtin().find(callee), &rule) << spelling.name;
  Type type = rule.params[0].type == TypeClass::Integer ? typeOf(RuleParam(), spelling.precision) : args[0]->type;
  Expr callExpr = makeCall(callee, args, type);
  const auto &call = llvm::cast<CallExpr>(*callExpr);
  Var *result = function.makeVar("ret", type), *seed = function.makeVar("seed", type);
  values.of[result] = rules::evaluate(builtin(), rule, point).value_or(std::nan(""));
  values.of[seed] = 2;
  for (unsigned i = 0; i < rule.params.size(); ++i) {
    if (builtin().isZero(rule, i))
      continue;
    double expected =
        *evaluateFormula(builtin(), rule, *rule.partials.at(rule.params[i].name), point, values.of[result]);
    Expr partial = builtin().partial(rule, i, call, args, makeRef(result));
    Expr product = builtin().contribution(rule, i, makeRef(seed), call, args, makeRef(result));
    EXPECT_NEAR(values(partial), expected, 1e-6 * (1 + std::fabs(expected))) << spelling.name;
    EXPECT_NEAR(values(product), 2 * expected, 1e-6 * (1 + std::fabs(expected))) << spelling.name;
  }
}

TEST(RuleNumbers, ExpressionsAgreeWithFormulas) {
  for (const auto &rule : builtin().rules())
    if (rule->kind == RuleKind::Pure && rule->unchecked.empty())
      for (const Spelling &spelling : rule->spellings)
        checkSpelling(*rule, spelling);
}

} // namespace
