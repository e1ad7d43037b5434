// Sums that a loop with atomicCAS makes, as the CUDA guide writes them.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

__device__ double add_by_loop(double *address, double val) {
  unsigned long long int *address_as_ull = (unsigned long long int *)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__device__ void add_without_result(float *address, float val) {
  int old = *(int *)address, assumed;
  do {
    assumed = old;
    old = atomicCAS((int *)address, assumed, __float_as_int(__int_as_float(assumed) + val));
  } while (old != assumed);
}

BOTH("(y)/(x)")
__global__ void sums_by_loop(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add_by_loop(y + i % 3, x[i] * x[i]);
}

BOTH("(y)/(x)")
__global__ void sums_of_floats(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add_without_result(&y[i % 2], sinf(x[i]));
}

BOTH("(y)/(x)")
__global__ void in_shared_memory(int n, const double *x, double *y) {
  __shared__ double total;
  if (threadIdx.x == 0)
    total = 0.0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    add_by_loop(&total, x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    y[blockIdx.x] = total * total;
}
