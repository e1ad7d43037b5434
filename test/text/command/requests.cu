// Where requests may stand: attributes in the source and in its headers, the configuration file, the command line, nowhere.
// RUN: rm -rf %t && split-file %s %t && ln -s %S/../../cuda_stub %t/configured/stub
//
// Attributes: on a declaration, on a definition, twice with names of their own, on a template, a method, a function of a header.
// RUN: cd %t && %gpuad src/deep/attributes.cu -o - -- %stub -I%runtime 2>&1 | FileCheck %s --check-prefix=ATTRIBUTES
// ATTRIBUTES:      __global__ void later_tangent(float* y, float* y_dot, const float* x, const float* x_dot);
// ATTRIBUTES:      __global__ void two_adjoint(float* y, float* y_bar, const float* x, float* x_bar, float a, Spring s);
// ATTRIBUTES:      __global__ void by_a_adjoint(float* y, float* y_bar, const float* x, float a, float* a_bar, Spring s);
// What stands in a header may be made in several files.
// ATTRIBUTES-DAG:  {{^}}inline __device__ void energy_adjoint(const Spring& self, Spring* self_bar, float x, float* x_bar, float return_bar) {
// ATTRIBUTES-DAG:  {{^}}inline __device__ gpuad::dual<float> soft_tangent(float v, float v_dot) {
// ATTRIBUTES-DAG:  // Adjoint of scaled: (y) / (x).
// ATTRIBUTES-NOT:  of unused
//
// The nearest configuration file going up, with requests for some files, rules, and flags.
// RUN: %gpuad %t/configured/deep/cubes.cu -o - | FileCheck %s --check-prefix=CONFIGURED
// RUN: cd %t/configured/deep && %gpuad cubes.cu -o - | FileCheck %s --check-prefix=CONFIGURED
// RUN: cd %t && %gpuad configured/deep/cubes.cu -o - | FileCheck %s --check-prefix=CONFIGURED
// CONFIGURED:      // Adjoint of cubes: (y) / (x).
// CONFIGURED:      3.0f * x_value * x_value * y_value_bar
// CONFIGURED-NOT:  of cubes
// CONFIGURED-NOT:  of others
// RUN: %gpuad %t/configured/other.cu -o - | FileCheck %s --check-prefix=OTHER
// OTHER-NOT:       Adjoint
// OTHER:           // Tangent of other: (y) / (x).
//
// One that is named takes its place; the command line's requests take the place of the file's; rules of both are used.
// RUN: %gpuad %t/configured/deep/cubes.cu --config=%t/named.yaml -o - -- %stub | FileCheck %s --check-prefix=NAMED
// NAMED:           // Tangent of others: (y) / (x).
// NAMED-NOT:       of cubes
// RUN: %gpuad %t/configured/deep/cubes.cu --tangent="cubes(y)/(x)" -o - | FileCheck %s --check-prefix=TYPED
// TYPED:           // Tangent of cubes: (y) / (x).
// TYPED-NOT:       // Adjoint of
// RUN: %gpuad %t/configured/deep/cubes.cu --rules=%t/exact.yaml -o - | FileCheck %s --check-prefix=RULES
// RULES:           27.0f
//
// The same request in the source and on the command line is one; another of that name is refused.
// RUN: %gpuad %t/src/plain.cu --adjoint="asked(y)/(x)" -o - -- %stub -I%runtime | FileCheck %s --check-prefix=ONCE
// ONCE:            // Adjoint of asked: (y) / (x).
// ONCE-NOT:        // {{.*}} of
// RUN: not %gpuad %t/src/plain.cu --adjoint="asked(y)/(a)" -o - -- %stub -I%runtime 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE:           plain.cu:1:1: error: {{.*}}asked_adjoint{{.*}} [gpuad-double-name]
// TWICE:           plain.cu:3:{{[0-9]+}}: note: the other one is 'asked (y)/(x)'
//
// No request at all: both derivatives of every kernel of the file; one that cannot be differentiated is a warning.
// RUN: %gpuad %t/src/none.cu -o %t/none_grad.cu -- %stub 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/none_grad.cu
// WARNED:          none.cu:4:{{[0-9]+}}: warning: nothing is known about 'unknown'{{.*}} [gpuad-missing-rule]
// WARNED-NOT:      error
// NONE-NOT:        of whole
// NONE-NOT:        of unclear
// NONE:            // Tangent of square:
// NONE:            // Adjoint of square:

//--- src/parts.cuh
#include <gpuad/gpuad.h>
GPUAD_ADJOINT("") GPUAD_TANGENT("") __device__ inline float soft(float v) { return v > 0 ? v : expf(v) - 1; }
struct Spring {
  float k, rest;
  GPUAD_ADJOINT("(return)/(self,x)") __device__ float energy(float x) const {
    float d = x - rest;
    return 0.5f * k * d * d;
  }
};
template <class T> GPUAD_ADJOINT("(y)/(x)") __global__ void scaled(T *y, const T *x, T a) {
  y[threadIdx.x] = a * soft(x[threadIdx.x]);
}
template <class T> GPUAD_ADJOINT("(y)/(x)") __global__ void unused(T *y, const T *x) { y[0] = x[0]; }
//--- src/deep/attributes.cu
#include "../parts.cuh"
GPUAD_TANGENT("(y)/(x)") __global__ void later(float *y, const float *x);
__global__ void later(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
GPUAD_ADJOINT("(y)/(x)")
GPUAD_ADJOINT("(y)/(a) as by_a")
__global__ void two(float *y, const float *x, float a, Spring s) { y[threadIdx.x] = a * s.energy(x[threadIdx.x]); }
void run(float *y, const float *x) { scaled<<<1, 32>>>(y, x, 2.0f); }
//--- src/plain.cu
#include <gpuad/gpuad.h>
GPUAD_ADJOINT("(y)/(x)")
__global__ void asked(float *y, const float *x, float a) { y[threadIdx.x] = a * x[threadIdx.x]; }
__global__ void not_asked(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
//--- src/none.cu
__device__ float unknown(float v);
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
__global__ void whole(int *y, const int *x) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void unclear(float *y, const float *x) { y[threadIdx.x] = unknown(x[threadIdx.x]); }
//--- configured/.gpuad.yaml
requests:
- adjoint: cubes(y)/(x)
  files: deep/*.cu
- tangent: other(y)/(x)
  files: [other.cu, none.cu]
rules:
- rules/cube.yaml
settings:
  flags: [-x, cuda, -nocudainc, -nocudalib, -Istub, -include, cuda_runtime.h, -DFACTOR=1.0f]
//--- configured/rules/cube.yaml
rules:
- name: cube
  match: [cube]
  params: [x]
  partials: {x: 3*x*x}
//--- exact.yaml
rules:
- name: cube
  match: [cube]
  params: [x]
  partials: {x: 27*x*x}
//--- named.yaml
requests:
- tangent: others(y)/(x)
//--- configured/other.cu
__global__ void other(float *y, const float *x) { y[threadIdx.x] = FACTOR * x[threadIdx.x]; }
//--- configured/deep/cubes.cu
__device__ float cube(float x);
__global__ void cubes(float *y, const float *x) { y[threadIdx.x] = cube(x[threadIdx.x]); }
__global__ void others(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
