/// \file
/// PTX: conversions. The type words are TO.FROM; rounding to integers is spelled rni, rzi, rmi, rpi.

#include "PtxTranslate.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

Intrinsic::ID roundingOf(const PtxStatement &s) {
  if (s.has("rni"))
    return Intrinsic::rint;
  if (s.has("rmi"))
    return Intrinsic::floor;
  if (s.has("rpi"))
    return Intrinsic::ceil;
  return s.has("rzi") ? Intrinsic::trunc : Intrinsic::not_intrinsic;
}

} // namespace

bool PtxTranslator::emitConvert(const PtxStatement &s) {
  for (StringRef direction : {"rz", "rm", "rp", "rna", "rs", "satfinite"})
    if (s.has(direction))
      return false; // the library has those
  SmallVector<PtxType, 2> types;
  for (const std::string &word : s.words)
    if (PtxType type = parsePtxType(word))
      types.push_back(type);
  if (types.size() != 2)
    return false;
  PtxType to = types[0], from = types[1];
  Type *target = to.toLlvm(lowering.context);
  if (to.lanes == 2) { // cvt.rn.f16x2.f32 d, high, low
    if (s.operands.size() != 3 || !to.isReal() || from.lanes != 1)
      return false;
    Value *high = read(s.operands[1], from), *low = read(s.operands[2], from);
    if (!high || !low)
      return false;
    Type *element = target->getScalarType();
    Value *pair =
        builder.CreateInsertElement(PoisonValue::get(target), builder.CreateFPTrunc(low, element), uint64_t(0));
    pair = builder.CreateInsertElement(pair, builder.CreateFPTrunc(high, element), uint64_t(1));
    if (s.has("relu"))
      pair = builder.CreateMaxNum(pair, Constant::getNullValue(target));
    write(s.operands[0], pair, to);
    return true;
  }
  Value *value = s.operands.size() == 2 && from.lanes == 1 ? read(s.operands[1], from) : nullptr;
  if (!value)
    return false;
  Intrinsic::ID rounding = roundingOf(s);
  if (from.isReal() && rounding != Intrinsic::not_intrinsic)
    value = builder.CreateUnaryIntrinsic(rounding, value);
  if (from.isReal() && to.isReal())
    value = to.bits == from.bits && to.kind != from.kind
                ? builder.CreateFPTrunc(builder.CreateFPExt(value, builder.getFloatTy()), target)
                : builder.CreateFPCast(value, target);
  else if (from.isReal())
    value = builder.CreateIntrinsic(to.isSigned() ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                    {target, value->getType()}, {value});
  else if (to.isReal())
    value = from.isSigned() ? builder.CreateSIToFP(value, target) : builder.CreateUIToFP(value, target);
  else if (s.has("sat"))
    return false;
  else
    value = from.isSigned() ? builder.CreateSExtOrTrunc(value, target) : builder.CreateZExtOrTrunc(value, target);
  if (to.isReal() && s.has("sat"))
    value = clampedToOne(value, to);
  if (to.isReal() && s.has("relu"))
    value = builder.CreateMaxNum(value, Constant::getNullValue(target));
  write(s.operands[0], value, to);
  return true;
}

} // namespace gpuad::cpucc
