// RUN: not %gpuad %s -o %t.cu -- %stub -resource-dir %t.nowhere 2>&1 | FileCheck %s
// CHECK: error: '{{.*}}.nowhere' does not hold Clang's own headers; {{.*}} [gpuad-no-clang-headers]
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
