// A block that may have to leave is missed at a barrier of the launch; barriers in two halves have no derivative.
// REQUIRES: cuda-toolkit
// RUN: not %gpuad %s %cuda -o %t.cu --adjoint='relaxed(y)/(y)' --adjoint='halves(y)/(x)' 2>&1 | FileCheck %s
// RUN: %gpuad %s %cuda -o - --tangent='relaxed(y)/(y)' | FileCheck %s --check-prefix=TANGENT
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// TANGENT-LABEL: void relaxed_tangent(int n
// TANGENT: grid.sync();
// TANGENT: gpuad::launch_cooperative(where, where.shared_bytes, relaxed_tangent, n, y, y_dot);
__global__ void relaxed(int n, double *y) {
  auto grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? y[i] : 0;
  for (int k = 0; v > 0.5; ++k)
    v *= v;
  // CHECK: grid_barrier.cu:[[#@LINE+1]]:{{.*}}error: reverse mode does not take a barrier of the whole launch in a kernel whose adjoint may have to leave (loops record as much as only the run knows) yet [gpuad-not-in-reverse]
  grid.sync();
  if (i < n) y[i] = v;
}

__global__ void halves(int n, const double *x, double *y) {
  auto grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
  // CHECK: grid_barrier.cu:[[#@LINE+1]]:{{.*}}error: {{.*}}[gpuad-forbidden-function]
  auto token = grid.barrier_arrive();
  grid.barrier_wait(static_cast<decltype(token) &&>(token));
}
