//===- ComposedCalls.h - functions of objects, number by number ----------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_COMPOSEDCALLS_H
#define GPUAD_TRANSFORM_COMPOSEDCALLS_H

#include "ir/Module.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// A function that a rule of kind `compose` describes (the product of complex numbers, the sum of pairs of halves) gets
/// a body that says the same, so both modes know it like a function of the user's.
void composeCalls(ir::Module &module, const rules::RuleTable &rules);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_COMPOSEDCALLS_H
