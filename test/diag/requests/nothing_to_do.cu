// RUN: not %gpuad %s  -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: nothing_to_do.cu:1:1: error: no derivative is requested, {{.*}} [gpuad-nothing-to-do]
__global__ void count(int n, int *y) { atomicAdd(&y[n], 1); }
