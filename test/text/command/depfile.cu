// The dependency file names every file that was read, headers of headers and system headers included, without ".." in a path.
// RUN: rm -rf %t && split-file %s %t
// RUN: %gpuad %t/in/one.cu --adjoint="scale(y)/(x)" -o %t/o.cu --depfile=%t/o.d -- %stub -I %t/in/../more
// RUN: FileCheck %s --input-file=%t/o.d
// CHECK: o.cu: \
// CHECK-DAG: in/one.cu
// CHECK-DAG: in/beside.cuh
// CHECK-DAG: more/deep.cuh
// CHECK-DAG: cuda_stub/cuda_runtime.h
// RUN: not grep -F .. %t/o.d

//--- in/one.cu
#include "beside.cuh"
__global__ void scale(float *y, const float *x) { y[threadIdx.x] = factor * x[threadIdx.x]; }

//--- in/beside.cuh
#include "deep.cuh"

//--- more/deep.cuh
constexpr float factor = 3;
