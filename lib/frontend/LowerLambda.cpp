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

#include "frontend/Closures.h"
#include "frontend/FunctionLowering.h"
#include "ir/Walk.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

bool FunctionLowering::beginClosure(const clang::VarDecl &variable) {
  const clang::Expr *init = variable.getInit();
  if (!init || !isClosureType(variable.getType()))
    return false;
  if (!isOnlyCalled(variable, wholeBody))
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
  if (const clang::VarDecl *known = variableIn(e)) {
    std::shared_ptr<Closure> found = closures.lookup(known);
    return found && held && !held->getType()->isReferenceType() ? copyOf(found) : found;
  }
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

/// The same closure, where nothing can change what it keeps; else one with a state of its
/// own.
std::shared_ptr<FunctionLowering::Closure> FunctionLowering::copyOf(const std::shared_ptr<Closure> &closure) {
  if (!closure->lambda->isMutable())
    return closure;
  auto made = std::make_shared<Closure>(*closure);
  for (const clang::LambdaCapture &capture : closure->lambda->captures()) {
    if (!capture.capturesVariable() || capture.getCaptureKind() != clang::LCK_ByCopy)
      continue;
    auto *captured = capture.getCapturedVar();
    if (auto inner = made->inner.find(dyn_cast<clang::VarDecl>(captured)); inner != made->inner.end())
      inner->second = copyOf(inner->second);
    Var *&own = made->captured[captured];
    if (!own)
      continue;
    Var *copy = function.makeVar(uniqueName(own->name), own->type);
    emit(makeDecl(copy, makeRef(own), rangeOf(closure->lambda)));
    own = copy;
  }
  return made;
}

/// A lambda with what it keeps: what it copies is copied where it can change before a call,
/// where the lambda changes its copy, or where `isReturned`, since the function that made it
/// may be called again.
std::shared_ptr<FunctionLowering::Closure> FunctionLowering::closureOver(const clang::LambdaExpr &lambda,
                                                                         bool isReturned) {
  auto made = std::make_shared<Closure>();
  made->lambda = &lambda;
  SourceRange range = rangeOf(&lambda);
  for (const clang::LambdaCapture &capture : lambda.captures()) {
    if (!capture.capturesVariable())
      continue;
    if (auto *binding = dyn_cast<clang::BindingDecl>(capture.getCapturedVar())) {
      if (capture.getCaptureKind() == clang::LCK_ByCopy)
        made->captured[binding] = copyOfPart(*binding);
      continue;
    }
    auto *captured = clang::cast<clang::VarDecl>(capture.getCapturedVar());
    if (auto inner = closures.find(captured); inner != closures.end()) {
      bool isCopy = capture.getCaptureKind() == clang::LCK_ByCopy;
      made->inner[captured] = isCopy ? copyOf(inner->second) : inner->second;
      continue;
    }
    if (captured->isInitCapture()) {
      Var *own = function.makeVar(uniqueName(captured->getNameAsString()), pass.types.lower(captured->getType()));
      emit(makeDecl(own, Visit(captured->getInit()), range));
      made->captured[captured] = own;
      continue;
    }
    bool changes = lambda.isMutable() || captured->getType()->isReferenceType() || facts.escaped.contains(captured) ||
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
    result =
        function.makeVar(uniqueName(variable ? variable->getName().ltrim('_').str() + "_value" : "value"), typeOf(&e));
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
    if (!name.empty() && !named.insert(name).second) { // as those of a pack, which have one name
      facts.names.insert(name);
      name = uniqueName(name);
    }
    Var *var = function.makeVar(name, type);
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
  std::vector<const clang::Expr *> written, arguments(e.arg_begin(), e.arg_end());
  if (auto *member = dyn_cast<clang::CXXMemberCallExpr>(&e)) {
    written.push_back(member->getImplicitObjectArgument());
  } else if (isa<clang::CXXOperatorCallExpr>(e) && isa<clang::CXXMethodDecl>(definition)) {
    written.push_back(arguments[0]);
    arguments.erase(arguments.begin());
  }
  unsigned object = written.size();
  for (const clang::Expr *argument : arguments)
    if (!isClosure(argument))
      written.push_back(argument);
  Var *result = nullptr;
  if (!definition->getReturnType()->isVoidType()) {
    std::string name = definition->getIdentifier() ? definition->getName().str() + "_value" : "value";
    result = function.makeVar(uniqueName(name), typeOf(&e));
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
  for (unsigned i = 0; i < arguments.size() && i < definition->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (!isClosure(arguments[i])) {
      bindParameter(*parameter, args[next], *written[next]);
      ++next;
      continue;
    }
    std::shared_ptr<Closure> closure = closureOf(arguments[i], nullptr);
    closures[parameter] = closure && !parameter->getType()->isReferenceType() ? copyOf(closure) : closure;
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
  std::string name = nameOf(parameter);
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
