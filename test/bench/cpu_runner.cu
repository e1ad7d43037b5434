// Bench of the CPU runner: prints ratios, so that the machine does not matter. With the argument "check" it ends with 1
// where a ratio is beyond its limit.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
__global__ void reduce(const float *x, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 128; k; k /= 2) {
    if (int(threadIdx.x) < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (!threadIdx.x)
    out[blockIdx.x] = s[0];
}
__global__ void warp_sums(float *out) {
  float w = threadIdx.x;
  for (int k = 16; k; k /= 2)
    w += __shfl_xor_sync(0xffffffffu, w, k);
  out[blockIdx.x * blockDim.x + threadIdx.x] = w;
}
__global__ void add_atomically(float *out) { atomicAdd(out + threadIdx.x % 16, 1.0f); }
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    as[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
__global__ void nothing() {}

static double seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
template <class F> double best(F f) {
  double least = 1e9;
  for (int i = 0; i < 7; ++i) {
    double start = seconds();
    f();
    double time = seconds() - start;
    least = time < least ? time : least;
  }
  return least;
}
__attribute__((noinline)) static void plain_saxpy(int n, float a, const float *x, float *y) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv) {
  const int n = 1 << 20;
  std::vector<float> hx(n, 1), hy(n, 1);
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  double loop = best([&] { plain_saxpy(n, 2, hx.data(), hy.data()); });
  double threads = best([&] { saxpy<<<n / 256, 256>>>(n, 2, x, y); });
  double barriers = best([&] { reduce<<<1024, 256>>>(x, y); });
  double shuffles = best([&] { warp_sums<<<1024, 256>>>(y); });
  double atomics = best([&] { add_atomically<<<n / 256, 256>>>(y); });
  double tiles = best([&] { multiply<<<dim3(8, 8), dim3(16, 16)>>>(x, y, x + n / 2, 128); });
  double launch = best([&] {
    for (int i = 0; i < 1000; ++i)
      nothing<<<1, 1>>>();
  });
  std::printf("saxpy             %7.1f x a plain loop, %.0f million threads a second\n", threads / loop, n / threads * 1e-6);
  std::printf("thread + barrier  %7.1f ns (1024 blocks of 256, 9 barriers)\n", barriers / (1024.0 * 256 * 9) * 1e9);
  std::printf("shuffle           %7.1f ns (1024 blocks of 256, 5 each)\n", shuffles / (1024.0 * 256 * 5) * 1e9);
  std::printf("atomicAdd         %7.1f x the saxpy kernel\n", atomics / threads);
  std::printf("tiled product     %7.2f ns a multiplication\n", tiles / (128.0 * 128 * 128) * 1e9);
  std::printf("launch            %7.2f us\n", launch * 1e3);
  std::printf("seconds %g %g %g %g %g %g\n", threads, barriers, shuffles, atomics, tiles, launch);
  bool fast = threads <= 1.5 * loop || n / threads >= 100e6;
  cudaFree(x);
  cudaFree(y);
  return argc > 1 && !std::strcmp(argv[1], "check") && !fast;
}
