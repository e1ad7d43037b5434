// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='apply(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not %gpuad %s --tangent='apply(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__device__ float lookup(float at);
__global__ void apply(const float *x, float *y) {
  int i = threadIdx.x;
  // CHECK: missing_rule.cu:[[#@LINE + 1]]:17: error: nothing is known about 'lookup': {{.*}} [gpuad-missing-rule]
  y[i] = x[i] * lookup(x[i]);
}
