// Blocks that read what others have written in the same launch.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='last_block(out)/(x)' --adjoint='linear(out)/(x)' --adjoint='summed(out)/(x)' --adjoint='by_fence(out)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// RUN: %gpuad %s --tangent='last_block(out)/(x)' --tangent='linear(out)/(x)' -o %t.cu -- %stub
__global__ void last_block(const float *x, float *partial, unsigned *ticket, float *out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x] * x[blockIdx.x];
    __threadfence();
    unsigned before = atomicInc(ticket, gridDim.x);
    is_last = before == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float sum = 0;
    for (int b = 0; b < gridDim.x; ++b)
      // CHECK: block_reads.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'partial' is read here, and another block may have written it {{.*}} [gpuad-block-reads]
      sum += partial[b];
    out[0] = sqrtf(sum);
  }
}
__global__ void linear(const float *x, float *partial, unsigned *ticket, float *out) {
  partial[blockIdx.x] = x[blockIdx.x];
  unsigned before = atomicAdd(ticket, 1u);
  if (before == gridDim.x - 1) {
    // CHECK: block_reads.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'partial' is read here, {{.*}} [gpuad-block-reads]
    float sum = partial[0] + partial[1];
    out[0] = sum;
  }
}
__global__ void summed(const float *x, float *total, unsigned *ticket, float *out) {
  atomicAdd(total, x[blockIdx.x]);
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
    // CHECK: block_reads.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'total' is read here, {{.*}} [gpuad-block-reads]
    out[0] = 2.0f * total[0];
  }
}
__global__ void by_fence(const float *x, float *y, float *out) {
  y[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  // CHECK: block_reads.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'y' is read here, {{.*}} [gpuad-block-reads]
  out[blockIdx.x] = y[blockIdx.x + 1];
}
