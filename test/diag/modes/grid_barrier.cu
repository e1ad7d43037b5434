// A block that may have to leave is missed at a barrier of the launch; barriers of a cluster have no derivative.
// REQUIRES: cuda-toolkit
// RUN: not %gpuad %s %cuda -o %t.cu --adjoint='relaxed(y)/(y)' --adjoint='clustered(y)/(x)' 2>&1 | FileCheck %s
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
  // CHECK: grid_barrier.cu:[[#@LINE+3]]:{{.*}}error: reverse mode does not take a barrier of the whole launch in a kernel whose adjoint may have to leave (loops record as much as only the run knows) yet [gpuad-not-in-reverse]
  for (int k = 0; v > 0.5; ++k)
    v *= v;
  grid.sync();
  if (i < n) y[i] = v;
}

__global__ void clustered(int n, const double *x, double *y) {
  auto cluster = cg::this_cluster();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: grid_barrier.cu:[[#@LINE+1]]:{{.*}}error: {{.*}}[gpuad-forbidden-function]
  cluster.sync();
  if (i < n) y[i] = x[i] * x[i];
}
