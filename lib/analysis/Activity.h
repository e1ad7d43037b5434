//===- Activity.h - which variables carry derivatives --------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Activity on the user's code, across calls: what pointers may lead to (by inclusion,
/// as Andersen does; pointers that are set through other pointers are joined), a graph
/// of flows between the objects, then what the independents reach (varied) and what
/// reaches the dependents (useful). Flow within a function is not ordered, which errs
/// on the side of more derivatives.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_ACTIVITY_H
#define GPUAD_ANALYSIS_ACTIVITY_H

#include "ir/Function.h"
#include "rules/RuleTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

namespace gpuad::analysis {

/// The function that a call runs, when its body or a derivative that the user wrote is
/// here. One that is only declared is known by its rule, if any, as those of the toolkit
/// are.
inline const ir::Function *definitionOf(const ir::Callee &callee) {
  const ir::Function *function = callee.function;
  bool isKnown = function && (function->body || function->writtenTangent.function || function->writtenAdjoint.function);
  return isKnown ? function : nullptr;
}

/// Whether a value of the type holds pointers, itself or in a field or element.
bool holdsPointers(const ir::Type &type);

/// Whether the type is a pointer or reference through which, and through what it leads to,
/// nothing can be written.
bool leadsToConst(const ir::Type &type);

/// What a function does with its arguments: flows[i] holds the parameters that
/// parameter i reaches in a differentiable way, -1 for the returned value. Behind them
/// are the variables at namespace scope that it uses, itself or in what it calls.
struct CallFlow {
  std::vector<std::set<int>> flows;
  std::vector<ir::Var *> globals;
  size_t numParams() const { return flows.size() - globals.size(); }
};

/// Summaries of functions, made on demand and kept. A function that is met while it
/// is being summarised (recursion) is taken to connect everything.
class CallFlows {
public:
  explicit CallFlows(const rules::RuleTable &rules) : rules(rules) {}
  const CallFlow &of(const ir::Function &function);

private:
  const rules::RuleTable &rules;
  ir::OrderedMap<const ir::Function, CallFlow> known;
  ir::OrderedSet<const ir::Function> underway;
};

class Activity {
public:
  Activity(const ir::Function &function, const rules::RuleTable &rules, CallFlows &calls);

  /// Marks what the independents reach and what reaches the dependents.
  void solve(const ir::OrderedSet<ir::Var> &independents, const ir::OrderedSet<ir::Var> &dependents,
             bool resultIsDependent);

  bool isActive(ir::Var *var) const;
  /// On the way from an independent to a dependent, whatever its type is: an array of
  /// integers may be used as memory for floating-point data.
  bool carries(ir::Var *var) const;
  /// Whether an independent reaches it, or what it leads to.
  bool isVaried(ir::Var *var) const;
  bool isResultActive() const { return varied.count(classOf(nullptr)) && useful.count(classOf(nullptr)); }
  /// Whether e contains an active variable in a differentiable position.
  bool isActive(const ir::Expr &e) const;
  /// What one variable reaches, for summaries: parameters, variables at namespace scope,
  /// null for the returned value.
  ir::OrderedSet<ir::Var> reachedFrom(ir::Var *var) const;
  /// The variables of the device at namespace scope that the function uses, itself or in
  /// what it calls; and those that are active.
  const ir::OrderedSet<ir::Var> &globals() const { return used; }
  ir::OrderedSet<ir::Var> activeGlobals() const;
  /// Pointers, references and views, each with what is assigned to it.
  const ir::OrderedMap<ir::Var, ir::OrderedSet<ir::Var>> &pointees() const { return leadsTo; }

private:
  void collect();
  void collectPointers(const ir::Stmt &s);
  void closePointers();
  void collectFlows(const ir::Stmt &s);
  void objects(ir::Var *var, llvm::function_ref<void(ir::Var *)> visit) const;
  void writable(ir::Var *var, llvm::function_ref<void(ir::Var *)> visit) const;
  void flow(const ir::Expr &from, ir::Var *to);
  void flowInto(const ir::Expr &from, const ir::Expr &place);
  void calls(const ir::Expr &e);
  void callEdges(const ir::CallExpr &call);
  void leaves(const ir::Expr &e, llvm::function_ref<void(ir::Var *)> visit) const;
  void roots(const ir::Expr &e, llvm::function_ref<void(ir::Var *)> visit) const;
  void join(ir::Var *a, ir::Var *b);
  void lead(const ir::Expr &place, const ir::Expr &value);
  ir::Var *classOf(ir::Var *var) const;
  ir::OrderedSet<ir::Var> spread(ir::OrderedSet<ir::Var> from, bool forward) const;

  const ir::Function &function;
  const rules::RuleTable &rules;
  CallFlows &callFlows;
  mutable ir::OrderedMap<ir::Var, ir::Var *> parent;
  ir::OrderedMap<ir::Var, ir::OrderedSet<ir::Var>> leadsTo;     ///< what is assigned to pointers
  ir::OrderedMap<ir::Var, ir::OrderedSet<ir::Var>> objectsOf;   ///< by class: what a pointer leads to in the end
  ir::OrderedSet<ir::Var> opened;                               ///< pointers to const that lost it in a cast
  std::set<std::pair<ir::Var *, ir::Var *>, ir::InOrder> edges; ///< the returned value is null
  ir::OrderedSet<ir::Var> varied, useful, used;
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_ACTIVITY_H
