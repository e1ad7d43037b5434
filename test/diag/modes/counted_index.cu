// An integer atomic carries no derivative, but a load after it sees what it wrote.
// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='pick(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void pick(const float *x, float *y, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&count[i], 1);
  // CHECK: counted_index.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the derivative needs the value of 'count' that is loaded here, {{.*}} [gpuad-overwritten-value]
  int k = count[i];
  y[i] = x[k] * x[k];
}
