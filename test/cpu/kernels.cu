// Kernels of every shape: elementwise, reductions, 2-D and 3-D grids, templates, structs, printf, early exits, locks.
#include "check.h"

#include <cassert>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void sum_static(const float *x, float *out) {
  __shared__ float part[256];
  part[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k; k /= 2) {
    if (threadIdx.x < k)
      part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

__global__ void sum_dynamic(const double *x, double *out) {
  extern __shared__ double block[];
  double *part = block;
  int *used = reinterpret_cast<int *>(block + blockDim.x);
  part[threadIdx.x] = x[threadIdx.x];
  used[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = 0;
    int count = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) {
      sum += part[i];
      count += used[i];
    }
    out[0] = sum + count;
  }
}

__global__ void scalar_shared(float *out) {
  __shared__ float total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd(&total, float(threadIdx.x));
  __syncthreads();
  out[threadIdx.x] = total;
}

__global__ void ids(int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}

template <class T, int N> struct polynomial {
  T c[N];
  __host__ __device__ T operator()(T x) const {
    T sum = 0;
    for (int i = N - 1; i >= 0; --i)
      sum = sum * x + c[i];
    return sum;
  }
};

template <class T, class F> __global__ void apply(F f, const T *x, T *y) { y[threadIdx.x] = f(x[threadIdx.x]); }

struct counted {
  int value, copies;
  counted(int v) : value(v), copies(0) {}
  __host__ __device__ counted(const counted &other) : value(other.value), copies(other.copies + 1) {}
};
__device__ int consume(counted c) { return c.value; }
__global__ void copies(counted c, int tail, int *out) {
  c.value += threadIdx.x; // each thread has its own copy
  out[threadIdx.x] = consume(c) + tail;
}

__global__ void early_exit(int n, float *out) {
  __shared__ float s[64];
  if (int(threadIdx.x) >= n)
    return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

__device__ int lock = 0;
__global__ void spin(int *counter) {
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

// The flag is set by a thread that starts after the one that waits, in one order or the other.
__global__ void wait_for_flag(volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (*flag == 0)
      ;
    out[0] = 1;
  } else if (threadIdx.x == blockDim.x - 1) {
    *flag = 1;
  }
}

// A chain through all blocks: each waits for the one before, whatever the order in which they start.
__global__ void chain(volatile int *done, int *out) {
  if (threadIdx.x == 0) {
    while (done[0] != int(blockIdx.x))
      ;
    out[blockIdx.x] = done[0];
    __threadfence();
    done[0] = blockIdx.x + 1;
  }
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x); }

__global__ void heap(int *out) {
  int *a = static_cast<int *>(malloc(sizeof(int) * 8));
  for (int i = 0; i < 8; ++i)
    a[i] = i * threadIdx.x;
  int *b = new int(a[7]);
  out[threadIdx.x] = *b;
  delete b;
  free(a);
}

__global__ void barriers(int *out) {
  int even = threadIdx.x % 2 == 0;
  out[threadIdx.x] = __syncthreads_count(even) * 100 + __syncthreads_and(even) * 10 + __syncthreads_or(even);
}

__global__ void speak(int n) {
  if (threadIdx.x < 2)
    printf("thread %u: %d %5.2f %s %c %llu %%\n", threadIdx.x, n, n / 4.0, "text", 'c', 1ull << 40);
}

__global__ void contents(const float *memory, int *out) {
  __shared__ float s[4];
  extern __shared__ float d[];
  out[0] = isnan(memory[0]) && isnan(s[1]) && isnan(d[0]);
}

__device__ float (*chosen)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float thrice(float x) { return 3 * x; }
__global__ void pointers(float *out) {
  float (*f)(float) = threadIdx.x % 2 ? twice : thrice;
  out[threadIdx.x] = f(float(threadIdx.x));
}

void test_elementwise() {
  const int n = 1000;
  std::vector<float> x(n), y(n, 1);
  for (int i = 0; i < n; ++i)
    x[i] = float(i);
  device_array<float> dx(x), dy(y);
  saxpy<<<(n + 127) / 128, 128>>>(n, 2.0f, dx, dy);
  std::vector<float> got = dy.get();
  for (int i = 0; i < n; ++i)
    CHECK_NEAR(got[i], 2 * x[i] + 1, 0);
}

void test_reductions() {
  std::vector<float> x(1024);
  std::vector<double> y(100);
  double want = 0;
  for (int i = 0; i < 1024; ++i)
    x[i] = float(i % 7);
  for (int i = 0; i < 100; ++i)
    want += y[i] = i * 0.5;
  device_array<float> dx(x), out(4), totals(96);
  device_array<double> dy(y), sum(1);
  sum_static<<<4, 256>>>(dx, out);
  std::vector<float> got = out.get();
  for (int b = 0; b < 4; ++b) {
    float right = 0;
    for (int i = 0; i < 256; ++i)
      right += x[b * 256 + i];
    CHECK_NEAR(got[b], right, 1e-6);
  }
  sum_dynamic<<<1, 100, 100 * (sizeof(double) + sizeof(int))>>>(dy, sum);
  CHECK_NEAR(sum.get()[0], want + 100, 1e-12);
  scalar_shared<<<1, 96>>>(totals);
  for (float t : totals.get())
    CHECK_NEAR(t, 96 * 95 / 2, 0);
}

void test_shapes() {
  device_array<int> out(24 * 15 * 6, -1);
  ids<<<dim3(3, 5, 2), dim3(8, 3, 3)>>>(out);
  std::vector<int> got = out.get();
  for (int z = 0; z < 6; ++z)
    for (int y = 0; y < 15; ++y)
      for (int x = 0; x < 24; ++x)
        CHECK(got[(z * 15 + y) * 24 + x] == x + 100 * y + 10000 * z);
}

void test_templates_and_structs() {
  device_array<double> x(std::vector<double>{1, 2, 3, 4}), y(4);
  polynomial<double, 3> p{{1, 0, 2}};
  apply<<<1, 4>>>(p, x.data, y.data);
  CHECK_NEAR(y.get()[3], 33, 0);
  device_array<int> out(8);
  copies<<<1, 8>>>(counted(5), 1000, out);
  for (int i = 0; i < 8; ++i)
    CHECK(out.get()[i] == 1005 + i);
  device_array<float> called(4);
  pointers<<<1, 4>>>(called);
  CHECK_NEAR(called.get()[3], 6, 0);
  CHECK_NEAR(called.get()[2], 6, 0);
}

void test_waiting() {
  device_array<float> out(40, -1.0f);
  early_exit<<<1, 64>>>(40, out);
  for (int i = 0; i < 40; ++i)
    CHECK_NEAR(out.get()[i], 39 - i, 0);
  device_array<int> counter(1, 0), flag(1, 0), seen(1, 0), done(1, 0), order(40, -1);
  spin<<<4, 64>>>(counter);
  CHECK(counter.get()[0] == 256);
  wait_for_flag<<<1, 64>>>(flag, seen);
  CHECK(seen.get()[0] == 1);
  chain<<<40, 32>>>(done, order);
  for (int i = 0; i < 40; ++i)
    CHECK(order.get()[i] == i);
  device_array<int> results(48);
  barriers<<<1, 48>>>(results);
  for (int r : results.get())
    CHECK(r == 2401);
}

void test_stack_and_heap() {
  device_array<int> out(16), values(32);
  recursive<<<1, 16>>>(out);
  CHECK(out.get()[15] == 610);
  heap<<<1, 32>>>(values);
  for (int i = 0; i < 32; ++i)
    CHECK(values.get()[i] == 7 * i);
}

int main(int argc, char **) {
  test_elementwise();
  test_reductions();
  test_shapes();
  test_templates_and_structs();
  test_waiting();
  test_stack_and_heap();
  speak<<<1, 4>>>(3);
  OK(cudaDeviceSynchronize());
#ifdef __GPUAD_CPU__
  if (argc > 1) { // reads what was never written, which the strict checks report
    device_array<float> fresh(4);
    device_array<int> isNan(1, 0);
    contents<<<1, 1, 16>>>(fresh, isNan);
    CHECK(isNan.get()[0] == 1);
  }
#else
  (void)argc;
#endif
  return verdict();
}
