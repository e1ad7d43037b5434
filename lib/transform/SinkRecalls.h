//===- SinkRecalls.h - recalled values stand where they are used - -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. The reverse of an iteration recalls all values at its start.
/// Few of them may well stay there, so that they are on their way together. Where they are
/// many, each would occupy a register up to its use: it is recalled right before that.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_SINKRECALLS_H
#define GPUAD_TRANSFORM_SINKRECALLS_H

#include "ir/Function.h"

namespace gpuad::transform {

/// Replaces function.body.
void sinkRecalls(ir::Function &function);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_SINKRECALLS_H
