// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='share(y)/(x)' --adjoint='neighbours(y)/(x)' --adjoint='pairs(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void share(const float *x, float *sum, float *y) {
  int i = threadIdx.x;
  // CHECK: atomic_result.cu:[[#@LINE + 1]]:18: error: the result of 'atomicAdd' depends on the order of threads; {{.*}} [gpuad-atomic-result]
  float before = atomicAdd(sum, x[i]);
  y[i] = before * x[i];
}

// Another thread adds to the element, in whatever order.
__global__ void neighbours(int n, const float *x, float *s, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: atomic_result.cu:[[#@LINE + 1]]:18: error: the result of 'atomicAdd' depends on the order of threads; {{.*}} [gpuad-atomic-result]
  float before = atomicAdd(&s[i], x[i]);
  atomicAdd(&s[(i + 1) % n], 1.f);
  y[i] = before * x[i];
}
__global__ void pairs(const float *x, float *s, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: atomic_result.cu:[[#@LINE + 1]]:18: error: the result of 'atomicAdd' depends on the order of threads; {{.*}} [gpuad-atomic-result]
  float before = atomicAdd(&s[i / 2], x[i]);
  y[i] = before * x[i];
}
