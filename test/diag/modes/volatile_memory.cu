// Volatile memory in place of barriers: through a pointer that a device function takes, and between blocks.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='reduce(out)/(x)' --adjoint='wait(x)/(x)' --adjoint='fold(s)/(s)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// RUN: %gpuad %s --tangent='reduce(out)/(x)' --tangent='wait(x)/(x)' -o %t.cu -- %stub
__device__ void fold(volatile float *s, int t) {
  // CHECK-DAG: volatile_memory.cu:[[#@LINE + 1]]:3: error: reverse mode does not take volatile shared memory ('s') in place of __syncwarp() yet [gpuad-not-in-reverse]
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void reduce(const float *x, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncthreads();
  if (t < 32)
    fold(s, t);
  if (t == 0)
    out[0] = s[0];
}
__global__ void wait(int n, volatile float *x) {
  int i = blockIdx.x;
  if (i == 0 || i >= n)
    return;
  float v;
  // CHECK-DAG: volatile_memory.cu:[[#@LINE + 1]]:11: error: 'x' is read here, and another block may have written it {{.*}} [gpuad-block-reads]
  while ((v = x[i - 1]) < 0.f) {
  }
  x[i] = v * 0.5f;
}
