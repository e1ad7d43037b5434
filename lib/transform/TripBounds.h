//===- TripBounds.h - loops that are known to be short ---------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Private to lib/transform. Fills in `staticTrips`, an upper bound of a counted
/// loop's iterations, where the ranges of integers give one: `for (q = p + 1; q < 3;
/// ++q)` inside `for (p = 0; p < 3; ++p)` runs twice at most.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_TRIPBOUNDS_H
#define GPUAD_TRANSFORM_TRIPBOUNDS_H

#include "ir/ValueForm.h"

namespace gpuad::transform {

void boundTrips(ir::ValueFunction &function);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_TRIPBOUNDS_H
