// RUN: %gpuad %s --round-trip -o %t.cu -- %stub --brand-new-flag -DSIZE=4 2>&1 | FileCheck %s
// CHECK: remark: neither gpuad nor Clang knows the flag '--brand-new-flag'; it was left out [gpuad-unknown-flag]
// CHECK-NOT: error
__global__ void fill(float *y) { y[threadIdx.x] = SIZE; }
