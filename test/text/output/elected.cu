// Where all threads write one value, one thread takes its seed, whatever shape the launch has: also in dimensions that
// the kernel never looks at. (The primal's own writes would be races in strict mode; the adjoint alone is run.)
// REQUIRES: cpucc
// RUN: split-file %s %t
// RUN: %gpuad %t/same.cu -o %t/same_grad.cu
// RUN: FileCheck %t/same.cu --input-file=%t/same_grad.cu
// RUN: %cpucc --strict %t/run.cu -o %t/run && %t/run

//--- same.cu
// CHECK-LABEL: one_adjoint
// CHECK: want_y && gpuad::first_of_block() && gpuad::first_block() ? gpuad::take(&y_bar[1])
__global__ void one(float *y, const float *x) { y[1] = x[0] * x[0]; }
// CHECK-LABEL: row_adjoint
// CHECK: want_y && gpuad::first_row() && gpuad::first_block() ? gpuad::take(&y_bar[threadIdx.x])
__global__ void row(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[0]; }
// CHECK-LABEL: block_adjoint
// CHECK: want_y && gpuad::first_of_block() && gpuad::first_row_of_blocks() ? gpuad::take(&y_bar[blockIdx.x])
__global__ void block(float *y, const float *x) { y[blockIdx.x] = x[blockIdx.x] * x[0]; }

//--- run.cu
#include "same_grad.cu"
#include <cstdio>

int main() {
  float *y, *y_bar, *x, *x_bar, ones[4] = {1, 1, 1, 1}, got[4];
  for (float **each : {&y, &y_bar, &x, &x_bar})
    cudaMalloc(each, sizeof ones);
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(y, ones, sizeof ones, cudaMemcpyHostToDevice);
  bool right = true;
  auto check = [&](auto adjoint, float first, float second) {
    cudaMemcpy(y_bar, ones, sizeof ones, cudaMemcpyHostToDevice);
    cudaMemset(x_bar, 0, sizeof ones);
    adjoint(gpuad::launch{dim3(2, 3), dim3(2, 2, 2)}, y, y_bar, x, x_bar);
    right &= gpuad::synchronize().ok();
    cudaMemcpy(got, x_bar, sizeof ones, cudaMemcpyDeviceToHost);
    right &= got[0] == first && got[1] == second;
  };
  check(launch_one_adjoint, 2, 0);
  check(launch_row_adjoint, 3, 1);
  check(launch_block_adjoint, 3, 1);
  for (float *each : {y, y_bar, x, x_bar})
    cudaFree(each);
  gpuad::release();
  return right ? 0 : 1;
}
