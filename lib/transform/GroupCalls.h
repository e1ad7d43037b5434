//===- GroupCalls.h - calls on objects of a group of threads -----*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Libraries let threads reduce and scan through an object and a piece of shared memory:
///
///     typedef cub::BlockReduce<float, 256> Reduce;
///     __shared__ Reduce::TempStorage storage;
///     float sum = Reduce(storage).Sum(x);
///
/// Both modes see what the rule of the call says in its place, a function of the runtime
/// that needs neither, `float sum = gpuad::block_sum_to_first(x)`. Arrays of items that a
/// thread has become sums of their elements.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_GROUPCALLS_H
#define GPUAD_TRANSFORM_GROUPCALLS_H

#include "ir/Module.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// What a call must be to be replaced.
inline constexpr const char *GroupCallLimits =
    "only numbers of 32 bits and more, up to 64 items of a thread, and parts of a warp of a size that the class of the "
    "object tells";

/// Replaces calls of kind `group`, and removes the objects that were for them alone.
void replaceGroupCalls(ir::Module &module, const rules::RuleTable &rules);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_GROUPCALLS_H
