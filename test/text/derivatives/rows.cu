// A loop that only adds has no forward sweep in its adjoint.
// RUN: %gpuad %s --tangent='rows(y)/(a,x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=TANGENT --match-full-lines --strict-whitespace
// RUN: %gpuad %s --adjoint='rows(y)/(a,x)' -o - -- %stub | sed '1,/^.. ---- derivatives/d' | FileCheck %s --check-prefix=ADJOINT --match-full-lines --strict-whitespace
//
//      TANGENT:__global__ void rows_tangent(int n, int m, const float* a, const float* a_dot, const float* x, const float* x_dot,
// TANGENT-NEXT:                             float* y, float* y_dot) {
// TANGENT-NEXT:  const bool want_a = a_dot != nullptr, want_x = x_dot != nullptr, want_y = y_dot != nullptr;
// TANGENT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// TANGENT-NEXT:  if (i >= n) return;
// TANGENT-NEXT:  float sum = 0.0f;
// TANGENT-NEXT:  float sum_dot = 0.0f;
// TANGENT-NEXT:  for (int k = 0; k < m; ++k) {
// TANGENT-NEXT:    float a_value = a[i * m + k];
// TANGENT-NEXT:    float a_value_dot = want_a ? a_dot[i * m + k] : 0.0f;
// TANGENT-NEXT:    float x_k = x[k];
// TANGENT-NEXT:    sum_dot += x_k * a_value_dot + a_value * (want_x ? x_dot[k] : 0.0f);
// TANGENT-NEXT:    sum += a_value * x_k;
// TANGENT-NEXT:  }
// TANGENT-NEXT:  if (want_y) y_dot[i] = sum_dot;
// TANGENT-NEXT:  y[i] = sum;
// TANGENT-NEXT:}
//
//      ADJOINT:__global__ void rows_adjoint(int n, int m, const float* a, float* a_bar, const float* x, float* x_bar, float* y,
// ADJOINT-NEXT:                             float* y_bar) {
// ADJOINT-NEXT:  const bool want_a = a_bar != nullptr, want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// ADJOINT-NEXT:  const bool own_a = a_bar != x_bar && a_bar != y_bar;
// ADJOINT-NEXT:  int i = blockIdx.x * blockDim.x + threadIdx.x;
// ADJOINT-NEXT:  if (i < n) {
// ADJOINT-NEXT:    float sum_bar = want_y ? gpuad::take(&y_bar[i]) : 0.0f;
// ADJOINT-NEXT:    for (int k = 0; k < m; ++k) {
// ADJOINT-NEXT:      float a_value_bar = x[k] * sum_bar;
// ADJOINT-NEXT:      float x_k_bar = a[i * m + k] * sum_bar;
// ADJOINT-NEXT:      if (want_x) atomicAdd(&x_bar[k], x_k_bar);  // atomic: the index leaves out threadIdx.x and blockIdx.x
// ADJOINT-NEXT:      // plain where x_bar and y_bar are not the same array: no two threads have the same index
// ADJOINT-NEXT:      if (want_a) gpuad::add_apart(&a_bar[i * m + k], a_value_bar, own_a);
// ADJOINT-NEXT:    }
// ADJOINT-NEXT:  }
// ADJOINT-NEXT:}
__global__ void rows(int n, int m, const float *a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < m; ++k)
    sum += a[i * m + k] * x[k];
  y[i] = sum;
}
