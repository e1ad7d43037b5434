//===- InlineAccessors.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/InlineAccessors.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

/// 1 == 0 is false: an index that is a constant chooses.
Expr comparedNumbers(BinaryOp op, const Expr &lhs, const Expr &rhs) {
  auto *left = llvm::dyn_cast<LitExpr>(stripImplicit(lhs).get());
  auto *right = llvm::dyn_cast<LitExpr>(stripImplicit(rhs).get());
  if (!isInteger(lhs->type) || !isInteger(rhs->type))
    return nullptr;
  auto *a = left ? std::get_if<int64_t>(&left->value) : nullptr;
  auto *b = right ? std::get_if<int64_t>(&right->value) : nullptr;
  if (!a || !b || *a < 0 || *b < 0)
    return nullptr;
  switch (op) {
  case BinaryOp::Eq:
    return boolLit(*a == *b);
  case BinaryOp::Ne:
    return boolLit(*a != *b);
  case BinaryOp::Lt:
    return boolLit(*a < *b);
  case BinaryOp::Le:
    return boolLit(*a <= *b);
  case BinaryOp::Gt:
    return boolLit(*a > *b);
  case BinaryOp::Ge:
    return boolLit(*a >= *b);
  default:
    return nullptr;
  }
}

std::optional<bool> knownTruth(const Expr &condition) {
  auto *lit = llvm::dyn_cast<LitExpr>(condition.get());
  auto *known = lit ? std::get_if<bool>(&lit->value) : nullptr;
  return known ? std::optional<bool>(*known) : std::nullopt;
}

namespace {
constexpr unsigned DeepestNest = 16; ///< accessors that call accessors

/// A field of an object that a function is given by reference, and that anyone may name.
bool isOpenField(const Expr &e, const Function &callee) {
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
    return isReference(ref->var->type) && llvm::is_contained(callee.params, ref->var);
  auto *member = llvm::dyn_cast<MemberExpr>(e.get());
  return member && isRecord(member->base->type) && member->base->type->record->fields[member->field].accessible &&
         isOpenField(member->base, callee);
}

/// The place that the callee returns, or the value of a field, over its parameters, or null when it does more
/// than that and give names to parts of it.
Expr returnedPlace(const Function &callee) {
  bool returnsPlace = isReference(callee.returnType) || isPointer(callee.returnType);
  bool isWritten = callee.writtenTangent.function || callee.writtenAdjoint.function;
  if (!returnsPlace && (isWritten || !isScalar(callee.returnType)))
    return nullptr;
  auto *block = llvm::dyn_cast_or_null<BlockStmt>(callee.body.get());
  if (!block || block->stmts.empty())
    return nullptr;
  auto *leave = llvm::dyn_cast<ReturnStmt>(block->stmts.back().get());
  if (!leave || !leave->value)
    return nullptr;
  Expr place = leave->value;
  if (!returnsPlace)
    return block->stmts.size() == 1 && place->kind == ExprKind::Member && isOpenField(place, callee) ? place : nullptr;
  for (size_t i = block->stmts.size() - 1; i-- > 0;) {
    auto *decl = llvm::dyn_cast<DeclStmt>(block->stmts[i].get());
    bool isName = decl && decl->init && decl->var->storage == Storage::Local && isScalar(decl->var->type) &&
                  decl->init->kind != ExprKind::Call;
    if (!isName)
      return nullptr;
    Expr value = decl->init;
    if (!sameType(value->type, decl->var->type))
      value = makeCast(CastStyle::Implicit, value, withConst(decl->var->type, false));
    place = substitute(place, [&](Var *var) { return var == decl->var ? value : nullptr; });
  }
  return place;
}

/// Choices by constants are made.
Expr folded(const Expr &e) {
  return rewriteExpr(e, [](const Expr &one) -> Expr {
    if (auto *binary = llvm::dyn_cast<BinaryExpr>(one.get()))
      if (Expr known = comparedNumbers(binary->op, binary->lhs, binary->rhs))
        return known;
    if (auto *choice = llvm::dyn_cast<SelectExpr>(one.get()))
      if (std::optional<bool> known = knownTruth(choice->condition))
        return *known ? choice->thenValue : choice->elseValue;
    if (auto *deref = llvm::dyn_cast<DerefExpr>(one.get())) // of an address: the place itself
      if (auto *address = llvm::dyn_cast<AddrOfExpr>(deref->pointer.get()))
        return address->place;
    return one;
  });
}

Expr inlined(const Expr &e, unsigned depth) {
  return rewriteExpr(e, [&](const Expr &one) -> Expr {
    auto *call = llvm::dyn_cast<CallExpr>(one.get());
    if (!call || !call->callee.function || depth == 0)
      return one;
    Expr place = returnedPlace(*call->callee.function);
    if (!place || call->args.size() < call->callee.function->params.size())
      return one;
    const std::vector<Var *> &params = call->callee.function->params;
    bool isValue = isScalar(call->callee.function->returnType) && !isReference(call->callee.function->returnType);
    if (isValue && llvm::any_of(call->args, [](const Expr &arg) { return !rootVar(arg); }))
      return one; // of an object that has no name
    Expr bound = substitute(place, [&](Var *var) -> Expr {
      for (size_t i = 0; i < params.size(); ++i)
        if (params[i] == var)
          return isReference(var->type) ? stripImplicit(call->args[i]) : call->args[i];
      return nullptr;
    });
    return inlined(folded(bound), depth - 1);
  });
}

Expr valueBehind(const Expr &pointer) {
  const Expr &e = stripImplicit(pointer);
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(e.get()))
    return address->place;
  if (auto *choice = llvm::dyn_cast<SelectExpr>(e.get()))
    return makeSelect(choice->condition, valueBehind(choice->thenValue), valueBehind(choice->elseValue),
                      withConst(elementOf(e->type), false), e->range);
  return makeDeref(e);
}

/// Where a value is wanted, a choice between places is a choice between their values.
Expr asValue(const Expr &e) {
  switch (e->kind) {
  case ExprKind::Deref: {
    const Expr &pointer = llvm::cast<DerefExpr>(e.get())->pointer;
    return stripImplicit(pointer)->kind == ExprKind::Select ? asValue(valueBehind(pointer)) : e;
  }
  case ExprKind::Binary:
  case ExprKind::Unary:
  case ExprKind::Cast:
  case ExprKind::Select:
  case ExprKind::Init: {
    if (isPointer(e->type))
      return e;
    std::vector<Expr> operands = children(e);
    for (Expr &operand : operands)
      operand = asValue(operand);
    return withChildren(e, operands);
  }
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(e.get());
    std::vector<Expr> operands = children(e);
    for (size_t i = 0; i < operands.size(); ++i)
      if (!call->callee.function || !isReference(call->callee.function->params[i]->type))
        operands[i] = asValue(operands[i]);
    return withChildren(e, operands);
  }
  default:
    return e;
  }
}

/// The same for the value that a statement uses, as it would be used.
Stmt withValues(const Stmt &s) {
  if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()))
    if (!isPointer(assign->value->type)) {
      auto copy = std::make_shared<AssignStmt>(*assign);
      bool binds =
          assign->place->kind == ExprKind::Ref && isReference(llvm::cast<RefExpr>(assign->place.get())->var->type);
      copy->value = binds ? copy->value : asValue(copy->value);
      return copy;
    }
  if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->init && !isReference(decl->var->type)) {
    auto copy = std::make_shared<DeclStmt>(*decl);
    copy->init = asValue(copy->init);
    return copy;
  }
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
    auto copy = std::make_shared<IfStmt>(*branch);
    copy->condition = asValue(copy->condition);
    return copy;
  }
  return s;
}
} // namespace

Stmt inlineAccessors(const Stmt &body) {
  Stmt places = rewriteHeldExprs(body, [](const Expr &e) { return inlined(e, DeepestNest); });
  return rewriteStmts(places, withValues);
}

} // namespace gpuad::transform
