/// \file
/// Strict mode: a check before every access to memory. The check also gives the address at which the access is done,
/// since in strict mode device pointers point to a view of the memory that nobody may touch directly.

#include "Instrument.h"

#include "Abi.h"
#include "Locals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/BoundsChecking.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {
constexpr uint64_t WidestAccess = 16; ///< bytes

class Instrumenter {
public:
  Instrumenter(Lowering &lowering, const SmallPtrSetImpl<const AllocaInst *> &watched)
      : lowering(lowering), module(lowering.module), layout(module.getDataLayout()), watched(watched) {}

  void run() {
    for (Function &function : module)
      if (!function.isDeclaration())
        instrument(function);
  }

private:
  void instrument(Function &function) {
    std::string name = demangle(function.getName().str());
    isSave = StringRef(name).contains("gpuad::save");
    isRestore = StringRef(name).contains("gpuad::restore");
    guesses.clear();
    SmallVector<Instruction *> all;
    for (Instruction &instruction : instructions(function)) {
      if (instruction.mayReadOrWriteMemory())
        all.push_back(&instruction);
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        noteGuesses(exchange->getPointerOperand(), exchange->getCompareOperand());
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && Intrinsic::getBaseName(call->getIntrinsicID()).starts_with("llvm.nvvm.atomic.cas"))
        noteGuesses(call->getArgOperand(0), call->getArgOperand(1));
    }
    for (Instruction *instruction : all)
      one(instruction);
  }

  /// A plain read of what a compare-and-swap then expects there: if it was stale, the exchange does not happen.
  void noteGuesses(Value *place, Value *expected) {
    place = place->stripPointerCasts();
    SmallVector<Value *> stack = {expected};
    SmallPtrSet<Value *, 8> seen;
    while (!stack.empty()) {
      Value *value = stack.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (auto *load = dyn_cast<LoadInst>(value)) {
        if (isSamePlace(load->getPointerOperand(), place))
          guesses.insert(load);
      } else if (auto *phi = dyn_cast<PHINode>(value)) {
        stack.append(phi->op_begin(), phi->op_end());
      } else if (isa<CastInst, FreezeInst>(value)) {
        stack.push_back(cast<Instruction>(value)->getOperand(0));
      } else if (auto *call = dyn_cast<CallInst>(value)) { // __float_as_int and the like
        if (call->getCalledFunction() && call->getCalledFunction()->getName().contains("_as_"))
          stack.push_back(call->getArgOperand(0));
      } else if (auto *choice = dyn_cast<SelectInst>(value)) {
        stack.append({choice->getTrueValue(), choice->getFalseValue()});
      }
    }
  }

  /// The same value, or the same computation of an address.
  static bool isSamePlace(const Value *a, const Value *b) {
    a = a->stripPointerCasts();
    b = b->stripPointerCasts();
    if (a == b)
      return true;
    auto *first = dyn_cast<GetElementPtrInst>(a), *second = dyn_cast<GetElementPtrInst>(b);
    return first && second && first->getNumOperands() == second->getNumOperands() &&
           first->getSourceElementType() == second->getSourceElementType() &&
           std::equal(first->op_begin(), first->op_end(), second->op_begin(),
                      [](const Value *x, const Value *y) { return x == y || sameCast(x, y) || isSamePointer(x, y); });
  }
  static bool isSamePointer(const Value *x, const Value *y) {
    return x->getType()->isPointerTy() && y->getType()->isPointerTy() && isSamePlace(x, y);
  }
  static bool sameCast(const Value *x, const Value *y) {
    auto *first = dyn_cast<CastInst>(x), *second = dyn_cast<CastInst>(y);
    return first && second && first->getOpcode() == second->getOpcode() && first->getDestTy() == second->getDestTy() &&
           first->getOperand(0) == second->getOperand(0);
  }

  void one(Instruction *instruction) {
    if (auto *load = dyn_cast<LoadInst>(instruction))
      plain(load, load->getPointerOperandIndex(), load->getType(), load->getAlign(),
            load->isVolatile() || load->isAtomic() ? gpuadAccessVolatile
            : guesses.contains(load)               ? gpuadAccessGuess
                                                   : 0);
    else if (auto *store = dyn_cast<StoreInst>(instruction))
      plain(store, store->getPointerOperandIndex(), store->getValueOperand()->getType(), store->getAlign(),
            gpuadAccessWrite | (store->isVolatile() || store->isAtomic() ? gpuadAccessVolatile : 0));
    else if (auto *update = dyn_cast<AtomicRMWInst>(instruction))
      check(update, update->getPointerOperandIndex(), update->getValOperand()->getType(), update->getAlign(),
            gpuadAccessAtomic | (update->getOperation() == AtomicRMWInst::Xchg ? uint32_t(gpuadAccessWrite) : 0));
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(instruction))
      check(exchange, exchange->getPointerOperandIndex(), exchange->getCompareOperand()->getType(),
            exchange->getAlign(), gpuadAccessAtomic);
    else if (auto *call = dyn_cast<IntrinsicInst>(instruction))
      intrinsic(call);
    else if (auto *call = dyn_cast<CallInst>(instruction); call && call->getCalledFunction())
      libraryCall(call, call->getCalledFunction()->getName());
  }

  /// Functions of the device library that read or write through pointers: results of sincos and frexp, copies.
  void libraryCall(CallInst *call, StringRef name) {
    bool copies = name.starts_with("gpuad_nvvm_cp_async") || name.starts_with("gpuad_ptx_cp_async");
    if (!copies && !name.starts_with("__nv_"))
      return;
    unsigned pointers = 0;
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      if (!call->getArgOperand(i)->getType()->isPointerTy() || isHarmless(call->getArgOperand(i), 0))
        continue;
      bool isInteger = name.contains("frexp") || name.contains("remquo"), isFloat = name.ends_with("f");
      Type *type = isInteger || isFloat ? Type::getInt32Ty(lowering.context) : Type::getInt64Ty(lowering.context);
      bool reads = name.contains("norm") || (copies && pointers++ == 1);
      check(call, i, type, Align(1), reads ? 0 : uint32_t(gpuadAccessWrite));
    }
  }

  void intrinsic(IntrinsicInst *call) {
    if (Intrinsic::getBaseName(call->getIntrinsicID()).starts_with("llvm.nvvm.atomic.")) {
      Type *type = call->getArgOperand(1)->getType();
      check(call, 0, type, Align(type->getPrimitiveSizeInBits() / 8), gpuadAccessAtomic);
    } else if (auto *transfer = dyn_cast<MemTransferInst>(call)) {
      bool carries = range(transfer, 1, gpuadAccessCarries | (isSave ? gpuadAccessSaves : 0));
      range(transfer, 0, gpuadAccessWrite | (carries ? gpuadAccessCarries : 0));
    } else if (auto *set = dyn_cast<MemSetInst>(call)) {
      range(set, 0, gpuadAccessWrite);
    }
  }

  /// Locals that only this function sees, and our own tables, need no check.
  bool isHarmless(Value *pointer, uint64_t bytes) {
    Value *object = getUnderlyingObject(pointer);
    if (auto *global = dyn_cast<GlobalVariable>(object)) {
      StringRef name = global->getName();
      return name == "gpuad_thread" || name.starts_with("gpuad.") || (global->isConstant() && isInside(pointer, bytes));
    }
    if (auto *argument = dyn_cast<Argument>(object))
      return argument->hasByValAttr() || argument->hasStructRetAttr();
    auto *local = dyn_cast<AllocaInst>(object);
    return local && !watched.contains(local);
  }

  bool isInside(Value *pointer, uint64_t bytes) {
    APInt offset(64, 0);
    auto *global = dyn_cast<GlobalVariable>(pointer->stripAndAccumulateConstantOffsets(layout, offset, true));
    return global && offset.getSExtValue() >= 0 &&
           offset.getZExtValue() + bytes <= layout.getTypeAllocSize(global->getValueType());
  }

  void plain(Instruction *instruction, unsigned operand, Type *type, Align align, uint32_t flags) {
    if (!instruction->hasMetadata(LLVMContext::MD_annotation) && // the pattern of an unwritten local
        !isHarmless(instruction->getOperand(operand), layout.getTypeStoreSize(type)))
      check(instruction, operand, type, align, flags);
  }

  void check(Instruction *instruction, unsigned operand, Type *type, Align align, uint32_t flags) {
    // What a class promises beyond the widest access no GPU asks for, and libraries do not always keep it.
    align = std::min(align, Align(WidestAccess));
    IRBuilder<> builder(instruction);
    uint64_t bytes = layout.getTypeStoreSize(type);
    if (isSave && !(flags & gpuadAccessWrite))
      flags |= gpuadAccessCarries | gpuadAccessSaves;
    Value *address = builder.CreateAddrSpaceCast(instruction->getOperand(operand), builder.getPtrTy());
    Value *usable = builder.CreateCall(accessFunction(builder),
                                       {address, builder.getInt32(uint32_t(bytes)),
                                        builder.getInt32(flags | uint32_t(align.value()) << gpuadAccessAlignShift),
                                        site(*instruction, flags)});
    instruction->setOperand(operand, builder.CreateAddrSpaceCast(usable, instruction->getOperand(operand)->getType()));
    noteRestored(instruction, address, builder.getInt64(bytes), flags);
  }

  /// What a restore has put back may be memory that nobody had written.
  void noteRestored(Instruction *instruction, Value *address, Value *bytes, uint32_t flags) {
    if (!isRestore || !(flags & gpuadAccessWrite))
      return;
    IRBuilder<> builder(instruction->getNextNode());
    lowering.callLibrary(builder, "gpuad_restored", builder.getVoidTy(), {address, bytes});
  }

  bool range(MemIntrinsic *call, unsigned operand, uint32_t flags) {
    Value *pointer = call->getArgOperand(operand);
    auto *length = dyn_cast<ConstantInt>(call->getLength());
    if (isHarmless(pointer, length ? length->getZExtValue() : ~uint64_t(0)))
      return false;
    IRBuilder<> builder(call);
    Value *address = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    Value *usable = builder.CreateCall(rangeFunction(builder),
                                       {address, builder.CreateZExtOrTrunc(call->getLength(), builder.getInt64Ty()),
                                        builder.getInt32(flags), site(*call, flags)});
    call->setArgOperand(operand, builder.CreateAddrSpaceCast(usable, pointer->getType()));
    noteRestored(call, address, call->getLength(), flags);
    return true;
  }

  Constant *site(const Instruction &where, uint32_t flags) {
    return lowering.site(where, flags & gpuadAccessAtomic  ? "an atomic operation"
                                : flags & gpuadAccessWrite ? "a store"
                                                           : "a load");
  }

  FunctionCallee accessFunction(IRBuilder<> &builder) {
    return module.getOrInsertFunction("gpuad_access", builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty(),
                                      builder.getInt32Ty(), builder.getPtrTy());
  }
  FunctionCallee rangeFunction(IRBuilder<> &builder) {
    return module.getOrInsertFunction("gpuad_access_range", builder.getPtrTy(), builder.getPtrTy(),
                                      builder.getInt64Ty(), builder.getInt32Ty(), builder.getPtrTy());
  }

  Lowering &lowering;
  Module &module;
  const DataLayout &layout;
  const SmallPtrSetImpl<const AllocaInst *> &watched; ///< locals that may be unwritten
  bool isSave = false, isRestore = false;
  SmallPtrSet<const LoadInst *, 4> guesses;
};

/// Locals: what can live in registers does, and indices into the others are compared with their sizes.
void checkBounds(Lowering &lowering, SmallPtrSetImpl<const AllocaInst *> &watched) {
  LoopAnalysisManager loopAnalyses; // each outlives those that follow, which refer to it
  FunctionAnalysisManager analyses;
  CGSCCAnalysisManager graphAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(graphAnalyses);
  builder.registerFunctionAnalyses(analyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, analyses, graphAnalyses, moduleAnalyses);
  for (Function &function : lowering.module) {
    if (function.isDeclaration())
      continue;
    LocalTracker locals(lowering, function);
    locals.beforePromotion();
    SROAPass(SROAOptions::PreserveCFG).run(function, analyses);
    locals.afterPromotion();
    watched.insert(locals.watched.begin(), locals.watched.end());
    analyses.invalidate(function, PreservedAnalyses::none());
    BoundsCheckingPass::Options options;
    options.Rt.emplace(/*MinRuntime=*/true, /*MayReturn=*/true, /*HandlerPreserveAllRegs=*/false);
    BoundsCheckingPass(options).run(function, analyses);
    analyses.invalidate(function, PreservedAnalyses::none());
  }
}

/// The reports of the bounds checks and of clang's own ones (see compileDevice) become ours.
void takeReports(Lowering &lowering) {
  SmallVector<CallInst *> reports;
  for (Function &function : lowering.module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("__ubsan_handle_"))
        reports.push_back(call);
  for (CallInst *call : reports) {
    bool isBounds = call->getCalledFunction()->getName().contains("out_of_bounds");
    IRBuilder<> at(call);
    lowering.callLibrary(at, isBounds ? "gpuad_out_of_bounds" : "gpuad_overflow", at.getVoidTy(),
                         {lowering.site(*call, isBounds ? "an array" : "an operation of signed integers")});
    call->eraseFromParent();
  }
}

} // namespace

void addStrictChecks(Lowering &lowering) {
  SmallPtrSet<const AllocaInst *, 16> watched;
  checkBounds(lowering, watched);
  takeReports(lowering);
  Instrumenter(lowering, watched).run();
}

} // namespace gpuad::cpucc
