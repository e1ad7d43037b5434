// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='share(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void share(const float *x, float *sum, float *y) {
  int i = threadIdx.x;
  // CHECK: atomic_result.cu:[[#@LINE + 1]]:18: error: the result of 'atomicAdd' depends on the order of threads; {{.*}} [gpuad-atomic-result]
  float before = atomicAdd(sum, x[i]);
  y[i] = before * x[i];
}
