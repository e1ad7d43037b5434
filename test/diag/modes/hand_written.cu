// RUN: not %gpuad %s --adjoint='use(y)/(x)' -o %t.cu -- %stub -I%runtime 2>&1 | FileCheck %s
// RUN: not ls %t.cu
#include <gpuad/gpuad.h>
__device__ float gain(float x, float y) { return x * y; }
// CHECK: hand_written.cu:[[#@LINE + 3]]:17: error: forward mode does not take derivatives that are written by hand (GPUAD_DERIVATIVE_OF) yet [gpuad-not-in-forward]
// CHECK: hand_written.cu:[[#@LINE + 2]]:17: error: reverse mode does not take derivatives that are written by hand (GPUAD_DERIVATIVE_OF) yet [gpuad-not-in-reverse]
GPUAD_DERIVATIVE_OF(gain)
__device__ void gain_adjoint(float x, float *x_bar, float y, float *y_bar, float return_bar) { *x_bar += y * return_bar; }
__global__ void use(float *y, const float *x) { y[0] = gain(x[0], x[1]); }
