//===- Frontend.h - from a CUDA file to the IR ------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs Clang over options.input twice in one process, once as the device compiler
/// sees the file and once as the host compiler does, and merges what both saw.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_FRONTEND_H
#define GPUAD_FRONTEND_FRONTEND_H

#include "gpuad/Diagnostic.h"
#include "gpuad/Options.h"
#include "ir/LibraryClass.h"
#include "ir/Module.h"

#include <functional>
#include <optional>

namespace gpuad::frontend {

/// What rules say of libraries.
struct LibraryFacts {
  std::function<bool(const ir::Callee &)> hasRule; ///< then a function's source is of no interest
  std::function<const ir::LibraryClass *(const std::string &)> classNamed;
};

/// Nothing when the file cannot be read or does not compile; the errors are in `sink`.
std::optional<ir::Module> lowerFile(const Options &options, const LibraryFacts &library, DiagnosticSink &sink);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_FRONTEND_H
