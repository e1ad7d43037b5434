//===- EffectAnalysis.h - what evaluating an expression changes - -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowering moves side effects out of expressions. For that it must know which
/// expressions have one, and whether an effect can change what an operand that C++
/// evaluates earlier has read.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_EFFECTANALYSIS_H
#define GPUAD_FRONTEND_EFFECTANALYSIS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace gpuad::frontend {

class SourceMap;

/// What may have changed after an evaluation.
struct Effects {
  bool memory = false; ///< anything behind a pointer, a reference, or a global
  llvm::DenseSet<const clang::VarDecl *> variables;

  bool any() const { return memory || !variables.empty(); }
};

/// Purity of functions and expressions; one for each pass of Clang.
class EffectAnalysis {
public:
  EffectAnalysis(const clang::ASTContext &context, const SourceMap &sources) : context(context), sources(sources) {}

  /// Whether the statement or expression has an effect anywhere in it.
  bool hasEffects(const clang::Stmt *statement);
  Effects effectsOf(const clang::Stmt *statement);
  bool callHasEffects(const clang::FunctionDecl *callee);

private:
  bool isConstructor = false; ///< the body looked at: it makes its object
  void collect(const clang::Stmt *statement, Effects &effects);
  void collectWrite(const clang::Expr *place, Effects &effects);
  bool bodyHasEffects(const clang::FunctionDecl &definition);

  const clang::ASTContext &context;
  const SourceMap &sources;
  llvm::DenseMap<const clang::FunctionDecl *, bool> functions;
  llvm::DenseMap<const clang::Stmt *, bool> statements;
};

/// What a first look at a function body tells, before it is lowered.
struct BodyFacts {
  llvm::StringSet<> names;                        ///< of everything declared or named in it
  llvm::DenseSet<const clang::VarDecl *> escaped; ///< variables that may be changed through pointers
  const clang::Stmt *jump = nullptr;              ///< a goto
  bool hasLocalText = false;                      ///< a class or code that stays as written, and may name local types
};
BodyFacts scanBody(const clang::Stmt *body);

/// Whether a value that `operand` has read may differ after `effects`.
bool mayChange(const clang::Expr *operand, const Effects &effects, const BodyFacts &facts);

/// Whether a statement or expression names the object of its method or class.
bool readsObject(const clang::Stmt *s);

/// The variable at the root of a place, when the place is inside that variable.
const clang::VarDecl *rootVariable(const clang::Expr *place);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_EFFECTANALYSIS_H
