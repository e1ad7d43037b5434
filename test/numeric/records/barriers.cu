// Loops that record as much as the data say, in kernels whose threads wait for each other.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Each thread has its own trip count, between two barriers.
BOTH("(y)/(x)")
__global__ void decay_between(int n, const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? x[i] : 0.5;
  __syncthreads();
  double v = tile[(t + 1) % blockDim.x] * (1 + i % 5);
  while (v > 0.3)
    v = 0.5 * v + 0.1 * sqrt(v);
  __syncthreads();
  tile[t] = v * tile[t];
  __syncthreads();
  if (i < n)
    y[i] = v * tile[(t + 2) % blockDim.x];
}

// The same inside a loop that only adds: the adding loop runs the inner one again.
BOTH("(y)/(x)")
__global__ void decay_inside_sum_of_tile(int n, int m, const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? x[i] : 0.5;
  __syncthreads();
  double acc = 0;
  for (int k = 0; k < m; ++k) {
    double v = tile[(t + k) % blockDim.x] + 0.4 * (k % 3);
    while (v > 0.3)
      v = 0.5 * v + 0.1 * sqrt(v);
    acc += v * v;
  }
  if (i < n)
    y[i] = acc;
}

// Barriers inside a loop whose length each block loads.
BOTH("(y)/(x)")
__global__ void rounds_by_block(int n, const int *rounds, const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = i < n ? x[i] : 0.5;
  int most = rounds[blockIdx.x];
  for (int k = 0; k < most; ++k) {
    tile[t] = v;
    __syncthreads();
    v = 0.6 * sin(v) + 0.3 * v * tile[(t + 1) % blockDim.x];
    __syncthreads();
  }
  if (i < n)
    y[i] = v;
}

// Rounds with barriers, and in each of them a loop of the thread's own.
BOTH("(y)/(x)")
__global__ void decay_in_rounds(int n, int m, const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = i < n ? x[i] : 0.5;
  for (int k = 0; k < m; ++k) {
    tile[t] = v;
    __syncthreads();
    double u = 1.5 + 0.2 * tile[(t + k) % blockDim.x] * v + 0.7 * ((i + k) % 3);
    while (u > 0.4)
      u = 0.5 * u + 0.05 * sqrt(u);
    v = 0.8 * v + u * v;
    __syncthreads();
  }
  if (i < n)
    y[i] = v;
}
