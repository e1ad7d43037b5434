// All threads of a column write the same value to y[i]. One of them takes its adjoint, and the others come to x_bar[i] as well: the
// write proves nothing for x. The write to z tells all threads apart, and proves it for w.
// RUN: %gpuad %s --adjoint="same(y,z)/(x,w)" -o - -- %stub | FileCheck %s

// CHECK: void same_adjoint(int ld, {{.*}}
// CHECK: gpuad::add_apart(&w_bar[j * ld + i],
// CHECK: (threadIdx.y == 0 && blockIdx.y == 0) ? gpuad::take(&y_bar[i])
// CHECK: atomicAdd(&x_bar[i],
__global__ void same(int ld, const double *x, const double *w, double *y, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  y[i] = 2.0 * x[i];
  z[j * ld + i] = w[j * ld + i];
}
