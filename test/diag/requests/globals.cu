// Variables at namespace scope that a HEAD cannot name.
// RUN: not %gpuad %s --adjoint='f(y)/(x, ::coeff)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: globals.cu:1:1: error: 'f(y)/(x, ::coeff)': there is no '::coeff': no __device__ or __constant__ variable has this name [gpuad-unknown-parameter]
// RUN: not %gpuad %s --tangent='f(y)/(x, ::coef)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=SPACE
// SPACE: error: {{.*}} there is no '::coef': did you mean '::a::coef'? [gpuad-unknown-parameter]
// RUN: not %gpuad %s --tangent='f(y)/(x, ::count)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: {{.*}} '::count' cannot be an independent: it holds no floating-point data [gpuad-bad-independent]
// RUN: not %gpuad %s --adjoint='f(::a::coef)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: error: {{.*}} '::a::coef' cannot be a dependent: a __constant__ variable cannot carry a result out of the function [gpuad-bad-dependent]
// RUN: not %gpuad %s --adjoint='f(y)/(x, ::taken)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: globals.cu:[[#@LINE + 14]]:18: error: '::taken' would give 'taken_bar', which is declared in this file; rename it there [gpuad-name-clash]
// RUN: not %gpuad %s --adjoint='f(y)/(x, ::waves)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=START
// START: globals.cu:[[#@LINE + 17]]:17: error: reverse mode does not take 'waves', a variable of a class whose objects do not start at zero, as active yet [gpuad-not-in-reverse]
// RUN: not %gpuad %s --adjoint='g(y)/(y)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=POINTER
// POINTER: error: reverse mode does not take 'behind', a pointer at namespace scope, as active yet [gpuad-not-in-reverse]
// RUN: not %gpuad %s --adjoint='h(y)/(y)' -o %t.cu -- %stub 2>&1 | FileCheck %s --check-prefix=INSTANCE
// INSTANCE: globals.cu:[[#@LINE + 20]]:33: error: reverse mode does not take 'bank', an instance of a variable template, as active yet [gpuad-not-in-reverse]
// RUN: %gpuad %s --adjoint='f(y)/(x, ::a::coef)' --tangent='f(y)/(x, ::a::coef)' -o - -- %stub | FileCheck %s --check-prefix=FINE
// FINE: GPUAD_SHADOW __device__ float coef_bar[2];
// FINE: GPUAD_SHADOW __device__ float coef_dot[2];
namespace a {
__constant__ float coef[2];
}
__device__ int count;
__device__ float taken;
__device__ float taken_bar;
struct wave {
  float a = 1;
};
__device__ wave waves;
__device__ float *behind;
__global__ void f(float *y, const float *x) {
  int i = threadIdx.x;
  y[i] = a::coef[1] * x[i] * taken + count + waves.a;
}
__global__ void g(float *y) { behind[threadIdx.x] = y[threadIdx.x], __syncthreads(), y[0] = behind[blockIdx.x]; }
template <class T> __device__ T bank[4];
__global__ void h(float *y) {
  bank<float>[threadIdx.x] = y[0];
  y[1] = bank<float>[blockIdx.x];
}
