//===- Builder.h - making nodes --------------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only way to make nodes. `make*` functions build exactly what they say;
/// the arithmetic helpers at the end (add, mul, ...) fold zeros and ones, so that
/// derivative code comes out as a person would write it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_BUILDER_H
#define GPUAD_IR_BUILDER_H

#include "ir/Function.h"

namespace gpuad::ir {

// Expressions. Types are worked out from the operands where none is given.
Expr makeRef(Var *var, SourceRange range = {});
Expr makeIndex(Expr base, Expr index, SourceRange range = {});
Expr makeDeref(Expr pointer, SourceRange range = {});
Expr makeAddrOf(Expr place, SourceRange range = {}); ///< &*p folds to p, &p[0] stays
Expr makeMember(Expr base, unsigned field, SourceRange range = {});
Expr makeUnary(UnaryOp op, Expr operand, Type type, SourceRange range = {});
Expr makeBinary(BinaryOp op, Expr lhs, Expr rhs, Type type, SourceRange range = {});
Expr makeSelect(Expr condition, Expr thenValue, Expr elseValue, Type type, SourceRange range = {});
Expr makeCast(CastStyle style, Expr operand, Type type, SourceRange range = {});
Expr makeCall(Callee callee, std::vector<Expr> args, Type type, SourceRange range = {});
Expr makeInit(std::vector<Expr> elements, Type type, bool namesType = false, SourceRange range = {});
Expr makeText(std::string text, std::vector<Var *> mentions, Type type, SourceRange range = {});
Expr makeThreadIndex(ThreadBuiltin builtin, unsigned dimension, SourceRange range = {});
Expr makeLit(std::string spelling, std::variant<std::monostate, int64_t, double, bool> value, Type type,
             SourceRange range = {});
Expr intLit(int64_t value);
Expr boolLit(bool value);
/// A floating literal of that type, spelled as people do: 2.0f, 0.5, 1e-3f.
Expr floatLit(double value, const Type &type);
/// Zero of any type: 0.0f, 0, nullptr, {}.
Expr zeroOf(const Type &type);

// Statements.
Stmt makeBlock(std::vector<Stmt> stmts, SourceRange range = {});
Stmt makeDecl(Var *var, Expr init = nullptr, SourceRange range = {});
Stmt makeAssign(Expr place, Expr value, SourceRange range = {});
Stmt makeAccum(Expr place, Expr value, AccumHow how = AccumHow::Undecided, SourceRange range = {},
               bool mayBeIdle = false);
Stmt makeIf(Expr condition, Stmt thenBody, Stmt elseBody = nullptr, SourceRange range = {});
Stmt makeFor(std::vector<Stmt> init, Expr condition, std::vector<Stmt> increment, Stmt body, std::string pragma = "",
             SourceRange range = {}, std::optional<uint64_t> checkpoints = {});
Stmt makeWhile(Expr condition, Stmt body, bool isDo = false, SourceRange range = {});
Stmt makeSwitch(Expr value, std::vector<SwitchCase> cases, SourceRange range = {});
Stmt makeBreak(SourceRange range = {});
Stmt makeContinue(SourceRange range = {});
Stmt makeReturn(Expr value = nullptr, SourceRange range = {});
Stmt makeDo(Expr call, SourceRange range = {});
Stmt makeTextStmt(std::string text, std::string what, std::vector<Var *> mentions, SourceRange range = {});
Stmt makeComment(std::string text);
Stmt withNote(const Stmt &stmt, std::string note); ///< a copy that carries the note

// Arithmetic that folds: x+0, x*1, x*0 (only a literal 0), -(-x), and so on. The
// result has the type of the wider operand. Literals take the other operand's type.
Expr add(Expr a, Expr b);
Expr sub(Expr a, Expr b);
Expr mul(Expr a, Expr b);
Expr div(Expr a, Expr b);
Expr neg(Expr a);
Expr select(Expr condition, Expr thenValue, Expr elseValue);
Expr logicalAnd(Expr a, Expr b);
Expr logicalNot(Expr a);

// Small questions.
bool isZeroLit(const Expr &e);
bool isOneLit(const Expr &e);
const Expr &stripImplicit(const Expr &e); ///< without implicit casts
/// The variable at the root of a place: a in a[i].x; null when it goes through a
/// call, a text or pointer arithmetic on something else than one variable.
Var *rootVar(const Expr &place);
/// Structurally equal, ranges and spellings of types ignored.
bool equal(const Expr &a, const Expr &b);

} // namespace gpuad::ir

#endif // GPUAD_IR_BUILDER_H
