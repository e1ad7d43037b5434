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
