// Bench of the CPU runner: each line is a name, seconds, and how many things were done in them. cpu_runner.py makes ratios.
#include <cuda_runtime.h>

#include <cstdio>
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

static void tell(const char *name, double count, double seconds) { std::printf("%s %g %g\n", name, seconds, count); }

int main() {
  const int n = 1 << 20, blocks = 1024, edge = 128;
  std::vector<float> hx(n, 1), hy(n, 1);
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  tell("saxpy as a plain loop, an element", n, best([&] { plain_saxpy(n, 2, hx.data(), hy.data()); }));
  tell("saxpy, a thread", n, best([&] { saxpy<<<n / 256, 256>>>(n, 2, x, y); }));
  tell("block sum (9 barriers), a thread+barrier", blocks * 256.0 * 9, best([&] { reduce<<<blocks, 256>>>(x, y); }));
  tell("warp sum, a shuffle", blocks * 256.0 * 5, best([&] { warp_sums<<<blocks, 256>>>(y); }));
  tell("atomicAdd on 16 places, one", n, best([&] { add_atomically<<<n / 256, 256>>>(y); }));
  tell("tiled product, a multiplication", double(edge) * edge * edge,
       best([&] { multiply<<<dim3(edge / 16, edge / 16), dim3(16, 16)>>>(x, y, x + n / 2, edge); }));
  tell("launch", 1000, best([&] {
         for (int i = 0; i < 1000; ++i)
           nothing<<<1, 1>>>();
       }));
  cudaFree(x);
  cudaFree(y);
  return 0;
}
