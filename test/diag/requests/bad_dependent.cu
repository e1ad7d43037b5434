// RUN: not %gpuad %s --adjoint='scale(x)/(a)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: bad_dependent.cu:1:1: error: 'scale(x)/(a)': 'x' cannot be a dependent: a 'const float*' cannot carry a result {{.*}} [gpuad-bad-dependent]
// CHECK: bad_dependent.cu:[[#@LINE + 1]]:17: note: 'scale(int, float, const float*, float*)' is here
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
