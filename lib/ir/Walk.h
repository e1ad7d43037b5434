//===- Walk.h - visiting and rewriting trees -------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Helpers over expression and statement trees. Rewriters share what they do not
/// change and return the same pointer when nothing changed.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_WALK_H
#define GPUAD_IR_WALK_H

#include "ir/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::ir {

/// The direct operands of an expression.
std::vector<Expr> children(const Expr &e);
/// The same node over other operands (as many as children() gave).
Expr withChildren(const Expr &e, const std::vector<Expr> &operands);
/// The expressions that a statement holds itself (not those of nested statements).
std::vector<Expr> expressionsOf(const Stmt &s);
/// The statements directly inside.
std::vector<Stmt> nestedStmts(const Stmt &s);

/// Pre-order over e and all below it.
void forEachExpr(const Expr &e, llvm::function_ref<void(const Expr &)> visit);
/// Pre-order over s and all statements below it.
void forEachStmt(const Stmt &s, llvm::function_ref<void(const Stmt &)> visit);
/// Every expression in s and below.
void forEachExprIn(const Stmt &s, llvm::function_ref<void(const Expr &)> visit);

/// Bottom-up: `change` sees each node after its operands were rewritten and
/// returns the node to use.
Expr rewriteExpr(const Expr &e, llvm::function_ref<Expr(const Expr &)> change);
/// Rewrites every expression that s and its nested statements hold (whole
/// operands, top-down: `change` is called once for each held expression).
Stmt rewriteHeldExprs(const Stmt &s, llvm::function_ref<Expr(const Expr &)> change);
/// Replaces variables by expressions everywhere in e.
Expr substitute(const Expr &e, llvm::function_ref<Expr(Var *)> replacement);

/// Every variable that e names, texts included.
std::vector<Var *> variablesIn(const Expr &e);

} // namespace gpuad::ir

#endif // GPUAD_IR_WALK_H
