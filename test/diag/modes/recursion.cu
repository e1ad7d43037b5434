// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='start(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__device__ float power(float v, int n) {
  if (n == 0)
    return 1.0f;
  // CHECK: recursion.cu:[[#@LINE + 1]]:14: error: 'power' calls itself; {{.*}} [gpuad-recursion]
  return v * power(v, n - 1);
}
__global__ void start(const float *x, float *y) { y[threadIdx.x] = power(x[threadIdx.x], 3); }
