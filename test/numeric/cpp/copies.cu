// Bytes that are copied from one object to another of its type.
#include <cstring>
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
    return

struct two {
  double a, b;
};
BOTH("(y)/(x)")
__global__ void objects(int n, const two *x, two *y) {
  ELEMENT;
  two u, v;
  memcpy(&u, &x[i], sizeof u);
  memcpy(&v, &u, sizeof v);
  v.a *= v.b;
  memcpy(&u, &v, sizeof(two));
  std::memcpy(&u.b, &v.a, sizeof(double));
  memcpy(y + i, &u, sizeof(two));
}

BOTH("(y)/(x)")
__global__ void arrays(int n, const double *x, double *y) {
  ELEMENT;
  double a[3] = {x[i], 2, x[i] * x[i]}, b[3], c[3];
  memcpy(b, a, sizeof(a));
  b[0] *= b[2];
  memcpy(a, b, 2 * sizeof(double));
  memcpy(&c, &a, sizeof c);
  y[i] = a[0] + a[1] * c[2];
}

BOTH("(y)/(x)")
__global__ void rows(int n, int m, const double *x, double *y) {
  ELEMENT;
  memcpy(y + i * m, x + i * m, m * sizeof(*x));
  y[i * m] *= x[i * m];
}
