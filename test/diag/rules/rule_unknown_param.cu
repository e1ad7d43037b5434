// RUN: split-file %s %t
// RUN: not %gpuad %t/in.cu --adjoint="twice(y)/(x)" --rules=%t/my.yaml -o %t/out.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t/out.cu
// CHECK: my.yaml:5:14: error: rule 'cube' has no parameter 'v' [gpuad-rule-unknown-param]

//--- in.cu
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }

//--- my.yaml
rules:
- name: cube
  match: [cube]
  params: [x]
  partials: {v: 3 * x * x}
