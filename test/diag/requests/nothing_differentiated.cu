// RUN: not %gpuad %s  -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: nothing_differentiated.cu:[[#@LINE + 2]]:17: error: no kernel of this file could be differentiated; {{.*}} [gpuad-nothing-differentiated]

__global__ void square(float *y, const float *x) {
  float v = x[threadIdx.x], r;
  asm("mul.f32 %0, %1, %1;" : "=f"(r) : "f"(v));
  y[threadIdx.x] = r;
}
