#include "Lowering.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace gpuad::cpucc {

bool isToolkitFile(StringRef file) {
  return file.contains("__clang_cuda") || file.contains("/cooperative_groups") || file.contains("/crt/") ||
         (file.contains("/sm_") && file.ends_with("_functions.hpp")) || file.ends_with("_intrinsics.hpp") ||
         file.ends_with("/device_atomic_functions.hpp") || file.ends_with("/device_functions.hpp") ||
         file.ends_with("cuda_fp16.hpp") || file.ends_with("cuda_bf16.hpp");
}

const DILocation *Lowering::userLocation(const Instruction &where) {
  const DILocation *location = where.getDebugLoc();
  while (location && location->getInlinedAt() && isToolkitFile(location->getFilename()))
    location = location->getInlinedAt();
  return location;
}

static std::string placeOf(const Instruction &where) {
  if (const DILocation *location = Lowering::userLocation(where))
    return (location->getFilename() + ":" + Twine(location->getLine())).str();
  return "in " + demangle(where.getFunction()->getName().str());
}

void Lowering::refuse(const Instruction &where, const Twine &what) {
  std::string message = (placeOf(where) + ": " + what).str();
  for (const std::string &known : refusals)
    if (known == message)
      return;
  refusals.push_back(message);
}

/// The form in which a value travels to and from the device library.
static Type *travelType(Type *type) {
  LLVMContext &context = type->getContext();
  if (type->isPointerTy())
    return PointerType::get(context, 0);
  if (type->isStructTy())
    return Type::getInt64Ty(context);
  unsigned bits = type->getPrimitiveSizeInBits();
  if (type->isIntegerTy() || type->isVectorTy() || type->is16bitFPTy())
    return IntegerType::get(context, std::max(32u, bits));
  return type;
}

static Value *pack(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType(), *target = travelType(type);
  if (type == target)
    return value;
  if (type->isPointerTy())
    return builder.CreateAddrSpaceCast(value, target);
  if (!type->isIntegerTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateZExt(value, target);
}

static Value *unpack(IRBuilder<> &builder, Value *value, Type *type) {
  if (value->getType() == type)
    return value;
  if (auto *pair = dyn_cast<StructType>(type)) {
    Value *first = builder.CreateTrunc(value, pair->getElementType(0)->isFloatTy() ? builder.getInt32Ty()
                                                                                   : pair->getElementType(0));
    if (pair->getElementType(0)->isFloatTy())
      first = builder.CreateBitCast(first, builder.getFloatTy());
    Value *second = builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt1Ty());
    Value *result = builder.CreateInsertValue(PoisonValue::get(pair), first, 0);
    return builder.CreateInsertValue(result, second, 1);
  }
  if (type->isPointerTy())
    return builder.CreateAddrSpaceCast(value, type);
  value = builder.CreateTrunc(value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateBitCast(value, type);
}

Value *Lowering::callLibrary(IRBuilder<> &builder, StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Value *> packed;
  SmallVector<Type *> types;
  for (Value *argument : arguments) {
    packed.push_back(pack(builder, argument));
    types.push_back(packed.back()->getType());
  }
  Type *travel = result->isVoidTy() ? result : travelType(result);
  auto *type = FunctionType::get(travel, types, false);
  CallInst *call = builder.CreateCall(module.getOrInsertFunction(name, type), packed);
  call->addFnAttr(Attribute::NoMerge);
  return result->isVoidTy() ? call : unpack(builder, call, result);
}

Constant *Lowering::text(StringRef characters) {
  Constant *&known = texts[characters];
  if (known)
    return known;
  Constant *data = ConstantDataArray::getString(context, characters);
  auto *global = new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data, "gpuad.text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return known = global;
}

Constant *Lowering::site(const Instruction &where, StringRef what) {
  Type *pointer = PointerType::get(context, 0), *word = Type::getInt32Ty(context);
  auto *type = StructType::get(context, {pointer, pointer, pointer, word, word});
  std::string file;
  unsigned line = 0;
  if (const DILocation *location = userLocation(where)) {
    file = location->getFilename().str();
    line = location->getLine();
  }
  Constant *value =
      ConstantStruct::get(type, {text(what), text(file), text(demangle(where.getFunction()->getName().str())),
                                 ConstantInt::get(word, line), ConstantInt::get(word, 0)});
  // Its address is its identity, so it must not be merged with an equal one: no unnamed_addr.
  return new GlobalVariable(module, type, true, GlobalValue::InternalLinkage, value, "gpuad.site");
}

Value *Lowering::threadField(IRBuilder<> &builder, unsigned offset, unsigned bits) {
  Constant *state = module.getOrInsertGlobal("gpuad_thread", ArrayType::get(builder.getInt8Ty(), 112));
  Value *address = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), state, offset);
  LoadInst *load = builder.CreateAlignedLoad(builder.getIntNTy(bits), address, Align(bits / 8));
  // While a function runs, its thread stays the same: the scheduler restores the state at each switch.
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  return load;
}

} // namespace gpuad::cpucc
