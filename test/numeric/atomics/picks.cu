// The largest and smallest of the numbers that threads offer, in global memory: by atomics on the bits, and by loops.
#include <gpuad/gpuad.h>

GPUAD_ADJOINT("(m)/(x)")
__global__ void tops(int n, int classes, const float *x, float *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax((int *)&m[i % classes], __float_as_int(x[i] * x[i]));
}

GPUAD_ADJOINT("(m)/(x)")
__global__ void tops_behind(int n, int classes, const float *x, float *m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicMax((int *)m + i % classes, __float_as_int(x[i] * x[i]));
}

__device__ float max_by_loop(float *address, float val) {
  int *address_as_i = (int *)address;
  int old = *address_as_i, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_i, assumed, __float_as_int(fmaxf(val, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__device__ void negated_min_by_loop(double *address, double val) {
  unsigned long long old = *(unsigned long long *)address, assumed;
  do {
    assumed = old;
    old = atomicCAS((unsigned long long *)address, assumed,
                    __double_as_longlong(fmin(__longlong_as_double(assumed), val)));
  } while (assumed != old);
}

GPUAD_ADJOINT("(m)/(x)")
__global__ void tops_by_loop(int n, int classes, const float *x, float *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    max_by_loop(m + i % classes, x[i] * x[i]);
}

GPUAD_ADJOINT("(m)/(x)")
__global__ void bottoms_by_loop(int n, int classes, const double *x, double *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    negated_min_by_loop(m + i % classes, -x[i] * x[i]);
}
