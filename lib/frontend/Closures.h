//===- Closures.h - which lambdas are only called ------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/frontend. A lambda that is only called, or handed to functions that only
/// call it, is lowered into its calls (LowerLambda.cpp); here is what says so.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_CLOSURES_H
#define GPUAD_FRONTEND_CLOSURES_H

#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

#include <vector>

namespace gpuad::frontend {

using Stmts = std::vector<const clang::Stmt *>;

/// How control leaves a statement.
enum class Leaves { AtEnd, ByReturn, Either, Otherwise };
Leaves leavesOne(const clang::Stmt *s);
Leaves leavesList(const Stmts &list);

/// The statements of a block, or the one statement.
Stmts listOf(const clang::Stmt *s);

bool isClosureType(clang::QualType type);
bool canBeInlined(const clang::LambdaExpr &lambda);
/// Whether all that becomes of a variable that holds a lambda is calls, in the function with
/// this body.
bool isOnlyCalled(const clang::VarDecl &variable, const clang::Stmt *body);

const clang::Expr *handedOn(const clang::Expr *e);
const clang::VarDecl *variableIn(const clang::Expr *e);
const clang::VarDecl *calledVariable(const clang::Stmt *s);
bool isClosure(const clang::Expr *e);
const clang::FunctionDecl *definitionOf(const clang::CallExpr &e);
const clang::LambdaExpr *lambdaMadeBy(const clang::CallExpr &e);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_CLOSURES_H
