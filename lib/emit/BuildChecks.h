//===- BuildChecks.h - is the output built as it was made? ------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_BUILDCHECKS_H
#define GPUAD_EMIT_BUILDCHECKS_H

#include "ir/Derivative.h"

namespace gpuad::emit {

/// A derivative is made from one reading of its primal. Where that reading depends on
/// macros of the command line or on the architecture, these lines stop a build that
/// would read the primal in another way. Empty when nothing does.
std::string printBuildChecks(const ir::Module &module, const std::vector<ir::Derivative> &derivatives,
                             const std::string &architecture);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_BUILDCHECKS_H
