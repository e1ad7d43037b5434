/// \file
/// Turns the LLVM IR that clang makes of device code for NVPTX into IR for the host, for the runtime in runtime/cpu.

#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace gpuad::cpucc {

struct RetargetOptions {
  bool relocatable = false;            ///< other modules may define and use what this one does
  bool strict = false;                 ///< check every memory access
  llvm::StringMap<unsigned> registers; ///< that a thread of a kernel needs, as far as known
  std::string deviceLibrary;           ///< bitcode file with the functions that the lowered code calls
};

/// Retargets a module in place. Returns what it uses that cannot run on the CPU, as messages; empty if all is well.
std::vector<std::string> retarget(llvm::Module &module, const RetargetOptions &options);

} // namespace gpuad::cpucc
