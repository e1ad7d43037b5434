//===- Pipeline.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Pipeline.h"

#include "ir/Dump.h"
#include "ir/Verify.h"
#include "support/Diagnostics.h"
#include "transform/MakeAdjoint.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// Errors of a derivative that nobody asked for by name are warnings: it is left out.
void passOn(const CollectingSink &collected, const Request &request, DiagnosticSink &sink) {
  for (Diagnostic diagnostic : collected.diagnostics) {
    bool isInternal = diagnostic.slug == diag::info(diag::Id::InternalError).slug;
    if (request.implied && diagnostic.severity == Severity::Error && !isInternal)
      diagnostic.severity = Severity::Warning;
    if (!diagnostic.range.isValid())
      diagnostic.range = request.primal->nameRange;
    sink.report(diagnostic);
  }
}

std::optional<Derivative> differentiate(const Request &request, const rules::RuleTable &rules, DiagnosticSink &sink) {
  switch (request.mode) {
  case DerivativeMode::Tangent:
    return std::nullopt;
  case DerivativeMode::Adjoint:
    return makeAdjoint(request, rules, sink);
  }
  return std::nullopt;
}
} // namespace

std::vector<Derivative> runPipeline(Module &, const rules::RuleTable &rules, const std::vector<Request> &requests,
                                    const Options &options, DiagnosticSink &sink, std::string &dump) {
  std::vector<Derivative> derivatives;
  for (const Request &request : requests) {
    CollectingSink collected;
    std::optional<Derivative> derivative = differentiate(request, rules, collected);
    if (derivative)
      for (const std::string &violation : verify(*derivative->function, true))
        diag::report(collected, diag::Id::InternalError, request.primal->nameRange, violation);
    if (derivative && options.dumpAfter == "derivatives")
      dump += ir::dump(*derivative->function);
    passOn(collected, request, sink);
    if (derivative && collected.errorCount() == 0)
      derivatives.push_back(std::move(*derivative));
  }
  return derivatives;
}

} // namespace gpuad::transform
