//===- LowerLambda.cpp - lambdas that are only called -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A lambda that a function keeps in a variable and only calls is lowered into each call: its body in a block, with
/// its parameters as variables and its returns as assignments. All others stay text.
///
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"
#include "ir/Walk.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

using Stmts = std::vector<const clang::Stmt *>;

//===----------------------------------------------------------------------===//
// Which lambdas
//===----------------------------------------------------------------------===//

/// How control leaves a statement.
enum class Leaves { AtEnd, ByReturn, Either, Otherwise };

static bool hasReturn(const clang::Stmt *s) {
  if (!s || isa<clang::LambdaExpr>(s))
    return false;
  return isa<clang::ReturnStmt>(s) || llvm::any_of(s->children(), hasReturn);
}

static Stmts listOf(const clang::Stmt *s) {
  if (auto *compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
    return Stmts(compound->body_begin(), compound->body_end());
  return s ? Stmts{s} : Stmts{};
}

/// Every case of the switch ends with a return, its only one.
static bool everyCaseReturns(const clang::SwitchStmt &s) {
  bool hasDefault = false, returned = true;
  for (const clang::Stmt *inner : listOf(s.getBody())) {
    bool isLabel = isa<clang::SwitchCase>(inner);
    if (isLabel && !returned)
      return false;
    while (auto *label = dyn_cast<clang::SwitchCase>(inner)) {
      hasDefault |= isa<clang::DefaultStmt>(label);
      inner = label->getSubStmt();
    }
    returned = isa<clang::ReturnStmt>(inner);
    if (!returned && hasReturn(inner))
      return false;
  }
  return hasDefault && returned;
}

static Leaves leavesList(const Stmts &list);

static Leaves leavesOne(const clang::Stmt *s) {
  if (!hasReturn(s))
    return Leaves::AtEnd;
  if (isa<clang::ReturnStmt>(s))
    return Leaves::ByReturn;
  if (isa<clang::CompoundStmt>(s))
    return leavesList(listOf(s));
  if (auto *choice = dyn_cast<clang::SwitchStmt>(s))
    return everyCaseReturns(*choice) ? Leaves::ByReturn : Leaves::Otherwise;
  auto *branch = dyn_cast<clang::IfStmt>(s);
  if (!branch || branch->getInit() || branch->getConditionVariable() || branch->isConstexpr())
    return Leaves::Otherwise;
  Leaves first = leavesList(listOf(branch->getThen())), second = leavesList(listOf(branch->getElse()));
  if (first == Leaves::Otherwise || second == Leaves::Otherwise)
    return Leaves::Otherwise;
  return first == second ? first : Leaves::Either;
}

static Leaves leavesList(const Stmts &list) {
  for (size_t i = 0; i < list.size(); ++i) {
    Leaves one = leavesOne(list[i]);
    if (one == Leaves::AtEnd)
      continue;
    if (one != Leaves::Either)
      return one;
    // What follows goes into the arm that ends, which has to be one arm.
    Leaves rest = leavesList(Stmts(list.begin() + i + 1, list.end()));
    if (rest == Leaves::Otherwise || (isa<clang::CompoundStmt>(list[i]) && i + 1 < list.size()))
      return Leaves::Otherwise;
    if (auto *branch = dyn_cast<clang::IfStmt>(list[i]))
      if (i + 1 < list.size() && leavesList(listOf(branch->getThen())) != Leaves::ByReturn &&
          leavesList(listOf(branch->getElse())) != Leaves::ByReturn)
        return Leaves::Otherwise;
    return rest == Leaves::ByReturn ? Leaves::ByReturn : Leaves::Either;
  }
  return Leaves::AtEnd;
}

static const clang::LambdaExpr *lambdaOf(const clang::VarDecl &variable) {
  const clang::Expr *init = variable.getInit();
  return init ? dyn_cast<clang::LambdaExpr>(init->IgnoreImplicit()) : nullptr;
}

static bool canBeInlined(const clang::LambdaExpr &lambda) {
  for (const clang::LambdaCapture &capture : lambda.captures()) {
    if (capture.isPackExpansion() || !(capture.capturesVariable() || capture.capturesThis()))
      return false;
    if (!capture.capturesVariable())
      continue;
    auto *variable = dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    bool copiesArray = capture.getCaptureKind() == clang::LCK_ByCopy && variable && variable->getType()->isArrayType();
    if (!variable || variable->isInitCapture() || copiesArray)
      return false;
  }
  const clang::CXXMethodDecl *call = lambda.getCallOperator();
  bool plain = call->isConst() && !call->isVariadic() && !call->getReturnType()->isReferenceType();
  for (const clang::ParmVarDecl *parameter : call->parameters())
    plain &= !parameter->isParameterPack();
  return plain && leavesList(listOf(lambda.getBody())) != Leaves::Otherwise;
}

static const clang::VarDecl *calledVariable(const clang::Stmt *s) {
  auto *call = dyn_cast<clang::CXXOperatorCallExpr>(s);
  if (!call || call->getOperator() != clang::OO_Call)
    return nullptr;
  auto *object = dyn_cast<clang::DeclRefExpr>(call->getArg(0)->IgnoreParenImpCasts());
  return object ? dyn_cast<clang::VarDecl>(object->getDecl()) : nullptr;
}

/// Counts uses of closures: a call is one up and one down.
static void countUses(const clang::Stmt *s, llvm::DenseMap<const clang::VarDecl *, int> &uses) {
  if (!s)
    return;
  if (auto *lambda = dyn_cast<clang::LambdaExpr>(s))
    return countUses(lambda->getBody(), uses); // its copies of closures are only called there
  if (auto *reference = dyn_cast<clang::DeclRefExpr>(s))
    if (auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl()))
      ++uses[variable];
  if (const clang::VarDecl *called = calledVariable(s))
    --uses[called];
  for (const clang::Stmt *child : s->children())
    countUses(child, uses);
}

bool FunctionLowering::beginClosure(const clang::VarDecl &variable) {
  const clang::LambdaExpr *lambda = lambdaOf(variable);
  if (!lambda || !canBeInlined(*lambda))
    return false;
  llvm::DenseMap<const clang::VarDecl *, int> uses;
  countUses(wholeBody, uses);
  if (uses.lookup(&variable) != 0)
    return false;
  closures[&variable] = lambda;
  // What it copies is copied where it can change before a call.
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    if (!capture.capturesVariable() || capture.getCaptureKind() != clang::LCK_ByCopy)
      continue;
    auto *captured = clang::cast<clang::VarDecl>(capture.getCapturedVar());
    bool isClosure = closures.contains(captured);
    bool changes = captured->getType()->isReferenceType() || facts.escaped.contains(captured) ||
                   pass.effects.effectsOf(wholeBody).variables.contains(captured);
    if (isClosure || !changes || !captured->isLocalVarDeclOrParm())
      continue;
    Var *original = variableFor(captured);
    Type type = withConst(stripReference(original->type), false);
    Var *copy = function.makeVar(uniqueName(original->name + "_copy"), type);
    emit(makeDecl(copy, makeRef(original), pass.sources.range(variable.getSourceRange())));
    copies[lambda][captured] = copy;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// A call
//===----------------------------------------------------------------------===//

/// A statement that some control leaves by a return, and what follows it.
void FunctionLowering::lowerReturning(const clang::Stmt *s, std::vector<const clang::Stmt *> rest) {
  if (isa<clang::CompoundStmt>(s)) {
    Stmts all = listOf(s);
    all.insert(all.end(), rest.begin(), rest.end());
    return lowerList(all);
  }
  auto *branch = dyn_cast<clang::IfStmt>(s);
  if (!branch)
    return lowerStmt(s);
  Expr condition = Visit(branch->getCond());
  auto arm = [&](const clang::Stmt *written) {
    Stmts all = listOf(written);
    if (leavesList(all) != Leaves::ByReturn)
      all.insert(all.end(), rest.begin(), rest.end());
    std::vector<Stmt> *outer = output, inner;
    output = &inner;
    lowerList(all);
    output = outer;
    return makeBlock(std::move(inner), rangeOf(s));
  };
  Stmt first = arm(branch->getThen()), second = arm(branch->getElse());
  bool hasElse = !llvm::cast<BlockStmt>(second.get())->stmts.empty();
  emit(makeIf(std::move(condition), std::move(first), hasElse ? std::move(second) : nullptr, rangeOf(s)));
}

void FunctionLowering::lowerList(const std::vector<const clang::Stmt *> &list) {
  for (size_t i = 0; i < list.size(); ++i) {
    Leaves leaves = leavesOne(list[i]);
    if (leaves == Leaves::AtEnd) {
      lowerStmt(list[i]);
      continue;
    }
    return lowerReturning(list[i], Stmts(list.begin() + i + 1, list.end()));
  }
}

Expr FunctionLowering::inlineClosure(const clang::CallExpr &e) {
  const clang::VarDecl *variable = calledVariable(&e);
  auto found = variable ? closures.find(variable) : closures.end();
  const clang::FunctionDecl *callee = e.getDirectCallee();
  const clang::FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (found == closures.end() || !definition || !definition->getBody())
    return nullptr;
  std::vector<const clang::Expr *> written(e.arg_begin() + 1, e.arg_end());
  bool isVoidCall = definition->getReturnType()->isVoidType();
  Var *result = nullptr;
  if (!isVoidCall) {
    result = function.makeVar(uniqueName(variable->getName().str() + "_value"), typeOf(&e));
    emit(makeDecl(result, nullptr, rangeOf(&e)));
  }
  std::vector<Expr> args = operands(written);
  llvm::StringSet<> named; // by the arguments: a parameter of that name would hide it
  for (const Expr &arg : args)
    forEachExpr(arg, [&](const Expr &one) {
      if (auto *reference = llvm::dyn_cast<RefExpr>(one.get()))
        named.insert(reference->var->name);
    });
  std::vector<Stmt> *outer = output, inner;
  output = &inner;
  for (unsigned i = 0; i < args.size(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    Type type = pass.types.lower(parameter->getType());
    if (isReference(type) && written[i]->IgnoreImplicit()->isPRValue())
      type = elementOf(type);
    std::string name = parameter->getNameAsString();
    Var *var = function.makeVar(named.contains(name) ? uniqueName(name) : name, type);
    var->range = pass.sources.range(parameter->getLocation());
    variables[parameter] = var;
    emit(makeDecl(var, args[i], rangeOf(written[i])));
  }
  llvm::DenseMap<const clang::VarDecl *, Var *> originals;
  for (auto [captured, copy] : copies[found->second]) {
    originals[captured] = variables.lookup(captured);
    variables[captured] = copy;
  }
  Inlined saved = inlined;
  inlined = {true, result};
  lowerList(listOf(definition->getBody()));
  inlined = saved;
  for (auto [captured, original] : originals)
    variables[captured] = original;
  output = outer;
  emit(makeBlock(std::move(inner), rangeOf(&e)));
  return result ? makeRef(result, rangeOf(&e)) : zeroOf(intType());
}

/// A return inside a lambda that is lowered into its call.
void FunctionLowering::returnFromClosure(const clang::ReturnStmt &s) {
  const clang::Expr *value = s.getRetValue();
  if (inlined.result && value) {
    Expr made = staysVerbatim(value) ? textOf(value) : wholeValue(value);
    emit(makeAssign(makeRef(inlined.result), std::move(made), rangeOf(&s)));
  } else if (value) {
    discard(value);
  }
  if (inlined.inSwitch)
    emit(makeBreak(rangeOf(&s)));
}

} // namespace gpuad::frontend
