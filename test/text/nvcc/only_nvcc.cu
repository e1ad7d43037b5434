// What nvcc accepts and Clang does not by itself.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %nvcc -w -arch=sm_80 -c %s -o %t.o
// RUN: %gpuad %s %cuda --adjoint='square(y)/(x)' --tangent='square(y)/(x)' --adjoint='hints(y)/(x)' -o %t.cu
// RUN: %nvcc -w -arch=sm_80 -I%runtime -c %t.cu -o %t.o
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %gpuad %s %cuda --round-trip -o %t.again.cu
// RUN: %nvcc -w -arch=sm_80 -c %t.again.cu -o %t.o
#include <cmath>
#include <cuda_runtime.h>

// CHECK: square_adjoint(
__global__ void square(float *y, const float *x) {
  register int i = threadIdx.x;
  y[i] = x[i] * x[i];
}

// Hints for loads and stores on plain types.
// CHECK: hints_adjoint(
__global__ void hints(float *y, float4 *v, const float *x) {
  int i = threadIdx.x;
  __stcs(y + i, __ldcs(x + i) * 2.0f);
  __stcg(&v[i], __ldcg(&v[i]));
}
__global__ void more_hints(int *y, const int *x) {
  int i = threadIdx.x;
  __stwt(y + i, __ldlu(x + i));
  __stwb(y + i, __ldca(x + i) + __ldcv(x + i));
}

__global__ void narrows(char *c, int n) {
  char k[2] = {n, 300 - n};
  c[0] = k[0] + k[1];
}

__global__ void atomics(int *c, float *f) {
  __nv_atomic_fetch_add(c, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(f, 1.0f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  int v = __nv_atomic_load_n(c, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_store_n(c, v + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
  int old = __nv_atomic_exchange_n(c, 3, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_compare_exchange_n(c, &old, 5, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}

float on_host(float a, float b, int n, unsigned m) {
  register float c = min(a, b) + max(a, b) + min(n, 3) + max(m, 4u);
  if (isnan(c) || isinf(a) || !isfinite(double(b)))
    return 0;
  return c + rsqrtf(a);
}

// Launches whose brackets a formatter has parted.
void launches(float *y, const float *x, int n) {
  square<< <1, 32 >> >(y, x);
  square << < dim3(n << 1), dim3(32), 0 >> > (y, x);
  square <<< 1, 32 >> >
      (y, x);
}
