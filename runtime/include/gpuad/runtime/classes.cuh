//===- classes.cuh - fields of library classes -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fields that a class of a library keeps to itself, as places that derivatives read and add to. The standard lays
/// down where they lie for complex numbers ([complex.numbers.general]: a complex<T> is an array of two T).
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_CLASSES_CUH
#define GPUAD_RUNTIME_CLASSES_CUH

namespace gpuad {

/// The real part of a complex number.
template <class C> __host__ __device__ inline typename C::value_type &real(C &z) {
  return reinterpret_cast<typename C::value_type *>(&z)[0];
}
template <class C> __host__ __device__ inline const typename C::value_type &real(const C &z) {
  return reinterpret_cast<const typename C::value_type *>(&z)[0];
}

/// The imaginary part of a complex number.
template <class C> __host__ __device__ inline typename C::value_type &imag(C &z) {
  return reinterpret_cast<typename C::value_type *>(&z)[1];
}
template <class C> __host__ __device__ inline const typename C::value_type &imag(const C &z) {
  return reinterpret_cast<const typename C::value_type *>(&z)[1];
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_CLASSES_CUH
