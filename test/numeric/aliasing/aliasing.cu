// One array for two parameters: right by the same code, or reported.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(x)")
__global__ void add_scaled(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

BOTH("(y)/(x)")
__global__ void square_into(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] * x[i];
}

// The second line reads what the first wrote when x and y are one array.
BOTH("(y,z)/(x)")
__global__ void double_then_square(int n, const float *x, float *y, float *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0f * x[i];
    z[i] = x[i] * x[i];
  }
}

// The same with a plan for one array, and with stores that may be seen.
#pragma gpuad alias(x, y)
BOTH("(y,z)/(x)")
__global__ void double_then_square_of_one(int n, const float *x, float *y, float *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0f * x[i];
    z[i] = x[i] * x[i];
    y[i] += z[i];
    z[i] *= x[i];
  }
}

// One array read at two places by different threads: neither sum is one thread's alone.
BOTH("(out)/(a,b)")
__global__ void mirrored_product(int n, const float *a, const float *b, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] * b[n - 1 - i];
}

struct pair_view {
  const float *a, *b;
};

BOTH("(out)/(in)")
__global__ void mirrored_view(int n, pair_view in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in.a[i] * in.b[n - 1 - i];
}

// Nobody may give one array for these two.
BOTH("(out)/(a,b)")
__global__ void mirrored_apart(int n, const float *__restrict__ a, const float *__restrict__ b, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] * b[n - 1 - i];
}
