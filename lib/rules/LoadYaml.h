//===- LoadYaml.h - reading one rule file ----------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Strict: unknown keys, doubled keys, wrong types and doubled rules are located
/// errors. docs/rule-schema.md describes the schema.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RULES_LOADYAML_H
#define GPUAD_RULES_LOADYAML_H

#include "rules/RuleTable.h"

namespace gpuad::rules {

/// What one file holds.
struct LoadedRules {
  std::vector<std::unique_ptr<Rule>> rules;
  std::vector<ir::LibraryClass> classes;
};

/// Reads the rules in `text`; whatever is wrong is reported, with `path` as the
/// file, and the rule in question left out.
LoadedRules loadYaml(const std::string &path, const std::string &text, DiagnosticSink &sink);

} // namespace gpuad::rules

#endif // GPUAD_RULES_LOADYAML_H
