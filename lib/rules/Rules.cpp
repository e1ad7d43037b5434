//===- Rules.cpp - loading the rule table ---------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rules/Rules.h"

#include "rules/Formula.h"
#include "rules/LoadYaml.h"
#include "support/Diagnostics.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

namespace gpuad::rules {

namespace {
struct BuiltinFile {
  const char *path;
  const char *text;
};
} // namespace

/// The files of lib/rules/builtin, embedded by the build.
static const BuiltinFile BuiltinFiles[] = {
#include "rules/BuiltinRules.inc"
};

/// Calls are looked up once all layers are there, so that a formula may use a
/// function of any file.
static void checkCalls(const RuleTable &table, const Rule &rule, const FormulaRef &formula, DiagnosticSink &sink) {
  forEachFormula(formula, [&](const Formula &part) {
    if (part.kind != FormulaKind::Call)
      return;
    const Rule *callee = table.named(part.callee);
    // A forbidden function may be called; it is its own derivative that is refused.
    bool isFunction = callee && (callee->kind == RuleKind::Pure || callee->kind == RuleKind::Forbidden ||
                                 (rule.kind == RuleKind::Group && callee->kind == RuleKind::Collective));
    if (!isFunction)
      diag::report(sink, diag::Id::RuleFormulaCall, rule.range, rule.name, part.callee);
    else if (callee->params.size() != part.operands.size())
      diag::report(sink, diag::Id::RuleFormula, rule.range, "rule '" + rule.name + "'",
                   llvm::formatv("the number of arguments of '{0}' is {1}, not {2}", part.callee, callee->params.size(),
                                 part.operands.size())
                       .str());
  });
}

static void checkCalls(const RuleTable &table, const Rule &rule, DiagnosticSink &sink) {
  for (const auto &[name, formula] : rule.lets)
    checkCalls(table, rule, formula, sink);
  for (const auto &[name, formula] : rule.partials)
    checkCalls(table, rule, formula, sink);
  for (const auto &[name, formula] : rule.expansion)
    checkCalls(table, rule, formula, sink);
  for (const auto &[condition, formula] : rule.simplify)
    checkCalls(table, rule, formula, sink);
  checkCalls(table, rule, rule.value, sink);
  checkCalls(table, rule, rule.inverse, sink);
}

std::optional<RuleTable> loadRules(const std::vector<std::string> &files, DiagnosticSink &sink) {
  unsigned before = sink.errorCount();
  RuleTable table;
  std::map<std::string, const Rule *> builtinNames;
  for (const BuiltinFile &file : BuiltinFiles) {
    LoadedRules loaded = loadYaml(file.path, file.text, sink);
    for (ir::LibraryClass &one : loaded.classes)
      table.add(std::move(one));
    for (std::unique_ptr<Rule> &rule : loaded.rules) {
      auto [first, isNew] = builtinNames.try_emplace(rule->name, rule.get());
      if (!isNew)
        diag::report(sink, diag::Id::RuleDouble, rule->range, "rule '" + rule->name + "'");
      table.add(std::move(rule));
    }
  }
  for (const std::string &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    if (!buffer) {
      diag::report(sink, diag::Id::RuleFileUnreadable, {}, path, buffer.getError().message());
      continue;
    }
    LoadedRules loaded = loadYaml(path, (*buffer)->getBuffer().str(), sink);
    for (ir::LibraryClass &one : loaded.classes)
      table.add(std::move(one));
    for (std::unique_ptr<Rule> &rule : loaded.rules)
      table.add(std::move(rule));
  }
  for (const std::unique_ptr<Rule> &rule : table.all)
    checkCalls(table, *rule, sink);
  if (sink.errorCount() != before)
    return std::nullopt;
  return table;
}

} // namespace gpuad::rules
