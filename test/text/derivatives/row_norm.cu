// A warp with a row of its own: the sum goes back as a sum over the warp, and nothing is recorded.
// REQUIRES: cuda-toolkit
// RUN: %gpuad %s %cuda --adjoint="row_norm(y)/(x)" -o - | FileCheck %s
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void row_norm(const float* x, float* y, int rows, int columns) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row < rows) {
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      sum += x[row * columns + i] * x[row * columns + i];
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    if (warp.thread_rank() == 0)
      y[row] = sum;
  }
}

// CHECK-LABEL: __global__ void row_norm_adjoint(const float* x, float* x_bar, float* y, float* y_bar, int rows, int columns) {
// CHECK-NEXT:   const bool want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// CHECK-NEXT:   cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
// CHECK-NEXT:   cooperative_groups::thread_block_tile<32> warp = cooperative_groups::tiled_partition<32>(block);
// CHECK-NEXT:   int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
// CHECK-NEXT:   if (row < rows) {
// CHECK-NEXT:     int i = warp.thread_rank();
// CHECK-NEXT:     float sum_bar = 0.0f;
// CHECK-NEXT:     if (warp.thread_rank() == 0) {
// CHECK-NEXT:       float sum_bar_2 = want_y ? gpuad::take(&y_bar[row]) : 0.0f;
// CHECK-NEXT:       sum_bar += sum_bar_2;
// CHECK-NEXT:     }
// CHECK-NEXT:     float sum_bar_2 = gpuad::tile_sum_transpose(warp, sum_bar, cooperative_groups::plus<float>{});
// CHECK-NEXT:     for (int i_2 = i; i_2 < columns; i_2 += 32u) {
// CHECK-NEXT:       float x_value_bar = 2.0f * x[row * columns + i_2] * sum_bar_2;
// CHECK-NEXT:       if (want_x) atomicAdd(&x_bar[row * columns + i_2], x_value_bar);
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
