//===- OwnedAtomics.h - atomics on memory of one thread ---------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where one thread alone comes to an element, an atomic operation on it is a load and a
/// store, and what it returns is no matter of order:
///
///     float old = atomicExch(&y[i], v);   becomes   float old = y[i];  y[i] = v;
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_OWNEDATOMICS_H
#define GPUAD_TRANSFORM_OWNEDATOMICS_H

#include "ir/Module.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// In kernels, of exchanges of numbers, and of sums whose result is asked for. Returns the kernels
/// for which that holds only where threads and blocks differ in x alone.
ir::OrderedSet<const ir::Function> replaceOwnedAtomics(ir::Module &module, const rules::RuleTable &rules);

/// A derivative of such a kernel does nothing in another launch, and says so.
void guardByShape(ir::Function &derivative);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_OWNEDATOMICS_H
