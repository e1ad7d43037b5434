//===- RecordPlan.h - where loops record ------------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. Which carried variables a loop records for its reverse,
/// and where: in a local array when the loop is known to be short, else in the stack
/// of the launch. A stack is *sized* when its need follows from the launch's
/// arguments, else *measured*: the forward sweep counts, and the block votes whether
/// it fits before the reverse sweep begins.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_RECORDPLAN_H
#define GPUAD_TRANSFORM_RECORDPLAN_H

#include "ir/ValueForm.h"
#include "transform/Decisions.h"
#include "transform/Undo.h"

#include <map>
#include <optional>

namespace gpuad::transform {

/// Values of a carried variable, or all elements of a local array, at the start of each
/// iteration: the reverse may recall them.
struct RecordPlace {
  ir::Var *array = nullptr; ///< indexed by iteration, and in it by element
  const ir::LoopItem *loop = nullptr;
  ir::Var *carried = nullptr;
};

/// Slots of all of them.
int64_t frameOf(const std::vector<ir::Var *> &recorded);

/// What goes into the stack.
struct RecordPlan {
  ir::OrderedMap<const ir::LoopItem, std::vector<ir::Var *>>
      inStack;                                ///< carried variables, in the order of their slots
  ir::OrderedSet<const ir::Item> holders;     ///< items with such a loop inside, the loops themselves included
  ir::OrderedSet<const ir::Item> beforeVote;  ///< those, and items that overwrite memory of the caller
  ir::OrderedSet<const ir::Region> voteChain; ///< regions around the vote, from the function's body inwards
  ir::OrderedSet<const ir::Region> voters;    ///< at whose turn the block votes
  ir::Var *stack = nullptr;                   ///< the parameter
  ir::Var *need = nullptr;                    ///< measured: the slots that the thread needs
  ir::Expr sizedNeed;                         ///< over the kernel's parameters; null: measured
  unsigned bytesPerSlot = 4;

  bool logIsInStack = false;   ///< what the function overwrites is kept there, too
  uint64_t logSlots = 0;       ///< else it is in a local array of that length; 0: nothing is overwritten
  bool logHoldsValues = false; ///< and not where they were: the reverse sweep knows
  bool logIsOfBlock =
      false; ///< it is shared memory that is overwritten, and need not be put back where a block gives up

  bool decisionsAreInStack = false; ///< what the first run decides is kept there
  ir::Expr decisionWords;           ///< over the kernel's parameters; null: measured
  uint64_t localDecisionWords = 0;  ///< else they are in a local array of that length; 0: nothing is decided

  bool isMeasured() const { return !sizedNeed; }
  /// Threads may stop before they have run the forward sweep.
  bool mayStop() const { return isMeasured() && logIsInStack && !logIsOfBlock; }
  /// The vote lies in a branch, or is reached early: `need` is 0 where it was not worked out.
  bool needsDeclaration() const { return voteChain.size() > 1 || mayStop(); }
};

/// `object.method(args)`, as generated code calls the runtime.
ir::Expr callOn(ir::Var *object, const std::string &className, const char *method, std::vector<ir::Expr> args,
                ir::Type type, std::string templateArguments = "");

/// `stack.method(args)`, as generated code calls the runtime.
ir::Expr callOnStack(const RecordPlan &plan, const char *method, std::vector<ir::Expr> args, ir::Type type,
                     std::string templateArguments = "");

/// Plans for the loops' records that are in use, for decisions, and for what is overwritten; null: nothing is.
RecordPlan planRecords(const ir::ValueFunction &function, const std::vector<RecordPlace> &used,
                       const Decisions &decisions, const UndoPlan *undo);

/// How many values a thread keeps at most in the record of an augmented kernel, over the
/// kernel's parameters; null: only the run knows.
ir::Expr mostKept(const ir::ValueFunction &function);

/// Slots, counted on the way through a region: those of loops that come one after the
/// other, and the most of what is run again inside one item, whose slots are given
/// back after it.
struct SlotCount {
  ir::Expr sum; ///< null: 0
  std::vector<ir::Var *> repeated;
};

/// Iterations between two checkpoints: SegmentLength(trips, states), of the runtime.
constexpr const char *SegmentLength = "gpuad::segment_length";

/// A log of what is overwritten may be a local array of at most so many entries.
constexpr uint64_t LongestLocalLog = 64;

/// The marker at the place where the threads of a block vote.
constexpr const char *VoteMarker = "gpuad::vote";

/// Moves the vote out of all branches, so that every thread of the block arrives: a
/// branch around it is split into what comes before and what comes after. Variables
/// that both parts use are declared in front.
/// With `mayStop`, a `break` outside of all loops leads from the part before to the vote.
ir::Stmt hoistVote(const ir::Stmt &body, const ir::Stmt &vote, bool mayStop);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_RECORDPLAN_H
