// RUN: not %gpuad %s --adjoint='gain(return)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: no_body.cu:[[#@LINE + 1]]:18: error: 'gain' is only declared here; {{.*}} [gpuad-no-body]
__device__ float gain(float x);
__global__ void use(float *y) { y[0] = gain(y[0]); }
