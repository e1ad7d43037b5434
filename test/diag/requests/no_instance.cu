// RUN: not %gpuad %s --adjoint='scale(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: %gpuad %s --adjoint='scale<float>(y)/(x)' -o %t.cu -- %stub
// CHECK: no_instance.cu:[[#@LINE + 1]]:36: error: 'scale' is a template that nothing in this file uses; name the instance to differentiate, as in 'scale<float>' [gpuad-no-instance]
template <class T> __global__ void scale(const T *x, T *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
