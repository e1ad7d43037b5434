//===- Decisions.h - what is decided once and for all ----------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. How often a loop runs that records, and whether and where a
/// store is done that is undone, must not come out otherwise when the code is run again for the
/// reverse sweep. Where floating-point arithmetic decides it (analysis/Rounding), the first
/// run records what was decided, bit by bit: one for a condition, a word for a count. The
/// decisions of one iteration are its *frame*; frames lie one after the other in the order
/// in which the first run comes to them. Where the frame of an iteration begins, is an
/// expression of the iteration's number, or, where inner loops have frames as well, is
/// recorded like what the loop carries. So all later runs, however deep, find the
/// decisions of the first.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_DECISIONS_H
#define GPUAD_TRANSFORM_DECISIONS_H

#include "ir/ValueForm.h"

#include <optional>

namespace gpuad::transform {

struct RecordPlan;
class UndoPlan;

struct Decisions {
  /// Where in the frame of an iteration of `loop` a decision lies.
  struct Place {
    const ir::LoopItem *loop = nullptr; ///< null: no loop is around it, and a variable keeps it
    unsigned bit = 0;
  };
  ir::OrderedMap<const ir::ValueItem, Place> values;   ///< conditions, bounds of counted loops, indices
  ir::OrderedMap<const ir::LoopItem, Place> counts;    ///< how often a loop ran that is not counted
  ir::OrderedMap<const ir::LoopItem, unsigned> frames; ///< bits of each iteration
  ir::OrderedSet<const ir::LoopItem> opened;  ///< several decisions in a frame, or one that an iteration may skip
  ir::OrderedSet<const ir::LoopItem> holders; ///< loops with a frame, their own or that of an inner loop
  ir::OrderedMap<const ir::LoopItem, ir::Var *> origins; ///< loops that record where each frame begins
  ir::OrderedSet<ir::Var> decided; ///< the variables of all, and of what is decided where code runs only once

  ir::Var *record = nullptr; ///< gpuad::decisions

  /// What a local array may hold.
  static constexpr uint64_t MostLocalBits = 2048;

  bool any() const { return !holders.empty(); }
  /// Whether a decision, or a loop with a frame, is in the item.
  bool isIn(const ir::Item &item) const;
  /// Whether a loop with a frame is.
  bool hasFrames(const ir::Item &item) const;
};

/// Adds what the records and the undone stores of the plan need. False: all of it is there.
bool addDecisions(ir::ValueFunction &function, const RecordPlan &plan, UndoPlan *undo, Decisions &decisions);

/// Bits that all decisions in the region take; none: more than so many, or only the run knows.
std::optional<uint64_t> mostBits(const ir::Region &region, const Decisions &decisions);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_DECISIONS_H
