// Faults of kernels, one a run: the argument names it. The program prints the error that the API gives, and that it
// sticks.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <thread>

__global__ void null_pointer(int *p) {
  if (threadIdx.x == 3)
    p[1] = 5;
}
__global__ void failing_assert(int n) {
  assert(n < int(threadIdx.x) + 100);
}
__global__ void trap() {
  __trap();
}
__device__ int deep(int n) {
  volatile char frame[4096];
  frame[n % 4096] = char(n);
  return n <= 0 ? frame[0] : deep(n - 1) + frame[n % 4096];
}
__global__ void overflow(int *out) {
  out[0] = deep(100000);
}
__global__ void divergent(int *out) {
  if (threadIdx.x < 16) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    __shfl_sync(0xffffffffu, 1, 0);
  }
}
__device__ int never = 0;
__global__ void polling() {
  while (atomicAdd(&never, 0) == 0)
    ;
}
__global__ void endless(int *out) { // the others wait for thread 5
  int n = 0;
  if (threadIdx.x == 5)
    for (long long start = clock64(); clock64() - start < 1ll << 60;)
      ++n;
  __syncthreads();
  out[threadIdx.x] = n;
}

static void run(const char *name, int *memory) {
  if (!std::strcmp(name, "null"))
    null_pointer<<<2, 32>>>(nullptr);
  else if (!std::strcmp(name, "assert"))
    failing_assert<<<1, 32>>>(105);
  else if (!std::strcmp(name, "trap"))
    trap<<<1, 1>>>();
  else if (!std::strcmp(name, "overflow"))
    overflow<<<1, 1>>>(memory);
  else if (!std::strcmp(name, "divergent"))
    divergent<<<1, 32>>>(memory);
  else if (!std::strcmp(name, "endless"))
    endless<<<1, 32>>>(memory);
  else if (!std::strcmp(name, "overflow-elsewhere")) { // the second thread that launches has a stack for handlers too
    failing_assert<<<1, 1>>>(0);
    std::thread([memory] { overflow<<<1, 1>>>(memory); }).join();
  } else
    polling<<<2, 2>>>();
}

int main(int argc, char **argv) {
  int *memory = nullptr, value = 0;
  cudaMalloc(&memory, 4096);
  run(argc > 1 ? argv[1] : "null", memory);
  cudaError_t first = cudaDeviceSynchronize();
  std::printf("%s: %s\n", argc > 1 ? argv[1] : "null", cudaGetErrorName(first));
  bool sticks = cudaGetLastError() == first && cudaMalloc(&memory, 4) == first &&
                cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost) == first;
  std::printf("%s\n", sticks ? "sticky" : "not sticky");
  cudaDeviceReset();
  if (cudaMalloc(&memory, 4) == cudaSuccess) // only the CPU runner recovers within the process
    std::printf("usable after a reset\n");
  return 0;
}
