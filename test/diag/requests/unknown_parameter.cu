// RUN: not %gpuad %s --adjoint='scale(y)/(z)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: unknown_parameter.cu:1:1: error: 'scale(y)/(z)': there is no 'z': the parameters are n, a, x, y [gpuad-unknown-parameter]
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
