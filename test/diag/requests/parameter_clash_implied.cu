// Nobody asked for it: a warning, and the other kernel is differentiated.
// RUN: %gpuad %s -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUTPUT --input-file=%t.cu
// CHECK: parameter_clash_implied.cu:[[#@LINE + 1]]:17: warning: 'residual_adjoint' would have two parameters 'x_bar': {{.*}} [gpuad-parameter-clash]
__global__ void residual(const float *x, const float *x_bar, float *r) { r[threadIdx.x] = x[threadIdx.x] - x_bar[0]; }
// OUTPUT: square_adjoint
__global__ void square(float *x) { x[threadIdx.x] *= x[threadIdx.x]; }
