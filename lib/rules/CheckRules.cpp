//===- CheckRules.cpp - partials against differences ----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/Evaluate.h"
#include "rules/Formula.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"

#include <cmath>

namespace gpuad::rules {

/// Points that fill the domain evenly (an additive recurrence per parameter), the
/// same on every machine.
static std::vector<double> samplePoint(const Rule &rule, unsigned number) {
  static const double Steps[] = {0.61803398874989485, 0.75487766624669276, 0.81917251339616444, 0.85667488385450287};
  std::vector<double> point;
  for (size_t i = 0; i < rule.params.size(); ++i) {
    const RuleParam &param = rule.params[i];
    double low = param.hasDomain ? param.domain[0] : 0.1, high = param.hasDomain ? param.domain[1] : 0.9;
    double whole;
    double share = std::modf(0.37 + Steps[i % 4] * (number + 1), &whole);
    double value = low + share * (high - low);
    point.push_back(param.type == TypeClass::Integer ? std::floor(low + share * (high - low + 0.999)) : value);
  }
  return point;
}

static std::string textOf(const std::vector<double> &point) {
  std::string text;
  for (double value : point)
    text += (text.empty() ? "" : ", ") + llvm::formatv("{0:f6}", value).str();
  return text;
}

static std::optional<double> difference(const RuleTable &table, const Rule &rule, std::vector<double> point,
                                        unsigned index) {
  double x = point[index], step = 1e-5 * (1 + std::fabs(x));
  point[index] = x + step;
  auto above = evaluate(table, rule, point);
  point[index] = x - step;
  auto below = evaluate(table, rule, point);
  if (!above || !below)
    return std::nullopt;
  return (*above - *below) / (2 * step);
}

/// False when the rule cannot be evaluated at that point.
static bool checkPoint(const RuleTable &table, const Rule &rule, const std::vector<double> &point,
                       DiagnosticSink &sink) {
  auto result = evaluate(table, rule, point);
  if (!result)
    return false;
  for (unsigned i = 0; i < rule.params.size(); ++i) {
    if (rule.params[i].type == TypeClass::Integer)
      continue;
    auto found = rule.partials.find(rule.params[i].name);
    auto partial = found == rule.partials.end() ? std::optional<double>(0)
                                                : evaluateFormula(table, rule, *found->second, point, *result);
    auto expected = difference(table, rule, point, i);
    if (!partial || !expected)
      return false;
    double tolerance = 1e-6 * (1 + std::fabs(*expected));
    if (!(std::fabs(*partial - *expected) <= tolerance)) // a NaN fails as well
      diag::report(sink, diag::Id::RuleNumeric, rule.range, rule.name, rule.params[i].name,
                   llvm::formatv("{0:f9}", *partial).str(), textOf(point), llvm::formatv("{0:f9}", *expected).str());
  }
  return true;
}

unsigned checkRules(const RuleTable &table, const std::string &fromFile, DiagnosticSink &sink) {
  unsigned compared = 0;
  for (const std::unique_ptr<Rule> &rule : table.rules()) {
    bool isAsked = fromFile.empty() || (rule->range.file && *rule->range.file == fromFile);
    if (!isAsked || rule->kind != RuleKind::Pure || !rule->unchecked.empty())
      continue;
    unsigned before = sink.errorCount();
    for (unsigned number = 0; number < 16 && sink.errorCount() == before; ++number)
      if (!checkPoint(table, *rule, samplePoint(*rule, number), sink))
        diag::report(sink, diag::Id::RuleUnevaluated, rule->range, rule->name);
    compared += sink.errorCount() == before;
  }
  return compared;
}

} // namespace gpuad::rules
