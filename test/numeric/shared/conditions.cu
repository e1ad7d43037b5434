// Loops whose condition holds a barrier: all of the block comes to it once more than to the body.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(x)")
__global__ void vote_first(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, rounds = 0;
  double v = i < n ? x[i] : 0.0;
  s[t] = v;
  while (__syncthreads_or(v > 0.8) && rounds < 6) {
    double next = s[(t + 1) % blockDim.x];
    __syncthreads();
    if (v > 0.8)
      v = 0.7 * v + 0.1 * next * next;
    s[t] = v;
    ++rounds;
  }
  if (i < n)
    y[i] = v * (1.0 + 0.1 * rounds);
}

// The last time, nobody comes to the barrier.
BOTH("(y)/(x)")
__global__ void vote_second(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = i < n ? x[i] : 0.0;
  s[t] = v;
  for (int r = 0; r < 5 && __syncthreads_count(v > 0.8) > 0; ++r) {
    double next = s[(t + 1) % blockDim.x];
    __syncthreads();
    v = v > 0.8 ? 0.6 * v + 0.2 * next * v : v;
    s[t] = v;
  }
  if (i < n)
    y[i] = v * v;
}

BOTH("(y)/(x)")
__global__ void vote_last(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, rounds = 0;
  double v = i < n ? x[i] : 0.0;
  do {
    s[t] = v;
    __syncthreads();
    v = 0.5 * (s[(t + 1) % blockDim.x] * v + v);
    ++rounds;
  } while (!__syncthreads_and(v < 0.9) && rounds < 6);
  if (i < n)
    y[i] = v + s[(t + 2) % blockDim.x];
}

BOTH("(y)/(x)")
__global__ void votes_in_a_nest(int n, int m, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x;
  for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    int i = first + t, rounds = 0;
    double v = i < n ? x[i] : 0.0;
    for (int k = 0; k < m; ++k, rounds = 0) {
      s[t] = v * v;
      while (__syncthreads_or(v > 0.7) && ++rounds < 4) {
        double u = s[(t + 1) % blockDim.x];
        __syncthreads();
        s[t] = 0.5 * u + 0.1 * v;
        v *= v > 0.7 ? 0.8 : 1.0;
      }
      v += 0.1 * v * v;
      __syncthreads();
    }
    if (i < n)
      y[i] = v;
  }
}

// The barrier, and the store in front of it, stand in a function that the condition calls.
__device__ bool goes_on(double *s, double v, int t) {
  s[t] = v * v;
  __syncthreads();
  return s[0] > 0.05;
}
BOTH("(y)/(x)")
__global__ void asks_a_function(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, rounds = 0;
  double v = i < n ? x[i] : 0.3;
  while (goes_on(s, v, t) && rounds < 4) {
    v = 0.8 * v + 0.2 * s[(t + 1) % blockDim.x];
    __syncthreads();
    ++rounds;
  }
  if (i < n)
    y[i] = v;
}
