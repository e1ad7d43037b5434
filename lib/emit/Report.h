//===- Report.h - why a derivative looks as it does ------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_REPORT_H
#define GPUAD_EMIT_REPORT_H

#include "ir/Derivative.h"

namespace gpuad::emit {

/// One HTML page without outside parts: each derivative with what it records, and
/// each sum into an adjoint with how it is done and why.
std::string printReport(const ir::Module &module, const std::vector<ir::Derivative> &derivatives);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_REPORT_H
