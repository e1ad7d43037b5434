//===- Evaluate.cpp - values of rules on the host -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/Evaluate.h"

#include "rules/Formula.h"

#include <cmath>
#include <dlfcn.h>
#include <limits>

namespace gpuad::rules {

/// The address of a function of the math library, and of no other: a rule may carry
/// any name, and calling another library's function as mathematics would be fatal.
static void *mathFunction(const std::string &name) {
  static void *library = dlopen("libm.so.6", RTLD_NOW);
  void *address = library ? dlsym(library, name.c_str()) : nullptr;
  Dl_info info;
  bool isMath = address && dladdr(address, &info) && std::string(info.dli_fname).find("libm") != std::string::npos;
  return isMath ? address : nullptr;
}

/// Calls with the signature that the rule's parameter types tell.
static std::optional<double> callHost(void *address, const Rule &rule, const std::vector<double> &x) {
  auto isInteger = [&](size_t i) { return rule.params[i].type == TypeClass::Integer; };
  auto whole = [&](size_t i) { return static_cast<int>(x[i]); };
  if (rule.integerResult)
    return x.size() == 1 ? std::optional<double>(reinterpret_cast<int (*)(double)>(address)(x[0])) : std::nullopt;
  switch (x.size()) {
  case 1:
    return reinterpret_cast<double (*)(double)>(address)(x[0]);
  case 2:
    if (isInteger(0))
      return reinterpret_cast<double (*)(int, double)>(address)(whole(0), x[1]);
    if (isInteger(1))
      return reinterpret_cast<double (*)(double, int)>(address)(x[0], whole(1));
    return reinterpret_cast<double (*)(double, double)>(address)(x[0], x[1]);
  case 3:
    return reinterpret_cast<double (*)(double, double, double)>(address)(x[0], x[1], x[2]);
  default:
    return std::nullopt;
  }
}

/// The r for which the formula over `ret` gives `wanted`; the formula is monotonic.
static std::optional<double> solve(const RuleTable &table, const Rule &rule, double wanted) {
  auto error = [&](double r) {
    return evaluateFormula(table, rule, *rule.inverse, {}, r).value_or(std::nan("")) - wanted;
  };
  double low = -40, high = 40;
  bool isRising = error(high) > error(low);
  for (int step = 0; step < 200; ++step) {
    double middle = 0.5 * (low + high);
    double off = error(middle);
    if (std::isnan(off))
      return std::nullopt;
    ((off < 0) == isRising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

std::optional<double> evaluate(const RuleTable &table, const Rule &rule, const std::vector<double> &args) {
  if (args.size() != rule.params.size())
    return std::nullopt;
  if (rule.value)
    return evaluateFormula(table, rule, *rule.value, args, std::numeric_limits<double>::quiet_NaN());
  if (rule.inverse)
    return solve(table, rule, args[0]);
  for (const Spelling &spelling : rule.spellings)
    if (spelling.precision != Precision::Float)
      if (void *address = mathFunction(spelling.name))
        return callHost(address, rule, args);
  return std::nullopt;
}

static std::optional<double> evaluateBinary(FormulaOp op, double a, double b) {
  switch (op) {
  case FormulaOp::Add:
    return a + b;
  case FormulaOp::Sub:
    return a - b;
  case FormulaOp::Mul:
    return a * b;
  case FormulaOp::Div:
    return a / b;
  case FormulaOp::Eq:
    return a == b;
  case FormulaOp::Ne:
    return a != b;
  case FormulaOp::Lt:
    return a < b;
  case FormulaOp::Le:
    return a <= b;
  case FormulaOp::Gt:
    return a > b;
  case FormulaOp::Ge:
    return a >= b;
  }
  return std::nullopt;
}

std::optional<double> evaluateFormula(const RuleTable &table, const Rule &rule, const Formula &formula,
                                      const std::vector<double> &args, double result) {
  auto value = [&](const FormulaRef &part) { return evaluateFormula(table, rule, *part, args, result); };
  switch (formula.kind) {
  case FormulaKind::Number:
    return formula.number;
  case FormulaKind::Param:
    return args[formula.index];
  case FormulaKind::Result:
    return result;
  case FormulaKind::Let:
    return value(rule.lets[formula.index].second);
  case FormulaKind::Neg: {
    auto operand = value(formula.operands[0]);
    return operand ? std::optional<double>(-*operand) : std::nullopt;
  }
  case FormulaKind::Binary: {
    auto a = value(formula.operands[0]), b = value(formula.operands[1]);
    return a && b ? evaluateBinary(formula.op, *a, *b) : std::nullopt;
  }
  case FormulaKind::Select: {
    auto condition = value(formula.operands[0]);
    return condition ? value(formula.operands[*condition != 0 ? 1 : 2]) : std::nullopt;
  }
  case FormulaKind::Call: {
    const Rule *callee = table.named(formula.callee);
    std::vector<double> operands;
    for (const FormulaRef &part : formula.operands)
      operands.push_back(value(part).value_or(std::nan("")));
    return callee ? evaluate(table, *callee, operands) : std::nullopt;
  }
  }
  return std::nullopt;
}

} // namespace gpuad::rules
