//===- Describe.cpp - the page of supported functions ---------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/Formula.h"
#include "rules/Rules.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuad::rules {

static const char *operatorText(FormulaOp op) {
  static const char *const Texts[] = {" + ", " - ", " * ", " / ", " == ", " != ", " < ", " <= ", " > ", " >= "};
  return Texts[static_cast<int>(op)];
}

static int precedence(const Formula &formula) {
  if (formula.kind == FormulaKind::Neg)
    return 3;
  if (formula.kind != FormulaKind::Binary)
    return 4;
  if (isComparison(formula.op))
    return 0;
  return formula.op == FormulaOp::Add || formula.op == FormulaOp::Sub ? 1 : 2;
}

static std::string numberText(double value) {
  std::string text = llvm::formatv("{0:f6}", value).str();
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.')
    text.pop_back();
  return text;
}

static std::string textOf(const Rule &rule, const Formula &formula) {
  auto operand = [&](unsigned i, int least) {
    const Formula &part = *formula.operands[i];
    std::string text = textOf(rule, part);
    return precedence(part) < least ? "(" + text + ")" : text;
  };
  switch (formula.kind) {
  case FormulaKind::Number:
    return numberText(formula.number);
  case FormulaKind::Param:
    return formula.index < rule.params.size() ? rule.params[formula.index].name
                                              : GroupNames[formula.index - rule.params.size()];
  case FormulaKind::Result:
    return "ret";
  case FormulaKind::Let: {
    const Formula &bound = *rule.lets[formula.index].second;
    return precedence(bound) == 4 ? textOf(rule, bound) : "(" + textOf(rule, bound) + ")";
  }
  case FormulaKind::Neg:
    return "-" + operand(0, 2);
  case FormulaKind::Binary: {
    int own = precedence(formula);
    return operand(0, own) + operatorText(formula.op) + operand(1, own + 1);
  }
  case FormulaKind::Select:
    return operand(0, 0) + " ? " + operand(1, 1) + " : " + operand(2, 1);
  case FormulaKind::Call: {
    std::string text;
    for (unsigned i = 0; i < formula.operands.size(); ++i)
      text += (i ? ", " : "") + operand(i, 0);
    return formula.callee + "(" + text + ")";
  }
  }
  return {};
}

static std::string derivativeText(const Rule &rule) {
  std::string text;
  auto addLine = [&](const std::string &left, const Formula &right) {
    text += (text.empty() ? "" : "<br>") + left + "`" + textOf(rule, right) + "`";
  };
  for (const RuleParam &param : rule.params)
    if (auto found = rule.partials.find(param.name); found != rule.partials.end())
      addLine("by `" + param.name + "`: ", *found->second);
  for (const auto &[target, formula] : rule.expansion)
    addLine("`" + target + "` = ", *formula);
  return text;
}

/// What gpuad makes of a call, where no formula says so.
static std::string treatment(const Rule &rule) {
  switch (rule.kind) {
  case RuleKind::Pure:
    return rule.partials.empty() ? "derivative 0" : derivativeText(rule);
  case RuleKind::Compose:
    return "number by number";
  case RuleKind::Expand:
  case RuleKind::Group:
    return derivativeText(rule);
  case RuleKind::Inactive:
    return "no derivative, left as it is";
  case RuleKind::Forbidden:
    return "refused where a derivative flows through it";
  case RuleKind::Construct:
    return "the components are the arguments";
  case RuleKind::Load:
    return "like `*" + rule.params[0].name + "`";
  case RuleKind::Store:
    return "like `*" + rule.params[0].name + " = " + (rule.params.size() > 1 ? rule.params.back().name : "0") + "`";
  case RuleKind::Part:
    return "memory of `" + rule.params[0].name + "`";
  case RuleKind::Undo:
    return "the same on the tangents, where there are some";
  case RuleKind::Barrier:
    return "a barrier";
  case RuleKind::Fence:
    return "a fence";
  case RuleKind::Collective:
    return rule.ofBlock ? "an exchange among the threads of a block" : "an exchange among lanes";
  case RuleKind::Atomic:
    return "an atomic update";
  case RuleKind::Memory:
    return "memory or stream order of the host";
  case RuleKind::Library:
    return "a library call";
  }
  return {};
}

/// sinf, sin, std::sin: names that differ in their namespace stand together.
static std::string spellingsText(const Rule &rule) {
  std::string text;
  for (const std::string &name : rule.match)
    text += (text.empty() ? "" : ", ") + ("`" + name + "`");
  return text;
}

std::string describeRules(const RuleTable &table) {
  std::string page =
      "# Supported functions\n\n"
      "What gpuad knows about functions that it does not differentiate from their source. This page is "
      "made from the tables in\n`lib/rules/builtin`; [the rule schema](rule-schema.md) explains them, "
      "and [adding a rule](adding-a-rule.md) shows how to add\none of your own.\n\n"
      "`ret` is the result of the call. A derivative is in the precision of the call: that of `sinf(x)` "
      "is `cosf(x)`, that of\n`__sinf(x)` is `__cosf(x)`. A seed of zero gives exactly zero at every "
      "argument, where the derivative is infinite as well. A tangent\nthat is infinite stays so: `sqrt(u) * v` at "
      "`u = v = 0` has the tangent `inf * 0`, which is not a number, and the adjoint\n0, since there "
      "the product gives the seed of the root.\n";
  std::string section;
  for (const std::unique_ptr<Rule> &rule : table.rules()) {
    if (rule->section != section) {
      section = rule->section;
      page += "\n## " + section + "\n\n| functions | derivative | remarks |\n|---|---|---|\n";
    }
    std::string derivative = treatment(*rule), note = rule->note;
    page += "| " + spellingsText(*rule) + " | " + derivative + " | " + note + " |\n";
  }
  return page;
}

} // namespace gpuad::rules
