// The whole shape of an output: include, declarations after the primal, one section at the end.
// RUN: %gpuad %s --adjoint="saxpy(y)/(a,x)" -o %t.cu -- %stub
// RUN: FileCheck %s --input-file=%t.cu --strict-whitespace
//
// CHECK:      {{^}}#include <gpuad/runtime.cuh>
#define GAIN 2
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = a * x[i] + y[i];
} // of saxpy
// CHECK:      {{^}}} // of saxpy
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}__global__ void saxpy_adjoint(int n, float a, float* a_bar, const float* x, float* x_bar, float* y, float* y_bar);
// CHECK-NEXT: {{^}}void launch_saxpy_adjoint(const gpuad::launch& where, int n, float a, float* a_bar, const float* x, float* x_bar,
// CHECK-NEXT: {{^}}                          float* y, float* y_bar);
int after;
// CHECK:      {{^}}// ---- derivatives ---
// CHECK-NEXT: {{^}}// Made by gpuad-translate from saxpy.cu.
// CHECK:      {{^}}// Adjoint of saxpy: (y) / (a, x).
// CHECK-NEXT: {{^}}__global__ void saxpy_adjoint(int n, float a, float* a_bar, const float* x, float* x_bar, float* y, float* y_bar) {
// CHECK:      {{^}}  if (want_a) gpuad::block_add(a_bar, a_sum);
// CHECK-NEXT: {{^}}}
// CHECK:      {{^}}void launch_saxpy_adjoint(const gpuad::launch& where, int n, float a, float* a_bar, const float* x, float* x_bar,
// CHECK-NEXT: {{^}}                          float* y, float* y_bar) {
// CHECK-NEXT: {{^}}  saxpy_adjoint<<<where.grid, where.block, where.shared_bytes, where.stream>>>(n, a, a_bar, x, x_bar, y, y_bar);
// CHECK-NEXT: {{^}}  gpuad::report_launch("saxpy_adjoint");
// CHECK-NEXT: {{^}}}
