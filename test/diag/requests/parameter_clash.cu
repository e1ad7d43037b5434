// RUN: not %gpuad %s --adjoint='residual(r)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: parameter_clash.cu:[[#@LINE + 1]]:17: error: 'residual_adjoint' would have two parameters 'x_bar': {{.*}} [gpuad-parameter-clash]
__global__ void residual(int n, const float *x, const float *x_bar, float *r) { r[n] = x[n] - x_bar[n]; }
