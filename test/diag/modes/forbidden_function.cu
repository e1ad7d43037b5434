// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='from_first(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not %gpuad %s --tangent='from_first(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
//
// Where no derivative flows, the same function is taken.
// RUN: %gpuad %s --adjoint='from_first(y)/(w)' --tangent='from_first(y)/(w)' -o - -- %stub | FileCheck --check-prefix=TAKEN %s
// TAKEN: void from_first_adjoint(const float* x, const float* w, float* w_bar, float* y, float* y_bar)
__device__ float __shfl(float value, int lane, int width = 32);
__global__ void from_first(const float *x, const float *w, float *y) {
  int i = threadIdx.x;
  // CHECK: forbidden_function.cu:[[#@LINE + 1]]:17: error: '__shfl' cannot be differentiated: use the form with _sync, {{.*}} [gpuad-forbidden-function]
  float first = __shfl(x[i], 0);
  y[i] = first * w[i];
}
