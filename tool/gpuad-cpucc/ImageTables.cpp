#include "ImageTables.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

class TableBuilder {
public:
  TableBuilder(Lowering &lowering, ArrayRef<DeviceVariable> variables, const RetargetOptions &options)
      : lowering(lowering), module(lowering.module), context(lowering.context), variables(variables), options(options),
        pointer(PointerType::get(context, 0)), word(Type::getInt32Ty(context)), longWord(Type::getInt64Ty(context)) {}

  void run(ArrayRef<Function *> kernels) {
    for (const DeviceVariable &variable : variables)
      addVariable(variable);
    for (Function *kernel : kernels)
      addKernel(kernel);
    appendToCompilerUsed(module, kept);
    addImage();
  }

private:
  Constant *number(uint64_t value) { return ConstantInt::get(word, value); }

  GlobalVariable *entry(Constant *value, StringRef section) {
    auto *global = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value, section);
    global->setSection(section);
    global->setAlignment(Align(8));
    kept.push_back(global);
    return global;
  }

  void addVariable(const DeviceVariable &v) {
    auto *type = StructType::get(context, {pointer, pointer, longWord, word, word});
    Constant *value = ConstantStruct::get(type, {lowering.text(v.name), v.variable, ConstantInt::get(longWord, v.bytes),
                                                 number(v.space), number(v.variable->getAlign().valueOrOne().value())});
    entries[v.variable] = entry(value, "gpuad_variables");
    if (v.space == gpuadShared)
      noteUsers(v.variable, v.variable);
  }

  /// Which functions use a shared variable, also through constant expressions.
  void noteUsers(GlobalVariable *variable, Value *value) {
    for (User *user : value->users()) {
      if (auto *instruction = dyn_cast<Instruction>(user))
        sharedOf[instruction->getFunction()].insert(variable);
      else if (!isa<GlobalValue>(user))
        noteUsers(variable, user);
    }
  }

  /// void entry(void **arguments): calls the kernel with each argument read from where it points.
  Function *trampoline(Function *kernel) {
    auto *type = FunctionType::get(Type::getVoidTy(context), {pointer}, false);
    auto *function = Function::Create(type, GlobalValue::InternalLinkage, "gpuad_entry." + kernel->getName(), module);
    IRBuilder<> builder(BasicBlock::Create(context, "", function));
    SmallVector<Value *> arguments;
    for (Argument &parameter : kernel->args()) {
      Value *slot = builder.CreateConstInBoundsGEP1_32(pointer, function->getArg(0), parameter.getArgNo());
      Value *address = builder.CreateLoad(pointer, slot);
      bool byValue = parameter.hasByValAttr();
      arguments.push_back(byValue ? address : builder.CreateAlignedLoad(parameter.getType(), address, Align(1)));
    }
    CallInst *call = builder.CreateCall(kernel, arguments);
    for (Argument &parameter : kernel->args())
      if (parameter.hasByValAttr()) {
        unsigned i = parameter.getArgNo();
        call->addParamAttr(i, Attribute::getWithByValType(context, parameter.getParamByValType()));
        call->addParamAttr(i, Attribute::getWithAlignment(context, parameter.getParamAlign().valueOrOne()));
      }
    builder.CreateRetVoid();
    return function;
  }

  Constant *parameterSizes(Function *kernel) {
    const DataLayout &layout = module.getDataLayout();
    SmallVector<Constant *> sizes;
    for (Argument &parameter : kernel->args())
      sizes.push_back(number(
          layout.getTypeAllocSize(parameter.hasByValAttr() ? parameter.getParamByValType() : parameter.getType())));
    return hiddenArray(word, sizes);
  }

  Constant *hiddenArray(Type *element, ArrayRef<Constant *> values) {
    auto *type = ArrayType::get(element, values.size());
    return new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, values),
                              "gpuad.list");
  }

  /// Everything a kernel can call. False if that is not known.
  bool reach(Function *kernel, SetVector<Function *> &functions) {
    bool known = true;
    functions.insert(kernel);
    for (unsigned i = 0; i < functions.size(); ++i)
      for (Instruction &instruction : instructions(*functions[i])) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (!call || call->isInlineAsm())
          continue;
        Function *callee = call->getCalledFunction();
        if (!callee)
          known = false;
        else if (!callee->isDeclaration())
          functions.insert(callee);
        else if (options.relocatable && !callee->isIntrinsic() && !callee->getName().starts_with("gpuad_"))
          known = false;
      }
    return known;
  }

  Constant *sharedList(Function *kernel, bool *known) {
    SetVector<Function *> functions;
    *known = reach(kernel, functions);
    SetVector<GlobalVariable *> found;
    for (Function *function : functions)
      if (auto place = sharedOf.find(function); place != sharedOf.end())
        found.insert(place->second.begin(), place->second.end());
    SmallVector<Constant *> list;
    for (GlobalVariable *variable : found)
      list.push_back(entries[variable]);
    list.push_back(ConstantPointerNull::get(pointer));
    return hiddenArray(pointer, list);
  }

  static unsigned maxThreads(Function *kernel) {
    unsigned product = 1;
    StringRef text = kernel->getFnAttribute("nvvm.maxntid").getValueAsString();
    if (text.empty())
      return 0;
    while (!text.empty()) {
      auto [first, rest] = text.split(',');
      unsigned n = 1;
      first.trim().getAsInteger(10, n);
      product *= n;
      text = rest;
    }
    return product;
  }

  void addKernel(Function *kernel) {
    bool known = true;
    Constant *shared = sharedList(kernel, &known);
    auto *type = StructType::get(context, {pointer, pointer, pointer, pointer, word, word, word, word});
    entry(ConstantStruct::get(type, {lowering.text(kernel->getName()), trampoline(kernel), parameterSizes(kernel),
                                     shared, number(kernel->arg_size()), number(known ? 0 : gpuadKernelReachesUnknown),
                                     number(maxThreads(kernel)), number(options.registers.lookup(kernel->getName()))}),
          "gpuad_kernels");
  }

  /// An edge of a section, which the linker defines if any object has the section.
  Constant *edge(StringRef which, StringRef section) {
    auto *symbol = new GlobalVariable(module, Type::getInt8Ty(context), false, GlobalValue::ExternalWeakLinkage,
                                      nullptr, "__" + which + "_" + section);
    symbol->setVisibility(GlobalValue::HiddenVisibility);
    return symbol;
  }

  void addImage() {
    SmallVector<Constant *> fields;
    for (StringRef section : {"gpuad_kernels", "gpuad_variables", "gpuad_shared"})
      for (StringRef which : {"start", "stop"})
        fields.push_back(edge(which, section));
    fields.push_back(ConstantInt::get(longWord, options.strict ? gpuadImageStrict : 0));
    Constant *value = ConstantStruct::getAnon(context, fields);
    new GlobalVariable(module, value->getType(), true, GlobalValue::WeakODRLinkage, value, "gpuad_image");
  }

  Lowering &lowering;
  Module &module;
  LLVMContext &context;
  ArrayRef<DeviceVariable> variables;
  const RetargetOptions &options;
  PointerType *pointer;
  IntegerType *word, *longWord;
  SmallVector<GlobalValue *> kept;
  DenseMap<GlobalVariable *, GlobalVariable *> entries;
  MapVector<Function *, SetVector<GlobalVariable *>> sharedOf;
};

} // namespace

void addImageTables(Lowering &lowering, ArrayRef<Function *> kernels, ArrayRef<DeviceVariable> variables,
                    const RetargetOptions &options) {
  TableBuilder(lowering, variables, options).run(kernels);
}

} // namespace gpuad::cpucc
