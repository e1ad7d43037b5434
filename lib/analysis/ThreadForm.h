//===- ThreadForm.h - an index as digits that threads own -------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which threads can come to one element? The index is read as a number in mixed
/// radix: c0*d0 + c1*d1 + ... + rest, where every digit d has a range, and the next
/// factor is the factor times the range. Then the element gives the digits back, and
/// the digits give the indices of the thread that they are made of: threadIdx and
/// blockIdx themselves, a counter of a loop that strides over the block or the grid, a
/// value that a condition around keeps below the next factor (blockIdx.y * width + x
/// where x < width).
///
/// Integers are taken not to overflow; `rest` is the same in all threads.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_THREADFORM_H
#define GPUAD_ANALYSIS_THREADFORM_H

#include "ir/ValueForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuad::analysis {

/// A condition that holds (or does not) wherever control comes to a place.
struct Guard {
  ir::Expr condition;
  bool holds = true;
};

/// What is known at a place.
struct Surroundings {
  std::vector<Guard> guards;               ///< no conjunctions: these are taken apart
  std::vector<const ir::LoopItem *> loops; ///< around the place
};

/// Takes a condition apart into what must hold.
void addGuards(const ir::Expr &condition, bool holds, std::vector<Guard> &guards);

struct ThreadForm {
  std::string digits;  ///< equal for two indices: one thread comes to one element by both
  int64_t offset = 0;  ///< the constant part of `rest`
  int64_t room = 1;    ///< indices of one form whose offsets differ by less never meet
  unsigned thread = 0; ///< bits of threadIdx.x, .y, .z, blockIdx.x, .y, .z that the element tells
};

/// `definition` gives the expression of a value that is computed from others, or null.
/// Nothing where the index has no such form.
std::optional<ThreadForm> threadForm(const ir::Expr &index, const Surroundings &around,
                                     llvm::function_ref<ir::Expr(ir::Var *)> definition);

/// Whether an integer is the same in all threads and at all times: made of numbers,
/// parameters and extents of the launch. The counter of a loop is not.
bool isOneForLaunch(const ir::Expr &e, llvm::function_ref<ir::Expr(ir::Var *)> definition);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_THREADFORM_H
