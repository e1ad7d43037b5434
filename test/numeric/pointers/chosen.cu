// References and pointers that functions choose among variables: what is written through one reaches the variable.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define IDX                                                                                                            \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return

__device__ double &pick(double &a, double &b, int second) {
  return second ? b : a;
}
__device__ double *which(double *a, double *b, int second) {
  return second ? b : a;
}
__device__ const double &larger(const double &a, const double &b) {
  return a < b ? b : a;
}

BOTH("(y)/(x)")
__global__ void bound(int n, const double *x, double *y) {
  IDX;
  double a = 1, b = 2;
  double &r = pick(a, b, i % 2);
  r = x[i] * x[i];
  y[i] = a * a * b;
}

BOTH("(y)/(x)")
__global__ void assigned(int n, const double *x, double *y) {
  IDX;
  double a = 1, b = 2;
  pick(a, b, i % 3 == 0) = x[i] * x[i];
  y[i] = a * a * b;
}

BOTH("(y)/(x)")
__global__ void nested(int n, const double *x, double *y) {
  IDX;
  double a = 1, b = 2, c = 0.5;
  double &r = pick(pick(a, b, i % 2), c, i % 3 == 0);
  r *= x[i];
  r += x[i] * a;
  y[i] = a + 3 * b * c;
}

BOTH("(y)/(x)")
__global__ void elements(int n, const double *x, double *y) {
  IDX;
  double t[3] = {1, 2, 3};
  for (int k = 0; k < 2; ++k) {
    double &r = pick(t[0], t[2], (i + k) % 2);
    r = r * x[i] + t[k];
  }
  y[i] = t[0] * t[1] * t[2];
}

BOTH("(y)/(x)")
__global__ void by_pointer(int n, const double *x, double *y) {
  IDX;
  double a = 1, b = 2;
  double *p = &pick(a, b, i % 2);
  *p = x[i];
  *which(&a, &b, i % 3 == 0) += x[i] * x[i];
  y[i] = a * b * b;
}

struct Tied {
  double *first, *second;
};
__device__ Tied tie(double &a, double &b) {
  return {&a, &b};
}
BOTH("(y)/(x)")
__global__ void tied(int n, const double *x, double *y) {
  IDX;
  double a, b;
  Tied both = tie(a, b);
  *both.first = x[i] * x[i];
  *both.second = x[i] + 2;
  y[i] = a * b;
}

struct Two {
  double a, b;
  __device__ double &at(int second) { return second ? b : a; }
};
BOTH("(y)/(x)")
__global__ void method(int n, const double *x, double *y) {
  IDX;
  Two t{1, 2};
  double &r = t.at(i % 2);
  r = x[i] * t.a;
  y[i] = t.a * t.a * t.b;
}

BOTH("(y)/(x)")
__global__ void read(int n, const double *x, double *y) {
  IDX;
  double a = x[i], b = 1 - x[i];
  const double &r = larger(a, b);
  a = a * a;
  y[i] = r * a;
}
