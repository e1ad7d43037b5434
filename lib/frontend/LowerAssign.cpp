//===- LowerAssign.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assignments, and expressions that stand for their effect alone.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// C++17 evaluates the right side first. `whole` is the assignment, kept as text when
/// its place is not understood (a bit field).
void FunctionLowering::assign(const clang::Expr *place, const clang::Expr *value, const clang::Expr *whole) {
  size_t before = output->size();
  Expr stored = wholeValue(value);
  if (pass.effects.hasEffects(place)) {
    Effects effects = pass.effects.effectsOf(place);
    if (stored->kind == ExprKind::Call || mayChange(value, effects, facts))
      stored = keep(stored, value, "value");
  }
  Expr target = Visit(place);
  if (target->kind == ExprKind::Text) {
    output->resize(before);
    return emitText(whole, "an assignment");
  }
  emit(makeAssign(std::move(target), std::move(stored), rangeOf(whole)));
}

Expr FunctionLowering::convert(Expr e, const Type &type) {
  return sameType(e->type, type) ? e : makeCast(CastStyle::Implicit, std::move(e), type);
}

/// Emits `place = place op value` and returns the place. What the place does on its
/// own (a[i++] += x) happens once.
Expr FunctionLowering::assignCompound(const clang::CompoundAssignOperator &e) {
  std::optional<BinaryOp> op = binaryOp(e.getOpcode());
  size_t before = output->size();
  Expr operand = Visit(e.getRHS());
  if (pass.effects.hasEffects(e.getLHS()) && mayChange(e.getRHS(), pass.effects.effectsOf(e.getLHS()), facts))
    operand = keep(operand, e.getRHS(), "value");
  Expr place = Visit(e.getLHS());
  if (place->kind == ExprKind::Text) {
    output->resize(before);
    emitText(&e, "an assignment");
    return place;
  }
  if (place->kind == ExprKind::Call && pass.effects.hasEffects(e.getLHS()))
    place = keep(place, e.getLHS(), "place");
  Type placeType = withConst(stripReference(place->type), false);
  Type left = e.getComputationLHSType().isNull() ? placeType : pass.types.lowerValue(e.getComputationLHSType());
  Type result = e.getComputationResultType().isNull() ? left : pass.types.lowerValue(e.getComputationResultType());
  Expr sum = makeBinary(*op, convert(place, left), operand, result, rangeOf(&e));
  emit(makeAssign(place, convert(sum, placeType), rangeOf(&e)));
  return place;
}

/// ++ and --: emits the assignment and returns the value of the expression (or, when
/// nobody wants the old value of a postfix step, the place).
Expr FunctionLowering::stepBy(const clang::UnaryOperator &e, bool wantsOld) {
  Expr place = Visit(e.getSubExpr());
  if (place->kind == ExprKind::Text) {
    emitText(&e, "a step");
    return place;
  }
  if (place->kind == ExprKind::Call && pass.effects.hasEffects(e.getSubExpr()))
    place = keep(place, e.getSubExpr(), "place");
  Type type = withConst(stripReference(place->type), false);
  Expr old = place;
  if (e.isPostfix() && wantsOld) {
    Var *root = rootVar(place);
    old = temporary(place, root && !root->name.empty() ? root->name + "_before" : "before", rangeOf(&e));
  }
  // Small integers are promoted, stepped, and converted back.
  bool promoted = isScalar(type) && !isFloating(type) && type->bits < 32;
  Type computed = promoted ? intType() : type;
  Expr one = isPointer(type) || !isFloating(type) ? intLit(1) : floatLit(1.0, type);
  if (!isPointer(type))
    one = convert(one, computed);
  BinaryOp op = e.isIncrementOp() ? BinaryOp::Add : BinaryOp::Sub;
  Expr sum = makeBinary(op, convert(place, computed), one, computed, rangeOf(&e));
  emit(makeAssign(place, convert(sum, type), rangeOf(&e)));
  return old;
}

void FunctionLowering::discardBinary(const clang::BinaryOperator &e) {
  if (e.getOpcode() == clang::BO_Comma) {
    discard(e.getLHS());
    discard(e.getRHS());
  } else if (auto *compound = dyn_cast<clang::CompoundAssignOperator>(&e)) {
    assignCompound(*compound);
  } else if (e.getOpcode() == clang::BO_Assign) {
    assign(e.getLHS(), e.getRHS(), &e);
  } else if (e.isLogicalOp()) {
    Expr condition = Visit(e.getLHS());
    if (e.getOpcode() == clang::BO_LOr)
      condition = makeUnary(UnaryOp::Not, condition, boolType());
    std::vector<Stmt> *outer = output, inner;
    output = &inner;
    discard(e.getRHS());
    output = outer;
    if (!inner.empty())
      emit(makeIf(condition, makeBlock(std::move(inner)), nullptr, rangeOf(&e)));
  } else {
    discard(e.getLHS());
    discard(e.getRHS());
  }
}

void FunctionLowering::discardConditional(const clang::ConditionalOperator &e) {
  Expr condition = Visit(e.getCond());
  std::vector<Stmt> *outer = output, first, second;
  output = &first;
  discard(e.getTrueExpr());
  output = &second;
  discard(e.getFalseExpr());
  output = outer;
  if (!first.empty() || !second.empty())
    emit(makeIf(condition, makeBlock(std::move(first)), second.empty() ? nullptr : makeBlock(std::move(second)),
                rangeOf(&e)));
}

void FunctionLowering::discard(const clang::Expr *e) {
  e = e->IgnoreParens();
  if (const char *what = staysVerbatim(e))
    return emitText(e, what);
  if (auto *cleanups = dyn_cast<clang::ExprWithCleanups>(e))
    return discard(cleanups->getSubExpr());
  if (auto *launch = dyn_cast<clang::CUDAKernelCallExpr>(e))
    return lowerLaunch(*launch);
  if (auto *binary = dyn_cast<clang::BinaryOperator>(e))
    return discardBinary(*binary);
  if (auto *conditional = dyn_cast<clang::ConditionalOperator>(e))
    return discardConditional(*conditional);
  if (auto *step = dyn_cast<clang::UnaryOperator>(e); step && step->isIncrementDecrementOp()) {
    stepBy(*step, /*wantsOld=*/false);
    return;
  }
  if (auto *assignment = dyn_cast<clang::CXXOperatorCallExpr>(e);
      assignment && assignment->getOperator() == clang::OO_Equal && assignment->getDirectCallee() &&
      (assignment->getDirectCallee()->isTrivial() || isFloating(typeOf(assignment->getArg(0))) ||
       (isRecord(typeOf(assignment->getArg(0))) && typeOf(assignment->getArg(0))->record->isVector)))
    return assign(assignment->getArg(0), assignment->getArg(1), e);
  if (auto *call = dyn_cast<clang::CallExpr>(e)) {
    Expr made = lowerCall(call, /*standsAlone=*/true, /*isUsed=*/false);
    if (made && (made->kind == ExprKind::Call || made->kind == ExprKind::Text))
      emit(makeDo(std::move(made), rangeOf(e)));
    return;
  }
  if (auto *cast = dyn_cast<clang::CastExpr>(e))
    return discard(cast->getSubExpr());
  if (isa<clang::StmtExpr, clang::CXXThrowExpr, clang::CXXDeleteExpr, clang::CXXNewExpr, clang::LambdaExpr>(e))
    return emitText(e, "an expression");
  if (pass.effects.hasEffects(e))
    Visit(e);
}

//===--- Copies of bytes ----------------------------------------------------===//

/// The pointer before it was seen as one to bytes.
static const clang::Expr *typedPointer(const clang::Expr *e) {
  e = e->IgnoreParens();
  while (auto *cast = dyn_cast<clang::CastExpr>(e)) {
    if (cast->getCastKind() != clang::CK_BitCast && cast->getCastKind() != clang::CK_NoOp)
      break;
    e = cast->getSubExpr()->IgnoreParens();
  }
  return e;
}

/// memcpy of whole objects of one type is an assignment, or a loop of some. False: it is
/// not that.
bool FunctionLowering::lowerCopy(const clang::CallExpr &e, const clang::FunctionDecl &callee) {
  // The ones of the device are no builtin functions to Clang, but have their names.
  bool isOfLibrary = callee.getIdentifier() && pass.sources.inSystemHeader(callee.getLocation());
  unsigned builtin = isOfLibrary ? callee.getIdentifier()->getBuiltinID() : callee.getBuiltinID();
  bool isCopy = builtin == clang::Builtin::BImemcpy || builtin == clang::Builtin::BI__builtin_memcpy;
  bool isMove = builtin == clang::Builtin::BImemmove || builtin == clang::Builtin::BI__builtin_memmove;
  if ((!isCopy && !isMove) || e.getNumArgs() != 3)
    return false;
  const clang::Expr *to = typedPointer(e.getArg(0)), *from = typedPointer(e.getArg(1));
  clang::QualType object = to->getType()->getPointeeType(), source = from->getType()->getPointeeType();
  if (object.isNull() || source.isNull() || object.isVolatileQualified() || object->isIncompleteType() ||
      !pass.context.hasSameUnqualifiedType(object, source) || !object.isTriviallyCopyableType(pass.context))
    return false;
  bool isArray = object->isConstantArrayType(); // &a, where a is an array
  clang::QualType element = isArray ? pass.context.getBaseElementType(object) : object;
  bool isOneDimensional = !isArray || pass.context.getAsConstantArrayType(object)->getElementType() == element;
  if (element->isAnyCharacterType() || !isOneDimensional)
    return false;
  int64_t size = pass.context.getTypeSizeInChars(element).getQuantity();
  auto constant = [&](const clang::Expr *one) -> std::optional<int64_t> {
    clang::Expr::EvalResult known;
    if (one->isValueDependent() || !one->EvaluateAsInt(known, pass.context))
      return std::nullopt;
    return known.Val.getInt().getExtValue();
  };
  const clang::Expr *bytes = e.getArg(2)->IgnoreParenImpCasts();
  std::optional<int64_t> all = constant(bytes);
  const clang::Expr *count = nullptr;
  if (auto *product = dyn_cast<clang::BinaryOperator>(bytes); !all && product && product->getOpcode() == clang::BO_Mul)
    count = constant(product->getRHS()) == size   ? product->getLHS()
            : constant(product->getLHS()) == size ? product->getRHS()
                                                  : nullptr;
  bool isOne = all == size && !isArray;
  if (all ? *all % size != 0 : !count)
    return false;
  if (isMove && !isOne) // what overlaps is not copied in order
    return false;
  std::vector<Expr> places = operands({to, from});
  if (isOne) {
    emit(makeAssign(makeDeref(places[0]), makeDeref(places[1]), rangeOf(&e)));
    return true;
  }
  for (Expr &place : places)
    place = isArray ? makeDeref(place) : place;
  Var *k = function.makeVar(uniqueName("k"), intType());
  Expr last = all ? intLit(*all / size) : stripImplicit(Visit(count));
  Stmt copy = makeAssign(makeIndex(places[0], makeRef(k)), makeIndex(places[1], makeRef(k)), rangeOf(&e));
  Stmt next = makeAssign(makeRef(k), makeBinary(BinaryOp::Add, makeRef(k), intLit(1), intType()));
  Expr more = makeBinary(BinaryOp::Lt, makeRef(k), last, boolType());
  emit(makeFor({makeDecl(k, intLit(0))}, more, {next}, makeBlock({copy}), "", rangeOf(&e)));
  return true;
}

} // namespace gpuad::frontend
