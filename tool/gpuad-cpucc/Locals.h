/// \file
/// Strict mode: local variables that are read before anything was written to them.

#pragma once

#include "Lowering.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace gpuad::cpucc {

/// Clang gives uninitialised locals a pattern. Before promotion to registers, the pattern becomes a value that can be
/// followed; after it, values in registers carry a flag to where they are used, and the memory of the other locals is
/// marked, for the checks of accesses.
class LocalTracker {
public:
  LocalTracker(Lowering &lowering, llvm::Function &function) : lowering(lowering), function(function) {}
  void beforePromotion();
  void afterPromotion();

  /// Locals whose accesses are to be checked.
  llvm::SmallPtrSet<const llvm::AllocaInst *, 8> watched;

private:
  void markMemory();
  void watch(llvm::AllocaInst *local, llvm::Instruction *where, llvm::Value *place, uint64_t bytes);
  void followRegisters();
  void collectTainted();
  llvm::Value *flagOf(llvm::Value *value);
  void checkUses(llvm::Value *value);
  void endLocals();

  Lowering &lowering;
  llvm::Function &function;
  llvm::SmallVector<std::pair<llvm::CallInst *, llvm::Constant *>> marks; ///< stand-ins for patterns
  llvm::SmallVector<llvm::Value *> tainted;
  llvm::SmallPtrSet<llvm::Value *, 16> isTainted;
  llvm::DenseMap<llvm::Value *, llvm::Value *> flags;
};

} // namespace gpuad::cpucc
