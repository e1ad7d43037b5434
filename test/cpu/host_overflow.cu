// A fault of host code, for the address sanitizer of the host compiler; the kernel before it has none.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void kernel(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
int main(int argc, char **) {
  int *device = nullptr, *host = static_cast<int *>(std::malloc(32 * sizeof(int)));
  cudaMalloc(&device, 32 * sizeof(int));
  kernel<<<1, 32>>>(device);
  cudaMemcpy(host, device, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[argc > 1 ? 32 : 0]);
  std::free(host);
  cudaFree(device);
  return 0;
}
