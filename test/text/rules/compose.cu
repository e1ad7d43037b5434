// A rule of kind compose names the numbers of a result: in which order it gives them makes no difference.
// RUN: split-file %s %t
// RUN: %gpuad %t/input.cu --rules=%t/rules.yaml --adjoint="k(y)/(x)" --tangent="k(y)/(x)" -o - -- %stub | FileCheck %s
// RUN: not %gpuad %t/input.cu --rules=%t/lacking.yaml --adjoint="k(y)/(x)" -o %t/out.cu -- %stub 2>&1 | FileCheck %s --check-prefix=LACKING

// y = turned(v).x = -v.y: all of the seed goes to v.y, which is x[2 * i + 1].
// CHECK-LABEL: // Adjoint of k:
// CHECK-NOT: &x_bar[2 * i]
// CHECK: atomicAdd(&x_bar[2 * i + 1], -{{.*}}_bar);
// CHECK-NOT: &x_bar[2 * i]
// CHECK-LABEL: void launch_k_tangent

// One number of the result is not given: the function stays unknown.
// LACKING: input.cu:[[#]]:{{.*}}error:

//--- input.cu
struct vec {
  float x, y;
};
__device__ vec turned(vec v);
__global__ void k(const float *x, float *y) {
  int i = threadIdx.x;
  vec v = {x[2 * i], x[2 * i + 1]};
  y[i] = turned(v).x;
}
//--- rules.yaml
rules:
- name: turned
  kind: compose
  match: [turned]
  params: [{name: v, type: record}]
  expansion: {ret.y: v.x, ret.x: -v.y}
//--- lacking.yaml
rules:
- name: turned
  kind: compose
  match: [turned]
  params: [{name: v, type: record}]
  expansion: {ret.y: v.x, ret.z: v.y}
