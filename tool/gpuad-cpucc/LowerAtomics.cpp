/// \file
/// Atomics. All GPU threads run on one thread of the host and give way only in calls, so a load, an operation and a
/// store are atomic. An operation that changes nothing may be polling: the thread then gives way from time to time.

#include "Lowering.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

void poll(Lowering &lowering, IRBuilder<> &builder, const Instruction &where, Value *condition, StringRef what) {
  lowering.callLibrary(builder, "gpuad_poll_if", builder.getVoidTy(), {lowering.site(where, what), condition});
}

void lowerExchange(Lowering &lowering, AtomicCmpXchgInst *instruction) {
  IRBuilder<> builder(instruction);
  Value *pointer = instruction->getPointerOperand(), *expected = instruction->getCompareOperand();
  Value *old = builder.CreateAlignedLoad(expected->getType(), pointer, instruction->getAlign(), true);
  Value *same = builder.CreateICmpEQ(old, expected);
  Value *stored = builder.CreateSelect(same, instruction->getNewValOperand(), old);
  builder.CreateAlignedStore(stored, pointer, instruction->getAlign(), true);
  poll(lowering, builder, *instruction, builder.CreateNot(same), "atomicCAS");
  Value *result = builder.CreateInsertValue(PoisonValue::get(instruction->getType()), old, 0);
  instruction->replaceAllUsesWith(builder.CreateInsertValue(result, same, 1));
  instruction->eraseFromParent();
}

Value *emitOperation(Lowering &lowering, IRBuilder<> &builder, const Instruction &where, AtomicRMWInst::BinOp operation,
                     Value *pointer, Value *operand, Align align) {
  Value *old = builder.CreateAlignedLoad(operand->getType(), pointer, align);
  Value *result = buildAtomicRMWValue(operation, builder, old, operand);
  builder.CreateAlignedStore(result, pointer, align);
  if (operand->getType()->isIntegerTy())
    poll(lowering, builder, where, builder.CreateICmpEQ(old, result), "an atomic operation");
  return old;
}

AtomicRMWInst::BinOp operationOf(StringRef name, bool isUnsigned, bool isFloat) {
  return StringSwitch<AtomicRMWInst::BinOp>(name)
      .Case("add", isFloat ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
      .Case("exch", AtomicRMWInst::Xchg)
      .Case("max", isUnsigned ? AtomicRMWInst::UMax : AtomicRMWInst::Max)
      .Case("min", isUnsigned ? AtomicRMWInst::UMin : AtomicRMWInst::Min)
      .Case("inc", AtomicRMWInst::UIncWrap)
      .Case("dec", AtomicRMWInst::UDecWrap)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Default(AtomicRMWInst::BAD_BINOP);
}

/// Whether an instruction comes from a wrapper for unsigned operands (__uAtomicMax_block and the like), which may have
/// been inlined.
bool isUnsignedWrapper(const Instruction &instruction) {
  auto names = [](StringRef name) { return name.contains("uAtomic") || name.contains("ullAtomic"); };
  for (const DILocation *at = instruction.getDebugLoc(); at; at = at->getInlinedAt())
    if (const DISubprogram *program = at->getScope()->getSubprogram())
      if (names(program->getName()) || names(program->getLinkageName()))
        return true;
  return names(instruction.getFunction()->getName());
}

/// llvm.nvvm.atomic.OPERATION.gen.{i,f}.{cta,sys}
void lowerScoped(Lowering &lowering, IntrinsicInst *call) {
  StringRef name = Intrinsic::getBaseName(call->getIntrinsicID());
  name.consume_front("llvm.nvvm.atomic.");
  StringRef operation = name.split('.').first;
  IRBuilder<> builder(call);
  Value *pointer = call->getArgOperand(0), *operand = call->getArgOperand(1);
  Align align(operand->getType()->getPrimitiveSizeInBits() / 8);
  if (operation == "cas") {
    auto *exchange =
        builder.CreateAtomicCmpXchg(pointer, operand, call->getArgOperand(2), align,
                                    AtomicOrdering::SequentiallyConsistent, AtomicOrdering::SequentiallyConsistent);
    call->replaceAllUsesWith(builder.CreateExtractValue(exchange, 0));
    call->eraseFromParent();
    return lowerExchange(lowering, exchange);
  }
  // Clang has one intrinsic for signed and unsigned; the wrapper in its header tells which was meant.
  bool isUnsigned = isUnsignedWrapper(*call);
  AtomicRMWInst::BinOp kind = operationOf(operation, isUnsigned, operand->getType()->isFloatingPointTy());
  if (kind == AtomicRMWInst::BAD_BINOP)
    return lowering.refuse(*call, "atomic operation " + name + " does not run on the CPU");
  call->replaceAllUsesWith(emitOperation(lowering, builder, *call, kind, pointer, operand, align));
  call->eraseFromParent();
}

} // namespace

void lowerAtomics(Lowering &lowering) {
  SmallVector<Instruction *> all;
  for (Function &function : lowering.module)
    for (Instruction &instruction : instructions(function))
      if (instruction.isAtomic() || isa<IntrinsicInst>(instruction))
        all.push_back(&instruction);
  for (Instruction *instruction : all) {
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(instruction)) {
      lowerExchange(lowering, exchange);
    } else if (auto *update = dyn_cast<AtomicRMWInst>(instruction)) {
      IRBuilder<> builder(update);
      update->replaceAllUsesWith(emitOperation(lowering, builder, *update, update->getOperation(),
                                               update->getPointerOperand(), update->getValOperand(),
                                               update->getAlign()));
      update->eraseFromParent();
    } else if (isa<FenceInst>(instruction)) {
      lowerFence(lowering, instruction);
      instruction->eraseFromParent();
    } else if (auto *call = dyn_cast<IntrinsicInst>(instruction)) {
      if (Intrinsic::getBaseName(call->getIntrinsicID()).starts_with("llvm.nvvm.atomic."))
        lowerScoped(lowering, call);
    }
  }
}

/// Loads that may be polling: volatile and atomic ones.
void addPolls(Lowering &lowering) {
  SmallVector<LoadInst *> loads;
  for (Function &function : lowering.module)
    for (Instruction &instruction : instructions(function))
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && (load->isVolatile() || load->isAtomic()))
        loads.push_back(load);
  for (LoadInst *load : loads) {
    IRBuilder<> builder(load->getNextNode());
    builder.SetCurrentDebugLocation(load->getDebugLoc());
    poll(lowering, builder, *load, builder.getTrue(), "a volatile or atomic load");
    if (load->isAtomic())
      load->setAtomic(AtomicOrdering::NotAtomic);
    load->setVolatile(true);
  }
}

} // namespace gpuad::cpucc
