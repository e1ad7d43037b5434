//===- Lowered.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowered.h"

#include "ir/Dump.h"
#include "ir/Verify.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuad::test {

static void writeFile(const std::string &path, const std::string &text) {
  std::error_code failed;
  llvm::raw_fd_ostream(path, failed) << text;
}

Lowered::Lowered(const std::string &text, std::vector<std::string> flags,
                 const std::map<std::string, std::string> &files, std::vector<std::string> heads) {
  llvm::SmallString<128> unique;
  llvm::sys::fs::createUniqueDirectory("gpuad-frontend", unique);
  folder = unique.str().str();
  for (const auto &[name, content] : files)
    writeFile(folder + "/" + name, content);
  Options options;
  options.input = folder + "/input.cu";
  writeFile(options.input, text);
  options.hasCompilerFlags = true;
  options.compilerFlags = {"-nocudainc", "-nocudalib",    "-isystem", GPUAD_TEST_DIR "/cuda_stub",
                           "-include",   "cuda_runtime.h"};
  options.compilerFlags.insert(options.compilerFlags.end(), flags.begin(), flags.end());
  for (std::string &head : heads)
    options.requests.push_back({Mode::Adjoint, std::move(head), "--adjoint"});
  module = frontend::lowerFile(
      options, {[](const ir::Callee &) { return false; }, [](const std::string &) { return nullptr; }}, sink);
}

Lowered::~Lowered() {
  llvm::sys::fs::remove_directories(folder);
}

const ir::Function *Lowered::function(const std::string &name) const {
  if (!module)
    return nullptr;
  std::vector<ir::Function *> found = module->find(name);
  return found.empty() ? nullptr : found.front();
}

std::string Lowered::body(const std::string &name) const {
  const ir::Function *found = function(name);
  if (!found || !found->body)
    return "no body of " + name + "\n" + messages();
  std::string text;
  for (const ir::Stmt &s : llvm::cast<ir::BlockStmt>(found->body.get())->stmts)
    text += ir::dump(s);
  return text;
}

std::string Lowered::problems() const {
  std::string text;
  if (module)
    for (const std::unique_ptr<ir::Function> &function : module->functions)
      if (function->body)
        for (const std::string &line : ir::verify(*function))
          text += line + "\n";
  return text;
}

std::string Lowered::messages() const {
  std::string text;
  for (const Diagnostic &diagnostic : sink.diagnostics)
    text += std::to_string(diagnostic.range.line) + ":" + std::to_string(diagnostic.range.column) + ": " +
            diagnostic.message + " [" + diagnostic.slug + "]\n";
  return text;
}

std::string lowerBody(const std::string &parameters, const std::string &statements) {
  Lowered lowered("__device__ float pure(float v) { return v * v; }\n"
                  "__device__ float bump(float *p) { *p += 1.0f; return *p; }\n"
                  "__global__ void f(" +
                  parameters + ") {\n" + statements + "\n}\n");
  return lowered.problems() + lowered.body("f");
}

} // namespace gpuad::test
