// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='square(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not %gpuad %s --tangent='square(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
__global__ void square(const float *x, float *y) {
  float v = x[threadIdx.x], r;
  // CHECK: opaque_code.cu:[[#@LINE + 1]]:3: error: a derivative flows through {{.*}}, which gpuad does not understand: 'asm{{.*}} [gpuad-opaque-code]
  asm("mul.f32 %0, %1, %1;" : "=f"(r) : "f"(v));
  y[threadIdx.x] = r;
}
