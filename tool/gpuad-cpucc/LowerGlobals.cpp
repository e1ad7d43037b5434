/// \file
/// Variables: from NVPTX address spaces to the host's one. Shared variables go to a section of their own, so that the
/// runtime can fill it for each block and exchange its contents when it changes blocks.

#include "ImageTables.h"
#include "Lowering.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

constexpr uint64_t GapBytes = 64;

void removeList(Module &module, StringRef name) {
  if (GlobalVariable *list = module.getNamedGlobal(name))
    list->eraseFromParent();
}

/// extern __shared__: every such array is the one dynamic block of the launch.
void toDynamicShared(Lowering &lowering, GlobalVariable *old) {
  Constant *block =
      lowering.module.getOrInsertGlobal("gpuad_dynamic_shared", ArrayType::get(Type::getInt8Ty(lowering.context), 0));
  old->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(block, old->getType()));
  old->eraseFromParent();
}

GlobalVariable *toHost(Lowering &lowering, GlobalVariable *old, bool relocatable, StringRef suffix) {
  unsigned space = old->getAddressSpace();
  bool isShared = space == gpuadShared, hostWrites = old->isExternallyInitialized();
  Constant *initializer = old->hasInitializer() ? old->getInitializer() : nullptr;
  if (isShared && initializer)
    initializer = Constant::getNullValue(old->getValueType());
  // A shared or host-visible variable changes behind the optimiser's back, so it is neither constant nor internal.
  bool isConstant = old->isConstant() && !hostWrites && !isShared;
  GlobalValue::LinkageTypes linkage = old->getLinkage();
  std::string name = old->getName().str();
  if (!isConstant && old->hasLocalLinkage()) {
    linkage = GlobalValue::ExternalLinkage;
    if (relocatable)
      name += suffix.str();
  }
  Type *type = old->getValueType();
  if (lowering.strict && initializer && !isConstant) { // a gap, so that running over its end is no access to the next
    auto *gap = ArrayType::get(Type::getInt8Ty(lowering.context), GapBytes);
    type = StructType::get(lowering.context, {type, gap});
    initializer = ConstantStruct::get(cast<StructType>(type), {initializer, ConstantAggregateZero::get(gap)});
  }
  auto *fresh = new GlobalVariable(lowering.module, type, isConstant, linkage, initializer, "", nullptr,
                                   GlobalValue::NotThreadLocal, 0, !isConstant);
  fresh->setAlignment(old->getAlign());
  fresh->setComdat(old->getComdat());
  if (!fresh->hasLocalLinkage())
    fresh->setVisibility(GlobalValue::HiddenVisibility);
  fresh->setDSOLocal(true);
  if (isShared && initializer)
    fresh->setSection("gpuad_shared");
  fresh->copyMetadata(old, 0);
  old->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(fresh, old->getType()));
  old->eraseFromParent();
  fresh->setName(name);
  return fresh;
}

} // namespace

std::vector<DeviceVariable> lowerGlobals(Lowering &lowering, bool relocatable, StringRef suffix) {
  removeList(lowering.module, "llvm.used");
  removeList(lowering.module, "llvm.compiler.used");
  std::vector<DeviceVariable> result;
  for (GlobalVariable &old : make_early_inc_range(lowering.module.globals())) {
    old.removeDeadConstantUsers();
    unsigned space = old.getAddressSpace();
    if (space == 0)
      continue;
    if (old.isDeclaration() && old.use_empty()) {
      old.eraseFromParent();
      continue;
    }
    std::string name = old.getName().str();
    if (space == gpuadShared && old.isDeclaration()) {
      toDynamicShared(lowering, &old);
      continue;
    }
    uint64_t bytes = lowering.module.getDataLayout().getTypeAllocSize(old.getValueType());
    GlobalVariable *fresh = toHost(lowering, &old, relocatable, suffix);
    if (!fresh->isDeclaration() && !fresh->isConstant())
      result.push_back({name, fresh, space, bytes});
  }
  return result;
}

} // namespace gpuad::cpucc
