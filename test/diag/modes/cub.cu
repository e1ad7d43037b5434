// What CUB does apart from sums, and maxima and minima of a reduction, is refused where it stands.
// REQUIRES: cuda-toolkit
// RUN: not %gpuad %s %cuda -o %t.cu --adjoint='functor(y)/(x)' --adjoint='prefix(y)/(x)' --adjoint='sort(y)/(x)' --adjoint='sort_of_integers(y)/(x)' --adjoint='load(y)/(x)' --adjoint='lambda(y)/(x)' --adjoint='divergent(y)/(x)' --adjoint='scan_of_maxima(y)/(x)' --adjoint='segments(y)/(x)' --adjoint='shorts(y)/(x)' --adjoint='chosen_index(y)/(x)' 2>&1 | FileCheck %s
// RUN: not %gpuad %s %cuda -o %t.cu --tangent='functor(y)/(x)' --tangent='prefix(y)/(x)' --tangent='sort(y)/(x)' --tangent='load(y)/(x)' 2>&1 | FileCheck %s --check-prefix=TANGENT
// RUN: %gpuad %s %cuda -o - --tangent='sort_of_integers(y)/(x)' 2>&1 | FileCheck %s --check-prefix=TAKEN
#include <cub/cub.cuh>

struct product {
  __device__ float operator()(float a, float b) const { return a * b; }
};
struct running {
  float sum;
  __device__ float operator()(float total) {
    float before = sum;
    sum += total;
    return before;
  }
};

__global__ void functor(const float *x, float *y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ Reduce::TempStorage storage;
  // CHECK: cub.cu:[[#@LINE + 2]]:13: error: 'cub::BlockReduce<float, 64>::Reduce' cannot be differentiated: sums have {{.*}} [gpuad-forbidden-function]
  // TANGENT: cub.cu:[[#@LINE + 1]]:13: error: 'cub::BlockReduce<float, 64>::Reduce' cannot be differentiated: sums have {{.*}} [gpuad-forbidden-function]
  float s = Reduce(storage).Reduce(x[threadIdx.x], product());
  if (threadIdx.x == 0)
    y[blockIdx.x] = s;
}
__global__ void prefix(const float *x, float *y) {
  using Scan = cub::BlockScan<float, 64>;
  __shared__ Scan::TempStorage storage;
  running so_far{0.f};
  float s;
  // CHECK: cub.cu:[[#@LINE + 2]]:3: error: 'cub::BlockScan<float, 64>::ExclusiveSum' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  // TANGENT: cub.cu:[[#@LINE + 1]]:3: error: 'cub::BlockScan<float, 64>::ExclusiveSum' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  Scan(storage).ExclusiveSum(x[threadIdx.x], s, so_far);
  y[blockIdx.x * 64 + threadIdx.x] = s;
}
__global__ void sort(const float *x, float *y) {
  using Sort = cub::BlockRadixSort<float, 64, 2>;
  __shared__ Sort::TempStorage storage;
  float k[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  // CHECK: cub.cu:[[#@LINE + 2]]:3: error: 'cub::BlockRadixSort<float, 64, 2>::Sort' cannot be differentiated: what orders {{.*}} [gpuad-forbidden-function]
  // TANGENT: cub.cu:[[#@LINE + 1]]:3: error: 'cub::BlockRadixSort<float, 64, 2>::Sort' cannot be differentiated: what orders {{.*}} [gpuad-forbidden-function]
  Sort(storage).Sort(k);
  y[blockIdx.x * 128 + threadIdx.x] = k[0] * k[1];
}
// The order of integers is nobody's derivative: a tangent has the sort itself, an adjoint would have to repeat it.
__global__ void sort_of_integers(const float *x, float *y, const int *keys) {
  using Sort = cub::BlockRadixSort<int, 64, 2>;
  __shared__ Sort::TempStorage storage;
  int k[2] = {keys[2 * threadIdx.x], keys[2 * threadIdx.x + 1]};
  // CHECK: cub.cu:[[#@LINE + 2]]:3: error: 'cub::BlockRadixSort<int, 64, 2>::Sort' cannot be differentiated: what orders {{.*}} [gpuad-forbidden-function]
  // TAKEN: {{^ +}}cub::BlockRadixSort<int, 64, 2>(storage).Sort(k);
  Sort(storage).Sort(k);
  y[blockIdx.x * 64 + threadIdx.x] = k[0] * x[k[1]];
}
__global__ void load(const float *x, float *y) {
  using Load = cub::BlockLoad<float, 64, 4>;
  __shared__ Load::TempStorage storage;
  float k[4];
  // CHECK: cub.cu:[[#@LINE + 2]]:3: error: 'cub::BlockLoad<float, 64, 4>::Load' cannot be differentiated: write the loads{{.*}} [gpuad-forbidden-function]
  // TANGENT: cub.cu:[[#@LINE + 1]]:3: error: 'cub::BlockLoad<float, 64, 4>::Load' cannot be differentiated: write the loads{{.*}} [gpuad-forbidden-function]
  Load(storage).Load(x + blockIdx.x * 256, k);
  y[blockIdx.x * 64 + threadIdx.x] = k[0] * k[1];
}
__global__ void lambda(const float *x, float *y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ Reduce::TempStorage storage;
  // CHECK: cub.cu:[[#@LINE + 1]]:13: error: a derivative flows through code, {{.*}} [gpuad-opaque-code]
  float s = Reduce(storage).Reduce(x[threadIdx.x], [](float a, float b) { return a * b; });
  if (threadIdx.x == 0)
    y[blockIdx.x] = s;
}
__global__ void divergent(const float *x, float *y) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ Reduce::TempStorage storage;
  float s = 0;
  if (threadIdx.x % 2 == 0)
    // CHECK: cub.cu:[[#@LINE + 1]]:9: error: threads of a block may come here at different times: {{.*}} [gpuad-divergent-barrier]
    s = Reduce(storage).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0)
    y[blockIdx.x] = s;
}
__global__ void scan_of_maxima(const float *x, float *y) {
  using Scan = cub::BlockScan<float, 64>;
  __shared__ Scan::TempStorage storage;
  float s;
  // CHECK: cub.cu:[[#@LINE + 1]]:3: error: 'cub::BlockScan<float, 64>::InclusiveScan' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  Scan(storage).InclusiveScan(x[threadIdx.x], s, cuda::maximum<>{});
  y[blockIdx.x * 64 + threadIdx.x] = s;
}
__global__ void segments(const float *x, float *y) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ Reduce::TempStorage storage;
  // CHECK: cub.cu:[[#@LINE + 1]]:13: error: 'cub::WarpReduce<float>::HeadSegmentedSum' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  float s = Reduce(storage).HeadSegmentedSum(x[threadIdx.x], threadIdx.x % 4 == 0);
  if (threadIdx.x % 4 == 0)
    y[blockIdx.x * 8 + threadIdx.x / 4] = s;
}
__global__ void shorts(const float *x, float *y, const short *k) {
  using Reduce = cub::BlockReduce<short, 64>;
  __shared__ Reduce::TempStorage storage;
  // CHECK: cub.cu:[[#@LINE + 1]]:13: error: 'cub::BlockReduce<short, 64>::Sum' cannot be differentiated: only numbers of 32 bits {{.*}} [gpuad-forbidden-function]
  short s = Reduce(storage).Sum(k[threadIdx.x]);
  if (threadIdx.x == 0)
    y[blockIdx.x] = s * x[blockIdx.x];
}
__global__ void chosen_index(const float *x, float *y, const int *k) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ Reduce::TempStorage storage;
  __shared__ int at;
  // CHECK: cub.cu:[[#@LINE + 1]]:11: error: 'cub::BlockReduce<int, 64>::Reduce' cannot be differentiated: {{.*}} [gpuad-forbidden-function]
  int s = Reduce(storage).Reduce(k[threadIdx.x], product());
  if (threadIdx.x == 0)
    at = s;
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = x[at] * x[threadIdx.x];
}
