/// \file
/// What the parts of the retarget pass share. Each part is one function over the module; Retarget.cpp has their order.

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <string>
#include <vector>

namespace gpuad::cpucc {

class Lowering {
public:
  explicit Lowering(llvm::Module &module) : module(module), context(module.getContext()) {}

  llvm::Module &module;
  llvm::LLVMContext &context;
  std::vector<std::string> refusals;
  bool strict = false;

  /// Notes that an instruction cannot run on the CPU.
  void refuse(const llvm::Instruction &where, const llvm::Twine &what);

  /// Calls a function of the device library. Integers below 32 bits, predicates and half-precision values travel as
  /// i32, pointers in address space 0, a pair of i32 and i1 as i64.
  llvm::Value *callLibrary(llvm::IRBuilder<> &builder, llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments);

  /// Where the user wrote an instruction that comes from a function of a toolkit's header. Null if not known.
  static const llvm::DILocation *userLocation(const llvm::Instruction &where);

  /// A constant that stands for the place of an instruction where a thread can wait (GpuadSite).
  llvm::Constant *site(const llvm::Instruction &where, llvm::StringRef what);

  /// A field of the state of the running thread (GpuadThread), as i32 or i64.
  llvm::Value *threadField(llvm::IRBuilder<> &builder, unsigned offset, unsigned bits);

  llvm::Constant *text(llvm::StringRef characters);

private:
  llvm::StringMap<llvm::Constant *> texts;
};

/// Headers whose inline functions stand for what the user wrote.
bool isToolkitFile(llvm::StringRef file);

/// Names of special registers ("tid.x", "laneid"). Null if there is no such register here.
llvm::Value *readSpecialRegister(Lowering &lowering, llvm::IRBuilder<> &builder, llvm::StringRef name,
                                 llvm::Type *type);

void lowerIntrinsics(Lowering &lowering);
void lowerFence(Lowering &lowering, llvm::Instruction *fence);
void lowerAtomics(Lowering &lowering);
void addPolls(Lowering &lowering);
void lowerDebugInfo(Lowering &lowering);

} // namespace gpuad::cpucc
