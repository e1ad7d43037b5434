// The suffix of a number is no name that is taken.
// RUN: %gpuad %s --adjoint="scale(y)/(f)" -o - -- %stub | FileCheck %s
// CHECK: {{^}}__global__ void scale_adjoint(const float* f, float* f_bar, float* y, float* y_bar);
__global__ void scale(const float *f, float *y) { y[threadIdx.x] = 2.f * f[threadIdx.x] + 1.f; }
