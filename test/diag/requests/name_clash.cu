// RUN: not %gpuad %s --adjoint='scale(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: name_clash.cu:1:1: error: 'scale(y)/(x)' would give 'scale_adjoint', which is declared in this file; {{.*}} [gpuad-name-clash]
// CHECK: name_clash.cu:[[#@LINE + 6]]:17: note: 'scale_adjoint' is here
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
__global__ void scale_adjoint(int n, float *y) { y[n] = 0.0f; }
