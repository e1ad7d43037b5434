//===- KeepResults.h - a primal that keeps results of atomics ---*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an atomic returns depends on which thread came first, so only the primal's own
/// run knows it. This makes the augmented form of a kernel: the user's code, in which
/// results of atomics on integers go through `record.keep(...)`, and so do conditions
/// that decide whether there is such a result and that rounding may turn. The adjoint
/// is made of the same code, and reads each value where the primal kept it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_KEEPRESULTS_H
#define GPUAD_TRANSFORM_KEEPRESULTS_H

#include "ir/Derivative.h"
#include "ir/ValueForm.h"
#include "rules/RuleTable.h"
#include "support/Diagnostics.h"

namespace gpuad::transform {

/// The type of the record in kernels, and its methods.
constexpr const char *RecordView = "gpuad::record_view";
constexpr const char *KeepResult = "gpuad::record_view::keep";
constexpr const char *KeepOffer = "gpuad::record_view::offer";

/// A kernel in its augmented form, without its name.
struct KeepingKernel {
  std::unique_ptr<ir::Function> kernel;               ///< with the primal's parameters
  ir::Var *record = nullptr;                          ///< what it takes besides
  std::vector<std::unique_ptr<ir::Function>> helpers; ///< of device functions that keep results, too
  std::vector<const ir::Function *> primals;          ///< of the helpers
};

/// None: no result of an atomic is used. What cannot be kept is reported.
std::optional<KeepingKernel> keepResults(const ir::Function &primal, const rules::RuleTable &rules,
                                         DiagnosticSink &sink);

/// The derivatives of mode Augmented: helpers first, and the kernel under `name`, last. The
/// adjoint says how much a thread keeps.
std::vector<ir::Derivative> makeAugmented(KeepingKernel keeping, const ir::Function &primal, const std::string &name,
                                          const ir::Derivative &adjoint);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_KEEPRESULTS_H
