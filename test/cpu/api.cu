// The runtime API: memory, copies, symbols, streams, events, properties, attributes, launches, errors that are not sticky.
#include "check.h"

#include <cstring>

__constant__ float coefficients[8];
__device__ int table[16];
__device__ double single_value = 2.5;

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= coefficients[i % 8];
}
__global__ void fill_table() { table[threadIdx.x] = threadIdx.x * 10; }
__global__ void __launch_bounds__(64) bounded(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void dynamic(int *out, int last) {
  extern __shared__ int block[];
  block[last] = 5;
  out[0] = block[last];
}
__global__ void nothing() {}

void test_memory() {
  float *a = nullptr, *b = nullptr;
  OK(cudaMalloc(&a, 0));
  CHECK(a == nullptr);
  OK(cudaMalloc(&a, 1000));
  CHECK(reinterpret_cast<size_t>(a) % 256 == 0);
  size_t before = 0, total = 0, after = 0;
  OK(cudaMemGetInfo(&before, &total));
  OK(cudaMallocAsync(&b, 1 << 20, 0));
  OK(cudaMemGetInfo(&after, &total));
  CHECK(after < before && before < total);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, a + 3));
  CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == a + 3);
  OK(cudaPointerGetAttributes(&attributes, &total));
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  OK(cudaFreeAsync(b, 0));
  OK(cudaFree(a));
  OK(cudaFree(nullptr));
  float *host = nullptr, *mapped = nullptr;
  OK(cudaMallocHost(&host, 64));
  OK(cudaPointerGetAttributes(&attributes, host));
  CHECK(attributes.type == cudaMemoryTypeHost);
  OK(cudaHostGetDevicePointer(&mapped, host, 0));
  OK(cudaFreeHost(host));
  OK(cudaHostAlloc(&host, 64, cudaHostAllocMapped));
  OK(cudaFreeHost(host));
  float own[4];
  OK(cudaHostRegister(own, sizeof own, 0));
  OK(cudaHostUnregister(own));
  CHECK(cudaMalloc(&a, size_t(1) << 60) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaSuccess);
}

void test_copies() {
  std::vector<int> values(100), back(100, -1);
  for (int i = 0; i < 100; ++i)
    values[i] = i;
  device_array<int> a(values), b(100, 0);
  OK(cudaMemcpy(b, a, 400, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(back.data(), b, 400, cudaMemcpyDefault));
  CHECK(back == values);
  OK(cudaMemset(b, 0, 400));
  OK(cudaMemsetAsync(b + 50, 1, 40, 0));
  CHECK(b.get()[0] == 0 && b.get()[50] == 0x01010101 && b.get()[60] == 0);
  int *pitched = nullptr;
  size_t pitch = 0;
  OK(cudaMallocPitch(&pitched, &pitch, 10 * sizeof(int), 10));
  CHECK(pitch >= 40);
  OK(cudaMemcpy2D(pitched, pitch, values.data(), 40, 40, 10, cudaMemcpyHostToDevice));
  std::vector<int> square(100, 0);
  OK(cudaMemset2D(pitched, pitch, 0, 8, 10));
  OK(cudaMemcpy2DAsync(square.data(), 40, pitched, pitch, 40, 10, cudaMemcpyDeviceToHost, 0));
  CHECK(square[0] == 0 && square[1] == 0 && square[2] == 2 && square[99] == 99);
  OK(cudaFree(pitched));
  cudaPitchedPtr cube;
  cudaExtent extent = make_cudaExtent(5 * sizeof(int), 4, 5);
  OK(cudaMalloc3D(&cube, extent));
  OK(cudaMemset3D(cube, 0, extent));
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(values.data(), 5 * sizeof(int), 5, 4);
  p.dstPtr = cube;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&p));
  std::vector<int> box(100, -1);
  p.srcPtr = cube;
  p.dstPtr = make_cudaPitchedPtr(box.data(), 5 * sizeof(int), 5, 4);
  p.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&p));
  CHECK(box == values);
  OK(cudaFree(cube.ptr));
}

void test_symbols() {
  float c[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  OK(cudaMemcpyToSymbol(coefficients, c, sizeof c));
  OK(cudaMemcpyToSymbol(coefficients, c, 4, 28)); // the last one becomes 1
  device_array<float> x(16, 1.0f);
  scale<<<1, 16>>>(x, 16);
  CHECK_NEAR(x.get()[6], 7, 0);
  CHECK_NEAR(x.get()[15], 1, 0);
  fill_table<<<1, 16>>>();
  int copy[16];
  OK(cudaMemcpyFromSymbol(copy, table, sizeof copy));
  CHECK(copy[15] == 150);
  int *address = nullptr;
  size_t bytes = 0;
  OK(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), table));
  OK(cudaGetSymbolSize(&bytes, table));
  CHECK(bytes == sizeof copy);
  OK(cudaMemset(address, 0, bytes));
  OK(cudaMemcpyFromSymbol(copy, table, 4, 60));
  CHECK(copy[0] == 0);
  double value = 0;
  OK(cudaMemcpyFromSymbol(&value, single_value, sizeof value));
  CHECK_NEAR(value, 2.5, 0);
}

void test_streams() {
  cudaStream_t stream, other;
  cudaEvent_t start, stop, silent;
  OK(cudaStreamCreate(&stream));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&stop));
  OK(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
  device_array<float> x(1000, 1.0f);
  OK(cudaEventRecord(start, stream));
  scale<<<4, 256, 0, stream>>>(x, 1000);
  OK(cudaEventRecord(stop, stream));
  OK(cudaStreamWaitEvent(other, stop, 0));
  std::vector<float> back(1000);
  OK(cudaMemcpyAsync(back.data(), x, 4000, cudaMemcpyDeviceToHost, other));
  int called = 0;
  OK(cudaLaunchHostFunc(other, [](void *p) { ++*static_cast<int *>(p); }, &called));
  OK(cudaStreamSynchronize(other));
  OK(cudaEventSynchronize(stop));
  OK(cudaStreamQuery(stream));
  OK(cudaEventQuery(stop));
  float milliseconds = -1;
  OK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0 && called == 1);
  CHECK_NEAR(back[1], 2, 0);
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(stop));
  OK(cudaEventDestroy(silent));
  OK(cudaStreamDestroy(stream));
  OK(cudaStreamDestroy(other));
}

void test_properties() {
  int count = 0, device = -1, value = 0;
  OK(cudaGetDeviceCount(&count));
  CHECK(count >= 1);
  OK(cudaSetDevice(0));
  OK(cudaGetDevice(&device));
  CHECK(device == 0);
  cudaDeviceProp p;
  OK(cudaGetDeviceProperties(&p, 0));
  CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.major >= 7);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  CHECK(value == 32);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK(value == p.multiProcessorCount);
  cudaFuncAttributes f;
  OK(cudaFuncGetAttributes(&f, bounded));
  CHECK(f.sharedSizeBytes == 256 && f.maxThreadsPerBlock == 64);
  int blocks = 0, grid = 0, block = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
  CHECK(blocks >= 1);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 0));
  CHECK(grid >= 1 && block >= 32);
}

void test_launches() {
  int *out = nullptr;
  OK(cudaMalloc(&out, 64 * sizeof(int)));
  void *arguments[] = {&out};
  OK(cudaLaunchKernel(reinterpret_cast<const void *>(bounded), dim3(1), dim3(64), arguments, 0, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  OK(cudaLaunchKernelEx(&config, bounded, out));
  // Shared memory beyond 48 KiB has to be asked for.
  int last = 60 * 1024 / 4 - 1, got = 0;
  dynamic<<<1, 1, 60 * 1024>>>(out, last);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  OK(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 * 1024));
  dynamic<<<1, 1, 60 * 1024>>>(out, last);
  OK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
  CHECK(got == 5);
  OK(cudaFree(out));
}

void test_errors() {
  nothing<<<1, 2000>>>();
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  nothing<<<0, 1>>>();
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  device_array<int> a(4, 0);
  int h[8] = {0};
  CHECK(cudaMemcpy(a, h, 16, cudaMemcpyKind(7)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaFree(h) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(table, h, 8, 60) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  cudaGetLastError();
  nothing<<<1, 1>>>(); // nothing of this is sticky
  OK(cudaDeviceSynchronize());
}

int main() {
  test_memory();
  test_copies();
  test_symbols();
  test_streams();
  test_properties();
  test_launches();
  test_errors();
  return verdict();
}
