// RUN: split-file %s %t
// RUN: not %gpuad %t/in.cu --adjoint="twice(y)/(x)" --rules=%t/my.yaml -o %t/out.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t/out.cu
// CHECK: my.yaml:3:10: error: 'match' must be a list [gpuad-yaml-wrong-type]

//--- in.cu
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }

//--- my.yaml
rules:
- name: cube
  match: cube
  params: [x]
