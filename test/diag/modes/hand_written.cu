// GPUAD_DERIVATIVE_OF in front of what is no derivative of the function, or is called where it cannot be.
// RUN: not %gpuad %s --adjoint='use(y)/(x)' --tangent='use(y)/(x)' -o %t.cu -- %stub -I%runtime 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// RUN: not %gpuad %s --adjoint='use(y)/(x)' --tangent='use(y)/(x)' --adjoint='pushes(y)/(x)' -o %t.cu -- %stub -I%runtime -DRIGHT 2>&1 | FileCheck %s --check-prefix=CALLS
// RUN: not ls %t.cu
#include <gpuad/gpuad.h>
namespace gpuad {
template <class T> struct dual { T value, tangent; };
}
struct Model {
  float k;
  __device__ float energy(float x) const { return k * x * x; }
};
__device__ float gain(float x, float y) { return x * y; }
__device__ float sum(const float *v, int n) { return v[0] + v[n - 1]; }
__device__ void push(float *v, float x) { v[0] += x, v[1] *= x; }
template <class T> __device__ T twice(T x) { return 2 * x; }
__device__ int round_off(float x) { return int(x); }

#ifndef RIGHT
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'gain_adjoint' cannot be used as a derivative of 'gain': parameter 3 must be 'float y' [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(gain)
__device__ void gain_adjoint(float x, float *x_bar, float *y_bar, float return_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'sum_adjoint' cannot be used as a derivative of 'sum': parameter 2 must be 'float* v_bar' [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(sum)
__device__ void sum_adjoint(const float *v, const float *v_bar, int n, float return_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'sum_back' cannot be used as a derivative of 'sum': its name must be sum_adjoint or sum_tangent [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(sum)
__device__ void sum_back(const float *v, float *v_bar, int n, float return_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:18: error: 'gain_tangent' cannot be used as a derivative of 'gain': it must return 'gpuad::dual<float>' [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(gain)
__device__ float gain_tangent(float x, float x_dot, float y, float y_dot) { return 0; }
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'push_adjoint' cannot be used as a derivative of 'push': 'z' is no parameter of the function, and no shadow of one [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(push)
__device__ void push_adjoint(float *v, float *v_bar, float x, float *x_bar, int z) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'nothing' names no function of this file
GPUAD_DERIVATIVE_OF(nothing)
__device__ void nothing_adjoint(float x, float *x_bar, float return_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'energy_adjoint' cannot be used as a derivative of 'Model::energy': methods of classes cannot have one; write a function [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(Model::energy)
__device__ void energy_adjoint(const Model &self, Model *self_bar, float x, float *x_bar, float return_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'twice_adjoint' cannot be used as a derivative of 'twice': templates cannot have one; write it for one type [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(twice)
__device__ void twice_adjoint(float x, float *x_bar, float return_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'use_adjoint' cannot be used as a derivative of 'use': it is for functions that kernels call, not for kernels [gpuad-written-derivative]
GPUAD_DERIVATIVE_OF(use)
__device__ void use_adjoint(float *y, float *y_bar, const float *x, float *x_bar) {}
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: 'gain(y)/(x)' is no HEAD: a function is named here, and nothing else [gpuad-bad-head]
GPUAD_DERIVATIVE_OF(gain(y)/(x))
__device__ void gain_by_x(float x) {}
#else
GPUAD_DERIVATIVE_OF(gain)
__device__ void gain_adjoint(float x, float *x_bar, float y, float return_bar) {}
GPUAD_DERIVATIVE_OF(gain)
__device__ gpuad::dual<float> gain_tangent(float x, float y, float y_dot) { return {}; }
GPUAD_DERIVATIVE_OF(push)
__device__ void push_adjoint(float *v, float *v_bar, float x, float *x_bar) {}
#endif
__global__ void use(float *y, const float *x) {
  // CALLS-DAG: hand_written.cu:[[#@LINE + 2]]:{{[0-9]+}}: error: 'gain_adjoint' cannot be used as a derivative of 'gain': a derivative flows through 'y' here, which has no shadow in it [gpuad-written-derivative]
  // CALLS-DAG: hand_written.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'gain_tangent' cannot be used as a derivative of 'gain': a derivative flows through 'x' here, which has no shadow in it [gpuad-written-derivative]
  y[0] = gain(x[0], x[1]) + twice(x[2]);
}
__global__ void pushes(float *y, const float *x) {
  // CALLS-DAG: hand_written.cu:[[#@LINE + 1]]:{{[0-9]+}}: error: 'push_adjoint' cannot be used as a derivative of 'push': what the function writes here must be variables of its caller, {{.*}} [gpuad-written-derivative]
  push(y, x[3]);
}
