//===- CheckRules.h - what --check-rules does ------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_DRIVER_CHECKRULES_H
#define GPUAD_DRIVER_CHECKRULES_H

#include "gpuad/Diagnostic.h"
#include "gpuad/Options.h"

namespace gpuad {

/// Loads the rules and compares every pure one with differences. Returns how many
/// were compared; what is wrong is in the sink.
unsigned checkRuleFiles(const Options &options, DiagnosticSink &sink);

} // namespace gpuad

#endif // GPUAD_DRIVER_CHECKRULES_H
