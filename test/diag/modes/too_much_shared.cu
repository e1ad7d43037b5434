// Arrays that fill a block's shared memory leave none for their shadows.
// RUN: not %gpuad %s --adjoint='fill(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// CHECK: too_much_shared.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take so much shared memory, {{.*}} [gpuad-not-in-reverse]
__global__ void fill(const double *x, double *y) {
  __shared__ double tile[16000];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x ^ 1];
}
