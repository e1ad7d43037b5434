/// \file
/// PTX: moves, arithmetic, logic, comparisons.

#include "PtxTranslate.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace gpuad::cpucc {

/// The type that an instruction works on: its last word that is a type.
static PtxType lastType(const PtxStatement &s) {
  for (const std::string &word : reverse(s.words))
    if (PtxType type = parsePtxType(word))
      return type;
  return {};
}

bool PtxTranslator::emit(const PtxStatement &s) {
  PtxType type = lastType(s);
  StringRef name = s.words[0];
  if (name == "cvt")
    return emitConvert(s) || emitLibrary(s);
  if (name == "mov" || name == "cvta")
    return emitMove(s);
  if (name == "setp" || name == "set" || name == "selp")
    return emitCompare(s);
  if (name == "ld" || name == "ldu" || name == "st")
    return emitMemory(s, type);
  if (name == "atom" || name == "red")
    return emitAtomic(s, type);
  return emitControl(s) || emitWaiting(s) || emitArithmetic(s, type) || emitLibrary(s);
}

bool PtxTranslator::emitMove(const PtxStatement &s) {
  PtxType type = lastType(s);
  if (!type || s.operands.size() < 2)
    return false;
  Value *value = readBits(s.operands[1], type.width(), false);
  if (value)
    writeBits(s.operands[0], value, false);
  return value != nullptr;
}

bool PtxTranslator::emitArithmetic(const PtxStatement &s, PtxType type) {
  if (!type || s.operands.empty())
    return false;
  if (emitLogic(s, type))
    return true;
  return type.isReal() ? emitReal(s, type) : emitCarry(s, type) || emitInteger(s, type);
}

/// mul and the product in mad: lo, hi, or wide.
Value *PtxTranslator::multiply(const PtxStatement &s, PtxType type, PtxType *resultType) {
  Value *a = read(s.operands[1], type), *b = read(s.operands[2], type);
  if (!a || !b)
    return nullptr;
  *resultType = type;
  bool wide = s.has("wide"), high = s.has("hi");
  if (!wide && !high)
    return builder.CreateMul(a, b);
  Type *doubled = builder.getIntNTy(2 * type.bits);
  auto extend = [&](Value *v) {
    return type.isSigned() ? builder.CreateSExt(v, doubled) : builder.CreateZExt(v, doubled);
  };
  Value *product = builder.CreateMul(extend(a), extend(b));
  if (wide) {
    resultType->bits *= 2;
    return product;
  }
  return builder.CreateTrunc(builder.CreateLShr(product, type.bits), type.toLlvm(lowering.context));
}

/// add.cc, addc, sub.cc, subc, mad.lo.cc, madc: sums through the carry flag.
bool PtxTranslator::emitCarry(const PtxStatement &s, PtxType type) {
  StringRef name = s.words[0];
  bool reads = name == "addc" || name == "subc" || name == "madc", writes = s.has("cc");
  bool isSub = name.starts_with("sub"), isMad = name.starts_with("mad");
  if ((!reads && !writes) || !(isSub || isMad || name.starts_with("add")) || type.lanes != 1)
    return false;
  PtxType resultType = type;
  Value *a = isMad ? multiply(s, type, &resultType) : read(s.operands[1], type);
  Value *b = read(s.operands[isMad ? 3 : 2], resultType);
  if (!a || !b)
    return false;
  Type *wider = builder.getIntNTy(resultType.bits + 1);
  PtxOperand flag;
  flag.text = ".carry";
  slot(flag.text, 1);
  Value *carry = reads ? builder.CreateZExt(readBits(flag, 1, false), wider) : ConstantInt::get(wider, 0);
  a = builder.CreateZExt(a, wider);
  b = builder.CreateZExt(b, wider);
  Value *sum =
      isSub ? builder.CreateSub(builder.CreateSub(a, b), carry) : builder.CreateAdd(builder.CreateAdd(a, b), carry);
  if (writes)
    writeBits(flag, builder.CreateTrunc(builder.CreateLShr(sum, resultType.bits), builder.getInt1Ty()), false);
  write(s.operands[0], builder.CreateTrunc(sum, resultType.toLlvm(lowering.context)), resultType);
  return true;
}

bool PtxTranslator::emitInteger(const PtxStatement &s, PtxType type) {
  StringRef name = s.words[0];
  if (s.operands.size() < 2 || type.kind == 'p')
    return false;
  if (name == "mul" || name == "mad") {
    if (type.lanes != 1 || s.operands.size() < (name == "mad" ? 4u : 3u))
      return false;
    PtxType resultType;
    Value *product = multiply(s, type, &resultType);
    if (product && name == "mad") {
      Value *c = read(s.operands[3], resultType);
      product = c ? builder.CreateAdd(product, c) : nullptr;
    }
    if (product)
      write(s.operands[0], product, resultType);
    return product != nullptr;
  }
  Value *a = read(s.operands[1], type), *b = s.operands.size() > 2 ? read(s.operands[2], type) : nullptr;
  if (!a)
    return false;
  Value *zero = Constant::getNullValue(a->getType()), *result = nullptr;
  bool isSigned = type.isSigned();
  if (name == "neg")
    result = builder.CreateNeg(a);
  else if (name == "abs")
    result = builder.CreateBinaryIntrinsic(Intrinsic::abs, a, builder.getFalse());
  else if (!b)
    return false;
  else if (name == "add" && s.has("sat"))
    result = builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, a, b);
  else if (name == "sub" && s.has("sat"))
    result = builder.CreateBinaryIntrinsic(Intrinsic::ssub_sat, a, b);
  else if (name == "add")
    result = builder.CreateAdd(a, b);
  else if (name == "sub")
    result = builder.CreateSub(a, b);
  else if (name == "div")
    result = isSigned ? builder.CreateSDiv(a, b) : builder.CreateUDiv(a, b);
  else if (name == "rem")
    result = isSigned ? builder.CreateSRem(a, b) : builder.CreateURem(a, b);
  else if (name == "min")
    result = builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smin : Intrinsic::umin, a, b);
  else if (name == "max")
    result = builder.CreateBinaryIntrinsic(isSigned ? Intrinsic::smax : Intrinsic::umax, a, b);
  if (!result)
    return false;
  if (s.has("relu"))
    result = builder.CreateBinaryIntrinsic(Intrinsic::smax, result, zero);
  write(s.operands[0], result, type);
  return true;
}

/// .sat of real results: between 0 and 1, and 0 for NaN.
Value *PtxTranslator::clampedToOne(Value *value, PtxType type) {
  Type *llvm = type.toLlvm(lowering.context);
  value = builder.CreateMaxNum(value, ConstantFP::get(llvm, 0.0));
  return builder.CreateMinNum(value, ConstantFP::get(llvm, 1.0));
}

bool PtxTranslator::emitReal(const PtxStatement &s, PtxType type) {
  // Directed rounding is for the library.
  for (StringRef direction : {"rz", "rm", "rp"})
    if (s.has(direction))
      return false;
  StringRef name = s.words[0];
  SmallVector<Value *, 3> v;
  for (unsigned i = 1; i < s.operands.size() && i < 4; ++i)
    v.push_back(read(s.operands[i], type));
  if (v.empty() || is_contained(v, nullptr))
    return false;
  Value *result = nullptr;
  bool exact = s.has("NaN");
  if (name == "neg" && v.size() == 1)
    result = builder.CreateFNeg(v[0]);
  else if (name == "abs" && v.size() == 1)
    result = builder.CreateUnaryIntrinsic(Intrinsic::fabs, v[0]);
  else if (name == "sqrt" && v.size() == 1 && type.lanes == 1)
    result = builder.CreateUnaryIntrinsic(Intrinsic::sqrt, v[0]);
  else if (name == "add" && v.size() == 2)
    result = builder.CreateFAdd(v[0], v[1]);
  else if (name == "sub" && v.size() == 2)
    result = builder.CreateFSub(v[0], v[1]);
  else if (name == "mul" && v.size() == 2)
    result = builder.CreateFMul(v[0], v[1]);
  else if (name == "div" && v.size() == 2)
    result = builder.CreateFDiv(v[0], v[1]);
  else if ((name == "fma" || name == "mad") && v.size() == 3)
    result = builder.CreateIntrinsic(v[0]->getType(), Intrinsic::fma, v);
  else if (name == "min" && v.size() == 2 && !s.has("xorsign"))
    result = builder.CreateBinaryIntrinsic(exact ? Intrinsic::minimum : Intrinsic::minnum, v[0], v[1]);
  else if (name == "max" && v.size() == 2 && !s.has("xorsign"))
    result = builder.CreateBinaryIntrinsic(exact ? Intrinsic::maximum : Intrinsic::maxnum, v[0], v[1]);
  else if (name == "rcp" && v.size() == 1)
    result = builder.CreateFDiv(ConstantFP::get(v[0]->getType(), 1.0), v[0]);
  else if (name == "copysign" && v.size() == 2)
    result = builder.CreateBinaryIntrinsic(Intrinsic::copysign, v[1], v[0]);
  if (!result)
    return false;
  if (s.has("sat"))
    result = clampedToOne(result, type);
  if (s.has("relu"))
    result = builder.CreateMaxNum(result, Constant::getNullValue(result->getType()));
  write(s.operands[0], result, type);
  return true;
}

/// bmsk: `count` ones from bit `from` up; beyond bit 31 there are none, or both numbers are taken modulo 32.
bool PtxTranslator::emitMask(const PtxStatement &s) {
  Value *from = readBits(s.operands[1], 32, false), *count = readBits(s.operands[2], 32, false);
  if (!from || !count)
    return false;
  auto wide = [&](Value *v) {
    Value *last = builder.getInt32(s.has("wrap") ? 31 : 32);
    Value *amount = s.has("wrap")
                        ? builder.CreateAnd(v, last)
                        : builder.CreateSelect(builder.CreateICmpUGT(v, last), last, v); // 64 bits hold a shift by 32
    return builder.CreateZExt(amount, builder.getInt64Ty());
  };
  Value *one = builder.getInt64(1);
  Value *ones = builder.CreateSub(builder.CreateShl(one, wide(count)), one);
  writeBits(s.operands[0], builder.CreateTrunc(builder.CreateShl(ones, wide(from)), builder.getInt32Ty()), false);
  return true;
}

bool PtxTranslator::emitLogic(const PtxStatement &s, PtxType type) {
  StringRef name = s.words[0];
  if (name == "bmsk")
    return emitMask(s);
  if (name != "and" && name != "or" && name != "xor" && name != "not" && name != "shl" && name != "shr")
    return false;
  Value *a = readBits(s.operands[1], type.width(), type.isSigned()), *result = nullptr;
  if (!a)
    return false;
  if (name == "not") {
    writeBits(s.operands[0], builder.CreateNot(a), false);
    return true;
  }
  if (name == "shl" || name == "shr") { // amounts beyond the width give what shifting one by one would
    Value *amount = readBits(s.operands[2], 32, false);
    if (!amount)
      return false;
    Value *limit = builder.getInt32(type.bits - 1);
    Value *tooFar = builder.CreateICmpUGT(amount, limit);
    Value *clamped = builder.CreateZExtOrTrunc(builder.CreateSelect(tooFar, limit, amount), a->getType());
    if (name == "shr" && type.isSigned())
      result = builder.CreateAShr(a, clamped);
    else
      result = builder.CreateSelect(tooFar, ConstantInt::get(a->getType(), 0),
                                    name == "shl" ? builder.CreateShl(a, clamped) : builder.CreateLShr(a, clamped));
    writeBits(s.operands[0], result, type.isSigned());
    return true;
  }
  Value *b = readBits(s.operands[2], type.width(), type.isSigned());
  if (!b)
    return false;
  result = name == "and" ? builder.CreateAnd(a, b) : name == "or" ? builder.CreateOr(a, b) : builder.CreateXor(a, b);
  writeBits(s.operands[0], result, false);
  return true;
}

Value *PtxTranslator::compare(const PtxStatement &s, PtxType type, Value *a, Value *b) {
  StringRef how = s.words[1];
  if (type.isReal()) {
    auto predicate = StringSwitch<CmpInst::Predicate>(how)
                         .Case("eq", CmpInst::FCMP_OEQ)
                         .Case("ne", CmpInst::FCMP_ONE)
                         .Case("lt", CmpInst::FCMP_OLT)
                         .Case("le", CmpInst::FCMP_OLE)
                         .Case("gt", CmpInst::FCMP_OGT)
                         .Case("ge", CmpInst::FCMP_OGE)
                         .Case("equ", CmpInst::FCMP_UEQ)
                         .Case("neu", CmpInst::FCMP_UNE)
                         .Case("ltu", CmpInst::FCMP_ULT)
                         .Case("leu", CmpInst::FCMP_ULE)
                         .Case("gtu", CmpInst::FCMP_UGT)
                         .Case("geu", CmpInst::FCMP_UGE)
                         .Case("num", CmpInst::FCMP_ORD)
                         .Case("nan", CmpInst::FCMP_UNO)
                         .Default(CmpInst::BAD_FCMP_PREDICATE);
    return predicate == CmpInst::BAD_FCMP_PREDICATE ? nullptr : builder.CreateFCmp(predicate, a, b);
  }
  bool isSigned = type.isSigned();
  auto predicate = StringSwitch<CmpInst::Predicate>(how)
                       .Case("eq", CmpInst::ICMP_EQ)
                       .Case("ne", CmpInst::ICMP_NE)
                       .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
                       .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
                       .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
                       .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                       .Case("lo", CmpInst::ICMP_ULT)
                       .Case("ls", CmpInst::ICMP_ULE)
                       .Case("hi", CmpInst::ICMP_UGT)
                       .Case("hs", CmpInst::ICMP_UGE)
                       .Default(CmpInst::BAD_ICMP_PREDICATE);
  return predicate == CmpInst::BAD_ICMP_PREDICATE ? nullptr : builder.CreateICmp(predicate, a, b);
}

/// setp gives predicates, set a number (all ones or 1.0), selp chooses.
bool PtxTranslator::emitCompare(const PtxStatement &s) {
  PtxType type = lastType(s);
  if (!type || s.operands.size() < 3)
    return false;
  Value *a = read(s.operands[1], type), *b = read(s.operands[2], type);
  if (!a || !b)
    return false;
  if (s.words[0] == "selp") {
    Value *condition = s.operands.size() > 3 ? readBits(s.operands[3], 1, false) : nullptr;
    if (condition)
      write(s.operands[0], builder.CreateSelect(condition, a, b), type);
    return condition != nullptr;
  }
  Value *result = compare(s, type, a, b);
  if (!result)
    return false;
  if (s.operands.size() > 3) { // combined with a further predicate
    Value *c = readBits(s.operands[3], 1, false);
    if (!c || type.lanes != 1)
      return false;
    result = s.has("and")  ? builder.CreateAnd(result, c)
             : s.has("or") ? builder.CreateOr(result, c)
                           : builder.CreateXor(result, c);
  }
  if (s.words[0] == "set") {
    PtxType target = parsePtxType(s.words[s.words.size() - 2]);
    if (!target)
      return false;
    Type *llvm = target.toLlvm(lowering.context);
    Value *number = target.isReal() ? builder.CreateUIToFP(result, llvm) : builder.CreateSExt(result, llvm);
    write(s.operands[0], number, target);
    return true;
  }
  if (s.operands[0].kind != PtxOperand::Kind::Pair) {
    writeBits(s.operands[0], result, false);
    return true;
  }
  // p|q: of two lanes each its own, of one lane the second is the opposite
  Value *first = type.lanes == 2 ? builder.CreateExtractElement(result, uint64_t(0)) : result;
  Value *second = type.lanes == 2 ? builder.CreateExtractElement(result, uint64_t(1)) : builder.CreateNot(result);
  writeBits(s.operands[0].parts[0], first, false);
  writeBits(s.operands[0].parts[1], second, false);
  return true;
}

} // namespace gpuad::cpucc
