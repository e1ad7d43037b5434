// Adjoints that read what their primal's own run has kept, differentiated again.
#include <gpuad/gpuad.h>

#define ADJOINT(HEAD) GPUAD_ADJOINT(HEAD)

// The slot that a counter gave.
ADJOINT("(y)/(x)")
__global__ void claimed(int n, const double *x, double *y, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0.75)
    y[atomicAdd(count, 1)] = x[i] * x[i] * sin(x[i]);
}

// A loop that records in the stack, and the slot behind it.
ADJOINT("(y)/(x)")
__global__ void stepped(int n, const double *x, double *y, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = 2 * x[i];
  int trips = 0;
  while (v > 0.5 && trips < 100) {
    v = v * (0.5 + 0.25 * sin(v));
    ++trips;
  }
  y[atomicAdd(count, 1)] = v * v;
}

// The largest of all numbers.
ADJOINT("(y)/(x)")
__global__ void largest(int n, const double *x, double *y, int *) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax((long long *)&y[i % 3], __double_as_longlong(x[i] * x[i] * x[i]));
}
