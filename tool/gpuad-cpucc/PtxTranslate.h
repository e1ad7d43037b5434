/// \file
/// Inline PTX to LLVM IR. Every register is a stack slot, so that predicates and branches need no special care; the
/// optimiser removes the slots. What is no plain operation becomes a call of the device library, by the name
/// gpuad_ptx_ and the mnemonic; what the library has not got is refused.

#pragma once

#include "Lowering.h"
#include "PtxParse.h"

#include "llvm/IR/InlineAsm.h"

namespace gpuad::cpucc {

/// A type word of PTX: s32, b64, f16x2, pred, ...
struct PtxType {
  char kind = 0; ///< b s u f B (bfloat) p
  unsigned bits = 0, lanes = 1;

  explicit operator bool() const { return kind != 0; }
  bool isReal() const { return kind == 'f' || kind == 'B'; }
  bool isSigned() const { return kind == 's'; }
  unsigned width() const { return bits * lanes; }
  llvm::Type *toLlvm(llvm::LLVMContext &context) const;
};

PtxType parsePtxType(llvm::StringRef word);

class PtxTranslator {
public:
  PtxTranslator(Lowering &lowering, const llvm::Module &library, llvm::CallInst *call)
      : lowering(lowering), library(library), call(call), builder(call) {}
  /// Replaces the call. On failure the call stays, and problem() says why.
  bool run();
  const std::string &problem() const { return why; }

private:
  struct Slot {
    llvm::AllocaInst *memory;
    unsigned bits;
  };

  // Set-up and control flow (PtxTranslate.cpp)
  bool bindOperands();
  void makeBlocks(const std::vector<PtxStatement> &statements);
  void statement(const PtxStatement &statement);
  void finish();
  Slot &slot(const std::string &name, unsigned bits);
  llvm::BasicBlock *block(const llvm::Twine &name);

  // Operands
  llvm::Value *read(const PtxOperand &operand, PtxType type);
  llvm::Value *readBits(const PtxOperand &operand, unsigned bits, bool isSigned);
  void write(const PtxOperand &operand, llvm::Value *value, PtxType type);
  void writeBits(const PtxOperand &operand, llvm::Value *bits, bool isSigned);
  llvm::Value *address(const PtxOperand &operand);
  llvm::Value *constant(const PtxOperand &operand, unsigned bits);

  // Instructions: true if it was one of theirs
  bool emit(const PtxStatement &s);
  bool emitMove(const PtxStatement &s);
  bool emitArithmetic(const PtxStatement &s, PtxType type);
  bool emitInteger(const PtxStatement &s, PtxType type);
  bool emitCarry(const PtxStatement &s, PtxType type);
  bool emitReal(const PtxStatement &s, PtxType type);
  bool emitLogic(const PtxStatement &s, PtxType type);
  bool emitMask(const PtxStatement &s);
  bool emitCompare(const PtxStatement &s);
  bool emitConvert(const PtxStatement &s);
  bool emitMemory(const PtxStatement &s, PtxType type);
  bool emitAtomic(const PtxStatement &s, PtxType type);
  bool emitWaiting(const PtxStatement &s);
  bool emitBarrier(const PtxStatement &s);
  bool emitControl(const PtxStatement &s);
  bool emitLibrary(const PtxStatement &s);
  llvm::Value *compare(const PtxStatement &s, PtxType type, llvm::Value *a, llvm::Value *b);
  llvm::Value *clampedToOne(llvm::Value *value, PtxType type);
  llvm::Value *multiply(const PtxStatement &s, PtxType type, PtxType *resultType);

  bool fail(const llvm::Twine &message);

  Lowering &lowering;
  const llvm::Module &library;
  llvm::CallInst *call;
  llvm::IRBuilder<> builder;
  llvm::StringMap<Slot> slots;
  llvm::StringMap<llvm::BasicBlock *> labels;
  llvm::BasicBlock *after = nullptr;
  std::vector<std::string> outputs;
  std::string why;
};

/// Translates all inline assembly of a module; refuses what it cannot.
void lowerInlineAssembly(Lowering &lowering, const llvm::Module &library);

} // namespace gpuad::cpucc
