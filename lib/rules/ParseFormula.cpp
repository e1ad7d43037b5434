//===- ParseFormula.cpp - text of a formula to its tree -------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/Formula.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace gpuad::rules {

namespace {

/// Recursive descent; the first error ends the parse.
class Parser {
public:
  Parser(const std::string &text, const FormulaScope &scope, FormulaError &error)
      : text(text), scope(scope), error(error) {}

  FormulaRef parseAll() {
    FormulaRef formula = parseComparison();
    skipBlanks();
    if (formula && at < text.size())
      return fail(std::string("unexpected '") + text[at] + "'");
    return formula;
  }

private:
  const std::string &text;
  const FormulaScope &scope;
  FormulaError &error;
  size_t at = 0;

  void skipBlanks() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }

  bool take(const char *token) {
    skipBlanks();
    size_t length = std::char_traits<char>::length(token);
    if (text.compare(at, length, token) != 0)
      return false;
    at += length;
    return true;
  }

  FormulaRef fail(std::string message) { return failAt(at, std::move(message)); }
  FormulaRef failAt(size_t column, std::string message) {
    if (error.text.empty())
      error = {std::move(message), static_cast<unsigned>(column)};
    return nullptr;
  }

  std::shared_ptr<Formula> node(FormulaKind kind, size_t column) {
    auto made = std::make_shared<Formula>();
    made->kind = kind;
    made->column = static_cast<unsigned>(column);
    return made;
  }

  FormulaRef binary(FormulaOp op, FormulaRef lhs, FormulaRef rhs, size_t column) {
    if (!rhs)
      return nullptr;
    auto made = node(FormulaKind::Binary, column);
    made->op = op;
    made->operands = {std::move(lhs), std::move(rhs)};
    return made;
  }

  FormulaRef parseComparison() {
    FormulaRef lhs = parseSum();
    if (!lhs)
      return nullptr;
    skipBlanks();
    size_t column = at;
    static const std::pair<const char *, FormulaOp> Operators[] = {{"==", FormulaOp::Eq}, {"!=", FormulaOp::Ne},
                                                                   {"<=", FormulaOp::Le}, {">=", FormulaOp::Ge},
                                                                   {"<", FormulaOp::Lt},  {">", FormulaOp::Gt}};
    for (auto [token, op] : Operators)
      if (take(token))
        return binary(op, lhs, parseSum(), column);
    return lhs;
  }

  FormulaRef parseSum() {
    FormulaRef lhs = parseProduct();
    while (lhs) {
      skipBlanks();
      size_t column = at;
      if (take("+"))
        lhs = binary(FormulaOp::Add, lhs, parseProduct(), column);
      else if (take("-"))
        lhs = binary(FormulaOp::Sub, lhs, parseProduct(), column);
      else
        break;
    }
    return lhs;
  }

  FormulaRef parseProduct() {
    FormulaRef lhs = parseUnary();
    while (lhs) {
      skipBlanks();
      size_t column = at;
      if (take("*"))
        lhs = binary(FormulaOp::Mul, lhs, parseUnary(), column);
      else if (take("/"))
        lhs = binary(FormulaOp::Div, lhs, parseUnary(), column);
      else
        break;
    }
    return lhs;
  }

  FormulaRef parseUnary() {
    skipBlanks();
    size_t column = at;
    if (!take("-"))
      return parsePrimary();
    FormulaRef operand = parseUnary();
    if (!operand)
      return nullptr;
    auto made = node(FormulaKind::Neg, column);
    made->operands = {operand};
    return made;
  }

  FormulaRef parsePrimary() {
    skipBlanks();
    if (at >= text.size())
      return fail("the formula ends too early");
    size_t column = at;
    char c = text[at];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.')
      return parseNumber();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_')
      return parseName();
    if (!take("("))
      return failAt(column, std::string("unexpected '") + c + "'");
    FormulaRef inner = parseComparison();
    if (inner && !take(")"))
      return fail("missing ')'");
    return inner;
  }

  FormulaRef parseNumber() {
    size_t column = at;
    const char *begin = text.c_str() + at;
    char *end = nullptr;
    double value = std::strtod(begin, &end);
    if (end == begin)
      return fail("unexpected '.'");
    at += static_cast<size_t>(end - begin);
    if (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      return failAt(column, "a number has no suffix here; its type follows the call");
    auto made = node(FormulaKind::Number, column);
    made->number = value;
    return made;
  }

  FormulaRef parseName() {
    size_t column = at;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    if (at + 1 < text.size() && text[at] == '.' && std::isalpha(static_cast<unsigned char>(text[at + 1])))
      at += 2; // a number in an object: z.x
    std::string name = text.substr(column, at - column);
    if (take("("))
      return parseCall(name, column);
    if (name == "ret" && scope.result)
      return node(FormulaKind::Result, column);
    auto indexIn = [&](const std::vector<std::string> &names) {
      return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    FormulaKind kind = FormulaKind::Let;
    size_t index = indexIn(scope.lets);
    if (index == scope.lets.size()) {
      kind = FormulaKind::Param;
      index = indexIn(scope.params);
      if (index == scope.params.size())
        return failAt(column, "'" + name + "' is neither a parameter nor a name bound by let");
    }
    auto made = node(kind, column);
    made->index = static_cast<unsigned>(index);
    return made;
  }

  FormulaRef parseCall(const std::string &name, size_t column) {
    auto made = node(name == "select" ? FormulaKind::Select : FormulaKind::Call, column);
    made->callee = name;
    if (!take(")")) {
      do {
        FormulaRef argument = parseComparison();
        if (!argument)
          return nullptr;
        made->operands.push_back(argument);
      } while (take(","));
      if (!take(")"))
        return fail("missing ')'");
    }
    if (made->kind == FormulaKind::Select && made->operands.size() != 3)
      return failAt(column, "select takes three arguments: select(condition, then, else)");
    return made;
  }
};

} // namespace

bool isComparison(FormulaOp op) {
  return op >= FormulaOp::Eq;
}

FormulaRef parseFormula(const std::string &text, const FormulaScope &scope, FormulaError &error) {
  return Parser(text, scope, error).parseAll();
}

void forEachFormula(const FormulaRef &formula, llvm::function_ref<void(const Formula &)> visit) {
  if (!formula)
    return;
  visit(*formula);
  for (const FormulaRef &operand : formula->operands)
    forEachFormula(operand, visit);
}

} // namespace gpuad::rules
