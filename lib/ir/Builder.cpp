//===- Builder.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"

#include <charconv>
#include <cmath>

namespace gpuad::ir {

namespace {
template <class Node> std::shared_ptr<Node> node(Type type, SourceRange range) {
  auto made = std::make_shared<Node>();
  made->type = std::move(type);
  made->range = std::move(range);
  return made;
}
template <class Node> std::shared_ptr<Node> statement(SourceRange range) {
  auto made = std::make_shared<Node>();
  made->range = std::move(range);
  return made;
}
} // namespace

Expr makeRef(Var *var, SourceRange range) {
  auto made = node<RefExpr>(stripReference(var->type), std::move(range));
  made->var = var;
  return made;
}
Expr makeIndex(Expr base, Expr index, SourceRange range) {
  auto made = node<IndexExpr>(elementOf(base->type), std::move(range));
  made->base = std::move(base);
  made->index = std::move(index);
  return made;
}
Expr makeDeref(Expr pointer, SourceRange range) {
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get()))
    return address->place;
  auto made = node<DerefExpr>(elementOf(pointer->type), std::move(range));
  made->pointer = std::move(pointer);
  return made;
}
Expr makeAddrOf(Expr place, SourceRange range) {
  if (auto *deref = llvm::dyn_cast<DerefExpr>(place.get()))
    return deref->pointer;
  auto made = node<AddrOfExpr>(pointerTo(place->type), std::move(range));
  made->place = std::move(place);
  return made;
}
Expr makeMember(Expr base, unsigned field, SourceRange range) {
  const Field &info = base->type->record->fields[field];
  auto made = node<MemberExpr>(base->type->isConst ? withConst(info.type, true) : info.type, std::move(range));
  made->name = info.name;
  made->accessor = info.accessor;
  made->field = field;
  made->base = std::move(base);
  return made;
}
Expr makeUnary(UnaryOp op, Expr operand, Type type, SourceRange range) {
  auto made = node<UnaryExpr>(std::move(type), std::move(range));
  made->op = op;
  made->operand = std::move(operand);
  return made;
}
Expr makeBinary(BinaryOp op, Expr lhs, Expr rhs, Type type, SourceRange range) {
  auto made = node<BinaryExpr>(std::move(type), std::move(range));
  made->op = op;
  made->lhs = std::move(lhs);
  made->rhs = std::move(rhs);
  return made;
}
Expr makeSelect(Expr condition, Expr thenValue, Expr elseValue, Type type, SourceRange range) {
  auto made = node<SelectExpr>(std::move(type), std::move(range));
  made->condition = std::move(condition);
  made->thenValue = std::move(thenValue);
  made->elseValue = std::move(elseValue);
  return made;
}
Expr makeCast(CastStyle style, Expr operand, Type type, SourceRange range) {
  auto made = node<CastExpr>(std::move(type), std::move(range));
  made->style = style;
  made->operand = std::move(operand);
  return made;
}
Expr makeCall(Callee callee, std::vector<Expr> args, Type type, SourceRange range) {
  auto made = node<CallExpr>(std::move(type), std::move(range));
  made->callee = std::move(callee);
  made->args = std::move(args);
  return made;
}
Expr makeInit(std::vector<Expr> elements, Type type, bool namesType, SourceRange range) {
  auto made = node<InitExpr>(std::move(type), std::move(range));
  made->elements = std::move(elements);
  made->namesType = namesType;
  return made;
}
Expr makeText(std::string text, std::vector<Var *> mentions, Type type, SourceRange range) {
  auto made = node<TextExpr>(std::move(type), std::move(range));
  made->text = std::move(text);
  made->mentions = std::move(mentions);
  return made;
}
Expr makeThreadIndex(ThreadBuiltin builtin, unsigned dimension, SourceRange range) {
  auto made = node<ThreadIndexExpr>(builtin == ThreadBuiltin::WarpSize ? intType() : unsignedType(), std::move(range));
  made->builtin = builtin;
  made->dimension = dimension;
  return made;
}
Expr makeLit(std::string spelling, std::variant<std::monostate, int64_t, double, bool> value, Type type,
             SourceRange range) {
  auto made = node<LitExpr>(std::move(type), std::move(range));
  made->spelling = std::move(spelling);
  made->value = value;
  return made;
}
Expr intLit(int64_t value) {
  return makeLit(std::to_string(value), value, intType());
}
Expr boolLit(bool value) {
  return makeLit(value ? "true" : "false", value, boolType());
}

Expr floatLit(double value, const Type &type) {
  if (value < 0 || (value == 0 && std::signbit(value)))
    return makeUnary(UnaryOp::Neg, floatLit(-value, type), type);
  char buffer[64];
  bool isSingle = type->bits <= 32;
  auto end = isSingle ? std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(value))
                      : std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string spelling(buffer, end.ptr);
  if (spelling.find_first_of(".en") == std::string::npos)
    spelling += ".0";
  if (isSingle)
    spelling += "f";
  return makeLit(spelling, value, withConst(type, false));
}

Expr zeroOf(const Type &given) {
  Type type = withConst(stripReference(given), false);
  if (isFloating(type))
    return floatLit(0.0, type);
  if (isBool(type))
    return boolLit(false);
  if (isPointer(type))
    return makeLit("nullptr", int64_t(0), type);
  if (isInteger(type))
    return type->isEnum ? makeCast(CastStyle::Static, intLit(0), type) : makeLit("0", int64_t(0), type);
  return makeInit({}, type);
}

Stmt makeBlock(std::vector<Stmt> stmts, SourceRange range) {
  auto made = statement<BlockStmt>(std::move(range));
  made->stmts = std::move(stmts);
  return made;
}
Stmt makeDecl(Var *var, Expr init, SourceRange range) {
  auto made = statement<DeclStmt>(std::move(range));
  made->var = var;
  made->init = std::move(init);
  return made;
}
Stmt makeAssign(Expr place, Expr value, SourceRange range) {
  auto made = statement<AssignStmt>(std::move(range));
  made->place = std::move(place);
  made->value = std::move(value);
  return made;
}
Stmt makeAccum(Expr place, Expr value, AccumHow how, SourceRange range, bool mayBeIdle) {
  auto made = statement<AccumStmt>(std::move(range));
  made->place = std::move(place);
  made->value = std::move(value);
  made->how = how;
  made->mayBeIdle = mayBeIdle;
  return made;
}
Stmt makeIf(Expr condition, Stmt thenBody, Stmt elseBody, SourceRange range) {
  auto made = statement<IfStmt>(std::move(range));
  made->condition = std::move(condition);
  made->thenBody = std::move(thenBody);
  made->elseBody = std::move(elseBody);
  return made;
}
Stmt makeFor(std::vector<Stmt> init, Expr condition, std::vector<Stmt> increment, Stmt body, std::string pragma,
             SourceRange range, std::optional<uint64_t> checkpoints) {
  auto made = statement<ForStmt>(std::move(range));
  made->init = std::move(init);
  made->condition = std::move(condition);
  made->increment = std::move(increment);
  made->body = std::move(body);
  made->pragma = std::move(pragma);
  made->checkpoints = checkpoints;
  return made;
}
Stmt makeWhile(Expr condition, Stmt body, bool isDo, SourceRange range) {
  auto made = statement<WhileStmt>(std::move(range));
  made->condition = std::move(condition);
  made->body = std::move(body);
  made->isDo = isDo;
  return made;
}
Stmt makeSwitch(Expr value, std::vector<SwitchCase> cases, SourceRange range) {
  auto made = statement<SwitchStmt>(std::move(range));
  made->value = std::move(value);
  made->cases = std::move(cases);
  return made;
}
Stmt makeBreak(SourceRange range) {
  return statement<BreakStmt>(std::move(range));
}
Stmt makeContinue(SourceRange range) {
  return statement<ContinueStmt>(std::move(range));
}
Stmt makeReturn(Expr value, SourceRange range) {
  auto made = statement<ReturnStmt>(std::move(range));
  made->value = std::move(value);
  return made;
}
Stmt makeDo(Expr call, SourceRange range) {
  auto made = statement<DoStmt>(std::move(range));
  made->call = std::move(call);
  return made;
}
Stmt makeTextStmt(std::string text, std::string what, std::vector<Var *> mentions, SourceRange range) {
  auto made = statement<TextStmt>(std::move(range));
  made->text = std::move(text);
  made->what = std::move(what);
  made->mentions = std::move(mentions);
  return made;
}
Stmt makeComment(std::string text) {
  auto made = statement<CommentStmt>({});
  made->text = std::move(text);
  return made;
}

Stmt withNote(const Stmt &stmt, std::string note) {
  std::shared_ptr<StmtNode> copy;
  switch (stmt->kind) {
#define GPUAD_STMT(KIND)                                                                                               \
  case StmtKind::KIND:                                                                                                 \
    copy = std::make_shared<KIND##Stmt>(*llvm::cast<KIND##Stmt>(stmt.get()));                                          \
    break;
#include "ir/Nodes.def"
  }
  copy->note = std::move(note);
  return copy;
}

const Expr &stripImplicit(const Expr &e) {
  const Expr *inner = &e;
  while (auto *cast = llvm::dyn_cast<CastExpr>(inner->get())) {
    if (cast->style != CastStyle::Implicit)
      break;
    inner = &cast->operand;
  }
  return *inner;
}

Var *rootVar(const Expr &place) {
  switch (place->kind) {
  case ExprKind::Ref:
    return llvm::cast<RefExpr>(place.get())->var;
  case ExprKind::Member:
    return rootVar(llvm::cast<MemberExpr>(place.get())->base);
  case ExprKind::Index:
    return rootVar(llvm::cast<IndexExpr>(place.get())->base);
  case ExprKind::Deref:
    return rootVar(llvm::cast<DerefExpr>(place.get())->pointer);
  case ExprKind::AddrOf:
    return rootVar(llvm::cast<AddrOfExpr>(place.get())->place);
  case ExprKind::Cast:
    return rootVar(llvm::cast<CastExpr>(place.get())->operand);
  case ExprKind::Binary: {
    // pointer + integer, in either order
    auto *sum = llvm::cast<BinaryExpr>(place.get());
    if (!isPointer(sum->type) && !isArray(sum->type))
      return nullptr;
    bool leftPoints = isPointer(sum->lhs->type) || isArray(sum->lhs->type);
    return rootVar(leftPoints ? sum->lhs : sum->rhs);
  }
  case ExprKind::Call:
  case ExprKind::Init:
  case ExprKind::Lit:
  case ExprKind::Select:
  case ExprKind::Text:
  case ExprKind::ThreadIndex:
  case ExprKind::Unary:
    return nullptr;
  }
  return nullptr;
}

} // namespace gpuad::ir
