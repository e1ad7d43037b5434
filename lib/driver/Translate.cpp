//===- Translate.cpp - the whole pipeline over one file -------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuad/Translate.h"

#include "config/Config.h"
#include "emit/HeaderFile.h"
#include "emit/OutputFile.h"
#include "emit/Report.h"
#include "frontend/Frontend.h"
#include "ir/Dump.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "transform/Pipeline.h"
#include "transform/Plan.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace gpuad {

/// Two parameters of one name: the user has an x_bar beside x. Nothing can be
/// renamed here, since both names are the contract's. A warning where nobody asked for it.
static bool parametersClash(const ir::Derivative &derivative, bool isImplied, DiagnosticSink &sink) {
  std::set<std::string> names;
  for (const ir::DerivativeParam &param : derivative.params)
    if (!names.insert(param.var->name).second) {
      Diagnostic diagnostic = diag::make(diag::Id::ParameterClash, derivative.primal->nameRange,
                                         derivative.function->name, param.var->name);
      if (isImplied)
        diagnostic.severity = Severity::Warning;
      sink.report(std::move(diagnostic));
      return true;
    }
  return false;
}

/// With nothing requested a kernel that cannot be differentiated is left out; it is
/// an error only when that leaves nothing.
static bool hasResult(const std::vector<transform::Request> &requests, const std::vector<ir::Derivative> &derivatives,
                      DiagnosticSink &sink) {
  if (!derivatives.empty() || requests.empty())
    return true;
  if (sink.errorCount() == 0)
    diag::report(sink, diag::Id::NothingDifferentiated, requests[0].primal->nameRange);
  return false;
}

static void emitDerivatives(const Options &options, const ir::Module &module, std::vector<ir::Derivative> &derivatives,
                            TranslateResult &result) {
  std::string architecture = options.architectures.empty() ? "sm_80" : options.architectures.front();
  result.text = emit::applyInsertions(module.text,
                                      emit::planInsertions(module, derivatives, architecture, !options.header.empty()));
  if (!options.header.empty())
    result.header = emit::printHeader(module, derivatives, options.header);
  if (!options.report.empty())
    result.report = emit::printReport(module, derivatives);
}

static void addDependencies(const Options &options, const ir::Module &module, TranslateResult &result) {
  result.dependencies = {options.input};
  result.dependencies.insert(result.dependencies.end(), module.dependencies.begin(), module.dependencies.end());
  result.dependencies.insert(result.dependencies.end(), options.ruleFiles.begin(), options.ruleFiles.end());
  if (!options.configFile.empty())
    result.dependencies.push_back(options.configFile);
}

TranslateResult translate(const Options &given, DiagnosticSink &sink) {
  TranslateResult result;
  Options options = given;
  if (!config::loadConfig(options, sink))
    return result;
  std::optional<rules::RuleTable> rules = rules::loadRules(options.ruleFiles, sink);
  if (!rules)
    return result;
  frontend::LibraryFacts library = {[&](const ir::Callee &callee) { return rules->find(callee) != nullptr; },
                                    [&](const std::string &name) { return rules->findClass(name); }};
  std::optional<ir::Module> module = frontend::lowerFile(options, library, sink);
  if (!module || sink.errorCount())
    return result;
  addDependencies(options, *module, result);
  if (options.dumpAfter == "frontend")
    result.dump = ir::dump(*module);
  if (options.roundTrip)
    result.text = emit::printRoundTrip(*module);
  if (options.roundTrip || (options.dumpAfter == "frontend" && options.output.empty())) {
    result.ok = true;
    return result;
  }
  std::vector<transform::Request> requests = transform::planRequests(*module, options, sink);
  if (sink.errorCount())
    return result;
  std::vector<ir::Derivative> derivatives =
      transform::runPipeline(*module, *rules, requests, options, sink, result.dump);
  bool isImplied = !requests.empty() && requests.front().implied;
  llvm::erase_if(derivatives,
                 [&](const ir::Derivative &derivative) { return parametersClash(derivative, isImplied, sink); });
  if (sink.errorCount() || !hasResult(requests, derivatives, sink))
    return result;
  result.ok = true;
  if (!options.checkOnly)
    emitDerivatives(options, *module, derivatives, result);
  return result;
}

} // namespace gpuad
