//===- ExprPrinter.h - expressions as C++ text ------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions with as few parentheses as C++ allows and people expect. Implicit
/// casts are left out where C++ makes them at that place by itself, and written
/// where leaving them out would change a value: the text means what the IR means.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_EXPRPRINTER_H
#define GPUAD_EMIT_EXPRPRINTER_H

#include "ir/Builder.h"

namespace gpuad::emit {

/// Binding strength, weakest first. An operand that binds less than its place asks
/// for is put in parentheses.
enum class Precedence {
  Comma,
  Assign,
  LogicalOr,
  LogicalAnd,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Postfix,
  Primary
};

/// A printed expression, with the type that a C++ compiler gives to the text; it
/// differs from the IR's where implicit casts were left out.
struct Printed {
  std::string text;
  Precedence precedence = Precedence::Primary;
  ir::Type type;
};

/// `e` where nothing around it converts.
Printed printBare(const ir::Expr &e);

/// `e` where C++ converts to `target` by itself: initialisers, assignments,
/// arguments, return values, conditions (bool).
Printed printConverted(const ir::Expr &e, const ir::Type &target);

/// An initialiser in braces or a reference's place: as printConverted, but
/// narrowing is written out.
Printed printElement(const ir::Expr &e, const ir::Type &target);

/// The two sides of a binary operation, converted as C++ would.
struct BinarySides {
  Printed lhs, rhs;
  ir::Type type;        ///< of the operation in C++
  bool castLhs = false; ///< the left side needed a written cast
};
BinarySides printSides(const ir::BinaryExpr &binary);

/// The arguments of a call or launch, separated by commas; `first` is skipped over.
std::string printArguments(const ir::Callee &callee, const std::vector<ir::Expr> &args, size_t first, size_t count);

const char *spellOperator(ir::BinaryOp op);
Precedence precedenceOf(ir::BinaryOp op);
std::string inParentheses(const Printed &printed, Precedence atLeast);
/// What is passed or assigned to something of that type, without parentheses unless it holds a comma.
std::string asArgument(const ir::Expr &value, const ir::Type &target);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_EXPRPRINTER_H
