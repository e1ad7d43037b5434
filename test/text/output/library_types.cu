// Objects of a library: temporaries keep the name of their type, static methods are called as the user calls them.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %gpuad %s %cuda --tangent='sums(y)/(x)' -o %t.cu
// RUN: sed '1,/^.. ---- derivatives/d' %t.cu | FileCheck %s
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%runtime -c %t.cu -o %t.o
// CHECK: block.thread_rank()
// CHECK: cooperative_groups::reduce(warp, v, {{.*}}plus<float>{})
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void sums(const float *x, float *y) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float v = x[block.thread_rank()];
  y[block.thread_rank()] = cg::reduce(warp, v, cg::plus<float>{});
}
