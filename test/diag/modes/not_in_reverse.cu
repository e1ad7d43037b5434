// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='neighbour(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void neighbour(const float *x, float *y) {
  __shared__ volatile float tile[64];
  int t = threadIdx.x;
  // CHECK: not_in_reverse.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: reverse mode does not take volatile shared memory ('tile') in place of __syncwarp() yet [gpuad-not-in-reverse]
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[63 - t] * x[t];
}
