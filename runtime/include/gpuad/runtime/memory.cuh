//===- memory.cuh - reading and putting back values -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_MEMORY_CUH
#define GPUAD_RUNTIME_MEMORY_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include <cuda_runtime.h>

#include <type_traits>

namespace gpuad {

/// A struct whose bytes are all zero, whatever its constructor would set.
template <class T> __host__ __device__ inline T zero() {
  union all {
    unsigned char bytes[sizeof(T)];
    T value;
    __host__ __device__ all() : bytes{} {}
    __host__ __device__ ~all() {}
  } made;
  return made.value;
}

/// A value and its directional derivative.
template <class T> struct dual {
  T value, tangent;
};

/// Reads an adjoint and clears it: the reverse of an overwrite.
template <class T> __host__ __device__ inline T take(T *shadow) {
  T seed = *shadow;
  if constexpr (std::is_class_v<T>)
    *shadow = zero<T>();
  else
    *shadow = T();
  return seed;
}

/// The value of memory that is going to be overwritten, to be put back later. A
/// copy, not a use: it may be uninitialised.
template <class T> __host__ __device__ inline T save(const T *place) {
  return *place;
}

/// Puts back what `save` returned.
template <class T> __host__ __device__ inline void restore(T *place, const T &value) {
  *place = value;
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_MEMORY_CUH
