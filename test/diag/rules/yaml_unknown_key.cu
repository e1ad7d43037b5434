// RUN: split-file %s %t
// RUN: not %gpuad %t/in.cu --adjoint="twice(y)/(x)" --rules=%t/my.yaml -o %t/out.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t/out.cu
// CHECK: my.yaml:5:3: error: unknown key 'partial' in rule 'cube'; the keys are {{.*}} [gpuad-yaml-unknown-key]

//--- in.cu
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }

//--- my.yaml
rules:
- name: cube
  match: [cube]
  params: [x]
  partial: {x: 1}
