// A lambda that is handed to a function becomes part of the kernel.
// RUN: %gpuad %s --adjoint='fitted(y)/(c,x)' -o - -- %stub | FileCheck %s --match-full-lines --strict-whitespace
//
//      CHECK:__global__ void fitted_adjoint(const float* c, float* c_bar, const float* x, float* x_bar, float* y, float* y_bar);
// CHECK-NEXT:void launch_fitted_adjoint(const gpuad::launch& where, const float* c, float* c_bar, const float* x, float* x_bar,
// CHECK-NEXT:                           float* y, float* y_bar);
//      CHECK:__global__ void fitted_adjoint(const float* c, float* c_bar, const float* x, float* x_bar, float* y, float* y_bar) {
// CHECK-NEXT:  const bool want_c = c_bar != nullptr, want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// CHECK-NEXT:  int i = threadIdx.x;
// CHECK-NEXT:  float v = x[i];
// CHECK-NEXT:  float sum_bar = want_y && gpuad::first_row() && gpuad::first_block() ? gpuad::take(&y_bar[i]) : 0.0f;
// CHECK-NEXT:  float v_bar = 0.0f;
// CHECK-NEXT:  for (int k2 = 0; k2 < 4; ++k2) {
// CHECK-NEXT:    v_bar += c[k2] * sum_bar;
// CHECK-NEXT:    if (want_c) atomicAdd(&c_bar[k2], v * sum_bar);  // atomic: the index leaves out threadIdx.x and blockIdx.x
// CHECK-NEXT:  }
// CHECK-NEXT:  if (want_x) atomicAdd(&x_bar[i], v_bar);  // atomic: the index leaves out blockIdx.x
// CHECK-NEXT:}
//      CHECK:void launch_fitted_adjoint(const gpuad::launch& where, const float* c, float* c_bar, const float* x, float* x_bar,
// CHECK-NEXT:                           float* y, float* y_bar) {
// CHECK-NEXT:  fitted_adjoint<<<where.grid, where.block, where.shared_bytes, where.stream>>>(c, c_bar, x, x_bar, y, y_bar);
// CHECK-NEXT:  gpuad::report_launch("fitted_adjoint");
// CHECK-NEXT:}
template <class F> __device__ float sum_over(int n, F f) {
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += f(k);
  return sum;
}
__global__ void fitted(const float *c, const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i];
  y[i] = sum_over(4, [&](int k) { return c[k] * v; });
}
