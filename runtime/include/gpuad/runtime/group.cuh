//===- group.cuh - what threads do together -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Shared memory and exchanges among lanes, reversed. All threads of the block, or all
/// lanes that the mask names and that are still there, call these together.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_GROUP_CUH
#define GPUAD_RUNTIME_GROUP_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "accumulate.cuh"
#include "flags.cuh"

#include <type_traits>

namespace gpuad {

namespace detail {

template <class Array> __device__ inline void clear_together(Array &array) {
  // Half precision numbers lie at odd places, and may be odd in number.
  using Word = std::conditional_t<alignof(Array) % alignof(unsigned) == 0, unsigned, unsigned char>;
  Word *words = reinterpret_cast<Word *>(&array);
  for (unsigned at = thread_in_block(); at < sizeof(Array) / sizeof(Word); at += threads_of_block())
    words[at] = Word(0);
}

/// The lanes of the mask that are there: others have ended, or the block has no more.
__device__ inline unsigned lanes_there(unsigned mask) {
  return __ballot_sync(mask, 1);
}

/// The first lane that the mask names.
__device__ inline int first_lane(unsigned mask) {
  return __ffs(int(mask)) - 1;
}

/// Whether all lanes have the same value: then one exchange moves the seeds of all.
__device__ inline bool is_uniform(unsigned mask, unsigned value) {
  return __all_sync(mask, value == __shfl_sync(mask, value, first_lane(mask)));
}

/// The sum of the seeds of all lanes that read this one; `from` is the lane that this
/// lane has read.
template <class T> __device__ inline T gather_seeds(unsigned mask, T seed, unsigned from) {
  unsigned lane = thread_in_block() % 32u;
  T sum = T(0);
  for (unsigned rest = mask; rest != 0u; rest &= rest - 1u) {
    int reader = first_lane(rest);
    unsigned read = __shfl_sync(mask, from, reader);
    T value = __shfl_sync(mask, seed, reader);
    if (read == lane)
      sum += value;
  }
  return sum;
}

} // namespace detail

/// The thread that stands for its block, and the block that stands for its grid: where all
/// write the same value, one of them takes the seed.
__device__ inline bool first_of_block() {
  return threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
}
__device__ inline bool first_block() {
  return blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
}

/// The same among threads (blocks) that differ in y and z alone.
__device__ inline bool first_row() {
  return threadIdx.y == 0 && threadIdx.z == 0;
}
__device__ inline bool first_row_of_blocks() {
  return blockIdx.y == 0 && blockIdx.z == 0;
}

/// Whether threads and blocks differ in x alone.
__device__ inline bool one_dimensional() {
  return blockDim.y == 1 && blockDim.z == 1 && gridDim.y == 1 && gridDim.z == 1;
}

/// Whether it holds for any thread of the block. All of them wait here for each other.
__device__ inline bool any_of_block(bool holds) {
  return __syncthreads_or(holds) != 0;
}

/// Whether this is the first thread of its warp.
__device__ inline bool is_first_lane() {
  return detail::thread_in_block() % 32u == 0u;
}

/// Sets arrays in shared memory to zero, and waits until they are.
template <class... Arrays> __device__ inline void clear_shared(Arrays &...arrays) {
  (detail::clear_together(arrays), ...);
  __syncthreads();
}

/// Whether the launch has room for a shadow behind `bytes` of dynamic shared memory. If
/// not, `synchronize` will say so, and the kernel adds nothing.
__device__ inline bool enough_shared(unsigned bytes, const char *kernel, unsigned more = 0) {
  unsigned has;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(has));
  if (has >= with_shadow(bytes) + more)
    return true;
  detail::raise(detail::shared_too_small, kernel);
  return false;
}

/// The shadow of dynamic shared memory, of which the primal has `bytes`.
template <class T> __device__ inline T *behind_shared(T *primal, unsigned bytes) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(primal) + with_shadow(bytes) / 2u);
}

/// The shadow of an array for which there is no room among the static ones: behind the `bytes` of the primal, their
/// shadow, and `before`.
template <class Array> __device__ inline Array &shadow_in_dynamic(unsigned bytes, unsigned before) {
  extern __shared__ __align__(16) unsigned char gpuad_dynamic_shared[];
  return *reinterpret_cast<Array *>(gpuad_dynamic_shared + with_shadow(bytes) + before);
}

/// Sets the shadow to zero, and waits until it is.
template <class T> __device__ inline void clear_shared_bytes(T *shadow, unsigned bytes) {
  unsigned *words = reinterpret_cast<unsigned *>(shadow);
  for (unsigned at = detail::thread_in_block(); at < with_shadow(bytes) / 8u; at += detail::threads_of_block())
    words[at] = 0u;
  __syncthreads();
}

/// The seed of __shfl_sync(mask, value, source, width), sent back to the lane it was read from.
template <class T> __device__ inline T shfl_transpose(unsigned mask, T seed, int source, int width = 32) {
  mask = detail::lanes_there(mask);
  unsigned lane = detail::thread_in_block() % 32u, start = lane & ~unsigned(width - 1);
  return detail::gather_seeds(mask, seed, start + (unsigned(source) & unsigned(width - 1)));
}

/// The seed of __shfl_up_sync: lanes at the start of a segment have read themselves.
template <class T> __device__ inline T shfl_up_transpose(unsigned mask, T seed, unsigned delta, int width = 32) {
  mask = detail::lanes_there(mask);
  unsigned lane = detail::thread_in_block() % 32u, place = lane & unsigned(width - 1);
  bool reads_itself = place < delta;
  if (!detail::is_uniform(mask, delta))
    return detail::gather_seeds(mask, seed, reads_itself ? lane : lane - delta);
  T other = __shfl_down_sync(mask, seed, delta, width);
  bool is_read = place + delta < unsigned(width) && (mask >> ((lane + delta) & 31u) & 1u) != 0u;
  return (is_read && delta != 0u ? other : T(0)) + (reads_itself || delta == 0u ? seed : T(0));
}

/// The seed of __shfl_down_sync: lanes at the end of a segment have read themselves.
template <class T> __device__ inline T shfl_down_transpose(unsigned mask, T seed, unsigned delta, int width = 32) {
  mask = detail::lanes_there(mask);
  unsigned lane = detail::thread_in_block() % 32u, place = lane & unsigned(width - 1);
  bool reads_itself = place + delta >= unsigned(width);
  if (!detail::is_uniform(mask, delta))
    return detail::gather_seeds(mask, seed, reads_itself ? lane : lane + delta);
  T other = __shfl_up_sync(mask, seed, delta, width);
  bool is_read = place >= delta && (mask >> ((lane - delta) & 31u) & 1u) != 0u;
  return (is_read && delta != 0u ? other : T(0)) + (reads_itself || delta == 0u ? seed : T(0));
}

/// The seed of __shfl_xor_sync. Within a segment lanes read each other in pairs.
template <class T> __device__ inline T shfl_xor_transpose(unsigned mask, T seed, int lanes, int width = 32) {
  mask = detail::lanes_there(mask);
  unsigned lane = detail::thread_in_block() % 32u, partner = lane ^ unsigned(lanes);
  if (lanes < width && detail::is_uniform(mask, unsigned(lanes))) {
    T other = __shfl_xor_sync(mask, seed, lanes, width);
    return (mask >> partner & 1u) != 0u ? other : T(0);
  }
  // Lanes of later segments cannot be read: then a lane has read itself.
  bool is_later = (partner & ~unsigned(width - 1)) > (lane & ~unsigned(width - 1));
  return detail::gather_seeds(mask, seed, is_later || partner > 31u ? lane : partner);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_GROUP_CUH
