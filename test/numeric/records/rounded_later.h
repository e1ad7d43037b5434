// A fabsf that rounds up once it was called as often as each of the n threads may: what code computes when it is run
// again.
#pragma once
#include "numeric.cuh"
#include <gpuad/runtime.cuh>

#include <vector>

__device__ int honest[n], calls[n];

__device__ inline float rounded_up_later(float v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float size = v < 0 ? -v : v;
  return calls[i]++ < honest[i] ? size : size * (1 + 1.0f / (1 << 22));
}

/// From now on, so many calls of each thread are honest.
inline void allow(const std::vector<int> &first) {
  std::vector<int> none(n, 0);
  cudaMemcpyToSymbol(honest, first.data(), n * sizeof(int));
  cudaMemcpyToSymbol(calls, none.data(), n * sizeof(int));
}
