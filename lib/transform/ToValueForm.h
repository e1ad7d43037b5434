//===- ToValueForm.h - from the user's code to structured SSA ------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Builds the value form of a function: puts functions of the module in place of their
/// calls, as far as the plan does not keep these, splits structs into values, turns scalars into values, forwards
/// stores to loads of the same place, and classifies the loads that remain. Constructs that reverse mode cannot take
/// are reported with their place.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_TOVALUEFORM_H
#define GPUAD_TRANSFORM_TOVALUEFORM_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"
#include "transform/CalleePlan.h"

#include <optional>

namespace gpuad::transform {

/// `owner` is the function that the derivative will be: its parameters that stand
/// for the primal's are `params` (one for each parameter of the primal); those of
/// `objects` hold the value that a reference or pointer leads to. None when something
/// was reported. `record`: what the primal passes to `record.keep()` is read from there.
std::optional<ir::ValueFunction> toValueForm(const ir::Function &primal, ir::Function &owner,
                                             const std::vector<ir::Var *> &params, const std::set<unsigned> &objects,
                                             const rules::RuleTable &rules, const KeptCalls &kept, DiagnosticSink &sink,
                                             ir::Var *record = nullptr);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_TOVALUEFORM_H
