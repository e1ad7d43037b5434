// --header: what another file needs to run the derivatives of this one, with and without -rdc=true.
// REQUIRES: nvcc, cuda-toolkit, cpucc
// RUN: rm -rf %t && split-file %s %t
// RUN: %gpuad %t/kernels.cu %cuda -o %t/kernels_grad.cu --header=%t/kernels_grad.cuh -- -I%runtime
// RUN: FileCheck %s --input-file=%t/kernels_grad.cuh
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%runtime -c %t/alone.cu -o %t/alone.o
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -I%runtime %t/main.cu %t/kernels_grad.cu -o %t/linked
// RUN: %nvcc -Werror all-warnings -arch=sm_80 -rdc=true -I%runtime %t/main.cu %t/kernels_grad.cu -o %t/linked_on_device
// The same two files as one, run.
// RUN: %cpucc --strict %t/both.cu -o %t/both && %t/both
// CHECK:      #include <gpuad/runtime.cuh>
// CHECK:      #include "parts.cuh"
// CHECK-NOT:  #include
// CHECK:      // Outer::Inner is defined in kernels.cu alone: include this file after it.
// CHECK-NEXT: // Old is defined in kernels.cu alone: include this file after it.
// CHECK:      using scalar = float;
// CHECK:      struct Own;
// CHECK-NEXT: template <class T, int N = 4> class Table;
// CHECK-NEXT: enum class Mode : int;
// CHECK:      #ifdef __CUDACC_RDC__
// CHECK-NEXT: extern __device__ float gain_bar[4];
// CHECK:      void launch_one_adjoint(const gpuad::launch& where, int n, scalar a, scalar* a_bar,
// CHECK:      namespace deep {
// CHECK:      // For <float>, <double>.
// CHECK-NEXT: template <class T>
// CHECK-NEXT: void launch_scale_adjoint(const gpuad::launch& where, int n, T a,
// CHECK-NOT:  void scale_adjoint
// CHECK-NOT:  hidden
// CHECK:      __host__ __device__ void soft_adjoint(float v, float* v_bar, float return_bar);

//--- parts.cuh
#pragma once
namespace parts {
using real = double;
template <class T> struct pair {
  T a, b;
};
struct spring {
  real k, rest;
};
} // namespace parts
//--- unrelated.h
#pragma once
//--- kernels.cu
#include "unrelated.h"
#include "parts.cuh"
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
typedef float scalar;
struct Own {
  scalar v;
};
template <class T, int N = 4> class Table {
public:
  T values[N];
};
enum class Mode { plain, squared };
__constant__ float gain[4] = {1, 2, 3, 4};
BOTH("(y)/(x,a)") __global__ void one(int n, scalar a, const scalar *x, scalar *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] * x[i];
}
namespace deep {
BOTH("(e)/(s,p)") __global__ void springs(const parts::spring *s, parts::pair<parts::real> p, double *e) {
  e[threadIdx.x] = s[threadIdx.x].k * p.a - s[threadIdx.x].rest * p.b;
}
} // namespace deep
template <class T> BOTH("(y)/(x)") __global__ void scale(int n, T a, const T *x, T *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
BOTH("(y)/(o,t)") __global__ void owns(Own o, const Table<float> *t, float *y, Mode m) {
  y[threadIdx.x] = o.v * t->values[threadIdx.x % 4] * (m == Mode::squared ? o.v : 1);
}
BOTH("(y)/(x,::gain)") __global__ void gains(const float *x, float *y) {
  y[threadIdx.x] = gain[threadIdx.x % 4] * x[threadIdx.x];
}
struct Outer {
  struct Inner {
    float v;
  };
};
BOTH("(return)/(v)") __host__ __device__ float inner(const Outer::Inner &v) { return v.v * 2; }
typedef struct {
  float v;
} Old;
BOTH("(return)/(v)") __host__ __device__ float old(const Old &v) { return v.v * 2; }
namespace {
struct Mine {
  float v;
};
} // namespace
BOTH("(y)/(x)") __global__ void hidden_by_type(const Mine *x, float *y) { y[0] = x[0].v; }
static BOTH("(y)/(x)") __global__ void hidden(const float *x, float *y) { y[0] = x[0]; }
BOTH("(return)/(v)") __host__ __device__ float soft(float v) { return v * v; }
void run(float *y, double *z) {
  scale<<<1, 32>>>(32, 2.0f, y, y);
  scale<<<1, 32>>>(32, 2.0, z, z);
  hidden<<<1, 1>>>(y, y);
}
//--- alone.cu
struct Outer {
  struct Inner;
};
typedef struct {
  float v;
} Old;
#include "kernels_grad.cuh"
//--- main.cu
struct Outer {
  struct Inner;
};
typedef struct {
  float v;
} Old;
#include "kernels_grad.cuh"
#include <cuda_runtime.h>

int main() {
  const int n = 32;
  float host[4 * n + 1] = {}, *data; // x, x_bar, y, y_bar, a_bar
  cudaMalloc(&data, sizeof host);
  float *x = data, *x_bar = data + n, *y = data + 2 * n, *y_bar = data + 3 * n, *a_bar = data + 4 * n;
  auto set = [&] {
    for (int i = 0; i < n; ++i) {
      host[i] = i;
      host[n + i] = host[2 * n + i] = 0;
      host[3 * n + i] = 1;
    }
    host[4 * n] = 0;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  };
  auto get = [&] {
    bool ok = gpuad::synchronize().ok();
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    return ok;
  };
  set();
  launch_one_adjoint({dim3(1), dim3(n)}, n, 3.0f, a_bar, x, x_bar, y, y_bar);
  bool right = get() && host[n + 5] == 30 && host[4 * n] == 31 * 32 * 63 / 6;
  set();
  launch_scale_adjoint<float>({dim3(1), dim3(n)}, n, 2.5f, x, x_bar, y, y_bar);
  right = get() && right && host[n + 7] == 2.5f;
  cudaFree(data);
  return right ? 0 : 1;
}
//--- both.cu
#include "kernels_grad.cu"
#define GPUAD_KERNELS_GRAD_CUH // what it declares is defined here
#define Outer Outer_of_main
#define Old Old_of_main
#include "main.cu"
