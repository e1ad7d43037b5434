/// \file
/// PTX: branches, operations at which threads wait, and what the device library does.

#include "PtxTranslate.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuad::cpucc {

bool PtxTranslator::emitControl(const PtxStatement &s) {
  StringRef name = s.words[0];
  if (name == "bra") {
    BasicBlock *target = s.operands.empty() ? nullptr : labels.lookup(s.operands[0].text);
    if (!target)
      return false;
    builder.CreateBr(target);
    builder.SetInsertPoint(block("ptx.after"));
    return true;
  }
  if (name == "exit" || name == "trap" || name == "brkpt") {
    lowering.callLibrary(builder, name == "exit" ? "gpuad_exit_thread" : "gpuad_trap", builder.getVoidTy(),
                         name == "exit" ? ArrayRef<Value *>() : ArrayRef<Value *>(lowering.text("trap in inline PTX")));
    builder.CreateUnreachable();
    builder.SetInsertPoint(block("ptx.after"));
    return true;
  }
  if (name == "membar" || name == "fence") {
    if (s.has("proxy") || s.has("mbarrier_init"))
      return true;
    if (lowering.strict)
      lowering.callLibrary(builder, "gpuad_fence", builder.getVoidTy(), {});
    lowering.callLibrary(builder, "gpuad_poll_if", builder.getVoidTy(),
                         {lowering.site(*call, "a fence"), builder.getTrue()});
    return true;
  }
  if (name == "isspacep") {
    Value *value = readBits(s.operands[1], 64, false);
    if (!value || s.words.size() < 2)
      return false;
    value = builder.CreateIntToPtr(value, builder.getPtrTy());
    value = lowering.callLibrary(builder, "gpuad_nvvm_isspacep_" + s.words[1], builder.getInt1Ty(), {value});
    writeBits(s.operands[0], value, false);
    return true;
  }
  // Hints, and copies that are done at once
  return name == "prefetch" || name == "prefetchu" || name == "discard" || name == "applypriority" ||
         (name == "cp" && s.has("async") && (s.has("commit_group") || s.has("wait_group") || s.has("wait_all")));
}

bool PtxTranslator::emitBarrier(const PtxStatement &s) {
  std::string kind = s.has("sync") ? "sync" : s.has("arrive") ? "arrive" : s.has("red") ? "red" : "";
  if (kind.empty() || s.has("cluster"))
    return false;
  SmallVector<Value *> arguments = {lowering.site(*call, "bar." + kind)};
  bool isReduction = kind == "red";
  size_t first = isReduction ? 1 : 0, last = s.operands.size() - (isReduction ? 1 : 0);
  for (size_t i = first; i < last; ++i)
    arguments.push_back(readBits(s.operands[i], 32, false));
  bool counted = last - first > 1;
  std::string target = "gpuad_nvvm_barrier_cta_" + kind;
  if (isReduction) {
    arguments.push_back(readBits(s.operands.back(), 1, false));
    target += s.has("popc") ? "_popc" : s.has("and") ? "_and" : "_or";
  }
  if (is_contained(arguments, nullptr))
    return false;
  target += counted || kind == "arrive" ? "_count" : "_all";
  Value *result =
      lowering.callLibrary(builder, target, isReduction ? builder.getInt32Ty() : builder.getVoidTy(), arguments);
  if (isReduction)
    writeBits(s.operands[0], result, false);
  return true;
}

bool PtxTranslator::emitWaiting(const PtxStatement &s) {
  StringRef name = s.words[0];
  Type *word = builder.getInt32Ty();
  Type *withPredicate = StructType::get(lowering.context, {word, builder.getInt1Ty()});
  if ((name == "bar" || name == "barrier") && s.has("warp")) {
    Value *mask = readBits(s.operands[0], 32, false);
    if (mask)
      lowering.callLibrary(builder, "gpuad_nvvm_bar_warp_sync", builder.getVoidTy(),
                           {lowering.site(*call, "bar.warp.sync"), mask});
    return mask != nullptr;
  }
  if (name == "bar" || name == "barrier")
    return emitBarrier(s);
  if (name != "shfl" && name != "vote" && name != "match" && name != "redux" && name != "activemask" &&
      name != "nanosleep")
    return false;
  SmallVector<Value *> arguments = {lowering.site(*call, join(s.words, "."))};
  std::string target = "gpuad_nvvm_" + name.str();
  if (name == "nanosleep") {
    lowering.callLibrary(builder, target, builder.getVoidTy(), {arguments[0], builder.getInt32(0)});
    return true;
  }
  if (name == "activemask") {
    writeBits(s.operands[0], lowering.callLibrary(builder, target, word, arguments), false);
    return true;
  }
  if (!s.has("sync") || s.operands.size() < 3)
    return false;
  PtxType type = parsePtxType(s.words.back());
  bool isLong = type.bits == 64, isPair = s.operands[0].kind == PtxOperand::Kind::Pair;
  Value *mask = readBits(s.operands.back(), 32, false);
  Value *value = readBits(s.operands[1], name == "vote" ? 1 : isLong ? 64 : 32, false);
  if (!mask || !value)
    return false;
  Type *result = word;
  if (name == "redux") {
    std::string operation = s.words[2];
    if (type.kind == 'u' && (operation == "min" || operation == "max"))
      operation = "u" + operation;
    target += "_sync_" + operation;
    arguments.append({value, mask});
  } else {
    arguments.append({mask, value});
    if (name == "vote") {
      target += "_" + s.words[s.words[1] == "sync" ? 2 : 1] + "_sync";
    } else if (name == "match") {
      bool all = s.has("all");
      target += std::string(all ? "_all" : "_any") + "_sync_" + (isLong ? "i64" : "i32") + (all ? "p" : "");
      result = all ? withPredicate : word;
    } else {
      target += "_sync_" + s.words[2] + "_i32p";
      result = withPredicate;
      arguments.append({readBits(s.operands[2], 32, false), readBits(s.operands[3], 32, false)});
    }
  }
  if (is_contained(arguments, nullptr))
    return false;
  Value *given = lowering.callLibrary(builder, target, result, arguments);
  const PtxOperand &first = isPair ? s.operands[0].parts[0] : s.operands[0];
  writeBits(first, result == word ? given : builder.CreateExtractValue(given, 0), false);
  if (isPair && result == withPredicate)
    writeBits(s.operands[0].parts[1], builder.CreateExtractValue(given, 1), false);
  return true;
}

/// gpuad_ptx_MNEMONIC of the device library: the first operand is the result, the others are the arguments, with the
/// types that the library's function has.
bool PtxTranslator::emitLibrary(const PtxStatement &s) {
  std::string target = "gpuad_ptx";
  for (StringRef word : s.words)
    if (word != "approx" && word != "ftz" && word != "full" && word != "rn" && word != "noftz" && word != "volatile")
      target += "_" + word.str();
  Function *function = library.getFunction(target);
  if (!function)
    return false;
  FunctionType *type = function->getFunctionType();
  bool hasResult = !type->getReturnType()->isVoidTy();
  if (s.operands.size() != type->getNumParams() + hasResult)
    return fail("operands of " + join(s.words, "."));
  SmallVector<Value *> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    Type *wanted = type->getParamType(i);
    const PtxOperand &operand = s.operands[i + hasResult];
    Value *value =
        operand.kind == PtxOperand::Kind::Memory
            ? address(operand)
            : readBits(operand, unsigned(wanted->isPointerTy() ? 64 : wanted->getPrimitiveSizeInBits()), false);
    if (!value)
      return false;
    if (wanted->isPointerTy() && !value->getType()->isPointerTy())
      value = builder.CreateIntToPtr(value, wanted);
    arguments.push_back(value->getType() == wanted ? value : builder.CreateBitCast(value, wanted));
  }
  Value *result = builder.CreateCall(lowering.module.getOrInsertFunction(target, type), arguments);
  if (hasResult) {
    unsigned bits = type->getReturnType()->getPrimitiveSizeInBits();
    writeBits(s.operands[0], builder.CreateBitCast(result, builder.getIntNTy(bits)), false);
  }
  return true;
}

} // namespace gpuad::cpucc
