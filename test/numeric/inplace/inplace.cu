// Elements of global memory that their thread reads and overwrites in a loop.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(x)/(x)")
__global__ void square_again(int n, int rounds, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < rounds; ++k)
    x[i] = 0.7 * x[i] * x[i] + 0.2;
}

// Two arrays that depend on each other, and are read behind the loop.
BOTH("(q,p,energy)/(q,p)")
__global__ void oscillate(int n, int steps, double h, double *q, double *p, double *energy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < steps; ++k) {
    p[i] -= h * q[i] * q[i];
    q[i] += h * p[i];
  }
  energy[i] = p[i] * p[i] + q[i] * q[i] * q[i];
}

// An inner loop between; what it sums is added in the outer one.
BOTH("(v)/(v,w)")
__global__ void relax_rows(int n, int m, int rounds, const double *w, double *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int r = 0; r < rounds; ++r) {
    double sum = 0.0;
    for (int k = 0; k < m; ++k)
      sum += w[k] * v[i];
    v[i] = v[i] + 0.1 * sum * v[i];
  }
}

// The loop may not run at all.
BOTH("(x)/(x)")
__global__ void as_often_as_told(int n, const int *count, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < count[i]; ++k)
    x[i] = x[i] * x[i] * 0.8;
  x[i] = x[i] + sin(x[i]);
}
