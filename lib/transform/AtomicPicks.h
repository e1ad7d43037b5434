//===- AtomicPicks.h - largest and smallest numbers by atomics --*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// gpuad::atomic_max(&m[c], v), gpuad::signed_max(&m[c], v): of the numbers that threads
/// offer, and of the one that was there, one is picked.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ATOMICPICKS_H
#define GPUAD_TRANSFORM_ATOMICPICKS_H

#include "ir/Expr.h"
#include "rules/RuleTable.h"

#include <optional>

namespace gpuad::transform {

struct AtomicPick {
  ir::Expr pointer; ///< to the number that is picked
  ir::Expr number;  ///< that is offered
};

/// The pointer to numbers of so many bits that a pointer to their bits was made of, where it
/// stands; null: it was not.
ir::Expr pointerToNumbers(const ir::Expr &e, unsigned bits);

/// None: the call is another one.
std::optional<AtomicPick> atomicPick(const ir::CallExpr &call, const rules::RuleTable &rules);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ATOMICPICKS_H
