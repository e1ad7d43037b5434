//===- math.cuh - functions that derivatives need and CUDA has not -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_MATH_CUH
#define GPUAD_RUNTIME_MATH_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include <cuda_runtime.h>
#include <math.h>

namespace gpuad {

namespace detail {

/// The cotangent of pi x, reduced before it is multiplied by pi.
template <class T> __host__ __device__ inline T cotangent_pi(T x) {
  T angle = T(3.14159265358979323846) * (x - rint(x));
  return cos(angle) / sin(angle);
}

} // namespace detail

/// The derivative of lgamma. The argument is shifted until the asymptotic series,
/// whose first dropped term is below the rounding of double there, holds.
template <class T> __host__ __device__ inline T digamma(T x) {
  T sum = 0;
  if (x <= T(0)) { // psi(x) = psi(1 - x) - pi cot(pi x)
    sum = -T(3.14159265358979323846) * detail::cotangent_pi(x);
    x = T(1) - x;
  }
  while (x < T(10)) {
    sum -= T(1) / x;
    x += T(1);
  }
  T w = T(1) / (x * x);
  T series =
      w *
      (T(1) / T(12) -
       w * (T(1) / T(120) - w * (T(1) / T(252) - w * (T(1) / T(240) - w * (T(1) / T(132) - w * (T(691) / T(32760)))))));
  return sum + log(x) - T(0.5) / x - series;
}

/// The derivative of digamma.
template <class T> __host__ __device__ inline T trigamma(T x) {
  T sum = 0, sign = 1;
  if (x <= T(0)) { // psi'(x) = (pi / sin(pi x))^2 - psi'(1 - x)
    T cotangent = detail::cotangent_pi(x);
    sum = T(9.86960440108935861883) * (T(1) + cotangent * cotangent);
    sign = -1;
    x = T(1) - x;
  }
  T part = 0;
  while (x < T(10)) {
    part += T(1) / (x * x);
    x += T(1);
  }
  T w = T(1) / (x * x);
  T series =
      T(1) / x + T(0.5) * w +
      w / x *
          (T(1) / T(6) -
           w * (T(1) / T(30) - w * (T(1) / T(42) - w * (T(1) / T(30) - w * (T(5) / T(66) - w * T(691) / T(2730))))));
  return sum + sign * (part + series);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_MATH_CUH
