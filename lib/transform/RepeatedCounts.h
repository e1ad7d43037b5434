//===- RepeatedCounts.h - loops that must run as often again ---- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. A block votes by the trip counts of its forward sweep. A
/// loop that records and is run again behind the vote must not run longer then, which
/// it could by another rounding where floating-point arithmetic ends it. Its count is
/// recorded: in the loop around it, or, where only branches are around it, in a variable.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_REPEATEDCOUNTS_H
#define GPUAD_TRANSFORM_REPEATEDCOUNTS_H

#include "ir/ValueForm.h"
#include "transform/RecordPlan.h"

namespace gpuad::transform {

struct RepeatedCounts {
  /// Loops whose trip count is recorded.
  ir::OrderedSet<const ir::LoopItem> recorded;
  /// Those of them with only branches around them.
  ir::OrderedSet<const ir::LoopItem> outside;
  /// Those of them that an iteration around them may skip, by a condition that may come
  /// out differently when it is run again.
  ir::OrderedSet<const ir::LoopItem> guarded;
  /// Bounds of counted loops, which are recorded as values.
  ir::OrderedSet<const ir::ValueItem> bounds;
  /// Loops whose count is recorded in an iteration that is itself run again first: the
  /// counts of the first run would take as many slots as there are runs of the loop. One
  /// iteration more than was counted has room.
  ir::OrderedSet<const ir::LoopItem> unsteady;
};

/// Adds what the plan's loops need. False: all of it is there.
bool addRepeatedCounts(ir::ValueFunction &function, const RecordPlan &plan, RepeatedCounts &counts);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_REPEATEDCOUNTS_H
