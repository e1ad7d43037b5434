// The largest and smallest of the numbers that threads offer, in global memory: by atomics on the bits, and by loops.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(m)/(x)")
__global__ void tops(int n, int classes, const float *x, float *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax((int *)&m[i % classes], __float_as_int(x[i] * x[i]));
}

BOTH("(m)/(x)")
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

BOTH("(m)/(x)")
__global__ void tops_by_loop(int n, int classes, const float *x, float *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    max_by_loop(m + i % classes, x[i] * x[i]);
}

BOTH("(m)/(x)")
__global__ void bottoms_by_loop(int n, int classes, const double *x, double *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    negated_min_by_loop(m + i % classes, -x[i] * x[i]);
}

// The sign of a number decides which order its bits have.
__device__ float min_by_sign(float *addr, float value) {
  float old;
  old = !signbit(value) ? __int_as_float(atomicMin((int *)addr, __float_as_int(value)))
                        : __uint_as_float(atomicMax((unsigned int *)addr, __float_as_uint(value)));
  return old;
}

BOTH("(m)/(x)")
__global__ void bottoms_by_sign(int n, int classes, const float *x, float *m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    min_by_sign(m + i % classes, -x[i] * x[i]);
}

// What a block found, it offers to the others.
BOTH("(m)/(x)")
__global__ void tops_of_blocks(int n, int classes, const float *x, float *m) {
  __shared__ float top[5];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 5)
    top[threadIdx.x] = 0.f;
  __syncthreads();
  if (i < n)
    max_by_loop(&top[i % classes], x[i] * x[i]);
  __syncthreads();
  if (threadIdx.x < classes)
    max_by_loop(&m[threadIdx.x], top[threadIdx.x]);
}
