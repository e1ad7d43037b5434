// Loops that end exactly where another rounding of one step would make one iteration more. They are run again for the reverse
// sweep, and must run as often as the first time: the program gives the steps of later runs another rounding.
#include <gpuad/gpuad.h>

// The count of each run is recorded in the loop around it.
GPUAD_ADJOINT("(y)/(x)")
__global__ void halved_in_loop(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float acc = 0;
  for (int t = 0; t < m; ++t) {
    float v = x[i * m + t], w = 1;
    while (v > 1.0f) {
      v = fabsf(0.5f * v);
      w = w * v;
    }
    acc += w;
  }
  y[i] = acc;
}

// Only a branch is around it: in a variable.
GPUAD_ADJOINT("(y)/(x)")
__global__ void halved_in_branch(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float acc = 2;
  if (m > 0) {
    float v = x[i * m], w = 1;
    while (v > 1.0f) {
      v = fabsf(0.5f * v);
      w = w * v;
    }
    acc += w;
  }
  y[i] = acc * acc;
}

// A branch that the first run does not take, for half of the elements: x is 1 there.
GPUAD_ADJOINT("(y)/(x)")
__global__ void halved_if_larger(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float acc = 0;
  for (int t = 0; t < m; ++t) {
    float v = x[i * m + t], w = 1;
    if (fabsf(v) > 1.0f) {
      while (v > 1.0f) {
        v = 0.5f * v;
        w = w * v;
      }
    }
    acc += w;
  }
  y[i] = acc;
}

// A counted loop with a rounded bound.
GPUAD_ADJOINT("(y)/(x)")
__global__ void rounded_bound(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float acc = 0;
  for (int t = 0; t < m; ++t) {
    float v = x[i * m + t], w = 1;
    int trips = (int)ceilf(fabsf(v));
    for (int k = 0; k < trips; ++k)
      w = w * (1.0f - 0.125f * w) + 0.0625f * v;
    acc += w;
  }
  y[i] = acc;
}

// Memory that is overwritten as often as the loop runs.
GPUAD_ADJOINT("(x)/(x)")
__global__ void halved_in_place(int n, int m, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int t = 0; t < m; ++t) {
    float v = x[i * m + t];
    int k = t;
    while (v > 1.0f) {
      v = fabsf(0.5f * v);
      k = k + 1 < m ? k + 1 : 0;
      x[i * m + k] = x[i * m + k] + 0.25f * v * v;
    }
  }
}
