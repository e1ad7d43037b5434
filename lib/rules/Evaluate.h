//===- Evaluate.h - values of rules on the host ----------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Double-precision evaluation of functions that have a rule, and of formulas: by
/// the rule's `value` or `inverse`, else by the function of that name in the
/// system's math library.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RULES_EVALUATE_H
#define GPUAD_RULES_EVALUATE_H

#include "rules/RuleTable.h"

#include <optional>

namespace gpuad::rules {

/// The function's value, or none when the host has no way to compute it.
std::optional<double> evaluate(const RuleTable &table, const Rule &rule, const std::vector<double> &args);

/// A formula of `rule` at those arguments; `result` is what `ret` means.
std::optional<double> evaluateFormula(const RuleTable &table, const Rule &rule, const Formula &formula,
                                      const std::vector<double> &args, double result);

} // namespace gpuad::rules

#endif // GPUAD_RULES_EVALUATE_H
