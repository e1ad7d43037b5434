// Files that share a header and a variable: with -rdc=true they are linked on the device, without it each stands alone.
// REQUIRES: nvcc, cuda-toolkit
// RUN: rm -rf %t && split-file %s %t && mkdir %t/rdc %t/alone
// RUN: %gpuad %t/a.cu %cuda --adjoint='first(y)/(x, ::shared::gain)' --tangent='first(y)/(x, ::shared::gain)' \
// RUN:   -o %t/rdc/a.cu -- -rdc=true
// RUN: %gpuad %t/b.cu %cuda --adjoint='second(y)/(x, ::shared::gain, ::own)' -o %t/rdc/b.cu -- -dc
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -rdc=true -I%t -I%runtime %t/rdc/a.cu %t/rdc/b.cu -o %t/rdc/linked
// RUN: %gpuad %t/a.cu %cuda --adjoint='first(y)/(x, ::shared::gain)' --tangent='first(y)/(x, ::shared::gain)' \
// RUN:   -o %t/alone/a.cu
// RUN: %gpuad %t/b.cu %cuda --adjoint='second(y)/(x, ::shared::gain, ::own)' -o %t/alone/b.cu
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%t -I%runtime %t/alone/a.cu %t/alone/b.cu -o %t/alone/linked
//--- shared.cuh
#pragma once
#include <cuda_runtime.h>
namespace shared {
#ifdef __CUDACC_RDC__
extern __device__ double gain;
#else
static __device__ double gain;
#endif
template <class T> __device__ T squared(T v) {
  return v * v * gain;
}
inline __device__ double halved(double v) {
  return squared(v) / 2;
}
} // namespace shared
//--- a.cu
#include "shared.cuh"
#ifdef __CUDACC_RDC__
namespace shared {
__device__ double gain = 2;
}
#endif
__global__ void first(int n, const double *x, double *y) {
  int i = threadIdx.x;
  if (i < n)
    y[i] = shared::halved(x[i]);
}
//--- b.cu
#include "shared.cuh"
static __constant__ double own[3] = {1, 2, 3};
__global__ void second(int n, const double *x, double *y) {
  int i = threadIdx.x;
  if (i < n)
    y[i] = shared::squared(shared::halved(x[i])) * own[1];
}
int main() {
  return 0;
}
