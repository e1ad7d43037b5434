//===- SettlePicks.h - maxima and minima in shared memory -------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. Whose number was picked is known when all threads of the
/// block have offered theirs: behind the next barrier,
///
///     atomicMax(&top, v);                 atomicMax(&top, v);
///     __syncthreads();          becomes   __syncthreads();
///     ...                                 float top_picked = top;
///                                         __syncthreads();  // where somebody stores there next
///
/// In reverse a thread has won where v is what was picked, and one that has won takes the seed.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_SETTLEPICKS_H
#define GPUAD_TRANSFORM_SETTLEPICKS_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"
#include "support/Diagnostics.h"

namespace gpuad::transform {

/// Gives every offer to shared memory the test whether it has won. False, and reported:
/// there is none. `recorded` gets what is offered, where it may be another number when it is
/// worked out again: then nobody would seem to have won.
bool settlePicks(ir::ValueFunction &function, ir::OrderedSet<const ir::ValueItem> &recorded, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_SETTLEPICKS_H
