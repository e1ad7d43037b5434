//===- launch.cuh - launch configurations -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_LAUNCH_CUH
#define GPUAD_RUNTIME_LAUNCH_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include <cuda_runtime.h>

namespace gpuad {

/// The primal's launch configuration. A launcher works out what the derivative
/// needs besides.
struct launch {
  dim3 grid, block;
  size_t shared_bytes = 0; ///< the primal's dynamic shared memory
  cudaStream_t stream = nullptr;
  bool no_wait = false; ///< never wait for the kernel; `synchronize` then reports
};

} // namespace gpuad

#endif // GPUAD_RUNTIME_LAUNCH_CUH
