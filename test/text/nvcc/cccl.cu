// Files that include the toolkit's C++ libraries, which nvcc finds in include/cccl by itself.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %gpuad %s %cuda -o %t.cu
// RUN: FileCheck %s --input-file=%t.cu
// RUN: %nvcc -w -arch=sm_80 -I%runtime -c %t.cu -o %t.o
#include <cub/cub.cuh>
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <thrust/device_vector.h>
#include <thrust/transform.h>

// CHECK: norms_adjoint(
__global__ void norms(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = cuda::std::sqrt(x[i] * x[i] + 1);
}
struct square {
  __host__ __device__ float operator()(float v) const { return v * v; }
};
void on_vectors(thrust::device_vector<float> &y, const thrust::device_vector<float> &x) {
  thrust::transform(x.begin(), x.end(), y.begin(), square());
  norms<<<1, 32>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(x.data()), int(x.size()));
}
// A reduction of a library has its derivative by a rule.
// CHECK: float x_value_bar = gpuad::block_from_first(
__global__ void block_sum(float *y, const float *x) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
