//===- LowerText.cpp -------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is not understood stays as its author wrote it.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;
using clang::isa;

/// Objects that cannot be copied around in temporaries, or whose lifetime matters.
static bool isLibraryObject(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  const clang::CXXRecordDecl *definition = record ? record->getDefinition() : nullptr;
  if (!definition || definition->isTriviallyCopyable() || isVectorRecord(*definition) || isPlainUtility(*definition))
    return false;
  // A class that only says itself how it is assigned is copied like others; in libraries, one without fields of its
  // own.
  bool isPlain = definition->hasTrivialDestructor() && definition->hasTrivialCopyConstructor() &&
                 !definition->hasNonTrivialMoveConstructor();
  bool isOfLibrary = definition->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation());
  return !isPlain || (isOfLibrary && !isHandle(*definition));
}

/// What in an expression cannot be taken apart without changing which objects it
/// makes and when they end, in words; null when there is nothing.
static const char *whatStays(const clang::Stmt *s, bool outermost) {
  if (!s || isa<clang::UnaryExprOrTypeTraitExpr>(s))
    return nullptr;
  if (isa<clang::LambdaExpr>(s))
    return "a lambda";
  if (isa<clang::CXXNewExpr, clang::CXXDeleteExpr>(s))
    return "new or delete";
  if (isa<clang::CXXThrowExpr>(s))
    return "a throw";
  if (isa<clang::StmtExpr>(s))
    return "a statement expression";
  if (isa<clang::CXXBindTemporaryExpr>(s))
    return "an expression with temporary objects";
  if (isa<clang::CXXStdInitializerListExpr, clang::CXXFoldExpr, clang::CoroutineSuspendExpr>(s))
    return "an expression that gpuad does not know";
  if (auto *call = dyn_cast<clang::CallExpr>(s); call && (takesClosures(*call) || callsClosureAtOnce(*call))) {
    for (const clang::Stmt *child : s->children())
      if (auto *argument = llvm::dyn_cast_or_null<clang::Expr>(child))
        if (const clang::CXXRecordDecl *record = argument->getType().getNonReferenceType()->getAsCXXRecordDecl();
            !record || !record->isLambda())
          if (const char *what = whatStays(child, false))
            return what;
    return nullptr;
  }
  if (auto *call = dyn_cast<clang::CallExpr>(s))
    if (std::vector<const clang::Expr *> listed = listedIn(*call); !listed.empty()) {
      for (const clang::Expr *one : listed)
        if (const char *what = whatStays(one, false))
          return what;
      return nullptr;
    }
  if (auto *call = dyn_cast<clang::CallExpr>(s))
    if ((!outermost || isa<clang::CXXOperatorCallExpr>(call)) && isLibraryObject(call->getType()))
      return "an expression on library objects";
  for (const clang::Stmt *child : s->children())
    if (const char *what = whatStays(child, false))
      return what;
  return nullptr;
}

const char *FunctionLowering::staysVerbatim(const clang::Expr *e) {
  return whatStays(e, true);
}

std::string FunctionLowering::verbatim(const clang::Stmt *s) const {
  if (std::optional<std::string> text = pass.sources.text(s->getSourceRange()))
    return *text;
  // Part of a macro's expansion: there is no text of its own.
  std::string text;
  llvm::raw_string_ostream stream(text);
  s->printPretty(stream, nullptr, pass.types.policy());
  return text;
}

static void collectMentions(const clang::Stmt *s, llvm::SmallVectorImpl<const clang::VarDecl *> &found,
                            llvm::DenseSet<const clang::VarDecl *> &inside, bool &usesThis) {
  if (!s)
    return;
  if (auto *reference = dyn_cast<clang::DeclRefExpr>(s)) {
    auto *binding = dyn_cast<clang::BindingDecl>(reference->getDecl());
    const clang::ValueDecl *named = binding ? binding->getDecomposedDecl() : reference->getDecl();
    if (auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(named))
      if (!inside.contains(variable) && !llvm::is_contained(found, variable))
        found.push_back(variable);
    // auto [a, b] = e; that stayed text: a carries what e mentions.
    if (auto *binding = dyn_cast<clang::BindingDecl>(reference->getDecl()))
      if (auto *whole = dyn_cast_or_null<clang::VarDecl>(binding->getDecomposedDecl()))
        collectMentions(whole->getInit(), found, inside, usesThis);
  } else if (auto *declarations = dyn_cast<clang::DeclStmt>(s)) {
    for (const clang::Decl *declaration : declarations->decls())
      if (auto *variable = dyn_cast<clang::VarDecl>(declaration))
        inside.insert(variable);
  } else if (auto *lambda = dyn_cast<clang::LambdaExpr>(s)) {
    for (const clang::ParmVarDecl *parameter : lambda->getCallOperator()->parameters())
      inside.insert(parameter);
    collectMentions(lambda->getBody(), found, inside, usesThis);
  } else if (isa<clang::CXXThisExpr>(s)) {
    usesThis = true;
  }
  for (const clang::Stmt *child : s->children())
    collectMentions(child, found, inside, usesThis);
}

std::vector<Var *> FunctionLowering::mentionsIn(const clang::Stmt *s) {
  llvm::SmallVector<const clang::VarDecl *, 8> found;
  llvm::DenseSet<const clang::VarDecl *> inside;
  bool usesThis = false;
  collectMentions(s, found, inside, usesThis);
  std::vector<Var *> mentions;
  for (const clang::VarDecl *declaration : found) {
    if (declaration->isLocalVarDeclOrParm() && !variables.contains(declaration) && isa<clang::ParmVarDecl>(declaration))
      continue; // of a nested lambda
    Var *var = variableFor(declaration);
    var->pinned = true;
    mentions.push_back(var);
  }
  if (usesThis && self)
    mentions.push_back(self);
  return mentions;
}

/// Of `T v(a)` or `T v{a}`, `T(a)` or `T{a}`: Clang lets the construction begin at the variable's name.
static std::optional<std::string> textOfConstruction(const clang::Expr *e, DeclLowering &pass) {
  auto *construct = dyn_cast<clang::CXXConstructExpr>(e->IgnoreImplicit());
  if (!construct || isa<clang::CXXTemporaryObjectExpr>(construct) || construct->getParenOrBraceRange().isInvalid())
    return std::nullopt;
  std::optional<std::string> arguments = pass.sources.text(construct->getParenOrBraceRange());
  if (!arguments)
    return std::nullopt;
  return pass.types.spell(e->getType().getCanonicalType().getUnqualifiedType()) + *arguments;
}

Expr FunctionLowering::textOf(const clang::Expr *e) {
  if (std::optional<std::string> construction = textOfConstruction(e, pass))
    return makeText(*construction, mentionsIn(e), typeOf(e), rangeOf(e));
  return makeText(verbatim(e), mentionsIn(e), typeOf(e), rangeOf(e));
}

void FunctionLowering::emitText(const clang::Stmt *s, std::string what) {
  std::string text = verbatim(s);
  if (isa<clang::Expr>(s) || isa<clang::AsmStmt>(s))
    text += ";";
  emit(makeTextStmt(std::move(text), std::move(what), mentionsIn(s), rangeOf(s)));
}

} // namespace gpuad::frontend
