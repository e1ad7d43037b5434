//===- LowerLoop.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops. A condition with effects moves into the body; `continue` still reaches it.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"
#include "ir/ForHeader.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

static void prepend(Stmt &body, std::vector<Stmt> first) {
  auto *block = llvm::cast<BlockStmt>(body.get());
  first.insert(first.end(), block->stmts.begin(), block->stmts.end());
  body = makeBlock(std::move(first), body->range);
}

/// `if (!condition) break;`, with the effects of the condition before it.
void FunctionLowering::exitUnless(const clang::Expr *condition) {
  Expr test = Visit(condition);
  emit(makeIf(logicalNot(test), makeBlock({makeBreak(rangeOf(condition))}), nullptr, rangeOf(condition)));
}

void FunctionLowering::lowerFor(const clang::ForStmt &s, LoopHints hints) {
  if ((s.getCond() && staysVerbatim(s.getCond())) || (s.getInc() && staysVerbatim(s.getInc())))
    return emitText(&s, "a loop over library objects");
  std::vector<Stmt> *outer = output, init, increment, extra;
  output = &init;
  if (s.getInit())
    lowerStmt(s.getInit());
  bool headerHolds = fitsForHeader(init, true);
  if (s.getConditionVariable() || (s.getCond() && pass.effects.hasEffects(s.getCond())))
    return output = outer, lowerForWithEffects(s, std::move(hints), std::move(init));
  Expr condition = s.getCond() ? Visit(s.getCond()) : nullptr;
  output = &increment;
  if (s.getInc())
    discard(s.getInc());
  output = outer;
  if (!fitsForHeader(increment, false))
    return lowerForWithEffects(s, std::move(hints), std::move(init));
  Stmt body = blockOf(s.getBody());
  std::vector<Stmt> before;
  if (!headerHolds)
    std::swap(before, init);
  Stmt loop = makeFor(std::move(init), std::move(condition), std::move(increment), std::move(body),
                      std::move(hints.pragma), rangeOf(&s), hints.checkpoints);
  if (headerHolds)
    return emit(std::move(loop));
  before.push_back(std::move(loop));
  emit(makeBlock(std::move(before), rangeOf(&s)));
}

/// The condition, and an increment that no header can hold, go into the body:
///   for (init;; ) { if (!first) increment; first = false; if (!condition) break; body }
void FunctionLowering::lowerForWithEffects(const clang::ForStmt &s, LoopHints hints, std::vector<Stmt> init) {
  std::vector<Stmt> *outer = output, increment, head;
  output = &increment;
  if (s.getInc())
    discard(s.getInc());
  output = &head;
  if (!fitsForHeader(increment, false)) {
    Var *first = function.makeVar(uniqueName("first_pass"), boolType());
    init.push_back(makeDecl(first, boolLit(true)));
    emit(makeIf(logicalNot(makeRef(first)), makeBlock(std::move(increment))));
    emit(makeAssign(makeRef(first), boolLit(false)));
    increment.clear();
  }
  if (s.getConditionVariable())
    lowerVariable(*s.getConditionVariable());
  if (s.getCond())
    exitUnless(s.getCond());
  output = outer;
  Stmt body = blockOf(s.getBody());
  prepend(body, std::move(head));
  init.push_back(makeFor({}, nullptr, std::move(increment), std::move(body), std::move(hints.pragma), rangeOf(&s),
                         hints.checkpoints));
  emit(makeBlock(std::move(init), rangeOf(&s)));
}

void FunctionLowering::lowerWhile(const clang::WhileStmt &s) {
  if (staysVerbatim(s.getCond()))
    return emitText(&s, "a loop over library objects");
  if (!s.getConditionVariable() && !pass.effects.hasEffects(s.getCond())) {
    Expr condition = Visit(s.getCond());
    return emit(makeWhile(std::move(condition), blockOf(s.getBody()), false, rangeOf(&s)));
  }
  std::vector<Stmt> *outer = output, head;
  output = &head;
  if (s.getConditionVariable())
    lowerVariable(*s.getConditionVariable());
  exitUnless(s.getCond());
  output = outer;
  Stmt body = blockOf(s.getBody());
  prepend(body, std::move(head));
  emit(makeWhile(boolLit(true), std::move(body), false, rangeOf(&s)));
}

void FunctionLowering::lowerDo(const clang::DoStmt &s) {
  if (staysVerbatim(s.getCond()))
    return emitText(&s, "a loop over library objects");
  // do { } while (0) around macros runs once; with a break or continue inside it stays.
  if (!pass.effects.hasEffects(s.getCond())) {
    Stmt body = blockOf(s.getBody());
    return emit(makeWhile(Visit(s.getCond()), std::move(body), true, rangeOf(&s)));
  }
  // `continue` in the body must reach the condition, so the condition comes first, from the second pass on.
  Var *first = function.makeVar(uniqueName("first_pass"), boolType());
  emit(makeDecl(first, boolLit(true), rangeOf(&s)));
  std::vector<Stmt> *outer = output, head, test;
  output = &test;
  exitUnless(s.getCond());
  output = outer;
  head.push_back(makeIf(logicalNot(makeRef(first)), makeBlock(std::move(test)), nullptr, rangeOf(&s)));
  head.push_back(makeAssign(makeRef(first), boolLit(false), rangeOf(&s)));
  Stmt body = blockOf(s.getBody());
  prepend(body, std::move(head));
  emit(makeWhile(boolLit(true), std::move(body), false, rangeOf(&s)));
}

/// What the names of variables for a loop over elements begin with.
static std::string stemOf(const clang::VarDecl &element) {
  return isa<clang::DecompositionDecl>(element) ? "parts" : element.getNameAsString();
}

/// A variable that the language makes for a range-for.
Var *FunctionLowering::declareImplied(const clang::Stmt *s, const std::string &name) {
  auto *variable = clang::cast<clang::VarDecl>(clang::cast<clang::DeclStmt>(s)->getSingleDecl());
  Type type = pass.types.lower(variable->getType());
  if (isReference(type) && variable->getInit()->IgnoreImplicit()->isPRValue()) // a temporary, which it keeps
    type = elementOf(type);
  Expr value = wholeValue(variable->getInit());
  Var *var = function.makeVar(uniqueName(name), type);
  variables[variable] = var;
  emit(makeDecl(var, std::move(value), rangeOf(variable->getInit())));
  return var;
}

/// Over an object with begin() and end(): a counted loop where these are pointers.
void FunctionLowering::lowerIterators(const clang::CXXForRangeStmt &s, LoopHints hints) {
  auto isOfLibrary = [&](const clang::Expr *e) {
    const clang::CXXRecordDecl *record = e->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return record && pass.sources.inSystemHeader(record->getLocation());
  };
  if (isOfLibrary(s.getRangeInit()) || pass.effects.hasEffects(s.getCond()))
    return emitText(&s, "a range-based for over an object");
  std::vector<Stmt> *outer = output, list, head;
  output = &list;
  std::string name = stemOf(*s.getLoopVariable());
  const clang::VarDecl *named = rootVariable(s.getRangeInit());
  bool isVariable = isa<clang::DeclRefExpr>(s.getRangeInit()->IgnoreParenImpCasts()) && named;
  if (isVariable) // no reference to a variable that has a name
    variables[clang::cast<clang::VarDecl>(s.getRangeStmt()->getSingleDecl())] = variableFor(named);
  else
    declareImplied(s.getRangeStmt(), name + "_range");
  Var *begin = declareImplied(s.getBeginStmt(), name + "_begin");
  Var *end = declareImplied(s.getEndStmt(), name + "_end");
  Expr condition;
  std::vector<Stmt> init, step;
  const clang::VarDecl *element = s.getLoopVariable();
  output = &head;
  if (isPointer(begin->type) && isPointer(end->type)) {
    Type index = scalarType(ScalarKind::Int, 64, true, "ptrdiff_t");
    Var *counter = function.makeVar(uniqueName(name + "_index"), index);
    init = {makeDecl(counter, intLit(0))};
    Expr count = makeBinary(BinaryOp::Sub, makeRef(end), makeRef(begin), index);
    condition = makeBinary(BinaryOp::Lt, makeRef(counter), count, boolType());
    step = {makeAssign(makeRef(counter), makeBinary(BinaryOp::Add, makeRef(counter), intLit(1), index))};
    declareElement(*element, makeIndex(makeRef(begin), makeRef(counter)), rangeOf(&s));
  } else {
    lowerVariable(*element);
    output = &step;
    discard(s.getInc());
    output = &list;
    condition = Visit(s.getCond());
  }
  output = outer;
  Stmt body = blockOf(s.getBody());
  prepend(body, std::move(head));
  list.push_back(makeFor(std::move(init), std::move(condition), std::move(step), std::move(body),
                         std::move(hints.pragma), rangeOf(&s), hints.checkpoints));
  emit(makeBlock(std::move(list), rangeOf(&s)));
}

/// The field of an object of a library in which the elements lie, and how many these are; null: it is no such object.
std::pair<Expr, Expr> FunctionLowering::elementsInside(const Expr &object) {
  if (!isRecord(object->type) || !object->type->record->isOfFields)
    return {};
  const std::vector<Field> &fields = object->type->record->fields;
  Type index = scalarType(ScalarKind::Int, 64, true, "ptrdiff_t");
  if (fields.size() == 1 && fields[0].accessor == "[]" && isArray(fields[0].type) && fields[0].type->extent)
    return {makeMember(object, 0), intLit(static_cast<int64_t>(*fields[0].type->extent))};
  if (fields.size() == 2 && isPointer(fields[0].type) && isInteger(fields[1].type))
    return {makeMember(object, 0), convert(makeMember(object, 1), index)};
  return {};
}

void FunctionLowering::lowerRangeFor(const clang::CXXForRangeStmt &s, LoopHints hints) {
  if (!s.getInit())
    return lowerRangeForBehindInit(s, std::move(hints));
  std::vector<Stmt> *outer = output, scope;
  output = &scope;
  lowerStmt(s.getInit());
  lowerRangeForBehindInit(s, std::move(hints));
  output = outer;
  emit(makeBlock(std::move(scope), rangeOf(&s)));
}

/// Over an array, a range-for is a counted loop.
void FunctionLowering::lowerRangeForBehindInit(const clang::CXXForRangeStmt &s, LoopHints hints) {
  const clang::Expr *range = s.getRangeInit();
  const clang::VarDecl *element = s.getLoopVariable();
  Type type = typeOf(range);
  if (staysVerbatim(range))
    return emitText(&s, "a range-based for over an object");
  bool isOfFields = isRecord(type) && type->record->isOfFields;
  if (!range->isGLValue() || (!isOfFields && (!isArray(type) || !type->extent)))
    return lowerIterators(s, std::move(hints));
  Expr array = Visit(range);
  bool isNamed = array->kind == ExprKind::Ref;
  auto [inside, size] = elementsInside(array);
  if (isOfFields && !inside)
    return emitText(&s, "a range-based for over an object");
  Expr count = inside ? size : intLit(static_cast<int64_t>(*type->extent));
  if (inside)
    array = inside;
  if (!isNamed)
    array = keep(array, range, "range");
  Var *counter = function.makeVar(uniqueName(stemOf(*element) + "_index"), count->type);
  std::vector<Stmt> *outer = output, head;
  output = &head;
  declareElement(*element, makeIndex(array, makeRef(counter)), rangeOf(&s));
  output = outer;
  Stmt body = blockOf(s.getBody());
  prepend(body, std::move(head));
  Expr index = makeRef(counter);
  Expr end = makeBinary(BinaryOp::Lt, index, count, boolType());
  Stmt step = makeAssign(index, makeBinary(BinaryOp::Add, index, intLit(1), counter->type));
  emit(makeFor({makeDecl(counter, intLit(0))}, end, {step}, std::move(body), std::move(hints.pragma), rangeOf(&s),
               hints.checkpoints));
}

} // namespace gpuad::frontend
