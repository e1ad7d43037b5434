//===- AtomicLoops.h - loops that stand for one atomic ----------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the hardware has no instruction for is written as a loop that tries again until
/// no other thread came in between:
///
///     unsigned long long* bits = (unsigned long long*)address;
///     unsigned long long old = *bits, assumed;
///     do {
///       assumed = old;
///       old = atomicCAS(bits, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
///     } while (assumed != old);
///
/// It is one addition, `double result = gpuad::atomic_add(address, v)`, and both modes see
/// it as such. With a maximum or minimum in place of the sum it is gpuad::atomic_max or
/// atomic_min; so are loops that end as soon as what is there is not smaller.
///
/// The hardware has maxima of integers, too: atomicMax((int*)address, __float_as_int(v)) is
/// `gpuad::signed_max(address, v)`, which says that it is about numbers.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ATOMICLOOPS_H
#define GPUAD_TRANSFORM_ATOMICLOOPS_H

#include "ir/Module.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// Puts the atomic in place of each such loop.
void recogniseAtomicLoops(ir::Module &module, const rules::RuleTable &rules);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ATOMICLOOPS_H
