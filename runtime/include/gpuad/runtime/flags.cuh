//===- flags.cuh - what kernels report without a stack -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What only a kernel can see, it can only say in device memory: that it was launched by hand
/// with too little dynamic shared memory or in another shape, or that pointers which it loads lead to one array.
/// There is a flag of each kind in each file that includes the runtime; `synchronize` looks at
/// all of them.
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

struct flag {
  unsigned is_raised;
  char kernel[60]; ///< whose launch it was
};
enum flag_kind { shared_too_small, rows_aliased, shape_of_launch, flag_kinds };

[[maybe_unused]] static __device__ flag flags[flag_kinds];

[[maybe_unused]] static __device__ void raise(flag_kind kind, const char *kernel) {
  flag &one = flags[kind];
  if (atomicExch(&one.is_raised, 1u) != 0u)
    return;
  unsigned at = 0;
  for (; kernel[at] != 0 && at + 1 < sizeof one.kernel; ++at)
    one.kernel[at] = kernel[at];
  one.kernel[at] = 0;
}

inline std::vector<const void *> flags_of_files;

/// Tells `synchronize` of the flags in this file.
struct flag_listing {
  explicit flag_listing(const void *flags) { flags_of_files.push_back(flags); }
};
[[maybe_unused]] static const flag_listing listed_flags{flags};

inline void report_flag(flag_kind kind, const std::string &kernel) {
  if (kind == shared_too_small)
    report(error::shared_too_small, kernel +
                                        " was launched with too little dynamic shared memory: it needs "
                                        "gpuad::with_shadow(bytes), where the primal needs bytes. Nothing was added");
  else if (kind == shape_of_launch)
    report(error::launch_shape,
           kernel + ": threads or blocks have more than one index, and the kernel looks at x alone; then several of "
                    "them come to one element by its atomics, in any order. Nothing was done");
  else
    report(error::aliased,
           kernel + ": two pointers that the kernel loads from memory lead to one array, which is read after "
                    "it was written; let them lead to different arrays, or copy one. Blocks that met this "
                    "added nothing");
}

inline void report_flags() {
  for (const void *of_file : flags_of_files) {
    flag told[flag_kinds];
    if (cudaMemcpyFromSymbol(told, of_file, sizeof told) != cudaSuccess)
      continue;
    bool any = false;
    for (int kind = 0; kind < flag_kinds; ++kind)
      if (told[kind].is_raised != 0) {
        any = true;
        report_flag(flag_kind(kind), told[kind].kernel);
        told[kind].is_raised = 0;
      }
    if (any)
      cudaMemcpyToSymbol(of_file, told, sizeof told);
  }
}

} // namespace detail

/// Whether two pointers that were loaded from memory lead to different arrays. If not,
/// `synchronize` will say so, and the block adds nothing. All its threads ask for the same two.
__device__ inline bool are_apart(const void *first, const void *second, const char *kernel) {
  if (first != second)
    return true;
  detail::raise(detail::rows_aliased, kernel);
  return false;
}

/// Whether threads and blocks differ in x alone. If not, `synchronize` will say so.
__device__ inline bool launched_in_line(const char *kernel) {
  if (blockDim.y == 1 && blockDim.z == 1 && gridDim.y == 1 && gridDim.z == 1)
    return true;
  detail::raise(detail::shape_of_launch, kernel);
  return false;
}

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
