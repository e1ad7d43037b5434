//===- NameOperands.h - values that the reverse needs get names ----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The partial derivative of a product needs its factors, that of a quotient its
/// divisor and result, that of a call what its rule says. This pass gives such
/// operands a value of their own, so that the adjoint can refer to them; simple
/// operands (variables, literals) are left where they are.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_NAMEOPERANDS_H
#define GPUAD_TRANSFORM_NAMEOPERANDS_H

#include "analysis/ValueActivity.h"

#include <functional>

namespace gpuad::transform {

void nameOperands(ir::ValueFunction &function, const analysis::ValueActivity &activity, const rules::RuleTable &rules);

/// Goes through an expression and has every operand that a partial derivative needs
/// bound to a name.
struct OperandSplitter {
  const rules::RuleTable &rules;
  std::function<bool(const ir::Expr &)> isActive;
  std::function<ir::Expr(const ir::Expr &)> bind; ///< declares a value for e, returns the reference to it

  /// `isResult`: the value of e itself already has a name.
  ir::Expr split(const ir::Expr &e, bool isResult);

private:
  ir::Expr productOperands(const ir::BinaryExpr &product);
  ir::Expr bindUnlessCheap(const ir::Expr &e);
};

/// A readable name for the value of e: x_i for x[i], exp_value for expf(u).
std::string nameOfValue(const ir::Expr &e);
/// The name of the array, or of the field of a view, in which a place lies: s_v of s.v[i].
std::string nameOfArray(const ir::Expr &place);

/// The factors of a product, nested products of one type taken apart: a * b * c has
/// three. A product of too many factors is left as two.
std::vector<ir::Expr> factorsOf(const ir::BinaryExpr &product);

/// Whether an expression is cheap enough to be written twice.
bool isCheap(const ir::Expr &e);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_NAMEOPERANDS_H
