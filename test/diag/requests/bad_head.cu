// RUN: not %gpuad %s --adjoint='scale(y)/x' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: bad_head.cu:1:1: error: 'scale(y)/x' is no HEAD: expected '(' and the independents after '/', column 10 [gpuad-bad-head]
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
