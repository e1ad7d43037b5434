// Variables at namespace scope as independents and dependents.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

#include "tables.h"
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

__constant__ double gain;
__constant__ double coef[4];
__device__ double table[40];
static __device__ double total;
namespace results {
__device__ double result[64];
}
struct wave {
  double amplitude, phase;
  int tag;
};
__constant__ wave tone;
namespace {
__device__ float scratch[64];
}

// A number and a short array: the block sums them.
BOTH("(y)/(x, ::gain, ::coef)")
__global__ void polynomial(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = coef[3];
  for (int k = 2; k >= 0; --k)
    sum = sum * x[i] + coef[k];
  y[i] = gain * sum * sum;
}

// A longer one, and an index of its own for each thread.
BOTH("(y)/(x, ::table)")
__global__ void looked_up(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = table[(i * 7) % 40] * x[i] + table[i % 3] * table[5];
}

// Fields of a struct, and functions that are called.
__device__ double sound(double t) {
  return tone.amplitude * sin(t + tone.phase);
}
__device__ void louder(double *v, int i) {
  v[i] *= gain;
}
BOTH("(y)/(::tone, ::gain)")
__global__ void sounds(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  wave w = tone;
  y[i] = sound(x[i]) * sound(2 * x[i]) + w.amplitude * w.amplitude;
  louder(y, i);
}

// Results.
BOTH("(::total)/(x)")
__global__ void summed(int n, const double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&total, x[i] * x[i]);
}
__device__ void keep(int i, double v) {
  results::result[i] = v * v;
}
BOTH("(::results::result)/(x)")
__global__ void stored(int n, const double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    keep(i, x[i] * x[(i + 1) % n]);
}
BOTH("(::results::result)/(x, ::results::result)")
__global__ void updated(int n, const double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    results::result[i] *= x[i] * results::result[i];
}

// Of a header, in a namespace.
namespace physics {
__device__ double drag(double v) {
  return damping[0] + damping[1] * v + damping[2] * v * v;
}
BOTH("(y)/(x, ::physics::gravity, ::physics::damping)")
__global__ void fall(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = gravity * x[i] - drag(x[i]);
}
} // namespace physics

// On the way from an independent to a dependent.
BOTH("(y)/(x)")
__global__ void in_between(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  scratch[i] = x[i] * x[i];
  y[i] = scratch[i] * x[i];
}
