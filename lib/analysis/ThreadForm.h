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
/// where x < width). A digit that is moved round in its range, as in (x + 1) % width or
/// x > 0 ? x - 1 : width - 1, tells as much as the digit.
///
/// Integers are taken not to overflow, divisors to be positive; `rest` is the same in all
/// threads.
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

/// A sum of products of named integers, with the names of each product sorted.
using Polynomial = std::map<std::vector<std::string>, int64_t>;

struct ThreadForm {
  std::string digits;             ///< equal for two indices: they are made of the same digits
  Polynomial rest;                ///< what is added, the same in all threads
  int64_t room = 1;               ///< indices of one form whose `rest` differs by less never meet
  std::optional<Polynomial> span; ///< indices lie in rest .. rest + span - 1, or, mirrored, below
  unsigned thread = 0;            ///< bits of threadIdx.x, .y, .z, blockIdx.x, .y, .z that the element tells

  /// Whether one element is only reached by one value of the digits, by this index or the other.
  bool isOneWith(const ThreadForm &other) const;
  /// Whether no element is reached by both: they lie in different planes of an array.
  bool isApartFrom(const ThreadForm &other) const;
};

/// The same of what the index leaves when it is divided by the span of its lowest digits, one form for each
/// span that divides all that comes above: row * width + x tells x < width whatever the row is, which may be a
/// counter in strides of any number of rows.
std::vector<ThreadForm> residueForms(const ir::Expr &index, const Surroundings &around,
                                     llvm::function_ref<ir::Expr(ir::Var *)> definition);

/// `definition` gives the expression of a value that is computed from others, or null.
/// Nothing where the index has no such form.
std::optional<ThreadForm> threadForm(const ir::Expr &index, const Surroundings &around,
                                     llvm::function_ref<ir::Expr(ir::Var *)> definition);

/// Whether an integer is the same in all threads and at all times: made of numbers,
/// parameters and extents of the launch. The counter of a loop is not.
bool isOneForLaunch(const ir::Expr &e, llvm::function_ref<ir::Expr(ir::Var *)> definition);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_THREADFORM_H
