//===- Counting.h - how often a loop runs ----------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. The number of iterations of a loop in value form, and
/// the number of the current one, as expressions.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_COUNTING_H
#define GPUAD_TRANSFORM_COUNTING_H

#include "ir/ValueForm.h"

namespace gpuad::transform {

/// The number of the iteration, from 0, where the loop's own variables are in scope.
ir::Expr iterationOf(const ir::LoopItem &item);

/// How many iterations run; of a loop that is not counted: how many ran.
ir::Expr tripCount(const ir::LoopItem &item);
/// The same with other limits.
ir::Expr tripCount(const ir::LoopItem &item, const ir::Expr &begin, const ir::Expr &end);

/// What holds the number of an iteration: int, and 64 bits where the loop's own counter has them, so that
/// the number times the step is as wide.
ir::Type iterationType(const ir::LoopItem &item);

/// Whether e is that integer literal.
bool isWhole(const ir::Expr &e, int64_t number);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_COUNTING_H
