// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='start(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__device__ float power(float v, int n, float *trace) {
  if (n == 0)
    return 1.0f;
  trace[n] = v;
  // CHECK: recursion.cu:[[#@LINE + 1]]:14: error: 'power' calls itself; {{.*}} [gpuad-recursion]
  return v * power(v, n - 1, trace);
}
__global__ void start(const float *x, float *trace, float *y) { y[threadIdx.x] = power(x[threadIdx.x], 3, trace); }

// What has to record its loop.
// RUN: not %gpuad %s --adjoint='deep(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=DEEP
__device__ float spiral(float v, int n) {
  for (int k = 0; k < n; ++k)
    v = sinf(v) + v;
  // DEEP: recursion.cu:[[#@LINE + 1]]:23: error: 'spiral' calls itself; {{.*}} [gpuad-recursion]
  return n == 0 ? v : spiral(v, n - 1);
}
__global__ void deep(int n, const float *x, float *y) { y[threadIdx.x] = spiral(x[threadIdx.x], n); }
