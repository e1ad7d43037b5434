// RUN: rm -f %t.cu
// RUN: not %gpuad %s --adjoint='last(y)/(x)' -o %t.cu -- %stub 2>&1 | FileCheck %s
// RUN: not ls %t.cu
//
// One value for all threads of a block: one of them takes the seed.
// RUN: %gpuad %s --adjoint='same(y)/(x)' -o - -- %stub | FileCheck --check-prefix=TAKEN %s
// TAKEN: threadIdx.x == 0 ? gpuad::take(&y_bar[blockIdx.x])
//
// The same in a row of a two-dimensional block: the other dimension does not tell its threads apart.
// RUN: %gpuad %s --adjoint='rows(y)/(x)' -o - -- %stub | FileCheck --check-prefix=ROWS %s
// ROWS: threadIdx.x == 0 && blockIdx.x == 0 ? gpuad::take(&y_bar[threadIdx.y])
__global__ void last(const float *x, float *y) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  // CHECK: same_value_write.cu:[[#@LINE + 1]]:3: error: several threads write 'y' here, {{.*}} [gpuad-same-value-write]
  y[blockIdx.x] = v * v;
}
__global__ void same(const float *x, float *y) { y[blockIdx.x] = x[blockIdx.x] * x[blockIdx.x]; }
__global__ void rows(int n, const float *x, float *y, float *copies) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += x[threadIdx.y * n + k];
  y[threadIdx.y] = sum;
  copies[threadIdx.y * 32 + threadIdx.x] = sum;
}
