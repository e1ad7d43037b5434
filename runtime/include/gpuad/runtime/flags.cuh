//===- flags.cuh - what kernels report without a stack -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// A kernel that is launched by hand with too little dynamic shared memory can only say
/// so in device memory. There is one flag in each file that includes the runtime;
/// `synchronize` looks at all of them.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_FLAGS_CUH
#define GPUAD_RUNTIME_FLAGS_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "status.cuh"

#include <vector>

namespace gpuad {

/// Dynamic shared memory for the primal's `bytes` and a shadow of them.
__host__ __device__ inline unsigned with_shadow(size_t bytes) {
  return 2u * ((unsigned(bytes) + 15u) & ~15u);
}

/// What an array that lies in dynamic shared memory takes there.
template <class Array> __host__ __device__ constexpr unsigned room_for() {
  return (unsigned(sizeof(Array)) + 15u) & ~15u;
}

namespace detail {

struct shared_flag {
  unsigned is_raised;
  char kernel[60]; ///< whose launch it was
};

[[maybe_unused]] static __device__ shared_flag shared_too_small;

[[maybe_unused]] static __device__ void raise_shared_too_small(const char *kernel) {
  if (atomicExch(&shared_too_small.is_raised, 1u) != 0u)
    return;
  unsigned at = 0;
  for (; kernel[at] != 0 && at + 1 < sizeof shared_too_small.kernel; ++at)
    shared_too_small.kernel[at] = kernel[at];
  shared_too_small.kernel[at] = 0;
}

inline std::vector<const void *> shared_flags;

/// Tells `synchronize` of the flag in this file.
struct flag_listing {
  explicit flag_listing(const void *flag) { shared_flags.push_back(flag); }
};
[[maybe_unused]] static const flag_listing listed_flag{&shared_too_small};

inline void report_shared_flags() {
  for (const void *flag : shared_flags) {
    shared_flag told;
    if (cudaMemcpyFromSymbol(&told, flag, sizeof told) != cudaSuccess || told.is_raised == 0)
      continue;
    unsigned clear = 0;
    cudaMemcpyToSymbol(flag, &clear, sizeof clear);
    report(error::shared_too_small, std::string(told.kernel) +
                                        " was launched with too little dynamic shared memory: it needs "
                                        "gpuad::with_shadow(bytes), where the primal needs bytes. Nothing was added");
  }
}

} // namespace detail

/// Whether a multiprocessor has enough registers for a block of the kernel.
template <class Kernel> inline bool has_registers(Kernel *kernel, dim3 block) {
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)) != cudaSuccess)
    return true; // the launch will tell
  return size_t(block.x) * block.y * block.z <= size_t(attributes.maxThreadsPerBlock);
}

/// Lets a kernel have so much dynamic shared memory, a shadow of it, and some `more`.
template <class Kernel> inline void allow_shared(Kernel *kernel, size_t bytes, unsigned more = 0) {
  unsigned all = with_shadow(bytes) + more;
  if (all > 48u * 1024u || more != 0) // beside what is static
    cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, int(all));
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_FLAGS_CUH
