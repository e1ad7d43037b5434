//===- Formula.h - the expression language of the rules --------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Formulas of rule files, parsed. Names are resolved here; calls are resolved by
/// the table once all files are read, since a formula may call any function that
/// has a rule.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RULES_FORMULA_H
#define GPUAD_RULES_FORMULA_H

#include "rules/RuleTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::rules {

enum class FormulaKind { Number, Param, Result, Let, Neg, Binary, Select, Call };
enum class FormulaOp { Add, Sub, Mul, Div, Eq, Ne, Lt, Le, Gt, Ge };

struct Formula {
  FormulaKind kind = FormulaKind::Number;
  double number = 0;
  unsigned index = 0; ///< Param, Let: into the rule's params or lets
  FormulaOp op = FormulaOp::Add;
  std::string callee; ///< Call: the name of a rule
  std::vector<FormulaRef> operands;
  unsigned column = 0; ///< in the formula's text, from 0
};

bool isComparison(FormulaOp op);

/// The names that a formula may use.
struct FormulaScope {
  std::vector<std::string> params;
  std::vector<std::string> lets;
  bool result = false; ///< whether `ret` means anything here
};

struct FormulaError {
  std::string text;
  unsigned column = 0;
};

/// Parses all of `text`. Null on error, and then `error` says what and where.
FormulaRef parseFormula(const std::string &text, const FormulaScope &scope, FormulaError &error);

/// Pre-order over a formula.
void forEachFormula(const FormulaRef &formula, llvm::function_ref<void(const Formula &)> visit);

} // namespace gpuad::rules

#endif // GPUAD_RULES_FORMULA_H
