//===- Toolkit.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace gpuad::frontend {

static bool has(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, file);
  return llvm::sys::fs::exists(path);
}

bool isToolkit(const std::string &folder) {
  return !folder.empty() && has(folder, "include/cuda_runtime.h");
}

std::string findToolkit(const std::string &given) {
  if (!given.empty())
    return isToolkit(given) ? given : "";
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (std::optional<std::string> folder = llvm::sys::Process::GetEnv(variable); folder && isToolkit(*folder))
      return *folder;
  if (llvm::ErrorOr<std::string> nvcc = llvm::sys::findProgramByName("nvcc")) {
    llvm::SmallString<256> real;
    if (!llvm::sys::fs::real_path(*nvcc, real)) {
      std::string folder = llvm::sys::path::parent_path(llvm::sys::path::parent_path(real)).str();
      if (isToolkit(folder))
        return folder;
    }
  }
  return isToolkit("/usr/local/cuda") ? "/usr/local/cuda" : "";
}

std::string findCompilerHeaders() {
  std::string found;
  std::error_code failed;
  namespace fs = llvm::sys::fs;
  for (fs::recursive_directory_iterator entry("/usr/lib/gcc", failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry.level() == 2)
      entry.no_push();
    if (entry.level() == 2 && llvm::sys::path::filename(entry->path()) == "include" && has(entry->path(), "omp.h"))
      found = std::max(found, entry->path());
  }
  return found;
}

std::string findOwnHeaders() {
  static int anchor;
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  llvm::SmallString<256> folder(llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)));
  llvm::sys::path::append(folder, "include");
  return has(folder, "gpuad/gpuad.h") ? folder.str().str() : "";
}

} // namespace gpuad::frontend
