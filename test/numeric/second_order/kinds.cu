// Adjoints of every make that are differentiated again: templates, variables at namespace scope, shared memory, exchanges among lanes,
// structs by value, records in local arrays and in the stack.
#include <gpuad/gpuad.h>

#define ADJOINT(HEAD) GPUAD_ADJOINT(HEAD)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n) return

template <class T, int Power> ADJOINT("(y)/(x,a)")
__global__ void powers_of(T *y, const T *x, T a, int n) {
  INDEX;
  T v = a * x[i];
  for (int k = 1; k < Power; ++k) v *= x[i] + a;
  y[i] = v;
}
template __global__ void powers_of<double, 3>(double *, const double *, double, int);
template __global__ void powers_of<double, 5>(double *, const double *, double, int);

namespace model {
__constant__ double weights[3] = {1, 2, 3};
ADJOINT("(y)/(x,::model::weights)")
__global__ void weighed(double *y, const double *x, int n) {
  INDEX;
  y[i] = weights[0] * x[i] * weights[1] + weights[2] * weights[2] * x[i] * x[i];
}
} // namespace model

ADJOINT("(y)/(x)")
__global__ void neighbours(double *y, const double *x, int n) {
  __shared__ double tile[64];
  __shared__ double squares[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = i < n ? x[i] : 1;
  squares[t] = tile[t] * tile[t];
  __syncthreads();
  if (i < n) y[i] = tile[(t + 1) % blockDim.x] * squares[t] * squares[(t + 3) % blockDim.x];
}

// Two arrays in dynamic shared memory.
ADJOINT("(y)/(x)")
__global__ void in_dynamic(double *y, const double *x, int n) {
  extern __shared__ double memory[];
  double *cubes = memory + blockDim.x;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  memory[t] = i < n ? x[i] : 1;
  cubes[t] = memory[t] * memory[t] * memory[t];
  __syncthreads();
  if (i < n) y[i] = memory[(t + 1) % blockDim.x] * cubes[t] * cubes[(t + 3) % blockDim.x];
}

ADJOINT("(y)/(x)")
__global__ void lanes(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0;
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  double first = __shfl_sync(0xffffffffu, v, 3) * __shfl_down_sync(0xffffffffu, v, 2);
  if (i < n) y[i] = v * first * x[i];
}

struct Law {
  double stiffness, damping;
  int exponent;
};
ADJOINT("(y)/(law,x)")
__global__ void by_value(double *y, Law law, const double *x, int n) {
  INDEX;
  y[i] = law.stiffness * x[i] * x[i] + law.damping * law.damping * law.exponent * x[i];
}

ADJOINT("(y)/(x)")
__global__ void few_steps(double *y, const double *x, int n) {
  INDEX;
  double v = x[i];
  for (int k = 0; k < 4; ++k) v = v * sin(v) + 0.5;
  y[i] = v;
}

// The host knows how many slots it takes; two values are recorded.
ADJOINT("(y)/(x,a)")
__global__ void steps(double *y, const double *x, double a, int count, int n) {
  INDEX;
  double v = x[i], w = a;
  for (int k = 0; k < count; ++k) {
    v = 0.5 * v * sin(w) + 0.25;
    w = 0.5 * w + 0.25 * v * v;
  }
  y[i] = v + w;
}

// Only the run knows; and the number of trips is recorded as well.
ADJOINT("(y)/(x)")
__global__ void until_small(double *y, const double *x, int n) {
  INDEX;
  double v = 2 * x[i], sum = 0;
  int trips = 0;
  while (v > 0.25 && trips < 1000) {
    sum += v * v;
    v = v * (0.5 + 0.25 * sin(v));
    ++trips;
  }
  y[i] = v * v + sum;
}

// Records in single precision, in a nest.
ADJOINT("(y)/(x)")
__global__ void nested(float *y, const float *x, const int *counts, int n) {
  INDEX;
  float v = x[i];
  for (int k = 0; k < counts[0]; ++k) {
    float w = v;
    for (int m = 0; m <= k + i % 3; ++m) w = w * __expf(-w) + 0.25f;
    v += w * w;
  }
  y[i] = v;
}

// The first run decides how often the inner loops run.
ADJOINT("(y)/(x)")
__global__ void decided(double *y, const double *x, int m, int n) {
  INDEX;
  double v = x[i];
  for (int k = 0; k < m; ++k) {
    double w = v + 1.0;
    while (w > 0.37)
      w = 0.5 * w + 0.05 * w * w * v;
    v = 0.7 * v + w * w;
  }
  y[i] = v;
}
