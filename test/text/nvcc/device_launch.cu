// A kernel that launches another one needs -rdc=true for nvcc, which gpuad need not be told.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %nvcc -w -arch=sm_80 -rdc=true -c %s -o %t.o
// RUN: %gpuad %s %cuda --adjoint='square(y)/(x)' -o %t.cu
// RUN: %nvcc -w -arch=sm_80 -rdc=true -I%runtime -c %t.cu -o %t.o
// RUN: %gpuad %s %cuda --round-trip -o %t.again.cu
// RUN: %nvcc -w -arch=sm_80 -rdc=true -c %t.again.cu -o %t.o
#include <cuda_runtime.h>
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
__global__ void parent(float *y, const float *x) {
  if (threadIdx.x == 0)
    square<<<1, 32>>>(y, x);
}
