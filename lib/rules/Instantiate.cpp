//===- Instantiate.cpp - formulas to expressions --------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A formula over a call's arguments becomes an expression in the precision of the
/// call, with whatever is constant folded: derivatives are read by people.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "rules/Formula.h"

#include <cmath>
#include <optional>

namespace gpuad::rules {

using ir::Expr;
using ir::Type;

static std::optional<double> numberOf(const Expr &e) {
  const Expr &written = ir::stripImplicit(e);
  if (const auto *minus = llvm::dyn_cast<ir::UnaryExpr>(written.get()); minus && minus->op == ir::UnaryOp::Neg)
    if (auto value = numberOf(minus->operand))
      return -*value;
  const auto *lit = llvm::dyn_cast<ir::LitExpr>(written.get());
  if (!lit)
    return std::nullopt;
  if (const auto *integer = std::get_if<int64_t>(&lit->value))
    return static_cast<double>(*integer);
  if (const auto *number = std::get_if<double>(&lit->value))
    return *number;
  return std::nullopt;
}

static std::optional<bool> truthOf(const Expr &e) {
  const auto *lit = llvm::dyn_cast<ir::LitExpr>(e.get());
  if (const bool *truth = lit ? std::get_if<bool>(&lit->value) : nullptr)
    return *truth;
  return std::nullopt;
}

static bool isIntegral(double value) {
  return std::nearbyint(value) == value && std::fabs(value) < 1e9;
}

static bool compare(FormulaOp op, double a, double b) {
  switch (op) {
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
  default:
    return a >= b;
  }
}

static ir::BinaryOp comparisonOp(FormulaOp op) {
  switch (op) {
  case FormulaOp::Eq:
    return ir::BinaryOp::Eq;
  case FormulaOp::Ne:
    return ir::BinaryOp::Ne;
  case FormulaOp::Lt:
    return ir::BinaryOp::Lt;
  case FormulaOp::Le:
    return ir::BinaryOp::Le;
  case FormulaOp::Gt:
    return ir::BinaryOp::Gt;
  default:
    return ir::BinaryOp::Ge;
  }
}

namespace {

/// In which precision, and with which kind of functions, a call computes.
struct CallStyle {
  Type type;
  Precision precision = Precision::Double;
  bool isFast = false;
};

class Instantiator {
public:
  Instantiator(const RuleTable &table, const Rule &rule, CallStyle style, const std::vector<Expr> &args, Expr result)
      : table(table), rule(rule), style(std::move(style)), args(args), result(std::move(result)) {}

  Expr build(const FormulaRef &formula) const;
  Expr buildScaled(const Expr &seed, const FormulaRef &formula) const;

private:
  const RuleTable &table;
  const Rule &rule;
  CallStyle style;
  const std::vector<Expr> &args;
  Expr result;

  Expr number(double value) const {
    return ir::isInteger(style.type) ? ir::intLit(static_cast<int64_t>(value)) : ir::floatLit(value, style.type);
  }
  Expr param(unsigned index) const;
  Expr operandBeside(const FormulaRef &formula, const Expr &other) const;
  Expr binary(const Formula &formula) const;
  Expr call(const Formula &formula) const;
  Expr simplified(const Rule &callee, const std::vector<Expr> &operands) const;
};

} // namespace

Expr Instantiator::param(unsigned index) const {
  const Expr &arg = args[index];
  const Expr &written = ir::stripImplicit(arg);
  bool wantsInteger = index < rule.params.size() && rule.params[index].type == TypeClass::Integer;
  if (auto value = numberOf(arg); value && !wantsInteger)
    return ir::sameType(written->type, style.type) ? written : number(*value);
  if (ir::isInteger(written->type) || ir::isBool(written->type))
    return written;
  // An implicit widening is not printed, so x * x would be computed in single precision.
  if (style.precision == Precision::Double && !ir::sameType(written->type, style.type) && ir::isScalar(written->type))
    return ir::makeCast(ir::CastStyle::CStyle, written, style.type);
  return arg;
}

/// A number next to an integer is an integer: n - 1.
Expr Instantiator::operandBeside(const FormulaRef &formula, const Expr &other) const {
  if (formula->kind == FormulaKind::Number && isIntegral(formula->number) && ir::isInteger(other->type) &&
      other->type->isSigned)
    return ir::intLit(static_cast<int64_t>(formula->number));
  return build(formula);
}

Expr Instantiator::binary(const Formula &formula) const {
  const FormulaRef &left = formula.operands[0], &right = formula.operands[1];
  bool leftIsNumber = left->kind == FormulaKind::Number;
  bool mayBeInteger = formula.op != FormulaOp::Div;
  Expr a, b;
  if (leftIsNumber) {
    b = build(right);
    a = mayBeInteger ? operandBeside(left, b) : build(left);
  } else {
    a = build(left);
    b = mayBeInteger ? operandBeside(right, a) : build(right);
  }
  auto x = numberOf(a), y = numberOf(b);
  if (isComparison(formula.op)) {
    if (x && y)
      return ir::boolLit(compare(formula.op, *x, *y));
    return ir::makeBinary(comparisonOp(formula.op), a, b, ir::boolType());
  }
  switch (formula.op) {
  case FormulaOp::Add:
    return x && y ? number(*x + *y) : ir::add(a, b);
  case FormulaOp::Sub:
    return x && y ? number(*x - *y) : ir::sub(a, b);
  case FormulaOp::Mul:
    return x && y ? number(*x * *y) : ir::mul(a, b);
  default:
    if (x && y && *y != 0)
      return number(*x / *y);
    if (ir::isInteger(a->type) && ir::isInteger(b->type))
      a = ir::makeCast(ir::CastStyle::CStyle, a, style.type);
    return ir::div(a, b);
  }
}

/// The spelling that generated code calls: fast calls stay fast where they can.
static const Spelling *chooseSpelling(const Rule &callee, const CallStyle &style) {
  const Spelling *best = nullptr;
  int bestScore = -1;
  for (const Spelling &spelling : callee.spellings) {
    int score = 0;
    if (spelling.precision == style.precision)
      score = 2;
    else if (spelling.precision == Precision::Any) // an overloaded name is the double function's own
      score = style.precision == Precision::Double ? 2 : 1;
    if (spelling.isFast)
      score = style.isFast && score == 2 ? 3 : -1;
    if (score > bestScore) {
      best = &spelling;
      bestScore = score;
    }
  }
  return best;
}

Expr Instantiator::simplified(const Rule &callee, const std::vector<Expr> &operands) const {
  Instantiator inner(table, callee, style, operands, nullptr);
  for (const auto &[condition, form] : callee.simplify)
    if (truthOf(inner.build(condition)).value_or(false))
      return inner.build(form);
  return nullptr;
}

Expr Instantiator::call(const Formula &formula) const {
  const Rule *callee = table.named(formula.callee);
  std::vector<Expr> operands;
  for (const FormulaRef &operand : formula.operands)
    operands.push_back(build(operand));
  if (Expr shorter = simplified(*callee, operands))
    return shorter;
  const Spelling *spelling = chooseSpelling(*callee, style);
  ir::Callee target;
  target.name = spelling ? spelling->name : callee->name;
  target.spelling = target.name;
  for (size_t i = 0; i < operands.size(); ++i) {
    bool isInteger = callee->params[i].type == TypeClass::Integer;
    target.parameterTypes.push_back(isInteger ? ir::intType() : style.type);
    if (auto value = numberOf(operands[i]); value && isInteger && isIntegral(*value))
      operands[i] = ir::intLit(static_cast<int64_t>(*value));
  }
  return ir::makeCall(std::move(target), std::move(operands), callee->integerResult ? ir::intType() : style.type);
}

Expr Instantiator::build(const FormulaRef &formula) const {
  switch (formula->kind) {
  case FormulaKind::Number:
    return number(formula->number);
  case FormulaKind::Param:
    return param(formula->index);
  case FormulaKind::Result:
    return result;
  case FormulaKind::Let:
    return build(rule.lets[formula->index].second);
  case FormulaKind::Neg:
    return ir::neg(build(formula->operands[0]));
  case FormulaKind::Binary:
    return binary(*formula);
  case FormulaKind::Select: {
    Expr condition = build(formula->operands[0]);
    if (auto truth = truthOf(condition))
      return build(formula->operands[*truth ? 1 : 2]);
    return ir::select(condition, build(formula->operands[1]), build(formula->operands[2]));
  }
  case FormulaKind::Call:
    return call(*formula);
  }
  return nullptr;
}

/// 1, 0, -1, or a choice among such: the product with a seed is the seed, or 0, or -seed.
static bool isSign(const FormulaRef &formula) {
  switch (formula->kind) {
  case FormulaKind::Number:
    return formula->number == 0 || formula->number == 1;
  case FormulaKind::Neg:
    return isSign(formula->operands[0]);
  case FormulaKind::Select:
    return isSign(formula->operands[1]) && isSign(formula->operands[2]);
  default:
    return false;
  }
}

/// formula * seed, with the seed taken into quotients and signs: seed / x.
Expr Instantiator::buildScaled(const Expr &seed, const FormulaRef &formula) const {
  auto isNumber = [](const FormulaRef &f, double value) {
    return f->kind == FormulaKind::Number && f->number == value;
  };
  switch (formula->kind) {
  case FormulaKind::Neg:
    return ir::neg(buildScaled(seed, formula->operands[0]));
  case FormulaKind::Let:
    return buildScaled(seed, rule.lets[formula->index].second);
  case FormulaKind::Binary:
    if (formula->op == FormulaOp::Div)
      return ir::div(buildScaled(seed, formula->operands[0]), build(formula->operands[1]));
    break;
  case FormulaKind::Select: {
    Expr condition = build(formula->operands[0]);
    const FormulaRef &yes = formula->operands[1], &no = formula->operands[2];
    if (auto truth = truthOf(condition))
      return buildScaled(seed, *truth ? yes : no);
    if (isNumber(yes, 0) || isNumber(no, 0) || (isSign(yes) && isSign(no)))
      return ir::select(condition, buildScaled(seed, yes), buildScaled(seed, no));
    break;
  }
  default:
    break;
  }
  return ir::mul(build(formula), seed);
}

static const Spelling *spellingOf(const Rule &rule, const ir::CallExpr &call) {
  std::string name = plainName(call.callee.name);
  for (const Spelling &spelling : rule.spellings)
    if (spelling.name == name)
      return &spelling;
  return nullptr;
}

/// The first floating type among the arguments, looking through one pointer.
static Type floatingArgument(const std::vector<Expr> &args) {
  for (const Expr &arg : args) {
    const Type &type = ir::isPointer(arg->type) ? ir::elementOf(arg->type) : arg->type;
    if (ir::isFloating(type))
      return ir::withConst(type, false);
  }
  return ir::doubleType();
}

static CallStyle styleFor(const Type &type) {
  CallStyle style;
  style.type = type;
  style.precision = type->scalar == ir::ScalarKind::Float    ? Precision::Float
                    : type->scalar == ir::ScalarKind::Double ? Precision::Double
                                                             : Precision::Any;
  return style;
}

static CallStyle styleOf(const Rule &rule, const ir::CallExpr &call, const std::vector<Expr> &args) {
  CallStyle style;
  const Spelling *spelling = spellingOf(rule, call);
  if (spelling && spelling->precision != Precision::Any)
    style.type = spelling->precision == Precision::Float ? ir::floatType() : ir::doubleType();
  else if (call.type && ir::isFloating(call.type))
    style.type = ir::withConst(call.type, false);
  else
    style.type = floatingArgument(args);
  style = styleFor(style.type);
  style.isFast = spelling && spelling->isFast;
  return style;
}

/// Sums and products of arguments: the partial of pow(x, 2) by x is 2 * x, with
/// nothing left to guard once the exponent is known.
static bool isPolynomial(const Expr &partial, const Expr &result) {
  bool polynomial = true;
  ir::forEachExpr(partial, [&](const Expr &part) {
    const auto *binary = llvm::dyn_cast<ir::BinaryExpr>(part.get());
    if (part == result || llvm::isa<ir::CallExpr>(part.get()) || (binary && binary->op == ir::BinaryOp::Div))
      polynomial = false;
  });
  return polynomial;
}

ir::Expr RuleTable::partial(const Rule &rule, unsigned index, const ir::CallExpr &call,
                            const std::vector<ir::Expr> &args, const ir::Expr &result) const {
  CallStyle style = styleOf(rule, call, args);
  if (isZero(rule, index))
    return ir::zeroOf(style.type);
  return Instantiator(*this, rule, style, args, result).build(rule.partials.at(rule.params[index].name));
}

ir::Expr RuleTable::contribution(const Rule &rule, unsigned index, const ir::Expr &seed, const ir::CallExpr &call,
                                 const std::vector<ir::Expr> &args, const ir::Expr &result, bool mayBeSingular) const {
  CallStyle style = styleOf(rule, call, args);
  if (isZero(rule, index))
    return ir::zeroOf(style.type);
  Instantiator instantiator(*this, rule, style, args, result);
  const FormulaRef &formula = rule.partials.at(rule.params[index].name);
  Expr product = instantiator.buildScaled(seed, formula);
  if (!mayBeSingular || singularity(rule, index) == Singularity::None ||
      isPolynomial(instantiator.build(formula), result))
    return product;
  Expr zero = ir::zeroOf(seed->type);
  return ir::select(ir::makeBinary(ir::BinaryOp::Ne, seed, zero, ir::boolType()), product, zero);
}

ir::Expr RuleTable::expansionValue(const Rule &rule, unsigned entry, const ir::CallExpr &call,
                                   const std::vector<ir::Expr> &args) const {
  return Instantiator(*this, rule, styleOf(rule, call, args), args, nullptr).build(rule.expansion[entry].second);
}

ir::Expr RuleTable::composedValue(const Rule &rule, unsigned entry, const ir::Type &number,
                                  const std::vector<ir::Expr> &args) const {
  return Instantiator(*this, rule, styleFor(number), args, nullptr).build(rule.expansion[entry].second);
}

ir::Expr RuleTable::groupValue(const Rule &rule, unsigned entry, const ir::Type &number,
                               const std::vector<ir::Expr> &args) const {
  return Instantiator(*this, rule, styleFor(number), args, nullptr).build(rule.expansion[entry].second);
}

} // namespace gpuad::rules
