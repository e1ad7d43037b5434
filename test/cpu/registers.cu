// A kernel that keeps more values than a large block has registers for.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void many(const float *x, float *out) {
  float v[120];
#pragma unroll
  for (int i = 0; i < 120; ++i)
    v[i] = x[i];
  for (int round = 0; round < 10; ++round)
#pragma unroll
    for (int i = 0; i < 120; ++i)
      v[i] = v[i] * v[(i + 7) % 120] + x[i];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 120; ++i)
    sum += v[i];
  out[threadIdx.x] = sum;
}

int main() {
  float *x = nullptr, *out = nullptr;
  cudaMalloc(&x, 4096);
  cudaMalloc(&out, 4096);
  cudaMemset(x, 0, 4096);
  many<<<1, 256>>>(x, out);
  std::printf("256 threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  many<<<1, 1024>>>(x, out);
  std::printf("1024 threads: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("afterwards: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaFree(x);
  cudaFree(out);
  return 0;
}
