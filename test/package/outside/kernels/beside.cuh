#pragma once
__device__ inline int beside() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
