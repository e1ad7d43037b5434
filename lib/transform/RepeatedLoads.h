//===- RepeatedLoads.h - loads that may be run again ------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Private to lib/transform. The reverse of a branch arm or an iteration first runs it
/// again. A load from a local or shared array then gives what it gave the first time
/// if, on each level between the declaration of the array and the load,
///
/// - nothing behind the load (on its level: the item that holds it) stores to the array,
/// - and an iteration that stores to the array before the load stores to the same
///   elements as every other iteration: so running its stores again brings back what the
///   load found, in whatever order iterations are run again. A tile that is loaded anew in
///   each iteration is the case in point.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_REPEATEDLOADS_H
#define GPUAD_TRANSFORM_REPEATEDLOADS_H

#include "ir/ValueForm.h"

namespace gpuad::transform {

struct RepeatedLoads {
  ir::OrderedSet<const ir::ValueItem> loads;
  ir::OrderedSet<const ir::CallItem> calls; ///< kept calls of which that holds for all arrays that they read
};

RepeatedLoads loadsThatRepeat(const ir::ValueFunction &function);

/// The arrays that are stored to in this loop only, by every iteration at the same
/// elements: when its iterations are run again, what the array held before does not matter.
ir::OrderedSet<ir::Var> arraysOfLoop(const ir::ValueFunction &function, const ir::LoopItem &loop);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_REPEATEDLOADS_H
