//===- RuleTable.h - what is known about functions -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rule says what is known about a function that is not differentiated from its
/// source: math, intrinsics, atomics, barriers, the runtime API. Rules come from
/// YAML files, built in and users' in one schema (docs/rule-schema.md); this is
/// their form in memory, and the only way in which names of functions reach C++.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RULES_RULETABLE_H
#define GPUAD_RULES_RULETABLE_H

#include "gpuad/Diagnostic.h"
#include "ir/Expr.h"

#include <map>
#include <string>
#include <vector>

namespace gpuad::rules {

enum class RuleKind {
  Pure,       ///< result = f(arguments); `partials` are its derivatives
  Inactive,   ///< no derivative; may still read memory or be a barrier to motion when `effects` says so
  Forbidden,  ///< refused when a derivative flows through it, with `note` as advice
  Construct,  ///< the result is an aggregate of the arguments in field order: make_float4
  Load,       ///< the result is the memory at an argument: __ldg(p) is *p
  Store,      ///< writes an argument to memory: __stcs(p, v) is *p = v
  Expand,     ///< stands for a few assignments: sincosf(x, s, c)
  Barrier,    ///< all threads of a group wait
  Fence,      ///< orders memory, waits for nobody
  Collective, ///< lanes exchange values
  Atomic,     ///< read-modify-write of memory; `atomicOp` says which
  Memory,     ///< host: allocation, copies, sets
  Library     ///< host library calls
};

enum class AtomicOp { None, Add, Sub, Min, Max, Exchange, CompareSwap, IntegerOnly };

struct RuleParam {
  std::string name;
  std::string defaultValue; ///< empty: none
  bool isOutput = false;    ///< a pointer through which a result comes
};

/// A formula of the rule language, parsed: arithmetic, calls of functions that have
/// rules, select(c, a, b), comparisons, parameters, `ret`, names bound by `let`.
struct Formula;
using FormulaRef = std::shared_ptr<const Formula>;

struct Rule {
  std::string name;
  RuleKind kind = RuleKind::Pure;
  std::vector<std::string> match;
  std::vector<RuleParam> params;
  std::map<std::string, FormulaRef> partials; ///< by parameter; a parameter without one has derivative zero
  std::vector<std::pair<std::string, FormulaRef>> lets;
  std::vector<std::pair<std::string, FormulaRef>> expansion; ///< Expand: output parameter (or "ret") = formula, in order
  AtomicOp atomicOp = AtomicOp::None;
  std::string note;
  std::vector<std::string> headers;
  SourceRange range; ///< in its YAML file
};

/// What a partial derivative reads: parameters by index, and the call's result.
struct PartialNeeds {
  std::vector<unsigned> params;
  bool result = false;
};

class RuleTable {
public:
  /// The rule for a callee, or null. Matches the qualified declaration name (with
  /// and without a leading ::), and the parameter types where a rule asks for them.
  const Rule *find(const ir::Callee &callee) const;
  const std::vector<std::unique_ptr<Rule>> &rules() const { return all; }

  /// Whether the derivative by parameter `index` is structurally zero.
  bool isZero(const Rule &rule, unsigned index) const;
  /// What the partial by `index` reads, so that it can be recorded or named.
  PartialNeeds needs(const Rule &rule, unsigned index) const;
  /// The partial by `index` as an expression over the call's arguments and result,
  /// in the precision of the call (float: cosf; __sinf: __cosf), with constants
  /// folded. `result` may be null when needs() says it is not read.
  ir::Expr partial(const Rule &rule, unsigned index, const ir::CallExpr &call, const std::vector<ir::Expr> &args,
                   const ir::Expr &result) const;
  /// Expand: the value of the k-th entry of `expansion`, over the arguments.
  ir::Expr expansionValue(const Rule &rule, unsigned entry, const ir::CallExpr &call,
                          const std::vector<ir::Expr> &args) const;

  std::vector<std::unique_ptr<Rule>> all;
  std::map<std::string, std::vector<const Rule *>> byName;
};

} // namespace gpuad::rules

#endif // GPUAD_RULES_RULETABLE_H
