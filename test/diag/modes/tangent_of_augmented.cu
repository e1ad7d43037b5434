// REQUIRES: cuda-toolkit
// RUN: %gpuad %s --adjoint="compact(y)/(x)" %cuda -o %t.cu -- -I %runtime
// RUN: not %gpuad %t.cu --tangent="compact_augmented(y)/(x)" %cuda -o %t_again.cu -- -I %runtime 2>&1 | FileCheck %s
// CHECK: error: forward mode does not take an augmented kernel (take the tangent of the kernel, or that of its adjoint) yet [gpuad-not-in-forward]
__global__ void compact(const float *x, float *y, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) y[atomicAdd(count, 1)] = x[i] * x[i];
}
