// RUN: not %gpuad %s --adjoint='scale(y)/(n)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: bad_independent.cu:1:1: error: 'scale(y)/(n)': 'n' cannot be an independent: its type is 'int', {{.*}} [gpuad-bad-independent]
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
