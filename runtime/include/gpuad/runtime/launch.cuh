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

#include <tuple>

namespace gpuad {

/// The primal's launch configuration. A launcher works out what the derivative
/// needs besides.
struct launch {
  dim3 grid, block;
  size_t shared_bytes = 0; ///< the primal's dynamic shared memory
  cudaStream_t stream = nullptr;
  bool no_wait = false; ///< never wait for the kernel; `synchronize` then reports
};

/// Launches a kernel whose blocks wait for each other: all of them must run at once, or the launch fails.
template <class... P, class... A>
void launch_cooperative(const launch &where, size_t shared_bytes, void (*kernel)(P...), const A &...args) {
  std::tuple<P...> held(args...);
  std::apply(
      [&](auto &...each) {
        void *list[] = {const_cast<void *>(static_cast<const void *>(&each))..., nullptr};
        cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(kernel), where.grid, where.block, list, shared_bytes,
                                    where.stream);
      },
      held);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_LAUNCH_CUH
