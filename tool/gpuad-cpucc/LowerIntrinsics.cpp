/// \file
/// NVVM intrinsics and the functions that clang's CUDA headers leave to the device runtime.

#include "Lowering.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

/// What the user writes for intrinsics at which a thread can wait, by the beginning of their names.
struct WaitingKind {
  StringRef prefix, spelled;
};
const WaitingKind WaitingKinds[] = {
    {"barrier.cta.red", "__syncthreads_count/and/or"},
    {"barrier.cta", "__syncthreads"},
    {"barrier", "__syncthreads"},
    {"bar.warp.sync", "__syncwarp"},
    {"shfl", "__shfl_sync"},
    {"vote", "__any_sync/__all_sync/__ballot_sync"},
    {"match", "__match_sync"},
    {"redux", "__reduce_sync"},
    {"activemask", "__activemask"},
    {"nanosleep", "__nanosleep"},
};

const WaitingKind *waitingKind(StringRef name) {
  for (const WaitingKind &kind : WaitingKinds)
    if (name.starts_with(kind.prefix))
      return &kind;
  return nullptr;
}

bool isFence(StringRef name) {
  return name.starts_with("membar") || name.starts_with("fence.");
}

bool isNothing(StringRef name) {
  return name.starts_with("cp.async.commit") || name.starts_with("cp.async.wait") || name.starts_with("prefetch") ||
         name == "griddepcontrol.wait" || name == "griddepcontrol.launch.dependents";
}

class IntrinsicLowering {
public:
  explicit IntrinsicLowering(Lowering &lowering) : lowering(lowering) {}

  void run() {
    SmallVector<CallInst *> calls;
    for (Function &function : lowering.module)
      for (Instruction &instruction : instructions(function))
        if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
          calls.push_back(call);
    for (CallInst *call : calls) {
      StringRef name = call->getCalledFunction()->getName();
      if (name.starts_with("llvm.nvvm."))
        lowerNvvm(call);
      else if (name == "llvm.trap" || name == "llvm.debugtrap")
        lowerTrap(call, name);
      else
        renameRuntimeCall(call, name);
    }
    removeUnused();
  }

private:
  void replace(CallInst *call, Value *value) {
    if (!call->getType()->isVoidTy())
      call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }

  void lowerNvvm(CallInst *call) {
    IRBuilder<> builder(call);
    StringRef name = Intrinsic::getBaseName(call->getIntrinsicID());
    name.consume_front("llvm.nvvm.");
    if (name.starts_with("atomic."))
      return; // LowerAtomics.cpp
    if (name.consume_front("read.ptx.sreg.")) {
      if (Value *value = readSpecialRegister(lowering, builder, name, call->getType()))
        return replace(call, value);
      return lowering.refuse(*call, "special register %" + name + " does not exist on the CPU");
    }
    if (isFence(name)) {
      lowerFence(lowering, call);
      call->eraseFromParent();
      return;
    }
    if (isNothing(name))
      return replace(call, PoisonValue::get(call->getType()));
    if (name.starts_with("ldu.global") || name.starts_with("ldg.global"))
      return replace(call, builder.CreateAlignedLoad(call->getType(), call->getArgOperand(0),
                                                     cast<ConstantInt>(call->getArgOperand(1))->getMaybeAlignValue()));
    SmallVector<Value *> arguments;
    if (const WaitingKind *kind = waitingKind(name))
      arguments.push_back(lowering.site(*call, kind->spelled));
    arguments.append(call->arg_begin(), call->arg_end());
    std::string target = ("gpuad_nvvm_" + name).str();
    std::replace(target.begin(), target.end(), '.', '_');
    replace(call, lowering.callLibrary(builder, target, call->getType(), arguments));
  }

  void lowerTrap(CallInst *call, StringRef name) {
    IRBuilder<> builder(call);
    lowering.callLibrary(builder, "gpuad_trap", builder.getVoidTy(),
                         {lowering.text(name == "llvm.trap" ? "__trap" : "__brkpt")});
    call->eraseFromParent();
  }

  /// Functions of the device runtime whose names mean something else on the host.
  void renameRuntimeCall(CallInst *call, StringRef name) {
    StringRef target = StringSwitch<StringRef>(name)
                           .Case("vprintf", "gpuad_printf")
                           .Case("malloc", "gpuad_malloc")
                           .Case("free", "gpuad_free")
                           .Case("__assertfail", "gpuad_assert_failed")
                           .Case("__assert_fail", "gpuad_assert_failed")
                           .Default("");
    Function *callee = call->getCalledFunction();
    if (target.empty() || !callee->isDeclaration())
      return;
    call->setCalledFunction(lowering.module.getOrInsertFunction(target, callee->getFunctionType()));
  }

  void removeUnused() {
    for (Function &function : make_early_inc_range(lowering.module))
      if (function.isDeclaration() && function.use_empty())
        function.eraseFromParent();
  }

  Lowering &lowering;
};

} // namespace

/// Fences order nothing here, since threads run one at a time; but a loop that polls memory may have one as its only
/// hint to the compiler, and strict mode has to know of them.
void lowerFence(Lowering &lowering, Instruction *fence) {
  IRBuilder<> builder(fence);
  if (lowering.strict)
    lowering.callLibrary(builder, "gpuad_fence", builder.getVoidTy(), {});
  lowering.callLibrary(builder, "gpuad_poll_if", builder.getVoidTy(),
                       {lowering.site(*fence, "__threadfence"), builder.getTrue()});
}

void lowerIntrinsics(Lowering &lowering) {
  IntrinsicLowering(lowering).run();
}

} // namespace gpuad::cpucc
