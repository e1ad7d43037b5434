// A dot product over blocks with CUB: the seed goes from the first thread of a block to all of them, and no storage is needed.
// REQUIRES: cuda-toolkit
// RUN: %gpuad %s %cuda --adjoint="dot(d)/(a,b)" --tangent="dot(d)/(a,b)" -o - | sed '1,/^.. ---- derivatives/d' | FileCheck %s --match-full-lines --strict-whitespace
//
//      CHECK:// Tangent of dot: (d) / (a, b).
// CHECK-NEXT:__global__ void dot_tangent(const float* __restrict__ a, const float* __restrict__ a_dot, const float* __restrict__ b,
// CHECK-NEXT:                            const float* __restrict__ b_dot, float* __restrict__ d, float* __restrict__ d_dot, int n) {
// CHECK-NEXT:  const bool want_a = a_dot != nullptr, want_b = b_dot != nullptr, want_d = d_dot != nullptr;
// CHECK-NEXT:  float sum = 0;
// CHECK-NEXT:  float sum_dot = 0.0f;
// CHECK-NEXT:  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
// CHECK-NEXT:    float a_i = a[i];
// CHECK-NEXT:    float b_i = b[i];
// CHECK-NEXT:    float b_i_dot = want_b ? b_dot[i] : 0.0f;
// CHECK-NEXT:    sum_dot += b_i * (want_a ? a_dot[i] : 0.0f) + a_i * b_i_dot;
// CHECK-NEXT:    sum += a_i * b_i;
// CHECK-NEXT:  }
// CHECK-NEXT:  float aggregate = gpuad::block_sum_to_first(sum);
// CHECK-NEXT:  float aggregate_dot = gpuad::block_sum_to_first(sum_dot);
// CHECK-NEXT:  if (threadIdx.x == 0) {
// CHECK-NEXT:    if (want_d) atomicAdd(d_dot, aggregate_dot);
// CHECK-NEXT:    atomicAdd(d, aggregate);
// CHECK-NEXT:  }
// CHECK-NEXT:}
//CHECK-EMPTY:
// CHECK-NEXT:// Adjoint of dot: (d) / (a, b).
// CHECK-NEXT:__global__ void dot_adjoint(const float* __restrict__ a, float* a_bar, const float* __restrict__ b, float* b_bar,
// CHECK-NEXT:                            float* __restrict__ d, float* d_bar, int n) {
// CHECK-NEXT:  const bool want_a = a_bar != nullptr, want_b = b_bar != nullptr, want_d = d_bar != nullptr;
// CHECK-NEXT:  const bool is_flat = gpuad::one_dimensional();
// CHECK-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:  float aggregate_bar = 0.0f;
// CHECK-NEXT:  if (threadIdx.x == 0) aggregate_bar += want_d ? d_bar[0] : 0.0f;
// CHECK-NEXT:  float sum_bar = gpuad::block_from_first(aggregate_bar);
// CHECK-NEXT:  for (int i_2 = i; i_2 < n; i_2 += gridDim.x * blockDim.x) {
// CHECK-NEXT:    float a_i_bar = b[i_2] * sum_bar;
// CHECK-NEXT:    float b_i_bar = a[i_2] * sum_bar;
// CHECK-NEXT:    // plain in a launch of one dimension: no two threads have the same index
// CHECK-NEXT:    if (want_b) gpuad::add_apart(&b_bar[i_2], b_i_bar, is_flat);
// CHECK-NEXT:    if (want_a) gpuad::add_apart(&a_bar[i_2], a_i_bar, is_flat);
// CHECK-NEXT:  }
// CHECK-NEXT:}
#include <cub/cub.cuh>

__global__ void dot(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ d, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  using BlockReduce = cub::BlockReduce<float, 256>;
  __shared__ typename BlockReduce::TempStorage storage;
  float aggregate = BlockReduce(storage).Sum(sum);
  if (threadIdx.x == 0)
    atomicAdd(d, aggregate);
}
