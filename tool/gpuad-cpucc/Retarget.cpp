/// \file
/// The order of the retarget pass.

#include "Retarget.h"
#include "ImageTables.h"
#include "Instrument.h"
#include "Lowering.h"
#include "PtxTranslate.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

std::vector<Function *> takeKernels(Module &module) {
  std::vector<Function *> kernels;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel && !function.isDeclaration()) {
      function.setCallingConv(CallingConv::C);
      function.removeFnAttr(Attribute::NoInline); // for its trampoline
      kernels.push_back(&function);
    }
  for (Function &function : module) // a kernel that starts a kernel would be found here; declarations are harmless
    if (function.getCallingConv() != CallingConv::C)
      function.setCallingConv(CallingConv::C);
  return kernels;
}

/// Drops the functions that no kernel reaches, so that they are not refused for what they use.
void dropUnused(Module &module, ArrayRef<Function *> kernels) {
  SmallPtrSet<const GlobalValue *, 32> kept(kernels.begin(), kernels.end());
  internalizeModule(module, [&](const GlobalValue &value) { return kept.contains(&value) || !isa<Function>(value); });
  ModuleAnalysisManager analyses;
  GlobalDCEPass().run(module, analyses);
}

/// Puts the inline functions of the toolkit's headers into their callers, so that what they do is told with the line of
/// the user who called them.
void inlineToolkitFunctions(Module &module) {
  for (Function &function : module) {
    const DISubprogram *program = function.getSubprogram();
    if (!program || function.isDeclaration() || !isToolkitFile(program->getFilename()))
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }
  FunctionAnalysisManager functionAnalyses; // outlives the other, which refers to it
  ModuleAnalysisManager analyses;
  PassBuilder builder;
  builder.registerModuleAnalyses(analyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  analyses.registerPass([&] { return FunctionAnalysisManagerModuleProxy(functionAnalyses); });
  functionAnalyses.registerPass([&] { return ModuleAnalysisManagerFunctionProxy(analyses); });
  AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses);
}

void toHostTarget(Module &module, const Module &library) {
  module.setTargetTriple(library.getTargetTriple());
  module.setDataLayout(library.getDataLayout());
  for (NamedMDNode &node : make_early_inc_range(module.named_metadata()))
    if (node.getName().starts_with("nvvm"))
      module.eraseNamedMetadata(&node);
  for (Function &function : module) {
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "uniform-work-group-size",
                                "stack-protector-buffer-size"})
      function.removeFnAttr(attribute);
    function.removeFnAttr(Attribute::NoRecurse);
    if (function.isDeclaration()) {
      function.setDSOLocal(false);
    } else if (!function.hasLocalLinkage()) {
      function.setVisibility(GlobalValue::HiddenVisibility);
      function.setDSOLocal(true);
    }
    // Call sites name the convention too.
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        call->setCallingConv(CallingConv::C);
  }
}

/// Takes from the device library what the module calls, and keeps it internal so that it can be inlined.
bool linkLibrary(Module &module, std::unique_ptr<Module> library) {
  SmallVector<std::string> names;
  for (Function &function : *library)
    if (!function.isDeclaration())
      names.push_back(function.getName().str());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return false;
  for (StringRef name : names)
    if (Function *function = module.getFunction(name); function && !function->isDeclaration())
      function->setLinkage(GlobalValue::InternalLinkage);
  for (Function &function : module) // inlining needs equal features
    for (StringRef attribute : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(attribute);
  return true;
}

std::string moduleSuffix(const Module &module) {
  MD5::MD5Result hash = MD5::hash(arrayRefFromStringRef(module.getSourceFileName() + module.getModuleIdentifier()));
  return (".m" + Twine::utohexstr(hash.low())).str();
}

} // namespace

std::vector<std::string> retarget(Module &module, const RetargetOptions &options) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> library = parseIRFile(options.deviceLibrary, diagnostic, module.getContext());
  if (!library)
    return {"cannot read the device library " + options.deviceLibrary};
  Lowering lowering(module);
  lowering.strict = options.strict;
  std::vector<Function *> kernels = takeKernels(module);
  if (!options.relocatable)
    dropUnused(module, kernels);
  inlineToolkitFunctions(module);
  toHostTarget(module, *library);
  lowerInlineAssembly(lowering, *library);
  lowerIntrinsics(lowering);
  std::vector<DeviceVariable> variables = lowerGlobals(lowering, options.relocatable, moduleSuffix(module));
  if (options.strict)
    addStrictChecks(lowering);
  addPolls(lowering);
  lowerAtomics(lowering);
  lowerDebugInfo(lowering);
  if (!lowering.refusals.empty())
    return lowering.refusals;
  if (!linkLibrary(module, std::move(library)))
    return {"cannot link the device library " + options.deviceLibrary};
  addImageTables(lowering, kernels, variables, options);
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream))
    return {"internal error: the retargeted code is malformed: " + problem};
  return {};
}

} // namespace gpuad::cpucc
