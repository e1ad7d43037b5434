//===- Closures.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Closures.h"

#include "frontend/FunctionLowering.h"
#include "frontend/LibraryFunctions.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace gpuad::frontend {

using clang::dyn_cast;
using clang::isa;

static bool hasReturn(const clang::Stmt *s) {
  if (!s || isa<clang::LambdaExpr>(s))
    return false;
  return isa<clang::ReturnStmt>(s) || llvm::any_of(s->children(), hasReturn);
}

Stmts listOf(const clang::Stmt *s) {
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

Leaves leavesOne(const clang::Stmt *s) {
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

Leaves leavesList(const Stmts &list) {
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

bool isClosureType(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isLambda();
}

/// What a lambda runs: a generic one has an operator for each kind of arguments.
static std::vector<const clang::FunctionDecl *> operatorsOf(const clang::LambdaExpr &lambda) {
  const clang::CXXMethodDecl *call = lambda.getCallOperator();
  clang::FunctionTemplateDecl *generic = call->getDescribedFunctionTemplate();
  if (!generic)
    return {call};
  std::vector<const clang::FunctionDecl *> used;
  for (const clang::FunctionDecl *one : generic->specializations())
    if (one->getBody())
      used.push_back(one);
  return used;
}

bool canBeInlined(const clang::LambdaExpr &lambda) {
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
  return llvm::all_of(operatorsOf(lambda), [](const clang::FunctionDecl *call) {
    bool hasPack = llvm::any_of(call->parameters(), [](auto *parameter) { return parameter->isParameterPack(); });
    return !hasPack && !call->isVariadic() && !call->getReturnType()->isReferenceType() &&
           leavesList(listOf(call->getBody())) != Leaves::Otherwise;
  });
}

/// Without what hands an object on: copies, std::forward and std::move.
const clang::Expr *handedOn(const clang::Expr *e) {
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

const clang::VarDecl *variableIn(const clang::Expr *e) {
  auto *reference = dyn_cast<clang::DeclRefExpr>(handedOn(e));
  return reference ? dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

const clang::VarDecl *calledVariable(const clang::Stmt *s) {
  auto *call = dyn_cast<clang::CXXOperatorCallExpr>(s);
  return call && call->getOperator() == clang::OO_Call ? variableIn(call->getArg(0)) : nullptr;
}

/// Whether an argument is a lambda or a variable that holds one.
bool isClosure(const clang::Expr *e) {
  return isClosureType(e->getType());
}

const clang::FunctionDecl *definitionOf(const clang::CallExpr &e) {
  const clang::FunctionDecl *callee = e.getDirectCallee();
  const clang::FunctionDecl *definition = callee ? callee->getDefinition() : nullptr;
  return definition && definition->getBody() ? definition : nullptr;
}

/// The lambda that a function returns and that is all it does; null: it does something else.
const clang::LambdaExpr *lambdaMadeBy(const clang::CallExpr &e) {
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

/// A method of a class inside a function, which no function elsewhere can name.
static bool isOfLocalClass(const clang::CallExpr &e) {
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(e.getDirectCallee());
  return method && method->isInstance() && method->getParent()->isLocalClass() && !method->getParent()->isLambda() &&
         (isa<clang::CXXMemberCallExpr>(e) || isa<clang::CXXOperatorCallExpr>(e)) && !method->isTrivial();
}

namespace {
/// How often closures are used in another way than by a call.
struct ClosureUses {
  llvm::DenseMap<const clang::VarDecl *, int> counts;
  std::vector<std::pair<const clang::VarDecl *, const clang::VarDecl *>> copies; ///< of a closure, in another variable

  bool isOnlyCalled(const clang::VarDecl *variable) const {
    return counts.lookup(variable) == 0 &&
           llvm::all_of(copies, [&](const auto &copy) { return copy.first != variable || isOnlyCalled(copy.second); });
  }
};
} // namespace

/// Counts uses of closures: a call is one up and one down, and so is handing one to a
/// function that only calls it, or to a variable.
static void countUses(const clang::Stmt *s, ClosureUses &all, Functions &underway) {
  if (!s)
    return;
  llvm::DenseMap<const clang::VarDecl *, int> &uses = all.counts;
  if (auto *lambda = dyn_cast<clang::LambdaExpr>(s)) {
    for (const clang::FunctionDecl *call : operatorsOf(*lambda))
      countUses(call->getBody(), all, underway); // its copies of closures are only called there
    return;
  }
  if (auto *declaration = dyn_cast<clang::DeclStmt>(s))
    for (const clang::Decl *one : declaration->decls())
      if (auto *copy = dyn_cast<clang::VarDecl>(one); copy && copy->getInit() && isClosureType(copy->getType()))
        if (const clang::VarDecl *source = variableIn(copy->getInit())) {
          --uses[source];
          all.copies.push_back({source, copy});
        }
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
    countUses(child, all, underway);
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
  bool isLocal = isOfLocalClass(e);
  bool isCandidate = (any && !isa<clang::CXXOperatorCallExpr>(e) && !isClosure(&e)) || isLocal;
  const clang::FunctionDecl *definition = isCandidate ? definitionOf(e) : nullptr;
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(definition);
  bool isOther = method && (method->isVirtual() || method->getParent()->isLambda());
  if (!definition || isOther || isa<clang::CXXConstructorDecl>(definition) || definition->isVariadic() ||
      definition->getReturnType()->isReferenceType() ||
      (definition->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation()) &&
       !isStandardUtility(*definition)) ||
      leavesList(listOf(definition->getBody())) == Leaves::Otherwise || scanBody(definition->getBody()).jump ||
      !underway.insert(definition).second)
    return false;
  ClosureUses uses;
  countUses(definition->getBody(), uses, underway);
  underway.erase(definition);
  return llvm::all_of(definition->parameters(), [&](const clang::ParmVarDecl *parameter) {
    const clang::CXXRecordDecl *record = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return !record || !record->isLambda() || uses.isOnlyCalled(parameter);
  });
}

bool isOnlyCalled(const clang::VarDecl &variable, const clang::Stmt *body) {
  ClosureUses uses;
  Functions underway;
  countUses(body, uses, underway);
  return uses.isOnlyCalled(&variable);
}

} // namespace gpuad::frontend
