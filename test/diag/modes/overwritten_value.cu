// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='sweep(v)/(v)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void sweep(int n, float *v) {
  float *row = v + n * threadIdx.x;
  for (int k = 1; k < n; ++k)
    // CHECK: overwritten_value.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: the derivative needs the value of 'v' that is loaded here, {{.*}} [gpuad-overwritten-value]
    row[k] = row[k - 1] * row[k - 1];
}
