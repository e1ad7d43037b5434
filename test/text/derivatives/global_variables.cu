// Shadows of variables at namespace scope stand behind them; what all threads read is summed over the block.
// RUN: %gpuad %s --adjoint='weigh(y)/(x,::gain,::table::weights)' --tangent='weigh(y)/(::gain)' -o - -- %stub | FileCheck %s --match-full-lines --strict-whitespace
//
//      CHECK:GPUAD_SHADOW __device__ float gain_dot;
// CHECK-NEXT:GPUAD_SHADOW __device__ float gain_bar;
//      CHECK:{{\[\[}}maybe_unused]] GPUAD_STATIC_SHADOW __device__ float weights_bar[32];
//      CHECK:__global__ void weigh_tangent(const float* x, float* y, float* y_dot);
// CHECK-NEXT:void launch_weigh_tangent(const gpuad::launch& where, const float* x, float* y, float* y_dot);
// CHECK-NEXT:__global__ void weigh_adjoint(const float* x, float* x_bar, float* y, float* y_bar);
// CHECK-NEXT:void launch_weigh_adjoint(const gpuad::launch& where, const float* x, float* x_bar, float* y, float* y_bar);
//      CHECK:__global__ void weigh_tangent(const float* x, float* y, float* y_dot) {
// CHECK-NEXT:  const bool want_y = y_dot != nullptr;
// CHECK-NEXT:  int i = threadIdx.x;
// CHECK-NEXT:  float x_i = x[i];
// CHECK-NEXT:  float weights_i = table::weights[i];
// CHECK-NEXT:  if (want_y) y_dot[i] = x_i * weights_i * gain_dot;
// CHECK-NEXT:  y[i] = gain * x_i * weights_i;
// CHECK-NEXT:}
//      CHECK:__global__ void weigh_adjoint(const float* x, float* x_bar, float* y, float* y_bar) {
// CHECK-NEXT:  const bool want_x = x_bar != nullptr, want_y = y_bar != nullptr;
// CHECK-NEXT:  int i = threadIdx.x;
// CHECK-NEXT:  float x_i = x[i];
// CHECK-NEXT:  float weights_i = table::weights[i];
// CHECK-NEXT:  float y_i_bar = want_y && gpuad::first_row() && gpuad::first_block() ? gpuad::take(&y_bar[i]) : 0.0f;
// CHECK-NEXT:  float gain_sum = x_i * weights_i * y_i_bar;
// CHECK-NEXT:  atomicAdd(&table::weights_bar[i], gain * x_i * y_i_bar);  // atomic: the index leaves out blockIdx.x
// CHECK-NEXT:  if (want_x) atomicAdd(&x_bar[i], gain * weights_i * y_i_bar);
// CHECK-NEXT:  gpuad::block_add(&gain_bar, gain_sum);
// CHECK-NEXT:}
//      CHECK:void launch_weigh_tangent(const gpuad::launch& where, const float* x, float* y, float* y_dot) {
// CHECK-NEXT:  weigh_tangent<<<where.grid, where.block, where.shared_bytes, where.stream>>>(x, y, y_dot);
// CHECK-NEXT:  gpuad::report_launch("weigh_tangent");
// CHECK-NEXT:}
//      CHECK:void launch_weigh_adjoint(const gpuad::launch& where, const float* x, float* x_bar, float* y, float* y_bar) {
// CHECK-NEXT:  weigh_adjoint<<<where.grid, where.block, where.shared_bytes, where.stream>>>(x, x_bar, y, y_bar);
// CHECK-NEXT:  gpuad::report_launch("weigh_adjoint");
// CHECK-NEXT:}
__constant__ float gain;
namespace table {
static __device__ float weights[32];
}
__global__ void weigh(const float *x, float *y) {
  int i = threadIdx.x;
  y[i] = gain * x[i] * table::weights[i];
}
