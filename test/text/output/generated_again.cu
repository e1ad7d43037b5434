// What was generated is not differentiated again, unless a HEAD names it.
// REQUIRES: cuda-toolkit
// RUN: %gpuad %s %cuda -o %t.cu
// RUN: %gpuad %t.cu -o %t.again.cu --adjoint="twice(y)/(x) as again" %cuda
// RUN: FileCheck %s --check-prefix=NAMED --input-file=%t.again.cu
// NAMED: {{^}}__global__ void again_adjoint(
// NAMED-NOT: {{^}}__global__ void twice_tangent_tangent(
// RUN: sed "s,__global__ void twice(float \*y\, const float \*x) {.*,," %t.cu > %t.none.cu
// RUN: not %gpuad %t.none.cu -o - %cuda 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: no derivative is requested, and no kernel with floating-point data is defined in this file
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
