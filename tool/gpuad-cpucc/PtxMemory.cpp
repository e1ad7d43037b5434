/// \file
/// PTX: loads, stores, atomics. They become ordinary IR, which the rest of the pass treats like that of C++.

#include "PtxTranslate.h"

using namespace llvm;

namespace gpuad::cpucc {

/// Release semantics count as a fence before the access.
static void noteRelease(Lowering &lowering, IRBuilder<> &builder, const PtxStatement &s) {
  if (lowering.strict && (s.has("release") || s.has("acq_rel")))
    lowering.callLibrary(builder, "gpuad_fence", builder.getVoidTy(), {});
}

bool PtxTranslator::emitMemory(const PtxStatement &s, PtxType type) {
  if (!type || s.operands.size() < 2 || s.has("async") || s.has("cluster"))
    return false;
  bool isStore = s.words[0] == "st";
  noteRelease(lowering, builder, s);
  const PtxOperand &place = s.operands[isStore ? 0 : 1], &data = s.operands[isStore ? 1 : 0];
  Value *pointer = address(place);
  if (!pointer)
    return false;
  unsigned count = s.has("v4") ? 4 : s.has("v2") ? 2 : s.has("v8") ? 8 : 1;
  bool isVolatile = false;
  for (StringRef word : {"volatile", "relaxed", "acquire", "release", "mmio"})
    isVolatile |= s.has(word);
  Align whole(std::max(1u, type.width() / 8 * count)), one(std::max(1u, type.width() / 8));
  bool isList = data.kind == PtxOperand::Kind::List;
  if (isList != (count > 1) || (isList && data.parts.size() != count))
    return false;
  for (unsigned i = 0; i < count; ++i) {
    Value *at = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, uint64_t(i) * type.width() / 8);
    const PtxOperand &element = isList ? data.parts[i] : data;
    Align align = i == 0 ? whole : one;
    if (isStore) {
      Value *value = readBits(element, type.width(), false);
      if (!value)
        return false;
      builder.CreateAlignedStore(value, at, align, isVolatile);
    } else {
      Value *value = builder.CreateAlignedLoad(builder.getIntNTy(type.width()), at, align, isVolatile);
      writeBits(element, value, type.isSigned());
    }
  }
  return true;
}

bool PtxTranslator::emitAtomic(const PtxStatement &s, PtxType type) {
  bool hasResult = s.words[0] == "atom";
  unsigned first = hasResult ? 1 : 0;
  if (!type || type.bits < 16 || s.operands.size() < first + 2 || s.has("v2") || s.has("v4") || s.has("v8"))
    return false;
  AtomicRMWInst::BinOp operation = AtomicRMWInst::BAD_BINOP;
  bool isSigned = type.isSigned(), isReal = type.isReal(), exchanges = s.has("cas");
  for (StringRef word : s.words)
    operation = StringSwitch<AtomicRMWInst::BinOp>(word)
                    .Case("add", isReal ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                    .Case("exch", AtomicRMWInst::Xchg)
                    .Case("min", isReal     ? AtomicRMWInst::FMin
                                 : isSigned ? AtomicRMWInst::Min
                                            : AtomicRMWInst::UMin)
                    .Case("max", isReal     ? AtomicRMWInst::FMax
                                 : isSigned ? AtomicRMWInst::Max
                                            : AtomicRMWInst::UMax)
                    .Case("and", AtomicRMWInst::And)
                    .Case("or", AtomicRMWInst::Or)
                    .Case("xor", AtomicRMWInst::Xor)
                    .Case("inc", AtomicRMWInst::UIncWrap)
                    .Case("dec", AtomicRMWInst::UDecWrap)
                    .Default(operation);
  Value *pointer = address(s.operands[first]), *value = read(s.operands[first + 1], type);
  if (!pointer || !value || (operation == AtomicRMWInst::BAD_BINOP && !exchanges))
    return false;
  Align align(type.width() / 8);
  Value *old = nullptr;
  noteRelease(lowering, builder, s);
  if (exchanges) {
    Value *stored = s.operands.size() > first + 2 ? read(s.operands[first + 2], type) : nullptr;
    if (!stored || isReal)
      return false;
    Value *both = builder.CreateAtomicCmpXchg(pointer, value, stored, align, AtomicOrdering::SequentiallyConsistent,
                                              AtomicOrdering::SequentiallyConsistent);
    old = builder.CreateExtractValue(both, 0);
  } else {
    old = builder.CreateAtomicRMW(operation, pointer, value, align, AtomicOrdering::SequentiallyConsistent);
  }
  if (hasResult)
    write(s.operands[0], old, type);
  return true;
}

} // namespace gpuad::cpucc
