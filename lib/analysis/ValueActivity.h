//===- ValueActivity.h - varied and useful values ------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Activity analysis on the value form: a value is *varied* when it depends on an
/// independent in a differentiable way, *useful* when a dependent depends on it so;
/// only values that are both need an adjoint (Hascoët and Pascual, "The Tapenade
/// automatic differentiation tool", ACM TOMS 39(3), 2013). Values have one
/// definition, so the result is as precise as a flow-sensitive analysis of the
/// source. Memory is taken object by object.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_VALUEACTIVITY_H
#define GPUAD_ANALYSIS_VALUEACTIVITY_H

#include "analysis/Activity.h"
#include "ir/ValueForm.h"
#include "rules/RuleTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>

namespace gpuad::analysis {

class ValueActivity {
public:
  /// `independents` and `dependents` are objects: by-value parameters as (var, ""),
  /// arrays by their base. `results` are values that are dependents: what is returned.
  ValueActivity(const ir::ValueFunction &function, const rules::RuleTable &rules,
                std::set<ir::MemoryBase, ir::InOrder> independents, std::set<ir::MemoryBase, ir::InOrder> dependents,
                const std::vector<ir::Expr> &results);

  bool isActive(ir::Var *value) const { return isActive({value, ""}); }
  bool isActive(const ir::MemoryBase &base) const { return varied.count(base) && useful.count(base); }
  /// Whether e is a leaf (value or load) or contains one with an active operand in a
  /// differentiable position.
  bool isActive(const ir::Expr &e) const;
  /// The object that a leaf belongs to: a value, a by-value struct, an array.
  static ir::MemoryBase objectOf(const ir::Expr &leaf);
  const std::set<ir::MemoryBase, ir::InOrder> &variedObjects() const { return varied; }
  const std::set<ir::MemoryBase, ir::InOrder> &usefulObjects() const { return useful; }

  /// Calls `visit` on each leaf of e in a differentiable position.
  void forEachLeaf(const ir::Expr &e, llvm::function_ref<void(const ir::Expr &)> visit) const;

  /// Whether the derivative flows from an argument of a kept call to what the call gives.
  bool isActiveArgument(const ir::CallItem &item, unsigned arg) const;

private:
  void spreadVariedCall(const ir::CallItem &item);
  void spreadUsefulCall(const ir::CallItem &item);
  /// The values of a kept call that an argument reaches.
  void forEachReached(const ir::CallItem &item, unsigned arg, llvm::function_ref<void(ir::Var *)> visit) const;
  void spreadVaried(const ir::Region &region);
  void spreadUseful(const ir::Region &region);
  bool isVaried(const ir::Expr &e) const;
  void markVaried(const ir::MemoryBase &object) { changed |= varied.insert(object).second; }
  void markUseful(const ir::Expr &e);

  const rules::RuleTable &rules;
  std::set<ir::MemoryBase, ir::InOrder> varied, useful;
  mutable CallFlows flows;
  bool changed = false;
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_VALUEACTIVITY_H
