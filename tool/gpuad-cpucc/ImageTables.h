/// \file
/// The tables by which the runtime finds kernels and variables in a device image.

#pragma once

#include "Lowering.h"
#include "Retarget.h"

#include "Abi.h"

namespace gpuad::cpucc {

struct DeviceVariable {
  std::string name; ///< as the host registers it
  llvm::GlobalVariable *variable;
  unsigned space;
  uint64_t bytes; ///< without the gap behind it
};

/// Replaces the variables of all address spaces; returns those that the runtime must know.
std::vector<DeviceVariable> lowerGlobals(Lowering &lowering, bool relocatable, llvm::StringRef suffix);

/// Trampolines for kernels and the tables. Last, since it looks at what each kernel reaches.
void addImageTables(Lowering &lowering, llvm::ArrayRef<llvm::Function *> kernels,
                    llvm::ArrayRef<DeviceVariable> variables, const RetargetOptions &options);

} // namespace gpuad::cpucc
