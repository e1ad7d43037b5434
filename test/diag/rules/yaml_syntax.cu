// RUN: split-file %s %t
// RUN: not %gpuad %t/in.cu --adjoint="twice(y)/(x)" --rules=%t/my.yaml -o %t/out.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t/out.cu
// CHECK: my.yaml:2:1: error: this is not YAML: {{.*}} [gpuad-yaml-syntax]

//--- in.cu
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }

//--- my.yaml
rules: [
