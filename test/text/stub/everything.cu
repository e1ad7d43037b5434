// The stub headers parse what tests use of CUDA, without a word, in both passes.
// RUN: %clang %stub -fsyntax-only -Werror -Wall --cuda-host-only %s
// RUN: %clang %stub -fsyntax-only -Werror -Wall --cuda-device-only --cuda-gpu-arch=sm_80 %s
// And they do look: a wrong type is seen.
// RUN: not %clang %stub -fsyntax-only --cuda-device-only --cuda-gpu-arch=sm_80 -DWRONG %s 2>&1 | FileCheck %s
// CHECK: everything.cu:[[#WRONG_LINE:]]:{{.*}} error: no matching function for call to 'atomicAdd'
#include <cmath>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

__constant__ float coefficients[4];
__device__ double total;

struct Particle {
  float4 position;
  int cell;
};

__host__ __device__ inline float soft(float x, float eps) { return x / sqrtf(x * x + eps) + std::sin(x) + fmaxf(x, 1.0f); }

template <class T> __device__ T twice(T x) { return x + x; }

__global__ void __launch_bounds__(256, 2)
    everything(int n, float a, const float *__restrict__ x, float *y, Particle p, int *counter) {
  __shared__ float tile[256];
  extern __shared__ double pool[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 q = __ldg(reinterpret_cast<const float4 *>(x) + i);
  tile[threadIdx.x] = q.x * coefficients[i & 3] + p.position.w;
  __syncthreads();
  float v = __shfl_down_sync(0xffffffff, tile[threadIdx.x ^ 1], 1);
  v += __shfl_xor_sync(0xffffffffu, v, 16, 32);
  pool[threadIdx.x] = pow(double(v), 2.0) + exp(1.0) + rsqrt(2.0) + twice(1.5);
  atomicAdd(&y[i], soft(v, a) + __expf(v) + float(pool[0]) + std::abs(v) + pow(v, 2.0f));
  atomicAdd(counter, 1);
  atomicAdd(&total, double(v));
  y[i] += fminf(a, min(3.0f, v)) + float(min(i, 4)) + make_float3(1, 2, 3).z + warpSize;
#ifdef WRONG
  atomicAdd(&q, v);
#endif
#ifdef __CUDA_ARCH__
  if (isnan(v))
    printf("%d\n", i);
#endif
}

int main() {
  float *x, *y;
  int *counter;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (cudaMalloc(&x, 1024 * sizeof(float)) != cudaSuccess)
    return 1;
  cudaMalloc(&y, 1024 * sizeof(float));
  cudaMalloc(&counter, sizeof *counter);
  float host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(coefficients, host, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemsetAsync(y, 0, 1024 * sizeof(float), stream);
  dim3 grid(4), block(256, 1, 1);
  everything<<<grid, block, 256 * sizeof(double), stream>>>(1024, 2.0f, x, y, Particle{}, counter);
  everything<<<4, 256>>>(1024, 2.0f, x, y, {}, counter);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return cudaDeviceSynchronize() == cudaSuccess && soft(1, 2) > 0 ? 0 : 1;
}
