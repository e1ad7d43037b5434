// What threads hand to each other in nested loops, each iteration in several epochs, cannot be had once more.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='hand_over(v)/(v)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void hand_over(int n, float *v) {
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) {
      // CHECK: overwritten_value.cu:[[#@LINE + 2]]:{{[0-9]+}}: error: the derivative needs the value of 'v' that is loaded here, {{.*}} [gpuad-overwritten-value]
      // CHECK: note: it cannot be overwritten and put back: other threads have overwritten it behind the next barrier
      float w = v[t ^ 1];
      __syncthreads();
      v[t] = w * w;
      __syncthreads();
    }
}
