// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='some_wait(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
//
// A condition that is the same for the whole block is fine.
// RUN: %gpuad %s --adjoint='all_wait(y)/(x)' -o - -- %stub | FileCheck --check-prefix=TAKEN %s
// TAKEN: void all_wait_adjoint(
__global__ void some_wait(const float *x, float *y) {
  __shared__ float cell[64];
  int t = threadIdx.x;
  cell[t] = x[t];
  if (t < 32)
    // CHECK: divergent_barrier.cu:[[#@LINE + 1]]:5: error: threads of a block may come here at different times: a condition around this depends on threadIdx.x; {{.*}} [gpuad-divergent-barrier]
    __syncthreads();
  y[t] = cell[63 - t] * x[t];
}
__global__ void all_wait(int wide, const float *x, float *y) {
  __shared__ float cell[64];
  int t = threadIdx.x;
  cell[t] = x[t];
  __syncthreads();
  float v = x[t];
  if (wide > 3) {
    v = cell[63 - t];
    __syncthreads();
  }
  y[t] = v * x[t];
}
