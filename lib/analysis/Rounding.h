//===- Rounding.h - what floating-point arithmetic decides ------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Code that stands in a kernel twice need not give the same bits twice: the compiler
/// may fuse a product and a sum in one place and not in the other. Integers, what was
/// loaded, and comparisons of what was loaded are the same each time. Everything that
/// floating-point arithmetic has a part in may differ in the last bit, and so may the
/// number of iterations of a loop that ends by it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_ROUNDING_H
#define GPUAD_ANALYSIS_ROUNDING_H

#include "ir/ValueForm.h"

namespace gpuad::analysis {

class Rounding {
public:
  /// `recorded`: what these variables hold is not worked out again.
  explicit Rounding(const ir::ValueFunction &function, const ir::OrderedSet<ir::Var> &recorded = {});

  /// Whether e may come out differently when it is worked out again.
  bool mayDiffer(const ir::Expr &e) const;
  /// Whether the loop may run more or fewer iterations when it is run again.
  bool mayDiffer(const ir::LoopItem &loop) const;

private:
  bool mayDiffer(const ir::Expr &e, const ir::Var *untouched) const;
  void spread(const ir::Region &region, bool control);
  void mark(ir::Var *var, bool differs);

  ir::OrderedSet<ir::Var> recorded;
  ir::OrderedSet<ir::Var> rounded; ///< values, and memory with such elements
  bool changed = false;
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_ROUNDING_H
