//===- CompileCommand.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/CompileCommand.h"

#include "support/BuildConfig.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace gpuad::frontend {

std::optional<CompileCommand> makeCompileCommand(const Options &options, DiagnosticSink &) {
  CompileCommand made;
  made.common = {"clang++", "-x", "cuda", "-fsyntax-only", "-w", "-Wno-unknown-cuda-version"};
  made.common.push_back("-resource-dir");
  made.common.push_back(options.resourceDir.empty() ? ClangResourceDir : options.resourceDir);
  for (const std::string &flag : options.compilerFlags)
    made.common.push_back(flag);
  std::string cuda = options.cudaPath.empty() ? "/usr/local/cuda" : options.cudaPath;
  made.common.push_back("--cuda-path=" + cuda);
  made.common.push_back("-isystem");
  made.common.push_back(cuda + "/include/cccl");
  if (!options.architectures.empty())
    made.architecture = options.architectures.front();
  made.common.push_back(options.input);
  return made;
}

} // namespace gpuad::frontend
