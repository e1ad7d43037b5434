//===- Show.h - expressions as text, for expectations ----------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TEST_UNIT_RULES_SHOW_H
#define GPUAD_TEST_UNIT_RULES_SHOW_H

#include "ir/Builder.h"

/// Like C++, with a parenthesis around every operand that is an operation.
inline std::string show(const gpuad::ir::Expr &e, bool isOperand = false) {
  using namespace gpuad::ir;
  static const char *Operators[] = {"+", "-",  "*",  "/",  "%",  "<<", ">>", "&", "|",
                                    "^", "&&", "||", "==", "!=", "<",  "<=", ">", ">="};
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
    return ref->var->name;
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get()))
    return lit->spelling;
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get()))
    return cast->style == CastStyle::Implicit ? show(cast->operand, isOperand)
                                              : "(" + spell(cast->type) + ")" + show(cast->operand, true);
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e.get()))
    return "-" + show(unary->operand, true);
  std::string text;
  if (auto *call = llvm::dyn_cast<CallExpr>(e.get())) {
    for (const Expr &arg : call->args)
      text += (text.empty() ? "" : ", ") + show(arg);
    return call->callee.spelling + "(" + text + ")";
  }
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(e.get()))
    text = show(binary->lhs, true) + " " + Operators[static_cast<int>(binary->op)] + " " + show(binary->rhs, true);
  else if (auto *select = llvm::dyn_cast<SelectExpr>(e.get()))
    text =
        show(select->condition, true) + " ? " + show(select->thenValue, true) + " : " + show(select->elseValue, true);
  else
    text = "<other>";
  return isOperand ? "(" + text + ")" : text;
}

#endif // GPUAD_TEST_UNIT_RULES_SHOW_H
