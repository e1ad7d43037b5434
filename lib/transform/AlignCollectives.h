//===- AlignCollectives.h - threads come together ---------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread that left early is missing at the barriers of the primal, which is fine there. Its derivative has
/// more to do behind them, so it must come to all of them. What threads do together is taken out of
/// conditions in which they differ:
///
///     if (live) {                  if (live) { a; }
///       a; barrier; b;             barrier;
///     }                            if (live) { b; }
///
/// Values go from a to b through merges. Where an exchange among lanes is taken out, a thread that is not live
/// gives what does not count. A loop around a barrier that threads leave at different times runs as long
/// as any thread of the block is in it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ALIGNCOLLECTIVES_H
#define GPUAD_TRANSFORM_ALIGNCOLLECTIVES_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// What cannot be taken out stays; the checks refuse it.
void alignCollectives(ir::ValueFunction &function, const rules::RuleTable &rules);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ALIGNCOLLECTIVES_H
