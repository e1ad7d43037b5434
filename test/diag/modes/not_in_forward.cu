// RUN: rm -f %t.cu
// RUN: not %gpuad %s --tangent='last(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void last(const float *x, float *y) {
  // CHECK: not_in_forward.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: forward mode does not take 'atomicExch' on active values yet [gpuad-not-in-forward]
  atomicExch(&y[0], x[threadIdx.x]);
}
