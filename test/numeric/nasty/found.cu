// What random programs found, made as small as it gets.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// The increment of a carried variable reads the variable: its adjoint is the seed of the other factors, and is changed last.
BOTH("(y)/(x,w)")
__global__ void damped_by_itself(int n, int m, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < m; ++k)
    v -= 0.25 * v * cos(w[k]);
  y[i] = v;
}

// The same with a second carried variable, and a branch.
BOTH("(y)/(x,w)")
__global__ void damped_by_each_other(int n, int m, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], u = 1.0;
  for (int k = 0; k < m; ++k) {
    if (k % 2 == 0)
      v += 0.5 * v * u * w[k];
    else
      u -= 0.125 * u * sin(v * w[k]);
  }
  y[i] = v * u;
}

// An array that starts with values whose derivatives need their results.
BOTH("(y)/(x,w)")
__global__ void roots_in_an_initialiser(int n, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[3] = {sqrt(x[i] + 1.0), exp(x[i] * w[i]), x[i] / (1.0 + w[i])};
  double sum = 0.0;
  for (int k = 0; k < 3; ++k)
    sum += a[k] * a[(k + 1) % 3];
  y[i] = sum;
}

// A value that is overwritten before anybody reads it, from a function that also does something else.
__device__ int mark(int *place) {
  *place = 7;
  return 2;
}
BOTH("(y)/(x)")
__global__ void result_not_used(int n, int *marks, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  v = v * 2.0 + fabs(x[n - 1 - i]) * mark(marks + i);
  v = x[n - 1 - i] * 3.0;
  y[i] = v;
}

// A loop that rounding ends, in one that does nothing but run it: its count is recorded there all the same.
BOTH("(y)/(x)")
__global__ void stride_around_break(int n, int m, const double *x, double *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i], sum = 1.0;
    for (int k = 0; k < m; ++k) {
      v += x[i];
      if (v > 2.6)
        break;
      sum += sin(v);
    }
    y[i] = sum;
  }
}

// The same in a branch of the third loop.
BOTH("(y)/(x)")
__global__ void break_in_branch_of_nest(int n, int m, const double *x, double *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    for (int p = i; p >= 0; p -= 5) {
      int bound = m;
      for (int k = 0; k < bound; ++k) {
        if (m % 2 != 0) {
          double far = 0.0;
          for (int j = 0; j < 1000; ++j) {
            far += 1.0 + 0.01 * x[i];
            if (far > 3.45)
              break;
            v -= 0.25 * v * cos(0.5 * v);
          }
        }
      }
    }
    y[i] = v;
  }
}
