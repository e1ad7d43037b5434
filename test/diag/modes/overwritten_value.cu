// What threads hand to each other through memory of the caller cannot be overwritten and put back.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='hand_over(v)/(v)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void hand_over(int n, float *v) {
  int t = threadIdx.x;
  v[t] = v[t] * v[t];
  __syncthreads();
  // CHECK: overwritten_value.cu:[[#@LINE + 2]]:{{[0-9]+}}: error: the derivative needs the value of 'v' that is loaded here, {{.*}} [gpuad-overwritten-value]
  // CHECK: note: it cannot be overwritten and put back: it is accessed on both sides of a barrier
  float w = v[t ^ 1];
  __syncthreads();
  v[t] = w * w;
}
