// What will be generated may be called before it is there, and is declared where its primal is first declared: also a
// launch in braces, and a tangent that gives an object. A method's derivative is declared behind its class.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %gpuad %s %cuda -o %t.cu -- -I%runtime && FileCheck %s --input-file=%t.cu
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%runtime -c %t.cu -o %t.o
#include <gpuad/gpuad.h>
struct pair {
  float a, b;
  GPUAD_ADJOINT("(return)/(self)") __device__ float product() const { return a * b; }
  GPUAD_TANGENT("(return)/(self)") __device__ pair turned() const { return {b, -a}; }
  GPUAD_ADJOINT("(return)/(x)") __device__ static float half(float x) { return x / 2; }
};
// CHECK: {{^}}inline __device__ void product_adjoint(const pair& self, pair* self_bar, float return_bar);
// CHECK-NEXT: {{^}}inline __device__ gpuad::dual<pair> turned_tangent(const pair& self, const pair& self_dot);
// CHECK-NEXT: {{^}}inline __device__ void half_adjoint(float x, float* x_bar, float return_bar);
__device__ pair turn(pair p, pair d) {
  gpuad::dual<pair> both = turned_tangent(p, d);
  return both.tangent;
}
GPUAD_ADJOINT("(y)/(x)") __global__ void scale(int n, const float *x, float *y);
// CHECK: {{^}}__global__ void scale_adjoint(int n, const float* x, float* x_bar, float* y, float* y_bar);
// CHECK-NEXT: {{^}}void launch_scale_adjoint(const gpuad::launch& where,
// CHECK: {{^}}void run(
void run(int n, const float *x, float *x_bar, float *y, float *y_bar) {
  launch_scale_adjoint({(n + 31) / 32, 32}, n, x, x_bar, y, y_bar);
  launch_scale_adjoint({{1, 1, 1}, {32, 1, 1}, 0, nullptr}, n, x, x_bar, y, y_bar);
}
__global__ void scale(int n, const float *x, float *y) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
// CHECK-NOT: {{^}}__global__ void scale_adjoint
// CHECK: {{^}}// ---- derivatives
