//===- Frontend.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Frontend.h"

#include "frontend/CompileCommand.h"
#include "frontend/ModuleFacts.h"
#include "frontend/RunPass.h"
#include "support/Diagnostics.h"

#include "llvm/Support/MemoryBuffer.h"

namespace gpuad::frontend {

static bool runBothPasses(const CompileCommand &command, ir::Module &module, DiagnosticSink &sink) {
  DeclTable table(module);
  for (bool isDevice : {true, false}) {
    PassRequest request;
    request.isDevice = isDevice;
    request.command = command.common;
    std::vector<std::string> side = isDevice ? std::vector<std::string>{"--cuda-device-only", "--cuda-gpu-arch=" + command.architecture}
                                             : std::vector<std::string>{"--cuda-host-only"};
    request.command.insert(request.command.begin() + 1, side.begin(), side.end());
    PassResult result = runPass(request, table);
    for (Diagnostic &error : result.errors) {
      Diagnostic reported = diag::make(diag::Id::CompileError, error.range, error.message);
      reported.notes = std::move(error.notes);
      sink.report(std::move(reported));
    }
    if (!result.errors.empty())
      return false;
  }
  return true;
}

std::optional<ir::Module> lowerFile(const Options &options, DiagnosticSink &sink) {
  ir::Module module;
  module.path = options.input;
  auto buffer = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/false);
  if (!buffer) {
    diag::report(sink, diag::Id::UnreadableInput, {}, options.input, buffer.getError().message());
    return std::nullopt;
  }
  module.text = (*buffer)->getBuffer().str();
  std::optional<CompileCommand> command = makeCompileCommand(options, sink);
  if (!command || !runBothPasses(*command, module, sink))
    return std::nullopt;
  module.includeOffset = findIncludeOffset(module.text);
  sortFunctions(module);
  return module;
}

} // namespace gpuad::frontend
