// A parameter by value is summed over the block; a shadow that was not passed is left alone.
// RUN: %gpuad %s --tangent='scale(y)/(a,x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
// RUN: %gpuad %s --adjoint='scale(y)/(a,x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=ADJOINT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void scale_tangent(int n, float a, float a_dot, const float* x, const float* x_dot, float* y, float* y_dot) {
// TANGENT-NEXT:  const bool want_x = x_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i < n) {
// TANGENT-NEXT:    float x_i = x[i];
// TANGENT-NEXT:    float x_i_dot = want_x ? x_dot[i] : 0.0f;
// TANGENT-NEXT:    if (want_y) y_dot[i] = x_i * a_dot + a * x_i_dot;
// TANGENT-NEXT:    y[i] = a * x_i;
// TANGENT-NEXT:  }
// TANGENT-NEXT:}
//
//      ADJOINT:__global__ void scale_adjoint(int n, float a, float* a_bar, const float* x, float* x_bar, float* y, float* y_bar) {
// ADJOINT-NEXT:  const bool want_a = a_bar != nullptr, want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// ADJOINT-NEXT:  float a_sum = 0.0f;
// ADJOINT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// ADJOINT-NEXT:  if (i < n) {
// ADJOINT-NEXT:    float y_i_bar = want_y ? gpuad::take(&y_bar[i]) : 0.0f;
// ADJOINT-NEXT:    a_sum += x[i] * y_i_bar;
// ADJOINT-NEXT:    if (want_x) x_bar[i] += a * y_i_bar;  // plain: one thread alone writes y at this index in the primal
// ADJOINT-NEXT:  }
// ADJOINT-NEXT:  if (want_a) gpuad::block_add(a_bar, a_sum);
// ADJOINT-NEXT:}
__global__ void scale(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i];
}
