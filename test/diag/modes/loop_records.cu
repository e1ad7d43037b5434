// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='product(return)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
//
// Forward mode needs no record, and a sum needs none in reverse mode. Kernels have a stack.
// RUN: %gpuad %s --tangent='product(return)/(x)' --adjoint='sum(return)/(x)' --adjoint='caller(y)/(x)' -o - -- %stub | FileCheck --check-prefix=TAKEN %s
// TAKEN: product_tangent(
// TAKEN: void sum_adjoint(
// TAKEN: void caller_adjoint({{.*}}gpuad::stack stack)
__device__ float product(int n, const float *x) {
  float p = 1.0f;
  // CHECK: loop_records.cu:[[#@LINE + 1]]:3: error: the reverse of this loop needs 'p' of every iteration, {{.*}} [gpuad-loop-records]
  for (int k = 0; k < n; ++k)
    p *= x[k];
  return p;
}
__device__ float sum(int n, const float *x) {
  float s = 1.0f;
  for (int k = 0; k < n; ++k)
    s += x[k] * x[0];
  return s;
}
__global__ void caller(int n, const float *x, float *y) {
  y[threadIdx.x] = product(n, x) * x[threadIdx.x];
}
