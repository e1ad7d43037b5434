//===- CompileCommand.h - the command line for Clang ------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the flags of nvcc or Clang, typed or taken from a compile_commands.json, to
/// the two command lines that Clang is run with.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_COMPILECOMMAND_H
#define GPUAD_FRONTEND_COMPILECOMMAND_H

#include "gpuad/Diagnostic.h"
#include "gpuad/Options.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuad::frontend {

/// Both passes, the program's name first and the input last.
struct CompileCommand {
  std::vector<std::string> device;
  std::vector<std::string> host;
};

/// Nothing when the flags cannot be used, or a toolkit or Clang's own headers are
/// missing; `sink` says why.
std::optional<CompileCommand> makeCompileCommand(const Options &options, DiagnosticSink &sink);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_COMPILECOMMAND_H
