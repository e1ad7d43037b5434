//===- ThreadDependence.h - which threads see the same value -------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For every value, the thread and block indices that it depends on, through data
/// and through control. A value that depends on none is the same in all threads;
/// memory counts as a function of its address.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_THREADDEPENDENCE_H
#define GPUAD_ANALYSIS_THREADDEPENDENCE_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

#include <map>
#include <optional>

namespace gpuad::analysis {

class ThreadDependence {
public:
  /// Bits of a set of indices: threadIdx.x, .y, .z, blockIdx.x, .y, .z.
  using Mask = unsigned;
  /// The dimensions of the thread index from which e comes one to one: threadIdx.x plus
  /// what is the same for the block. Bits 1, 2, 4.
  Mask injectivePart(const ir::Expr &e) const;
  /// The dimensions of the thread index that the function looks at. Bits 1, 2, 4. Where
  /// it names some and asks for ranks besides, which come from all, those it names.
  Mask dimensionsInUse() const { return inUse & 7; }
  /// All indices by which threads of a launch can differ: the dimensions that the function
  /// looks at; the first one where it looks at none.
  Mask dimensionsOfLaunch() const { return (inUse & 7 ? inUse & 7 : ThreadX) | (inUse & 56 ? inUse & 56 : BlockX); }
  /// The ones that it never looks at, and that a launch may have all the same.
  Mask dimensionsNotNamed() const { return All & ~dimensionsOfLaunch(); }
  static constexpr Mask ThreadX = 1, BlockX = 8, Threads = 7, All = 63;

  ThreadDependence(const ir::ValueFunction &function, const rules::RuleTable &rules);

  Mask of(const ir::Expr &e) const;
  Mask of(ir::Var *value) const {
    auto found = masks.find(value);
    return found == masks.end() ? 0 : found->second;
  }
  /// Another name for a value.
  void rename(ir::Var *value, ir::Var *name) { masks[name] = of(value); }
  /// Indices that a condition pins to one value: threadIdx.x == 0, threadIdx.y * blockDim.x + threadIdx.x == 0.
  Mask pinnedBy(const ir::Expr &condition) const { return pinned(condition, true); }
  /// Indices of which it may let in one value alone: of threadIdx.x % 32 == 0, in blocks of 32 threads.
  Mask mayPin(const ir::Expr &condition) const { return pinned(condition, false); }
  /// What a variable comes from that is not defined by one value: the start and the step
  /// of a loop's counter, the values that a branch or an iteration leaves. Null: nothing.
  const std::vector<ir::Expr> *sourcesOf(ir::Var *value) const {
    auto found = sources.find(value);
    return found == sources.end() ? nullptr : &found->second;
  }
  /// "threadIdx.x and blockIdx.x"
  static std::string describe(Mask mask);

  /// Whether what a call gives comes from its arguments alone.
  bool isPure(const ir::CallExpr &call) const;
  /// The place in the launch that a call tells; none where it is no such call.
  std::optional<rules::ThreadPlace> placeBy(const ir::Expr &e) const;

private:
  Mask pinned(const ir::Expr &condition, bool surely) const;
  Mask maskOf(const ir::Expr &e) const;
  Mask namedIn(const ir::Expr &e) const;
  Mask namedIn(const ir::Region &region) const;
  Mask namedIn(const ir::Function &function, ir::OrderedSet<const ir::Function> &seen) const;
  Mask namedBy(const ir::CallItem &call) const;
  void spread(const ir::Region &region, Mask control);
  void raise(ir::Var *var, Mask mask);

  const rules::RuleTable &rules;
  ir::OrderedMap<ir::Var, Mask> masks;
  ir::OrderedMap<ir::Var, ir::Expr> definitions;
  ir::OrderedMap<ir::Var, std::vector<ir::Expr>> sources;
  Mask inUse = 0;
  bool changed = false;
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_THREADDEPENDENCE_H
