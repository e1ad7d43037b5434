// RUN: %gpuad %s --adjoint='square(x)/(x)' -o - -- %stub 2>&1 | FileCheck %s
//
// CHECK: unused_pragma.cu:[[#@LINE + 1]]:1: warning: this pragma stands in front of nothing {{.*}} [gpuad-unused-pragma]
#pragma gpuad checkpoint(4)
int at_namespace_scope;

__global__ void square(float *x) {
  float v = x[0];
// CHECK-NOT: unused_pragma.cu:[[#@LINE + 1]]
#pragma gpuad recompute(v)
  // A comment may stand here.
  v *= v;
  x[0] = v;
  // CHECK: unused_pragma.cu:[[#@LINE + 1]]:1: warning: {{.*}} [gpuad-unused-pragma]
#pragma gpuad record(v)
}
// CHECK: square_adjoint(
