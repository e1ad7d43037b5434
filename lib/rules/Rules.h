//===- Rules.h - loading the rule table ------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Built-in rules, then the files given, each a layer that takes precedence over
/// the ones before.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RULES_RULES_H
#define GPUAD_RULES_RULES_H

#include "rules/RuleTable.h"

#include <optional>

namespace gpuad::rules {

/// None when a file cannot be read or has an error; each is reported.
std::optional<RuleTable> loadRules(const std::vector<std::string> &files, DiagnosticSink &sink);

/// Evaluates every pure rule and compares its partials with differences inside the
/// rule's domain. Reports each that disagrees, and each that cannot be evaluated
/// and does not say why (`unchecked`). `fromFile` empty: all rules.
/// Returns the number of rules compared.
unsigned checkRules(const RuleTable &table, const std::string &fromFile, DiagnosticSink &sink);

/// The page of supported functions, as Markdown.
std::string describeRules(const RuleTable &table);

} // namespace gpuad::rules

#endif // GPUAD_RULES_RULES_H
