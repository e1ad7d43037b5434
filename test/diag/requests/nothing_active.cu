// RUN: not %gpuad %s --adjoint='round_down' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: nothing_active.cu:[[#@LINE + 1]]:16: error: 'round_down' has no floating-point result: {{.*}} [gpuad-nothing-active]
__device__ int round_down(float x) { return int(x); }
__global__ void use(int *y) { y[0] = round_down(1.5f); }
