//===- PruneBarriers.h - barriers that separate nothing --------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Private to lib/transform. The sweeps of an adjoint have a barrier for each one of the
/// primal, also where nothing is left on one of its sides: a barrier goes when since the
/// last one, or up to the next one, no thread touches memory that another thread
/// of the block may touch. That is shared memory, and shadows out of which seeds are taken.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_PRUNEBARRIERS_H
#define GPUAD_TRANSFORM_PRUNEBARRIERS_H

#include "ir/Function.h"
#include "rules/RuleTable.h"

#include <set>

namespace gpuad::transform {

/// Sets shadows in shared memory to zero; ends with a barrier.
constexpr const char *ClearShared = "gpuad::clear_shared";

/// Votes whose result nobody reads are barriers.
void dropIdleVotes(ir::Function &function, const rules::RuleTable &rules);

/// `sharedPointers`: locals that point into shared memory, or through which threads reach memory that they hand to each
/// other.
void pruneBarriers(ir::Function &function, const rules::RuleTable &rules,
                   const ir::OrderedSet<ir::Var> &sharedPointers);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_PRUNEBARRIERS_H
