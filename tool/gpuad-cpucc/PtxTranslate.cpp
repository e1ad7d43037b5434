#include "PtxTranslate.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuad::cpucc {

PtxType parsePtxType(StringRef word) {
  PtxType result;
  if (word == "pred")
    return {'p', 1, 1};
  StringRef text = word;
  if (text.consume_back("x2"))
    result.lanes = 2;
  char kind = 0;
  if (text.consume_front("bf"))
    kind = 'B';
  else if (!text.empty() && StringRef("bsuf").contains(text[0])) {
    kind = text[0];
    text = text.drop_front();
  }
  unsigned bits = 0;
  if (!kind || text.getAsInteger(10, bits) || (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return {};
  if ((kind == 'B' && bits != 16) || (kind == 'f' && bits == 8))
    return {};
  result.kind = kind;
  result.bits = bits;
  return result;
}

Type *PtxType::toLlvm(LLVMContext &context) const {
  Type *element = IntegerType::get(context, bits);
  if (kind == 'B')
    element = Type::getBFloatTy(context);
  else if (kind == 'f')
    element = bits == 16   ? Type::getHalfTy(context)
              : bits == 32 ? Type::getFloatTy(context)
                           : Type::getDoubleTy(context);
  return lanes == 1 ? element : FixedVectorType::get(element, lanes);
}

bool PtxTranslator::fail(const Twine &message) {
  if (why.empty())
    why = message.str();
  return false;
}

PtxTranslator::Slot &PtxTranslator::slot(const std::string &name, unsigned bits) {
  auto [place, isNew] = slots.try_emplace(name, Slot{nullptr, bits});
  if (isNew || (bits && place->second.bits != bits)) {
    IRBuilder<> entry(&*call->getFunction()->getEntryBlock().getFirstInsertionPt());
    place->second = {entry.CreateAlloca(entry.getIntNTy(bits), nullptr, "ptx." + name), bits};
  }
  return place->second;
}

/// Binds $0, $1, ... : outputs first, then inputs. A tied input is an output's first value.
bool PtxTranslator::bindOperands() {
  auto *assembly = cast<InlineAsm>(call->getCalledOperand());
  InlineAsm::ConstraintInfoVector constraints = assembly->ParseConstraints();
  Type *result = call->getType();
  unsigned output = 0, input = 0, number = 0;
  for (const InlineAsm::ConstraintInfo &constraint : constraints) {
    if (constraint.Type == InlineAsm::isClobber)
      continue;
    if (constraint.isIndirect)
      return fail("a memory operand of inline PTX");
    std::string name = "$" + std::to_string(number++);
    if (constraint.Type == InlineAsm::isOutput) {
      auto *record = dyn_cast<StructType>(result);
      Type *type = record ? record->getElementType(output) : result;
      ++output;
      slot(name, unsigned(call->getModule()->getDataLayout().getTypeSizeInBits(type)));
      outputs.push_back(name);
      continue;
    }
    Value *value = call->getArgOperand(input++);
    auto bits = unsigned(call->getModule()->getDataLayout().getTypeSizeInBits(value->getType()));
    if (value->getType()->isPointerTy())
      value = builder.CreatePtrToInt(value, builder.getIntNTy(bits));
    else if (!value->getType()->isIntegerTy())
      value = builder.CreateBitCast(value, builder.getIntNTy(bits));
    const std::string *target = &name;
    StringRef code = constraint.Codes.empty() ? "" : StringRef(constraint.Codes[0]);
    unsigned tied = 0;
    if (!code.getAsInteger(10, tied) && tied < outputs.size())
      target = &outputs[tied];
    builder.CreateStore(value, slot(*target, bits).memory);
    if (target != &name)
      slots[name] = slots[*target];
  }
  return true;
}

BasicBlock *PtxTranslator::block(const Twine &name) {
  return BasicBlock::Create(lowering.context, name, call->getFunction(), after);
}

void PtxTranslator::makeBlocks(const std::vector<PtxStatement> &statements) {
  BasicBlock *before = call->getParent();
  after = SplitBlock(before, call);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  for (const PtxStatement &s : statements)
    if (s.kind == PtxStatement::Kind::Label)
      labels[s.names[0]] = block("ptx." + s.names[0]);
}

void PtxTranslator::statement(const PtxStatement &s) {
  if (s.kind == PtxStatement::Kind::Label) {
    builder.CreateBr(labels[s.names[0]]);
    builder.SetInsertPoint(labels[s.names[0]]);
    return;
  }
  if (s.kind == PtxStatement::Kind::Declaration) {
    PtxType type = parsePtxType(s.words[0]);
    if (!type)
      return void(fail("." + s.words[0]));
    for (const std::string &name : s.names)
      slot(name, type.width());
    return;
  }
  BasicBlock *next = nullptr;
  if (!s.predicate.empty()) {
    PtxOperand predicate;
    predicate.text = s.predicate;
    Value *condition = readBits(predicate, 1, false);
    if (!condition)
      return;
    BasicBlock *body = block("ptx.then");
    next = block("ptx.next");
    builder.CreateCondBr(condition, s.predicateNegated ? next : body, s.predicateNegated ? body : next);
    builder.SetInsertPoint(body);
  }
  if (!emit(s))
    fail(join(s.words, "."));
  if (!next)
    return;
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
}

void PtxTranslator::finish() {
  builder.CreateBr(after);
  builder.SetInsertPoint(call);
  SmallVector<Value *> values;
  auto *record = dyn_cast<StructType>(call->getType());
  for (unsigned i = 0; i < outputs.size(); ++i) {
    const Slot &source = slots[outputs[i]];
    Type *type = record ? record->getElementType(i) : call->getType();
    values.push_back(builder.CreateLoad(type, source.memory));
  }
  if (record) {
    Value *all = PoisonValue::get(record);
    for (unsigned i = 0; i < values.size(); ++i)
      all = builder.CreateInsertValue(all, values[i], i);
    call->replaceAllUsesWith(all);
  } else if (!values.empty()) {
    call->replaceAllUsesWith(values[0]);
  }
  call->eraseFromParent();
}

bool PtxTranslator::run() {
  auto *assembly = cast<InlineAsm>(call->getCalledOperand());
  std::optional<std::vector<PtxStatement>> statements = parsePtx(assembly->getAsmString());
  if (!statements)
    return fail("text that is not understood");
  if (!bindOperands())
    return false;
  makeBlocks(*statements);
  for (const PtxStatement &s : *statements)
    statement(s);
  if (!why.empty()) {
    builder.CreateBr(after);
    return false;
  }
  finish();
  return true;
}

// ---- operands

Value *PtxTranslator::constant(const PtxOperand &operand, unsigned bits) {
  if (operand.kind == PtxOperand::Kind::Integer)
    return ConstantInt::get(builder.getIntNTy(bits), uint64_t(operand.integer), false, true);
  APFloat value(operand.real);
  bool loses = false;
  if (bits == 32)
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  return ConstantInt::get(lowering.context, value.bitcastToAPInt().zextOrTrunc(bits));
}

/// An operand as an integer of so many bits.
Value *PtxTranslator::readBits(const PtxOperand &operand, unsigned bits, bool isSigned) {
  if (operand.kind == PtxOperand::Kind::Integer || operand.kind == PtxOperand::Kind::Real)
    return constant(operand, bits);
  if (operand.kind == PtxOperand::Kind::List) { // {low, high}
    unsigned part = bits / unsigned(operand.parts.size());
    Value *sum = builder.getIntN(bits, 0);
    for (unsigned i = 0; i < operand.parts.size(); ++i) {
      Value *value = readBits(operand.parts[i], part, false);
      if (!value)
        return nullptr;
      value = builder.CreateShl(builder.CreateZExt(value, builder.getIntNTy(bits)), i * part);
      sum = builder.CreateOr(sum, value);
    }
    return sum;
  }
  if (operand.kind != PtxOperand::Kind::Name) {
    fail("an operand that is not understood");
    return nullptr;
  }
  auto known = slots.find(operand.text);
  if (known == slots.end()) {
    StringRef name = operand.text;
    Value *value = nullptr;
    if (name.consume_front("%") || name == "WARP_SZ")
      value = readSpecialRegister(lowering, builder, name, builder.getIntNTy(bits));
    if (!value)
      fail("register " + operand.text);
    return value;
  }
  Value *value = builder.CreateLoad(builder.getIntNTy(known->second.bits), known->second.memory);
  Type *wanted = builder.getIntNTy(bits);
  value = isSigned ? builder.CreateSExtOrTrunc(value, wanted) : builder.CreateZExtOrTrunc(value, wanted);
  return operand.negated ? builder.CreateNot(value) : value;
}

Value *PtxTranslator::read(const PtxOperand &operand, PtxType type) {
  if (type.kind == 'f' && type.bits == 16 && type.lanes == 1 && operand.kind == PtxOperand::Kind::Real)
    return ConstantFP::get(builder.getHalfTy(), operand.real);
  Value *value = readBits(operand, type.width(), type.isSigned() && type.lanes == 1);
  Type *wanted = type.toLlvm(lowering.context);
  return !value || value->getType() == wanted ? value : builder.CreateBitCast(value, wanted);
}

void PtxTranslator::writeBits(const PtxOperand &operand, Value *bits, bool isSigned) {
  if (operand.kind == PtxOperand::Kind::List) {
    unsigned width = bits->getType()->getIntegerBitWidth(), part = width / unsigned(operand.parts.size());
    for (unsigned i = 0; i < operand.parts.size(); ++i)
      writeBits(operand.parts[i], builder.CreateTrunc(builder.CreateLShr(bits, i * part), builder.getIntNTy(part)),
                false);
    return;
  }
  if (operand.kind != PtxOperand::Kind::Name)
    return void(fail("a result that is not a register"));
  if (operand.text == "_")
    return;
  auto known = slots.find(operand.text);
  if (known == slots.end())
    return void(fail("register " + operand.text));
  Type *wanted = builder.getIntNTy(known->second.bits);
  bits = isSigned ? builder.CreateSExtOrTrunc(bits, wanted) : builder.CreateZExtOrTrunc(bits, wanted);
  builder.CreateStore(bits, known->second.memory);
}

void PtxTranslator::write(const PtxOperand &operand, Value *value, PtxType type) {
  Type *bits = builder.getIntNTy(type.width());
  if (value->getType() != bits)
    value = builder.CreateBitCast(value, bits);
  writeBits(operand, value, type.isSigned());
}

Value *PtxTranslator::address(const PtxOperand &operand) {
  if (operand.kind != PtxOperand::Kind::Memory) {
    fail("an address that is not understood");
    return nullptr;
  }
  Value *base = readBits(operand.parts[0], 64, false);
  if (!base)
    return nullptr;
  if (operand.integer)
    base = builder.CreateAdd(base, builder.getInt64(uint64_t(operand.integer)));
  return builder.CreateIntToPtr(base, builder.getPtrTy());
}

void lowerInlineAssembly(Lowering &lowering, const Module &library) {
  SmallVector<CallInst *> calls;
  for (Function &function : lowering.module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
        calls.push_back(call);
  for (CallInst *call : calls) {
    auto *assembly = cast<InlineAsm>(call->getCalledOperand());
    if (StringRef(assembly->getAsmString()).trim().empty()) {
      if (call->getType()->isVoidTy())
        call->eraseFromParent(); // a barrier for the compiler only
      else if (call->arg_size() == 1 && call->getType() == call->getArgOperand(0)->getType()) {
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      }
      continue;
    }
    PtxTranslator translator(lowering, library, call);
    if (!translator.run())
      lowering.refuse(*call, "inline PTX does not run on the CPU: " + translator.problem());
  }
}

} // namespace gpuad::cpucc
