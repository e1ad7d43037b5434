// RUN: not %gpuad %s --adjoint='recorded(y)/(x)' -o - -- %stub 2>&1 | FileCheck --check-prefix=RECORDED %s
// RUN: not %gpuad %s --adjoint='quotient(y)/(x)' -o - -- %stub 2>&1 | FileCheck --check-prefix=QUOTIENT %s
//
// Threads that returned would wait at the end for those that wait for them in the exchange, and what they would give is not known. Whole warps may stay away.
// RUN: %gpuad %s --adjoint='whole_warps(y)/(x,a)' -o - -- %stub | FileCheck --check-prefix=WHOLE %s
// WHOLE: whole_warps_adjoint(
__global__ void recorded(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  for (int k = 0; k < m; ++k)
    // RECORDED: part_warps.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: threads of a block may come here at different times: {{.*}} [gpuad-divergent-barrier]
    v = v * v + (__match_any_sync(0xffffffffu, k) != 0u);
  y[i] = v;
}
__global__ void quotient(const float *x, float *y) {
  // QUOTIENT: part_warps.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: several threads write 'y' here, {{.*}} [gpuad-same-value-write]
  y[blockIdx.x * 8 + threadIdx.x / 32] = x[threadIdx.x];
}
__global__ void whole_warps(float a, const float *x, float *y) {
  float v = a * x[threadIdx.x];
  if (threadIdx.x < 64)
    v += __shfl_down_sync(0xffffffffu, v, 1);
  y[threadIdx.x] = v;
}
