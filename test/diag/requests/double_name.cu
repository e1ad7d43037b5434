// RUN: not %gpuad %s --adjoint='scale(y)/(x)' --adjoint='scale(y)/(a)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: double_name.cu:1:1: error: 'scale(y)/(a)' would give a second 'scale_adjoint'; {{.*}} [gpuad-double-name]
// CHECK: note: the other one is 'scale(y)/(x)'
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
