//===- Pipeline.h - from requests to derivatives -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the transforms for every request.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_PIPELINE_H
#define GPUAD_TRANSFORM_PIPELINE_H

#include "rules/RuleTable.h"
#include "transform/Plan.h"

namespace gpuad::transform {

/// The derivatives in the order of the requests, those that were refused left out;
/// what is wrong is in the sink. `dump` receives what --dump-after asks for.
std::vector<ir::Derivative> runPipeline(ir::Module &module, const rules::RuleTable &rules,
                                        const std::vector<Request> &requests, const Options &options,
                                        DiagnosticSink &sink, std::string &dump);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_PIPELINE_H
