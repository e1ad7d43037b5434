//===- MakeTangent.h - forward mode of a function ------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tangent of a function keeps the user's code as it is and puts the statement
/// that computes a tangent beside each active statement. Device functions on the
/// way get tangents of their own, one for each pattern of active parameters.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_MAKETANGENT_H
#define GPUAD_TRANSFORM_MAKETANGENT_H

#include "rules/RuleTable.h"
#include "transform/GlobalShadows.h"
#include "transform/Plan.h"

#include <functional>
#include <map>
#include <set>

namespace gpuad::transform {

/// What of a callee is active.
struct ActivePattern {
  std::vector<bool> params;
  bool result = false;
  ir::OrderedSet<ir::Var> globals; ///< variables at namespace scope that it uses and that are active
  bool operator<(const ActivePattern &other) const {
    return std::tie(params, result, globals) < std::tie(other.params, other.result, other.globals);
  }
};

/// The tangents of callees that were made so far, shared by all requests of a file.
struct TangentCallees {
  std::string internalNamespace; ///< where they live
  std::map<std::pair<const ir::Function *, ActivePattern>, std::string, ir::InOrder> names;
  std::map<std::string, unsigned> taken;
};

/// The tangent of the request, and those of the callees that it needs, callees
/// first. Empty when something was reported.
std::vector<ir::Derivative> makeTangent(const Request &request, const rules::RuleTable &rules, TangentCallees &callees,
                                        GlobalShadows &globalShadows, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_MAKETANGENT_H
