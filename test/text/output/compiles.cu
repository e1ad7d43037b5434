// The output of a file with everything around its kernels compiles without a warning, in the place of the input.
// REQUIRES: nvcc, cuda-toolkit
// RUN: %gpuad %s %cuda --adjoint="a::scale(y)/(x,gain)" --adjoint="shift(y)/(x)" --adjoint="twice<2>(y)/(x)" -o %t.cu
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%runtime -c %t.cu -o %t.o
#include <cmath>
#include <cuda_runtime.h>
namespace a {
namespace {
__global__ void scale(int n, float gain, float *y, const float *x) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    y[t] = gain * sinf(x[t]);
}
} // namespace
} // namespace a
extern "C" {
__global__ void shift(float *y, const float *x) { y[threadIdx.x] = std::exp(x[threadIdx.x]); }
}
template <int N = 3> static __global__ void twice(float *y, const float *x) { y[threadIdx.x] = N * x[threadIdx.x]; }
#define t threadIdx.x
#define y_bar broken
#define x 7
#define block 9
void use(float *y) {
  a::scale<<<1, 1>>>(1, 1.0f, y, y);
  shift<<<1, 1>>>(y, y);
  twice<2><<<1, 1>>>(y, y);
}
