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
// A lambda that is not only called: what it does with the pointers that it keeps is not known.
// RUN: not %gpuad %s --adjoint='passed(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=LAMBDA
// RUN: not %gpuad %s --tangent='passed(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=LAMBDA
__global__ void passed(const float *x, float *y) {
  // LAMBDA: opaque_code.cu:[[#@LINE + 1]]:14: error: a derivative flows through code{{.*}}[gpuad-opaque-code]
  auto put = [=](int i) { y[i] = x[i] * x[i]; };
  auto *again = &put;
  (*again)(threadIdx.x);
}
// A function that stays text as a whole, and its value further on.
// RUN: not %gpuad %s --adjoint='jumps(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=JUMP
__device__ float halved(float v) {
again:
  v *= 0.5f;
  if (v > 1.0f)
    // JUMP: opaque_code.cu:[[#@LINE + 1]]:5: error: a derivative flows through a goto, {{.*}}[gpuad-opaque-code]
    goto again;
  return v;
}
__global__ void jumps(const float *x, float *y) {
  float v = 0.0f;
  if (x[0] > 0.0f)
    v = halved(x[threadIdx.x]);
  y[threadIdx.x] = v;
}
