// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='product(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
//
// Forward mode needs no record, and a sum needs none in reverse mode.
// RUN: %gpuad %s --tangent='product(y)/(x)' --adjoint='sum(y)/(x)' -o - -- %stub | FileCheck --check-prefix=TAKEN %s
// TAKEN: void product_tangent(
// TAKEN: void sum_adjoint(
__global__ void product(int n, const float *x, float *y) {
  float p = 1.0f;
  // CHECK: loop_records.cu:[[#@LINE + 1]]:3: error: the reverse of this loop needs 'p' of every iteration, {{.*}} [gpuad-loop-records]
  for (int k = 0; k < n; ++k)
    p *= x[k];
  y[threadIdx.x] = p * x[threadIdx.x];
}
__global__ void sum(int n, const float *x, float *y) {
  float s = 1.0f;
  for (int k = 0; k < n; ++k)
    s += x[k] * x[threadIdx.x];
  y[threadIdx.x] = s;
}
