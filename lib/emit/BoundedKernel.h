//===- BoundedKernel.h - a kernel for blocks of any size --------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A derivative keeps more values than its primal, so the compiler may give it more
/// registers than a block of the primal's size has. Where that is to be expected, its body
/// is a function of its own, which is a kernel twice: once as it is, and once with a bound
/// on its registers. The launcher asks which one can run.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_BOUNDEDKERNEL_H
#define GPUAD_EMIT_BOUNDEDKERNEL_H

#include "emit/Placement.h"

namespace gpuad::emit {

/// Whether there is a second kernel.
bool hasBoundedKernel(const Emitted &emitted);
std::string boundedKernelName(const Emitted &emitted);
/// The body, and both kernels.
std::string printBothKernels(const Emitted &emitted);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_BOUNDEDKERNEL_H
