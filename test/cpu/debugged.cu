// A kernel for the debugger: which thread stops, where, with what.
#include <cuda_runtime.h>

__device__ float helper(float value, int i) {
  float doubled = 2 * value;
  return doubled + i;
}
__global__ void kernel(float *out, float start) {
  __shared__ float staged[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = start;
  __syncthreads();
  out[i] = helper(staged[threadIdx.x] + 0.5f, i);
}
int main() {
  float *out = nullptr;
  cudaMalloc(&out, 64);
  kernel<<<2, 8>>>(out, 3.0f);
  return cudaDeviceSynchronize();
}
