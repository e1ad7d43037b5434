// The same for a function of a system header, whose name the file does not declare itself, in every position.
// RUN: rm -f %t.cu
// RUN: split-file %s %t
// RUN: not %gpuad %t/use.cu --adjoint='value(y)/(x)' -o %t.cu -- %stub -isystem %t 2>&1 | FileCheck %s
// RUN: not %gpuad %t/use.cu --tangent='value(y)/(x)' -o %t.cu -- %stub -isystem %t 2>&1 | FileCheck %s
// RUN: not %gpuad %t/use.cu --adjoint='pointer(y)/(x)' -o %t.cu -- %stub -isystem %t 2>&1 | FileCheck %s
// RUN: not %gpuad %t/use.cu --tangent='pointer(y)/(x)' -o %t.cu -- %stub -isystem %t 2>&1 | FileCheck %s
// RUN: not ls %t.cu
// CHECK: error: nothing is known about 'vendor_{{(value|pointer)}}': {{.*}} [gpuad-missing-rule]

//--- vendor.h
__device__ float vendor_value(float at);
__device__ void vendor_pointer(float at, float *to);
//--- use.cu
#include <vendor.h>
__global__ void value(const float *x, float *y) {
  float v = vendor_value(x[threadIdx.x]);
  y[threadIdx.x] = v;
}
__global__ void pointer(const float *x, float *y) {
  float v = 1.0f;
  vendor_pointer(x[threadIdx.x], &v);
  y[threadIdx.x] = v;
}
