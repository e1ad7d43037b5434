//===- accumulate.cuh - adding into adjoints -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_ACCUMULATE_CUH
#define GPUAD_RUNTIME_ACCUMULATE_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include <cuda_runtime.h>

namespace gpuad {

namespace detail {

/// A parameter of this type takes no part in deducing T.
template <class T> struct same {
  using type = T;
};

/// The number of a thread in its block, as the hardware counts them into warps.
__device__ inline unsigned thread_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ inline unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}

/// How many threads the warp that starts at thread `first` has: the last may be partial.
__device__ inline unsigned lanes_of_warp(unsigned first) {
  unsigned left = threads_of_block() - first;
  return left < 32u ? left : 32u;
}

/// The sum over the first `lanes` lanes of the warp, in lane 0.
template <class T> __device__ inline T warp_sum(T value, unsigned lane, unsigned lanes) {
  unsigned mask = lanes == 32u ? 0xffffffffu : (1u << lanes) - 1u;
  for (unsigned distance = 16u; distance > 0u; distance /= 2u) {
    T other = __shfl_down_sync(mask, value, distance);
    if (lane + distance < lanes)
      value += other;
  }
  return value;
}

__device__ inline unsigned bits_of(float value) {
  return __float_as_uint(value);
}
__device__ inline unsigned long long bits_of(double value) {
  return static_cast<unsigned long long>(__double_as_longlong(value));
}
__device__ inline float number_of(unsigned bits) {
  return __uint_as_float(bits);
}
__device__ inline double number_of(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}

/// The same pointer, of which nvcc knows nothing any more. It warns about an atomic
/// on local memory even where a test of the memory space stands before it.
template <class T> __device__ inline T *of_any_space(T *pointer) {
#if defined(__CUDA_ARCH__) && !defined(__clang__)
  asm("" : "+l"(pointer));
#endif
  return pointer;
}

} // namespace detail

/// Adds into one place that other threads add into as well. Returns what was there.
template <class T> __device__ inline T atomic_add(T *place, typename detail::same<T>::type value) {
  return atomicAdd(place, value);
}

/// Reads an adjoint and clears it in one step: one of several threads gets it.
__device__ inline float atomic_take(float *shadow) {
  return atomicExch(shadow, 0.0f);
}

__device__ inline double atomic_take(double *shadow) {
  return detail::number_of(atomicExch(reinterpret_cast<unsigned long long *>(shadow), 0ull));
}

/// The same for vectors in global memory: one instruction where the device has it.
__device__ inline void atomic_add(float2 *place, float2 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(__clang__)
  atomicAdd(place, value);
#else
  atomicAdd(&place->x, value.x);
  atomicAdd(&place->y, value.y);
#endif
}

__device__ inline void atomic_add(float4 *place, float4 value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(__clang__)
  atomicAdd(place, value);
#else
  atomicAdd(&place->x, value.x);
  atomicAdd(&place->y, value.y);
  atomicAdd(&place->z, value.z);
  atomicAdd(&place->w, value.w);
#endif
}

/// Adds the values of all threads of a warp into one place, with one atomic. Every
/// thread of the warp calls it, with the same place.
template <class T> __device__ inline void warp_add(T *place, typename detail::same<T>::type value) {
  unsigned thread = detail::thread_in_block(), lane = thread % 32u;
  value = detail::warp_sum(value, lane, detail::lanes_of_warp(thread - lane));
  if (lane == 0u)
    atomicAdd(place, value);
}

/// Adds the values of all threads of a block into one place, with one atomic. Every
/// thread of the block calls it, with the same place; blocks may have any shape.
template <class T> __device__ inline void block_add(T *place, typename detail::same<T>::type value) {
  __shared__ T sums[32];
  unsigned thread = detail::thread_in_block(), lane = thread % 32u, warp = thread / 32u;
  value = detail::warp_sum(value, lane, detail::lanes_of_warp(thread - lane));
  if (lane == 0u)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0u) {
    unsigned lanes = detail::lanes_of_warp(0u), warps = (detail::threads_of_block() + 31u) / 32u;
    T sum = lane < warps ? sums[lane] : T(0);
    sum = detail::warp_sum(sum, lane, lanes);
    if (lane == 0u && sum != T(0)) // nobody may have come to the place
      atomicAdd(place, sum);
  }
  __syncthreads(); // the next call writes the sums again
}

/// Adds into an element that is this thread's alone where its array is `apart` from the
/// others, and which any thread may add to where it is not.
template <class T> __device__ inline void add_apart(T *place, typename detail::same<T>::type value, bool apart) {
  if (apart)
    *place += value;
  else
    atomicAdd(place, value);
}

// Sums of a loop, added behind it. A sum of zero may be for a place that the loop never
// came to, so nothing is touched then.

template <class T> __device__ inline void add_sum(T *place, typename detail::same<T>::type sum) {
  if (sum != T(0))
    *place += sum;
}

template <class T> __device__ inline void add_sum_apart(T *place, typename detail::same<T>::type sum, bool apart) {
  if (sum != T(0))
    add_apart(place, sum, apart);
}

template <class T> __device__ inline void atomic_add_sum(T *place, typename detail::same<T>::type sum) {
  if (sum != T(0))
    atomicAdd(place, sum);
}

/// Adds through a pointer whose memory space only the run knows: plainly into
/// memory of this thread, where an atomic would fault, else atomically. Host code
/// adds plainly.
template <class T> __host__ __device__ inline void add_any_space(T *place, typename detail::same<T>::type value) {
#if defined(__CUDA_ARCH__)
  if (__isLocal(place))
    *place += value;
  else
    atomicAdd(detail::of_any_space(place), value);
#else
  *place += value;
#endif
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_ACCUMULATE_CUH
