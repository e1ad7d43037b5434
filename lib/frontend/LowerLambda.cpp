//===- LowerLambda.cpp - lambdas that are only called -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A lambda that a function keeps in a variable and only calls, or calls at once, is lowered into each call: its body
/// in a block, with its parameters as variables and its returns as assignments. So is one that a function returns,
/// where that is all the function does. All others stay text.
///
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"
#include "ir/Walk.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

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

static bool isClosureType(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isLambda();
}

static bool canBeInlined(const clang::LambdaExpr &lambda) {
  for (const clang::LambdaCapture &capture : lambda.captures()) {
    if (capture.isPackExpansion() || !(capture.capturesVariable() || capture.capturesThis()))
      return false;
    if (!capture.capturesVariable())
      continue;
    auto *variable = dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    bool copiesArray = capture.getCaptureKind() == clang::LCK_ByCopy && variable && variable->getType()->isArrayType();
    if (!variable || copiesArray || (variable->isInitCapture() && isClosureType(variable->getType())))
      return false;
  }
  const clang::CXXMethodDecl *call = lambda.getCallOperator();
  bool plain = call->isConst() && !call->isVariadic() && !call->getReturnType()->isReferenceType();
  for (const clang::ParmVarDecl *parameter : call->parameters())
    plain &= !parameter->isParameterPack();
  return plain && leavesList(listOf(lambda.getBody())) != Leaves::Otherwise;
}

/// Without what hands an object on: copies, std::forward and std::move.
static const clang::Expr *handedOn(const clang::Expr *e) {
  for (;;) {
    e = e->IgnoreParenImpCasts();
    if (auto *temporary = dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
      e = temporary->getSubExpr();
      continue;
    }
    if (auto *cast = dyn_cast<clang::ExplicitCastExpr>(e); cast && cast->getCastKind() == clang::CK_NoOp) {
      e = cast->getSubExpr();
      continue;
    }
    auto *copy = dyn_cast<clang::CXXConstructExpr>(e);
    if (copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor()) {
      e = copy->getArg(0);
      continue;
    }
    auto *call = dyn_cast<clang::CallExpr>(e);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || call->getNumArgs() != 1 ||
        (callee->getBuiltinID() != clang::Builtin::BIforward && callee->getBuiltinID() != clang::Builtin::BImove))
      return e;
    e = call->getArg(0);
  }
}

static const clang::VarDecl *variableIn(const clang::Expr *e) {
  auto *reference = dyn_cast<clang::DeclRefExpr>(handedOn(e));
  return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

static const clang::VarDecl *calledVariable(const clang::Stmt *s) {
  auto *call = dyn_cast<clang::CXXOperatorCallExpr>(s);
  return call && call->getOperator() == clang::OO_Call ? variableIn(call->getArg(0)) : nullptr;
}

/// Whether an argument is a lambda or a variable that holds one.
static bool isClosure(const clang::Expr *e) {
  return isClosureType(e->getType());
}

static const clang::FunctionDecl *definitionOf(const clang::CallExpr &e) {
  const clang::FunctionDecl *callee = e.getDirectCallee();
  const clang::FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  return definition && definition->getBody() ? definition : nullptr;
}

/// The lambda that a function returns and that is all it does; null: it does something else.
static const clang::LambdaExpr *lambdaMadeBy(const clang::CallExpr &e) {
  const clang::FunctionDecl *definition = definitionOf(e);
  if (!definition || isa<clang::CXXMethodDecl>(definition) || definition->isVariadic() || !isClosure(&e))
    return nullptr;
  Stmts body = listOf(definition->getBody());
  auto *returned = body.size() == 1 ? dyn_cast<clang::ReturnStmt>(body[0]) : nullptr;
  auto *lambda =
      returned && returned->getRetValue() ? dyn_cast<clang::LambdaExpr>(handedOn(returned->getRetValue())) : nullptr;
  if (!lambda || !canBeInlined(*lambda))
    return nullptr;
  // What it captures by reference ends with the function, unless it is a reference itself.
  bool mayDangle = llvm::any_of(lambda->captures(), [](const clang::LambdaCapture &capture) {
    return capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef &&
           !capture.getCapturedVar()->getType()->isReferenceType();
  });
  bool takesKnown = llvm::all_of(e.arguments(), [](const clang::Expr *argument) {
    if (!isClosure(argument))
      return true;
    auto *written = dyn_cast<clang::LambdaExpr>(handedOn(argument));
    return written ? canBeInlined(*written) : variableIn(argument) != nullptr;
  });
  return mayDangle || !takesKnown ? nullptr : lambda;
}

bool callsClosureAtOnce(const clang::CallExpr &e) {
  auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(&e);
  if (!operation || operation->getOperator() != clang::OO_Call || !isClosure(operation->getArg(0)))
    return false;
  const clang::Expr *object = handedOn(operation->getArg(0));
  if (auto *lambda = dyn_cast<clang::LambdaExpr>(object))
    return canBeInlined(*lambda);
  auto *call = dyn_cast<clang::CallExpr>(object);
  return call && lambdaMadeBy(*call);
}

/// Functions whose bodies are being looked at: one that calls itself is not lowered into
/// its call.
using Functions = llvm::SmallPtrSet<const clang::FunctionDecl *, 8>;

static bool takes(const clang::CallExpr &e, Functions &underway);

/// Counts uses of closures: a call is one up and one down, and so is handing one to a
/// function that only calls it.
static void countUses(const clang::Stmt *s, llvm::DenseMap<const clang::VarDecl *, int> &uses, Functions &underway) {
  if (!s)
    return;
  if (auto *lambda = dyn_cast<clang::LambdaExpr>(s))
    return countUses(lambda->getBody(), uses, underway); // its copies of closures are only called there
  if (auto *reference = dyn_cast<clang::DeclRefExpr>(s))
    if (auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl()))
      ++uses[variable];
  if (const clang::VarDecl *called = calledVariable(s))
    --uses[called];
  if (auto *call = dyn_cast<clang::CallExpr>(s); call && (lambdaMadeBy(*call) || takes(*call, underway)))
    for (const clang::Expr *argument : call->arguments())
      if (const clang::VarDecl *passed = isClosure(argument) ? variableIn(argument) : nullptr)
        --uses[passed];
  for (const clang::Stmt *child : s->children())
    countUses(child, uses, underway);
}

bool takesClosures(const clang::CallExpr &e) {
  Functions underway;
  return takes(e, underway);
}

static bool takes(const clang::CallExpr &e, Functions &underway) {
  auto isLambda = [](const clang::Expr *argument) {
    auto *lambda = dyn_cast<clang::LambdaExpr>(handedOn(argument));
    return lambda ? canBeInlined(*lambda) : variableIn(argument) != nullptr;
  };
  bool any = false;
  for (const clang::Expr *argument : e.arguments()) {
    if (!isClosure(argument))
      continue;
    if (!isLambda(argument))
      return false;
    any = true;
  }
  bool isCandidate = any && !isa<clang::CXXOperatorCallExpr>(e) && !isClosure(&e);
  const clang::FunctionDecl *definition = isCandidate ? definitionOf(e) : nullptr;
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(definition);
  bool isOther = method && (method->isVirtual() || method->getParent()->isLambda());
  if (!definition || isOther || isa<clang::CXXConstructorDecl>(definition) || definition->isVariadic() ||
      definition->getReturnType()->isReferenceType() ||
      definition->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation()) ||
      leavesList(listOf(definition->getBody())) == Leaves::Otherwise || scanBody(definition->getBody()).jump ||
      !underway.insert(definition).second)
    return false;
  llvm::DenseMap<const clang::VarDecl *, int> uses;
  countUses(definition->getBody(), uses, underway);
  underway.erase(definition);
  return llvm::all_of(definition->parameters(), [&](const clang::ParmVarDecl *parameter) {
    const clang::CXXRecordDecl *record = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return !record || !record->isLambda() || uses.lookup(parameter) == 0;
  });
}

bool FunctionLowering::beginClosure(const clang::VarDecl &variable) {
  const clang::Expr *init = variable.getInit();
  if (!init || !isClosureType(variable.getType()))
    return false;
  llvm::DenseMap<const clang::VarDecl *, int> uses;
  Functions underway;
  countUses(wholeBody, uses, underway);
  if (uses.lookup(&variable) != 0)
    return false;
  std::shared_ptr<Closure> closure = closureOf(init, &variable);
  if (!closure)
    return false;
  closures[&variable] = std::move(closure);
  return true;
}

/// What an expression makes: a lambda that is written there, one that is known, or one
/// that a function returns, whose parameters it keeps. `held`: the variable for it; null:
/// it is called or handed on at once.
std::shared_ptr<FunctionLowering::Closure> FunctionLowering::closureOf(const clang::Expr *e,
                                                                       const clang::VarDecl *held) {
  const clang::Expr *made = handedOn(e);
  if (auto *lambda = dyn_cast<clang::LambdaExpr>(made))
    return canBeInlined(*lambda) ? closureOver(*lambda, false) : nullptr;
  if (const clang::VarDecl *known = held ? nullptr : variableIn(e))
    return closures.lookup(known);
  auto *call = dyn_cast<clang::CallExpr>(made);
  const clang::LambdaExpr *lambda = call ? lambdaMadeBy(*call) : nullptr;
  if (!lambda)
    return nullptr;
  const clang::FunctionDecl *definition = definitionOf(*call);
  for (unsigned i = 0; i < call->getNumArgs() && i < definition->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    const clang::Expr *argument = call->getArg(i);
    if (isClosure(argument)) {
      std::shared_ptr<Closure> inner = closureOf(argument, nullptr);
      if (!inner)
        return nullptr; // it stayed text
      closures[parameter] = std::move(inner);
      continue;
    }
    Type type = pass.types.lower(parameter->getType());
    if (isReference(type) && argument->IgnoreImplicit()->isPRValue())
      type = elementOf(type);
    Var *var = function.makeVar(uniqueName(parameter->getNameAsString()), type);
    var->range = pass.sources.range(parameter->getLocation());
    variables[parameter] = var;
    emit(makeDecl(var, Visit(argument), rangeOf(argument)));
  }
  return closureOver(*lambda, true);
}

/// A lambda with what it keeps: what it copies is copied where it can change before a call,
/// or where `isReturned`, since the function that made it may be called again.
std::shared_ptr<FunctionLowering::Closure> FunctionLowering::closureOver(const clang::LambdaExpr &lambda,
                                                                         bool isReturned) {
  auto made = std::make_shared<Closure>();
  made->lambda = &lambda;
  SourceRange range = rangeOf(&lambda);
  for (const clang::LambdaCapture &capture : lambda.captures()) {
    if (!capture.capturesVariable())
      continue;
    auto *captured = clang::cast<clang::VarDecl>(capture.getCapturedVar());
    if (auto inner = closures.find(captured); inner != closures.end()) {
      made->inner[captured] = inner->second;
      continue;
    }
    if (captured->isInitCapture()) {
      Var *own = function.makeVar(uniqueName(captured->getNameAsString()), pass.types.lower(captured->getType()));
      emit(makeDecl(own, Visit(captured->getInit()), range));
      made->captured[captured] = own;
      continue;
    }
    bool changes = captured->getType()->isReferenceType() || facts.escaped.contains(captured) ||
                   pass.effects.effectsOf(wholeBody).variables.contains(captured);
    if (isReturned && captured->getType()->isReferenceType() && capture.getCaptureKind() == clang::LCK_ByRef)
      made->captured[captured] = variableFor(captured);
    if (capture.getCaptureKind() != clang::LCK_ByCopy || !(changes || isReturned) || !captured->isLocalVarDeclOrParm())
      continue;
    Var *original = variableFor(captured);
    Type type = withConst(stripReference(original->type), false);
    Var *copy = function.makeVar(uniqueName(original->name + "_copy"), type);
    emit(makeDecl(copy, makeRef(original), range));
    made->captured[captured] = copy;
  }
  return made;
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
  const clang::FunctionDecl *callee = e.getDirectCallee();
  const clang::FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  if (!definition || !definition->getBody())
    return nullptr;
  std::shared_ptr<Closure> closure = variable                ? closures.lookup(variable)
                                     : callsClosureAtOnce(e) ? closureOf(e.getArg(0), nullptr)
                                                             : nullptr;
  if (!closure)
    return nullptr;
  std::vector<const clang::Expr *> written(e.arg_begin() + 1, e.arg_end());
  bool isVoidCall = definition->getReturnType()->isVoidType();
  Var *result = nullptr;
  if (!isVoidCall) {
    result = function.makeVar(uniqueName(variable ? variable->getName().str() + "_value" : "value"), typeOf(&e));
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
  auto outerVariables = variables;
  auto outerClosures = closures;
  for (auto [captured, copy] : closure->captured)
    variables[captured] = copy;
  for (auto &[captured, inner] : closure->inner)
    closures[captured] = inner;
  Inlined saved = inlined;
  inlined = {true, result};
  llvm::StringSet<> outerHidden; // the names in it are those of where it is written
  std::swap(hidden, outerHidden);
  lowerList(listOf(definition->getBody()));
  std::swap(hidden, outerHidden);
  inlined = saved;
  for (auto [captured, copy] : closure->captured)
    variables[captured] = outerVariables.lookup(captured);
  for (auto &[captured, inner] : closure->inner)
    closures[captured] = outerClosures.lookup(captured);
  output = outer;
  emit(makeBlock(std::move(inner), rangeOf(&e)));
  return result ? makeRef(result, rangeOf(&e)) : zeroOf(intType());
}

/// A call that hands lambdas to a function which only calls them: the body of the
/// function, in a block.
Expr FunctionLowering::inlineTaker(const clang::CallExpr &e) {
  const clang::FunctionDecl *definition = takesClosures(e) ? definitionOf(e) : nullptr;
  if (!definition)
    return nullptr;
  for (const clang::Expr *argument : e.arguments())
    if (const clang::VarDecl *held = isClosure(argument) ? variableIn(argument) : nullptr)
      if (!closures.contains(held))
        return nullptr; // it stayed text
  BodyFacts inner = scanBody(definition->getBody());
  llvm::StringSet<> outerHidden = hidden;
  for (const auto &name : facts.names)
    hidden.insert(name.getKey());
  for (const auto &name : inner.names)
    facts.names.insert(name.getKey());
  facts.escaped.insert(inner.escaped.begin(), inner.escaped.end());
  facts.hasLocalText |= inner.hasLocalText;
  std::vector<const clang::Expr *> written;
  if (auto *member = dyn_cast<clang::CXXMemberCallExpr>(&e))
    written.push_back(member->getImplicitObjectArgument());
  unsigned object = written.size();
  for (const clang::Expr *argument : e.arguments())
    if (!isClosure(argument))
      written.push_back(argument);
  Var *result = nullptr;
  if (!definition->getReturnType()->isVoidType()) {
    result = function.makeVar(uniqueName(definition->getNameAsString() + "_value"), typeOf(&e));
    emit(makeDecl(result, nullptr, rangeOf(&e)));
  }
  std::vector<Expr> args = operands(written);
  std::vector<Stmt> *outer = output, list;
  output = &list;
  Var *outerSelf = self;
  if (object) {
    Expr held = written[0]->getType()->isPointerType() ? makeDeref(args[0]) : args[0];
    self = function.makeVar(uniqueName("object"), referenceTo(held->type));
    emit(makeDecl(self, held, rangeOf(written[0])));
  }
  unsigned next = object;
  for (unsigned i = 0; i < e.getNumArgs() && i < definition->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (!isClosure(e.getArg(i))) {
      bindParameter(*parameter, args[next], *written[next]);
      ++next;
      continue;
    }
    closures[parameter] = closureOf(e.getArg(i), nullptr);
  }
  Inlined saved = inlined;
  inlined = {true, result};
  lowerList(listOf(definition->getBody()));
  inlined = saved;
  self = outerSelf;
  hidden = std::move(outerHidden);
  output = outer;
  emit(makeBlock(std::move(list), rangeOf(&e)));
  return result ? makeRef(result, rangeOf(&e)) : zeroOf(intType());
}

/// A parameter of a body that is lowered into its call.
void FunctionLowering::bindParameter(const clang::ParmVarDecl &parameter, const Expr &arg, const clang::Expr &written) {
  Type type = pass.types.lower(parameter.getType());
  if (isReference(type) && written.IgnoreImplicit()->isPRValue())
    type = elementOf(type);
  std::string name = parameter.getNameAsString();
  Var *var = function.makeVar(hidden.contains(name) ? uniqueName(name) : name, type);
  var->range = pass.sources.range(parameter.getLocation());
  variables[&parameter] = var;
  emit(makeDecl(var, arg, rangeOf(&written)));
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
