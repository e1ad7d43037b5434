// RUN: not %gpuad %s --adjoint="twice(y)/(x)" --config=%t.none.yaml -o %t.cu -- %stub 2>&1 | FileCheck %s
// CHECK: error: cannot read the configuration file '{{.*}}.none.yaml': {{.*}} [gpuad-config-file]
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }
