//===- CompileCommand.h - the command line for Clang ------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the flags of nvcc or clang, typed or taken from a compile_commands.json, to
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

/// What both passes share, the program's name first and the input last.
struct CompileCommand {
  std::vector<std::string> common;
  std::string architecture = "sm_80";
  std::vector<std::string> notes; ///< flags that were left out, for the user
};

/// Nothing when flags contradict each other or a file of them cannot be read.
std::optional<CompileCommand> makeCompileCommand(const Options &options, DiagnosticSink &sink);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_COMPILECOMMAND_H
