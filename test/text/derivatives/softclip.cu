// A branch without an else: both modes go the way that the kernel went.
// RUN: %gpuad %s --tangent='softclip(y)/(x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void softclip_tangent(int n, const float* x, const float* x_dot, float* y, float* y_dot) {
// TANGENT-NEXT:  const bool want_x = x_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    float v = x[i];
// TANGENT-NEXT:    float v_dot = want_x ? x_dot[i] : 0.0f;
// TANGENT-NEXT:    if (v > 1.0f) {
// TANGENT-NEXT:      v_dot = v_dot != 0.0f ? v_dot / v : 0.0f;
// TANGENT-NEXT:      v = 1.0f + logf(v);
// TANGENT-NEXT:    }
// TANGENT-NEXT:    if (want_y) y_dot[i] = v_dot;
// TANGENT-NEXT:    y[i] = v;
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
__global__ void softclip(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    if (v > 1.0f)
      v = 1.0f + logf(v);
    y[i] = v;
  }
}
