//===- VectorSums.h - one atomic for a whole vector -------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atomic additions to all parts of a float2 or float4 in global memory become one
/// addition of the vector: one instruction on devices of sm_90 and later, and one line.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_VECTORSUMS_H
#define GPUAD_TRANSFORM_VECTORSUMS_H

#include "ir/Function.h"

namespace gpuad::transform {

void joinVectorSums(ir::Function &function);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_VECTORSUMS_H
