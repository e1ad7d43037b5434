//===- CalleeAdjoints.h - adjoints that calls share ----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The adjoints of functions whose calls stay calls. There is one for each pattern of
/// what carries a derivative and where it lies; all requests of a file share them.
/// Whether a function can have one is found out by making it: where that fails, it is
/// put in place of its calls.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_CALLEEADJOINTS_H
#define GPUAD_TRANSFORM_CALLEEADJOINTS_H

#include "transform/CalleePlan.h"
#include "transform/GlobalShadows.h"

#include <functional>

namespace gpuad::transform {

/// Where the memory lies into which an adjoint adds.
enum class MemorySpace {
  Generic, ///< not known: tested at run time
  Global,
  Shared,
  Private ///< the thread's own, or the host's
};

struct ArgumentPattern {
  bool isMemory = false;                    ///< an address of memory that is only read; else a value
  bool isIn = false;                        ///< the derivative goes back to it
  bool isOut = false;                       ///< an object that brings a seed
  MemorySpace space = MemorySpace::Private; ///< of memory that is in
  bool mayBeNull = false;                   ///< its shadow may be
  auto operator<=>(const ArgumentPattern &) const = default;
};

struct CalleePattern {
  std::vector<ArgumentPattern> args;
  bool result = false;                              ///< brings a seed
  ir::FunctionKind kind = ir::FunctionKind::Device; ///< from where it is called
  auto operator<=>(const CalleePattern &) const = default;
};

struct CalleeAdjoint {
  std::unique_ptr<ir::Function> function = std::make_unique<ir::Function>();
  std::vector<bool> takesValue;             ///< by parameter of the callee: whether the primal's argument is passed
  std::optional<ir::Derivative> derivative; ///< once it is made, without its function
  bool hasFailed = false;
};

class CalleeAdjoints {
public:
  /// `finish` is what every derivative goes through when it is made.
  CalleeAdjoints(const std::vector<Request> &requests, const rules::RuleTable &rules, GlobalShadows &globalShadows,
                 std::function<void(ir::Derivative &, DiagnosticSink &)> finish)
      : plan(requests, rules), rules(rules), shadows(globalShadows), finish(std::move(finish)) {}

  const CalleePlan &calleePlan() const { return plan; }
  GlobalShadows &globalShadows() const { return shadows; }
  /// The adjoint for the pattern, made now if it is the first time; null: there is none.
  const CalleeAdjoint *find(const ir::Function &callee, const CalleePattern &pattern);
  /// The functions whose adjoints a body calls, by name.
  std::set<std::string> primalsCalledIn(const ir::Function &function) const;
  /// Those that the derivatives call, directly or not.
  std::vector<ir::Derivative> takeUsed(const std::vector<ir::Derivative> &callers);

private:
  using Key = std::pair<const ir::Function *, CalleePattern>;
  std::string nameFor(const ir::Function &callee, const CalleePattern &pattern) const;

  CalleePlan plan;
  const rules::RuleTable &rules;
  GlobalShadows &shadows;
  std::function<void(ir::Derivative &, DiagnosticSink &)> finish;
  std::map<Key, CalleeAdjoint> made;
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_CALLEEADJOINTS_H
