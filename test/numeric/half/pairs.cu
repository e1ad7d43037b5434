// Pairs of halves: copied, taken apart, put together.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(x)")
__global__ void in_float(int n, const __half2 *x, __half2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 v = x[i];
  float a = __half2float(v.x), b = __half2float(v.y);
  y[i] = __halves2half2(__float2half(a * b), __float2half(a + b * b));
}

BOTH("(y)/(x)")
__global__ void field_by_field(int n, const __nv_bfloat162 *x, __nv_bfloat162 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat162 v = x[i], w;
  w.x = __hmul(v.x, v.y);
  w.y = v.y * v.y + v.x;
  y[i] = w;
}

BOTH("(y)/(x)")
__global__ void in_loop(int n, const __half2 *x, __half2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 v(x[i].y, x[i].x), w = v;
  for (int k = 0; k < 2; ++k) {
    w = make_half2(w.y * v.y, w.x + v.x * v.x);
    v = w;
  }
  y[i] = w;
}

// What computes with both numbers of a pair, by functions and by operators.
BOTH("(y)/(x)")
__global__ void by_functions(int n, const __half2 *x, __half2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  half2 v = x[i], w = __hfma2(v, v, __lowhigh2highlow(v));
  w = __hadd2(__hmul2(w, __low2half2(v)), __hsub2(__hneg2(w), __float2half2_rn(0.5f)));
  float2 f = __half22float2(w);
  y[i] = __hadd2(__floats2half2_rn(f.x, f.y + __high2float(v)), __half2half2(__low2half(v)));
}

BOTH("(y)/(x)")
__global__ void by_operators(int n, const __nv_bfloat162 *x, __nv_bfloat162 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat162 v = x[i], w = v * v - __highs2bfloat162(v, x[i]);
  w += -v;
  w *= __float22bfloat162_rn(make_float2(0.5f, 2.0f));
  y[i] = w + v * __low2bfloat162(v);
}
