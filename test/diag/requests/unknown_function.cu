// RUN: not %gpuad %s --adjoint='skale(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: unknown_function.cu:1:1: error: 'skale(y)/(x)' names no function of this file; did you mean 'scale'? [gpuad-unknown-function]
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
