#include "Locals.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuad::cpucc {
namespace {

bool isPattern(const Instruction &instruction) {
  const MDNode *notes = instruction.getMetadata(LLVMContext::MD_annotation);
  if (!notes)
    return false;
  for (const MDOperand &note : notes->operands())
    if (auto *text = dyn_cast<MDString>(note); text && text->getString() == "auto-init")
      return true;
  return false;
}

/// The headers of the toolkit copy values about that they did not fill.
bool isForeign(const Instruction &instruction) {
  const DILocation *location = instruction.getDebugLoc();
  if (!location)
    return true;
  StringRef file = location->getFilename();
  return isToolkitFile(file) || file.contains("/cub/") || file.contains("/thrust/") || file.contains("/cuda/");
}

/// Padding and flags are bytes; what one computes with is larger.
bool isFollowed(Type *type) {
  return type->isFloatTy() || type->isDoubleTy() || type->isPointerTy() || type->isIntegerTy(32) ||
         type->isIntegerTy(64);
}

AllocaInst *localOf(Value *pointer) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
}

} // namespace

void LocalTracker::beforePromotion() {
  SmallVector<StoreInst *> patterns;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction); store && isPattern(*store) && !isForeign(*store))
      if (auto *value = dyn_cast<Constant>(store->getValueOperand()); value && isFollowed(value->getType()))
        patterns.push_back(store);
  for (StoreInst *store : patterns) {
    IRBuilder<> builder(store);
    auto *pattern = cast<Constant>(store->getValueOperand());
    auto *type = FunctionType::get(pattern->getType(), false);
    std::string name;
    raw_string_ostream(name) << "gpuad.unwritten." << *pattern->getType();
    CallInst *mark = builder.CreateCall(lowering.module.getOrInsertFunction(name, type));
    store->setOperand(0, mark);
    marks.push_back({mark, pattern});
  }
}

void LocalTracker::afterPromotion() {
  markMemory();
  followRegisters();
  for (auto &[mark, pattern] : marks) {
    mark->replaceAllUsesWith(pattern);
    mark->eraseFromParent();
  }
  endLocals();
}

/// Locals that stay in memory.
void LocalTracker::markMemory() {
  SmallPtrSet<Value *, 16> isMark;
  for (auto &entry : marks)
    isMark.insert(entry.first);
  SmallVector<Instruction *> all;
  for (Instruction &instruction : instructions(function))
    if (isa<StoreInst, MemIntrinsic>(instruction))
      all.push_back(&instruction);
  const DataLayout &layout = lowering.module.getDataLayout();
  for (Instruction *instruction : all) {
    if (auto *store = dyn_cast<StoreInst>(instruction)) {
      if (isMark.contains(store->getValueOperand()))
        if (AllocaInst *local = localOf(store->getPointerOperand()))
          watch(local, store, store->getPointerOperand(), layout.getTypeStoreSize(store->getValueOperand()->getType()));
    } else if (auto *fill = cast<MemIntrinsic>(instruction); isPattern(*fill) && !isForeign(*fill)) {
      auto *length = dyn_cast<ConstantInt>(fill->getLength());
      if (AllocaInst *local = localOf(fill->getDest()); local && length)
        watch(local, fill, fill->getDest(), length->getZExtValue());
    }
  }
}

void LocalTracker::watch(AllocaInst *local, Instruction *where, Value *place, uint64_t bytes) {
  watched.insert(local);
  IRBuilder<> builder(where->getNextNode());
  builder.SetCurrentDebugLocation(where->getDebugLoc());
  lowering.callLibrary(builder, "gpuad_local_begin", builder.getVoidTy(), {place, builder.getInt64(bytes)});
}

/// Forgets the marks where the function ends, since its stack is used again. Until then no other local may lie there.
void LocalTracker::endLocals() {
  if (watched.empty())
    return;
  SmallVector<Instruction *> lifetimes, ends;
  for (Instruction &instruction : instructions(function)) {
    if (auto *call = dyn_cast<LifetimeIntrinsic>(&instruction);
        call && watched.contains(localOf(call->getArgOperand(0))))
      lifetimes.push_back(call);
    if (isa<ReturnInst>(instruction))
      ends.push_back(&instruction);
  }
  for (Instruction *lifetime : lifetimes)
    lifetime->eraseFromParent();
  const DataLayout &layout = lowering.module.getDataLayout();
  for (Instruction *end : ends)
    for (const AllocaInst *local : watched) {
      std::optional<TypeSize> bytes = local->getAllocationSize(layout);
      IRBuilder<> builder(end);
      if (bytes && local->isStaticAlloca())
        lowering.callLibrary(builder, "gpuad_local_end", builder.getVoidTy(),
                             {const_cast<AllocaInst *>(local), builder.getInt64(bytes->getFixedValue())});
    }
}

/// Values in registers that may be an unwritten local: what hands them on, and what uses them.
void LocalTracker::collectTainted() {
  SmallVector<Value *> stack;
  for (auto &entry : marks)
    stack.push_back(entry.first);
  while (!stack.empty()) {
    Value *value = stack.pop_back_val();
    if (!isTainted.insert(value).second)
      continue;
    tainted.push_back(value);
    for (User *user : value->users())
      if (isa<PHINode, SelectInst, FreezeInst, BitCastInst>(user))
        stack.push_back(user);
  }
}

void LocalTracker::followRegisters() {
  collectTainted();
  for (Value *value : tainted)
    if (auto *phi = dyn_cast<PHINode>(value))
      flags[phi] =
          PHINode::Create(Type::getInt1Ty(lowering.context), phi->getNumIncomingValues(), "", phi->getIterator());
  for (Value *value : tainted)
    if (auto *phi = dyn_cast<PHINode>(value))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        cast<PHINode>(flags[phi])->addIncoming(flagOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
  for (Value *value : tainted)
    checkUses(value);
}

/// Whether a value is an unwritten local, at run time.
Value *LocalTracker::flagOf(Value *value) {
  if (!isTainted.contains(value))
    return ConstantInt::getFalse(lowering.context);
  if (Value *known = flags.lookup(value))
    return known;
  Value *flag = ConstantInt::getTrue(lowering.context);
  if (auto *choice = dyn_cast<SelectInst>(value)) {
    IRBuilder<> builder(choice);
    flag = choice->getCondition()->getType()->isVectorTy()
               ? ConstantInt::getFalse(lowering.context)
               : builder.CreateSelect(choice->getCondition(), flagOf(choice->getTrueValue()),
                                      flagOf(choice->getFalseValue()));
  } else if (isa<FreezeInst, BitCastInst>(value)) {
    flag = flagOf(cast<Instruction>(value)->getOperand(0));
  }
  return flags[value] = flag;
}

static bool isArithmetic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::fmuladd:
  case Intrinsic::fma:
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
    return true;
  default:
    return false;
  }
}

/// Uses that only move bits about are not followed and not told.
static bool isUse(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *store = dyn_cast<StoreInst>(user))
    return use.getOperandNo() == 1 || !localOf(store->getPointerOperand());
  if (auto *operation = dyn_cast<BinaryOperator>(user))
    return !operation->isBitwiseLogicOp() && !operation->isShift();
  if (auto *call = dyn_cast<CallInst>(user)) {
    Function *callee = call->getCalledFunction();
    if (!callee || callee->getName().starts_with("gpuad_") || !call->isArgOperand(&use))
      return false;
    return !callee->isIntrinsic() || isArithmetic(callee->getIntrinsicID());
  }
  return isa<UnaryOperator, CmpInst, LoadInst, GetElementPtrInst, FPTruncInst, FPExtInst, FPToSIInst, FPToUIInst,
             SIToFPInst, UIToFPInst, SExtInst, SwitchInst>(user);
}

void LocalTracker::checkUses(Value *value) {
  SmallVector<Instruction *> users;
  for (const Use &use : value->uses())
    if (isUse(use))
      users.push_back(cast<Instruction>(use.getUser()));
  for (Instruction *user : users) {
    IRBuilder<> builder(user);
    lowering.callLibrary(builder, "gpuad_local_use", builder.getVoidTy(),
                         {flagOf(value), lowering.site(*user, "a use of a local variable")});
  }
}

} // namespace gpuad::cpucc
