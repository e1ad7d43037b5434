// Two instances of a template are one template again; its default argument stands in the first declaration.
// RUN: %gpuad %s --adjoint='scale<float>(y)/(a,x)' --adjoint='scale<double, 3>(y)/(a,x)' -o - -- %stub | FileCheck %s --match-full-lines --strict-whitespace
//
//      CHECK:template <class T, int K = 2>
// CHECK-NEXT:__global__ void scale_adjoint(T a, T* a_bar, const T* __restrict__ x, T* x_bar, T* y, T* y_bar);
// CHECK-NEXT:template <class T, int K = 2>
// CHECK-NEXT:void launch_scale_adjoint(const gpuad::launch& where, T a, T* a_bar, const T* __restrict__ x, T* x_bar, T* y, T* y_bar);
//      CHECK:template <class T, int K>
// CHECK-NEXT:__global__ void scale_adjoint(T a, T* a_bar, const T* __restrict__ x, T* x_bar, T* y, T* y_bar) {
// CHECK-NEXT:  static_assert((std::is_same_v<T, float> && K == 2) || (std::is_same_v<T, double> && K == 3),
// CHECK-NEXT:                "gpuad made scale_adjoint for scale<float, 2>, scale<double, 3>; add --adjoint='scale<...>' for others");
// CHECK-NEXT:  if constexpr (std::is_same_v<T, float> && K == 2) {
// CHECK-NEXT:    const bool want_a = a_bar != nullptr, want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// CHECK-NEXT:    int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:    float x_i = x[i];
// CHECK-NEXT:    float y_i_bar = want_y ? gpuad::take(&y_bar[i]) : 0.0f;
// CHECK-NEXT:    float a_sum = 2.0f * x_i * x_i * y_i_bar;
// CHECK-NEXT:    if (want_x) x_bar[i] += 4.0f * a * x_i * y_i_bar;  // plain: one thread alone writes y at this index in the primal
// CHECK-NEXT:    if (want_a) gpuad::block_add(a_bar, a_sum);
// CHECK-NEXT:  } else {
// CHECK-NEXT:    const bool want_a = a_bar != nullptr, want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// CHECK-NEXT:    int i = blockIdx.x * blockDim.x + threadIdx.x;
// CHECK-NEXT:    double x_i = x[i];
// CHECK-NEXT:    double y_i_bar = want_y ? gpuad::take(&y_bar[i]) : 0.0;
// CHECK-NEXT:    double a_sum = 3.0 * x_i * x_i * y_i_bar;
// CHECK-NEXT:    if (want_x) x_bar[i] += 6.0 * a * x_i * y_i_bar;  // plain: one thread alone writes y at this index in the primal
// CHECK-NEXT:    if (want_a) gpuad::block_add(a_bar, a_sum);
// CHECK-NEXT:  }
// CHECK-NEXT:}
//      CHECK:template <class T, int K>
// CHECK-NEXT:void launch_scale_adjoint(const gpuad::launch& where, T a, T* a_bar, const T* __restrict__ x, T* x_bar, T* y,
// CHECK-NEXT:                          T* y_bar) {
// CHECK-NEXT:  scale_adjoint<T, K><<<where.grid, where.block, where.shared_bytes, where.stream>>>(a, a_bar, x, x_bar, y, y_bar);
// CHECK-NEXT:  gpuad::report_launch("scale_adjoint");
// CHECK-NEXT:}
template <class T, int K = 2> __global__ void scale(T a, const T *__restrict__ x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = K * a * x[i] * x[i];
}
