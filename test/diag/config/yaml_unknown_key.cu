// RUN: split-file %s %t
// RUN: not %gpuad %t/in.cu --adjoint="twice(y)/(x)" --config=%t/my.yaml -o %t/out.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t/out.cu
// CHECK: my.yaml:1:1: error: unknown key 'request' in a configuration file; the keys are requests, rules, settings, version [gpuad-yaml-unknown-key]

//--- in.cu
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }

//--- my.yaml
request: []
