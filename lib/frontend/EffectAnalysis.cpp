//===- EffectAnalysis.cpp --------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/EffectAnalysis.h"

#include "frontend/SourceMap.h"

#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"

namespace gpuad::frontend {

using clang::dyn_cast;
using clang::isa;

/// What a structured binding names, of an object without a name or of a variable for it.
static const clang::Expr *namedPart(const clang::Expr *e) {
  auto *reference = dyn_cast<clang::DeclRefExpr>(e);
  auto *binding = reference ? dyn_cast<clang::BindingDecl>(reference->getDecl()) : nullptr;
  return binding ? binding->getBinding() : nullptr;
}

const clang::VarDecl *rootVariable(const clang::Expr *place) {
  for (;;) {
    place = place->IgnoreParenImpCasts();
    if (auto *member = dyn_cast<clang::MemberExpr>(place)) {
      if (member->isArrow())
        return nullptr;
      place = member->getBase();
    } else if (auto *subscript = dyn_cast<clang::ArraySubscriptExpr>(place)) {
      const clang::Expr *base = subscript->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType())
        return nullptr;
      place = base;
    } else if (const clang::Expr *part = namedPart(place)) {
      place = part;
    } else if (auto *reference = dyn_cast<clang::DeclRefExpr>(place)) {
      return dyn_cast<clang::VarDecl>(reference->getDecl());
    } else {
      return nullptr;
    }
  }
}

static bool livesOutside(const clang::VarDecl &variable) {
  return variable.getType()->isReferenceType() || !variable.hasLocalStorage();
}

/// this->a.b[i], where the object is made here.
static bool isInThis(const clang::Expr *place) {
  for (;;) {
    place = place->IgnoreParenImpCasts();
    if (auto *member = dyn_cast<clang::MemberExpr>(place)) {
      const clang::Expr *base = member->getBase()->IgnoreParenImpCasts();
      if (member->isArrow())
        return isa<clang::CXXThisExpr>(base) && !member->getType()->isReferenceType();
      place = base;
    } else if (auto *subscript = dyn_cast<clang::ArraySubscriptExpr>(place)) {
      place = subscript->getBase()->IgnoreParenImpCasts();
      if (!place->getType()->isArrayType())
        return false;
    } else {
      return false;
    }
  }
}

/// The variables for what get<>() gives, of `auto [a, b] = e;`.
static std::vector<const clang::VarDecl *> heldParts(const clang::Decl *declaration) {
  std::vector<const clang::VarDecl *> parts;
  if (auto *whole = dyn_cast<clang::DecompositionDecl>(declaration))
    for (const clang::BindingDecl *binding : whole->bindings())
      if (const clang::VarDecl *part = binding->getHoldingVar())
        parts.push_back(part);
  return parts;
}

void EffectAnalysis::collectWrite(const clang::Expr *place, Effects &effects) {
  if (isConstructor && isInThis(place))
    return;
  const clang::VarDecl *root = rootVariable(place);
  if (!root || livesOutside(*root))
    effects.memory = true;
  else
    effects.variables.insert(root);
}

/// Statements whose inside is not looked into: they may do anything.
static bool isOpaque(const clang::Stmt *statement) {
  return isa<clang::AsmStmt, clang::CXXTryStmt, clang::CXXThrowExpr, clang::CXXNewExpr, clang::CXXDeleteExpr,
             clang::StmtExpr, clang::CUDAKernelCallExpr, clang::AtomicExpr, clang::CoroutineSuspendExpr>(statement);
}

bool readsObject(const clang::Stmt *s) {
  return s && (isa<clang::CXXThisExpr>(s) || llvm::any_of(s->children(), readsObject));
}

void EffectAnalysis::collect(const clang::Stmt *statement, Effects &effects) {
  if (!statement || isa<clang::UnaryExprOrTypeTraitExpr, clang::LambdaExpr>(statement))
    return;
  // Assembly that is a pure function of its operands: its outputs are all that it writes.
  if (auto *assembly = dyn_cast<clang::GCCAsmStmt>(statement);
      assembly && !assembly->isVolatile() && assembly->getNumClobbers() == 0) {
    for (unsigned i = 0; i < assembly->getNumOutputs(); ++i)
      collectWrite(assembly->getOutputExpr(i), effects);
    return;
  }
  if (isOpaque(statement)) {
    effects.memory = true;
    return;
  }
  if (auto *binary = dyn_cast<clang::BinaryOperator>(statement)) {
    if (binary->isAssignmentOp())
      collectWrite(binary->getLHS(), effects);
  } else if (auto *unary = dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp())
      collectWrite(unary->getSubExpr(), effects);
  } else if (auto *construct = dyn_cast<clang::CXXConstructExpr>(statement)) {
    const clang::CXXConstructorDecl *constructor = construct->getConstructor();
    bool becomesStatements = constructor->isInheritingConstructor() || constructor->getParent()->isLocalClass();
    if (!constructor->isTrivial() && (becomesStatements || callHasEffects(constructor)))
      effects.memory = true;
  } else if (auto *ofClass = dyn_cast<clang::CXXDefaultInitExpr>(statement)) {
    effects.memory |= !isConstructor && readsObject(ofClass->getExpr()); // lowered into statements
    return collect(ofClass->getExpr(), effects);
  } else if (auto *assignment = dyn_cast<clang::CXXOperatorCallExpr>(statement);
             assignment && assignment->getOperator() == clang::OO_Equal && assignment->getDirectCallee() &&
             assignment->getDirectCallee()->isTrivial()) {
    collectWrite(assignment->getArg(0), effects);
  } else if (auto *call = dyn_cast<clang::CallExpr>(statement)) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee || callHasEffects(callee))
      effects.memory = true;
  } else if (auto *pseudo = dyn_cast<clang::PseudoObjectExpr>(statement)) {
    return (void)pseudo; // threadIdx.x and its like
  } else if (auto *argument = dyn_cast<clang::CXXDefaultArgExpr>(statement)) {
    return collect(argument->getExpr(), effects);
  } else if (auto *opaque = dyn_cast<clang::OpaqueValueExpr>(statement)) {
    return collect(opaque->getSourceExpr(), effects);
  } else if (auto *declarations = dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *declaration : declarations->decls())
      for (const clang::VarDecl *part : heldParts(declaration))
        collect(part->getInit(), effects);
  }
  for (const clang::Stmt *child : statement->children())
    collect(child, effects);
}

Effects EffectAnalysis::effectsOf(const clang::Stmt *statement) {
  Effects effects;
  collect(statement, effects);
  return effects;
}

bool EffectAnalysis::hasEffects(const clang::Stmt *statement) {
  auto found = statements.find(statement);
  if (found != statements.end())
    return found->second;
  bool any = effectsOf(statement).any();
  statements[statement] = any;
  return any;
}

bool EffectAnalysis::bodyHasEffects(const clang::FunctionDecl &definition) {
  return effectsOf(definition.getBody()).memory;
}

/// What the signature alone says: a function that is given nothing it could write
/// through, and that gives something back, is taken for one without effects.
static bool signatureHasEffects(const clang::FunctionDecl &function) {
  clang::QualType result = function.getReturnType();
  if (result->isVoidType() || function.isVariadic() || result->isPointerType())
    return true;
  auto *method = dyn_cast<clang::CXXMethodDecl>(&function);
  bool hasObject = method && method->isInstance() && !isa<clang::CXXConstructorDecl>(method);
  if (hasObject && !method->isConst())
    return true;
  if (function.param_empty() && !method)
    return true;
  for (const clang::ParmVarDecl *parameter : function.parameters()) {
    clang::QualType type = parameter->getType();
    if (type->isPointerType() || type->isLValueReferenceType())
      if (!type->getPointeeType().isConstQualified())
        return true;
  }
  return false;
}

bool EffectAnalysis::callHasEffects(const clang::FunctionDecl *callee) {
  callee = callee->getCanonicalDecl();
  // May be lowered into its call, which is then statements; and may write what it captured.
  if (auto *method = dyn_cast<clang::CXXMethodDecl>(callee);
      method && (method->getParent()->isLambda() || method->getParent()->isLocalClass()))
    return true;
  auto found = functions.find(callee);
  if (found != functions.end())
    return found->second;
  if (callee->hasAttr<clang::ConstAttr>() || callee->hasAttr<clang::PureAttr>())
    return functions[callee] = false;
  if (unsigned builtin = callee->getBuiltinID())
    if (context.BuiltinInfo.isConst(builtin) || context.BuiltinInfo.isConstWithoutErrnoAndExceptions(builtin))
      return functions[callee] = false;
  const clang::FunctionDecl *definition = nullptr;
  if (sources.inSystemHeader(callee->getLocation()) || !callee->hasBody(definition))
    return functions[callee] = signatureHasEffects(*callee);
  functions[callee] = false; // until shown otherwise, for recursive functions
  bool outer = isConstructor;
  isConstructor = isa<clang::CXXConstructorDecl>(callee);
  bool effects = bodyHasEffects(*definition);
  isConstructor = outer;
  if (auto *constructor = dyn_cast<clang::CXXConstructorDecl>(callee))
    effects = !constructor->isTrivial() && effects;
  return functions[callee] = effects;
}

static void scan(const clang::Stmt *statement, BodyFacts &facts) {
  if (!statement)
    return;
  facts.hasLocalText |= isa<clang::LambdaExpr, clang::StmtExpr, clang::AsmStmt>(statement);
  auto escape = [&](const clang::Expr *place) {
    if (place->isGLValue())
      if (const clang::VarDecl *root = rootVariable(place))
        facts.escaped.insert(root);
  };
  if (auto *reference = dyn_cast<clang::DeclRefExpr>(statement)) {
    if (reference->getDecl()->getIdentifier())
      facts.names.insert(reference->getDecl()->getName());
  } else if (auto *declarations = dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *declaration : declarations->decls()) {
      facts.hasLocalText |= isa<clang::TagDecl>(declaration);
      if (auto *named = dyn_cast<clang::NamedDecl>(declaration); named && named->getIdentifier())
        facts.names.insert(named->getName());
      if (auto *variable = dyn_cast<clang::VarDecl>(declaration))
        if (variable->getType()->isReferenceType() && variable->getInit())
          escape(variable->getInit());
      if (auto *whole = dyn_cast<clang::DecompositionDecl>(declaration))
        for (const clang::BindingDecl *binding : whole->bindings())
          if (binding->getIdentifier())
            facts.names.insert(binding->getName());
      for (const clang::VarDecl *part : heldParts(declaration))
        scan(part->getInit(), facts);
    }
  } else if (auto *lambda = dyn_cast<clang::LambdaExpr>(statement)) {
    for (const clang::LambdaCapture &capture : lambda->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
        if (auto *variable = dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          facts.escaped.insert(variable);
  } else if (isa<clang::GotoStmt, clang::IndirectGotoStmt>(statement)) {
    facts.jump = statement;
  } else if (auto *unary = dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->getOpcode() == clang::UO_AddrOf)
      escape(unary->getSubExpr());
  } else if (auto *cast = dyn_cast<clang::CastExpr>(statement)) {
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
      escape(cast->getSubExpr());
  } else if (auto *call = dyn_cast<clang::CallExpr>(statement)) {
    for (const clang::Expr *argument : call->arguments())
      escape(argument);
  }
  for (const clang::Stmt *child : statement->children())
    scan(child, facts);
}

BodyFacts scanBody(const clang::Stmt *body) {
  BodyFacts facts;
  scan(body, facts);
  return facts;
}

bool mayChange(const clang::Expr *operand, const Effects &effects, const BodyFacts &facts) {
  if (const clang::Expr *part = namedPart(operand))
    return mayChange(part, effects, facts);
  if (auto *reference = dyn_cast<clang::DeclRefExpr>(operand)) {
    auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable)
      return false;
    if (effects.variables.contains(variable))
      return true;
    return effects.memory && !variable->getType().isConstQualified() &&
           (livesOutside(*variable) || facts.escaped.contains(variable));
  }
  if (isa<clang::PseudoObjectExpr, clang::UnaryExprOrTypeTraitExpr>(operand))
    return false;
  if (effects.memory) {
    if (isa<clang::CallExpr, clang::CXXThisExpr, clang::LambdaExpr>(operand))
      return true;
    if (auto *unary = dyn_cast<clang::UnaryOperator>(operand); unary && unary->getOpcode() == clang::UO_Deref)
      return true;
    if (auto *subscript = dyn_cast<clang::ArraySubscriptExpr>(operand))
      if (!rootVariable(subscript))
        return true;
    if (auto *member = dyn_cast<clang::MemberExpr>(operand); member && member->isArrow())
      return true;
  }
  for (const clang::Stmt *child : operand->children())
    if (auto *expression = dyn_cast_or_null<clang::Expr>(child); expression && mayChange(expression, effects, facts))
      return true;
  return false;
}

} // namespace gpuad::frontend
