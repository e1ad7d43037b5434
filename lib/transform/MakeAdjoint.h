//===- MakeAdjoint.h - reverse mode of a function ------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The adjoint of one function: value form, activity, reversal, dead code, naming
/// of shadows and their order as the contract with users says.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_MAKEADJOINT_H
#define GPUAD_TRANSFORM_MAKEADJOINT_H

#include "transform/CalleeAdjoints.h"
#include "transform/GlobalShadows.h"

namespace gpuad::transform {

/// None when something was reported. `readsRecord`: the primal of the request is one that
/// keeps results of atomics, and the adjoint reads them.
std::optional<ir::Derivative> makeAdjoint(const Request &request, const rules::RuleTable &rules,
                                          CalleeAdjoints &callees, DiagnosticSink &sink, bool readsRecord = false);

/// The adjoint of a callee, for calls of one pattern. `adjoint` gets its signature as soon
/// as that is known, since the callee may call itself.
std::optional<ir::Derivative> makeCalleeAdjoint(const Request &request, const CalleePattern &pattern,
                                                CalleeAdjoint &adjoint, const rules::RuleTable &rules,
                                                CalleeAdjoints &callees, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_MAKEADJOINT_H
