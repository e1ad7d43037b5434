// Memory that the threads of a block overwrite and hand to each other over and over, in loops that are nested or end when the data
// say so. What decides (keys) is put back; what is carried along (values) has the derivative.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Keys that carry values, sorted in shared memory. The block may be smaller than the power of two.
BOTH("(sorted)/(values)")
__global__ void bitonic_block(int n, const int *keys, const double *values, double *sorted) {
  __shared__ int k[64];
  __shared__ double v[64];
  const int t = threadIdx.x, base = blockIdx.x * 64;
  for (int i = t; i < 64; i += blockDim.x) {
    k[i] = base + i < n ? keys[base + i] : 0x7fffffff;
    v[i] = base + i < n ? values[base + i] : 0.0;
  }
  __syncthreads();
  for (int size = 2; size <= 64; size <<= 1)
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      for (int i = t; i < 64; i += blockDim.x) {
        const int other = i ^ stride;
        if (other > i && (k[i] > k[other]) == ((i & size) == 0)) {
          const int key = k[i];
          k[i] = k[other];
          k[other] = key;
          const double value = v[i];
          v[i] = v[other];
          v[other] = value;
        }
      }
      __syncthreads();
    }
  for (int i = t; i < 64; i += blockDim.x)
    if (base + i < n)
      sorted[base + i] = v[i] * v[i];
}

// The same with a thread for each element, in the way that leaves a condition around what is exchanged; the keys are active as well.
__device__ inline void exchange(float &key_a, float &value_a, float &key_b, float &value_b, unsigned direction) {
  float t;
  if ((key_a > key_b) == direction) {
    t = key_a;
    key_a = key_b;
    key_b = t;
    t = value_a;
    value_a = value_b;
    value_b = t;
  }
}

BOTH("(out_keys,out_values)/(in_keys,in_values)")
__global__ void bitonic_pairs(float *out_keys, float *out_values, const float *in_keys, const float *in_values, unsigned length,
                              unsigned direction) {
  __shared__ float s_key[64], s_value[64];
  in_keys += blockIdx.x * 64 + threadIdx.x;
  in_values += blockIdx.x * 64 + threadIdx.x;
  out_keys += blockIdx.x * 64 + threadIdx.x;
  out_values += blockIdx.x * 64 + threadIdx.x;
  s_key[threadIdx.x] = in_keys[0];
  s_value[threadIdx.x] = in_values[0];
  s_key[threadIdx.x + 32] = in_keys[32];
  s_value[threadIdx.x + 32] = in_values[32];
  for (unsigned size = 2; size < length; size <<= 1) {
    const unsigned way = direction ^ ((threadIdx.x & (size / 2)) != 0);
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      exchange(s_key[at], s_value[at], s_key[at + stride], s_value[at + stride], way);
    }
  }
  for (unsigned stride = length / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    exchange(s_key[at], s_value[at], s_key[at + stride], s_value[at + stride], direction);
  }
  __syncthreads();
  out_keys[0] = s_key[threadIdx.x];
  out_values[0] = s_value[threadIdx.x];
  out_keys[32] = s_key[threadIdx.x + 32];
  out_values[32] = s_value[threadIdx.x + 32];
}

// One step of the sort in global memory.
BOTH("(values)/(values)")
__global__ void bitonic_step(const int *keys, double *values, int stride, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ stride;
  if (other > i && (keys[i] > keys[other]) == ((i & size) == 0)) {
    const double value = values[i];
    values[i] = values[other];
    values[other] = value;
  }
}

// Odd-even sort that stops when nothing was exchanged: only the run knows how often.
BOTH("(sorted)/(values)")
__global__ void until_sorted(int n, const int *keys, const double *values, double *sorted) {
  __shared__ int k[96];
  __shared__ double v[96];
  const int t = threadIdx.x;
  if (t < n) {
    k[t] = keys[t];
    v[t] = values[t];
  }
  bool changed = true;
  __syncthreads();
  while (changed) {
    changed = false;
    for (int odd = 0; odd < 2; ++odd) {
      const int i = 2 * t + odd;
      if (i + 1 < n && k[i] > k[i + 1]) {
        const int key = k[i];
        k[i] = k[i + 1];
        k[i + 1] = key;
        const double value = v[i];
        v[i] = v[i + 1] * 1.0625;
        v[i + 1] = value;
        changed = true;
      }
      __syncthreads();
    }
    changed = __syncthreads_or(changed);
  }
  if (t < n)
    sorted[t] = v[t];
}

// The state itself decides and is not linear: every thread reads its neighbours', in a nest.
BOTH("(y)/(x)")
__global__ void relaxation(int n, int sweeps, const double *x, double *y) {
  __shared__ double s[66];
  const int t = threadIdx.x;
  if (t < n)
    s[t + 1] = x[t];
  if (t == 0)
    s[0] = s[n + 1] = 1;
  __syncthreads();
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int color = 0; color < 2; ++color) {
      if (t < n && t % 2 == color)
        s[t + 1] = 0.5 * s[t + 1] + 0.25 * sin(s[t] * s[t + 2]);
      __syncthreads();
    }
  if (t < n)
    y[t] = s[t + 1];
}

// The same through memory of the caller, which is a block's own: once, in a loop, and in place in a nest.
BOTH("(v)/(v)")
__global__ void hand_over(double *v) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  v[t] = v[t] * v[t];
  __syncthreads();
  const double w = v[t ^ 1];
  __syncthreads();
  v[t] = w * w + 0.5 * v[t];
}

BOTH("(v)/(v)")
__global__ void hand_on(int n, double *v) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    const double w = v[t ^ 1];
    __syncthreads();
    v[t] = 0.5 * w * w + 0.25 * v[t];
    __syncthreads();
  }
}

BOTH("(v)/(v)")
__global__ void colors(int n, int sweeps, double *v) {
  const int t = threadIdx.x;
  double *const mine = v + blockIdx.x * (n + 2);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int color = 0; color < 2; ++color) {
      if (t < n && t % 2 == color)
        mine[t + 1] = 0.5 * mine[t + 1] + 0.25 * sin(mine[t] * mine[t + 2]);
      __syncthreads();
    }
}
