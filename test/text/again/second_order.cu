// REQUIRES: cuda-toolkit
// A generated file is translated again. What was made is differentiated only when a HEAD names it.
// RUN: split-file %s %t
// RUN: %gpuad %t/wave.cu %cuda -o %t/first.cu -- -I %runtime
// RUN: %gpuad %t/first.cu %cuda --tangent="wave_adjoint(x_bar)/(x)" -o - -- -I %runtime | FileCheck %s
// RUN: not %gpuad %t/first.cu %cuda -o %t/none.cu -- -I %runtime 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: not %gpuad %t/first.cu %cuda --adjoint="wave_tangent(y_dot)/(x)" -o %t/none.cu -- -I %runtime 2>&1 \
// RUN:   | FileCheck --check-prefix=ADJOINT %s

//--- wave.cu
__global__ void wave(float* y, const float* x) {
  y[threadIdx.x] = sinf(x[threadIdx.x]);
}

//--- checks
// CHECK: void launch_wave_adjoint_tangent(const gpuad::launch& where, float* y,
// CHECK: Tangent of wave_adjoint: (x_bar) / (x).
// CHECK-NEXT: __global__ void wave_adjoint_tangent(float* y, float* y_bar, const float* x, const float* x_dot, float* x_bar,
// CHECK-NEXT: float* x_bar_dot) {
// CHECK-NOT: wave_tangent_tangent
// NOTHING: gpuad-nothing-to-do
// ADJOINT: error: reverse mode does not take a derivative (take the tangent of the adjoint instead) yet [gpuad-not-in-reverse]
