// RUN: split-file %s %t
// RUN: not %gpuad %t/in.cu --adjoint="twice(y)/(x)" --config=%t/my.yaml -o %t/out.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t/out.cu
// CHECK: my.yaml:3:3: error: a request is for one mode: write one with 'adjoint' and one with 'tangent' [gpuad-config-contradiction]

//--- in.cu
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }

//--- my.yaml
requests:
- adjoint: twice
  tangent: twice
