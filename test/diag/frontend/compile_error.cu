// RUN: not %gpuad %s -o %t.cu -- %stub 2>&1 | FileCheck %s --implicit-check-not=warning --implicit-check-not="generated when"
// RUN: not ls %t.cu
// One error of each pass would be reported twice; it is not.
// CHECK: compile_error.cu:[[#@LINE+2]]:68: error: use of undeclared identifier 'factor' [gpuad-compile-error]
// CHECK-NOT: compile-error
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = factor * x[threadIdx.x]; }
