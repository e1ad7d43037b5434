//===- RoundedVars.h - what rounding may turn, in the user's code -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A compiler may fuse a product and a sum in one kernel and not in another. So what
/// floating-point arithmetic decides may come out otherwise there; integers, loads of what
/// nobody has computed, and comparisons of those do not. Integer variables that are given
/// such a value count as known: the value is kept where it is given.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ROUNDEDVARS_H
#define GPUAD_TRANSFORM_ROUNDEDVARS_H

#include "ir/Function.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// An integer variable, as a place to which a value is given.
bool isKeptInteger(const ir::Expr &place);

class RoundedVars {
public:
  RoundedVars(const ir::Function &function, const rules::RuleTable &rules);
  /// Whether e may come out otherwise in another kernel.
  bool mayDiffer(const ir::Expr &e) const;

private:
  /// What around a statement may come out otherwise: a condition, or how often a loop runs.
  struct Control {
    bool any = false, ofLoop = false;
  };
  void spread(const ir::Stmt &s, Control control);
  void mark(const ir::Expr &place, bool differs, Control control);

  const rules::RuleTable &rules;
  ir::OrderedSet<ir::Var> rounded; ///< variables, and those behind which memory is
  bool changed = false;
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ROUNDEDVARS_H
