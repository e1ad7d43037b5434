//===- CheckRules.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CheckRules.h"

#include "rules/Rules.h"

namespace gpuad {

unsigned checkRuleFiles(const Options &options, DiagnosticSink &sink) {
  std::optional<rules::RuleTable> table = rules::loadRules(options.ruleFiles, sink);
  return table ? rules::checkRules(*table, "", sink) : 0;
}

} // namespace gpuad
