// Half precision and bfloat16: every function that has a rule, operators, and conversions in mixed arithmetic.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

template <class T> struct number; // what this file needs to know of the two types
template <> struct number<__half> {
  static __device__ __half from(float x) { return __float2half(x); }
  static __device__ float to(__half x) { return __half2float(x); }
};
template <> struct number<__nv_bfloat16> {
  static __device__ __nv_bfloat16 from(float x) { return __float2bfloat16(x); }
  static __device__ float to(__nv_bfloat16 x) { return __bfloat162float(x); }
};

template <class T> BOTH("(y)/(a,b)")
__global__ void functions(int count, const int *which, const T *a, const T *b, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  T r = a[i];
  switch (which[i]) {
#define HALF(ID, CALL, REFERENCE)                                                                                      \
  case ID:                                                                                                             \
    r = CALL;                                                                                                          \
    break;
#define A a[i]
#define B b[i]
#include "functions.inc"
#undef A
#undef B
#undef HALF
  }
  y[i] = r;
}
template __global__ void functions<__half>(int, const int *, const __half *, const __half *, __half *);
template __global__ void functions<__nv_bfloat16>(int, const int *, const __nv_bfloat16 *, const __nv_bfloat16 *,
                                                  __nv_bfloat16 *);

// Seeds in half precision are added to adjoints in single precision, where the condition holds.
template <class T> BOTH("(y)/(x)") __global__ void bias(int rows, const T *x, T *y) {
  float sum = 0;
  for (int r = 0; r < rows; ++r)
    sum += number<T>::to(x[r * blockDim.x + threadIdx.x]);
  if (threadIdx.x < 2)
    y[threadIdx.x] = number<T>::from(sum);
}
template __global__ void bias<__half>(int, const __half *, __half *);
template __global__ void bias<__nv_bfloat16>(int, const __nv_bfloat16 *, __nv_bfloat16 *);

// Weights in half precision, sums in single precision, a choice between the two, and the result rounded.
template <class T> BOTH("(y,total)/(w,x,scale)")
__global__ void mixed(int rows, int n, const T *w, const float *x, T scale, T *y, float *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += number<T>::to(w[i * n + k]) * x[k] * x[k];
  T rounded = number<T>::from(sum);
  T kept = i % 2 ? rounded * scale : scale;
  y[i] = kept;
  float contribution = i % 3 ? sum : number<T>::to(kept);
  atomicAdd(total, (float)kept * x[0] + contribution);
}
template __global__ void mixed<__half>(int, int, const __half *, const float *, __half, __half *, float *);
template __global__ void mixed<__nv_bfloat16>(int, int, const __nv_bfloat16 *, const float *, __nv_bfloat16,
                                              __nv_bfloat16 *, float *);

BOTH("(y)/(x)")
__global__ void squares(int n, const __half *x, __half *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = i % 2 ? x[i] * x[i] + __float2half(0.5f) : __hneg(x[i]);
}

// An odd number of elements: the shadow of the tile does not end with a word.
template <class T> BOTH("(y)/(x)")
__global__ void odd_tile(const T *x, T *y) {
  __shared__ T tile[7];
  int t = threadIdx.x;
  tile[t] = x[t] * x[t];
  __syncthreads();
  y[t] = tile[t] + tile[(t + 1) % 7] * number<T>::from(2);
}
template __global__ void odd_tile<__half>(const __half *, __half *);
template __global__ void odd_tile<__nv_bfloat16>(const __nv_bfloat16 *, __nv_bfloat16 *);
