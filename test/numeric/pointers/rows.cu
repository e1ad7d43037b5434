// Pointers into arrays of several dimensions that leave the row they start in, as C code treats matrices.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
    return

BOTH("(y)/(x)")
__global__ void known_elements(int n, const double *x, double *y) {
  ELEMENT;
  double a[2][2];
  a[0][0] = x[i];
  a[0][1] = 1;
  a[1][0] = 2;
  a[1][1] = x[i] * x[i];
  double *f = &a[0][0];
  f[3] *= 3;
  f[2] = x[i];
  y[i] = a[1][1] * a[1][0];
}

__device__ void multiply(const double *A, const double *B, double *C) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      double s = 0;
      for (int k = 0; k < 3; ++k)
        s += A[3 * r + k] * B[3 * k + c];
      C[3 * r + c] = s;
    }
}

BOTH("(y)/(x)")
__global__ void products(int n, const double *x, double *y) {
  ELEMENT;
  double a[3][3], b[3][3], c[3][3];
  for (int r = 0; r < 3; ++r)
    for (int q = 0; q < 3; ++q) {
      a[r][q] = x[(i + r + q) % n];
      b[r][q] = sin(x[(i + r * q) % n]);
    }
  multiply(&a[0][0], &b[0][0], &c[0][0]);
  multiply(c[0], b[0], *a);
  y[i] = a[0][0] * a[1][2] + a[2][1] * c[1][1];
}

BOTH("(y)/(x)")
__global__ void cast_tile(const double *x, double *y) {
  __shared__ double tile[4][5];
  double *flat = (double *)tile;
  int t = threadIdx.x;
  if (t < 20)
    flat[t] = x[blockIdx.x * 20 + t] * 2;
  __syncthreads();
  if (t < 4) {
    double s = 0;
    for (int k = 0; k < 5; ++k)
      s += tile[t][k] * tile[(t + 1) % 4][4 - k];
    y[blockIdx.x * 4 + t] = s;
  }
}

struct matrix {
  double m[3][3];
};

BOTH("(y)/(x)")
__global__ void members(int n, const matrix *x, double *y) {
  ELEMENT;
  matrix a = x[i];
  double *f = &a.m[0][0], s = 0;
  for (int k = 0; k < 9; ++k)
    f[k] = x[i].m[0][0] * k + x[i].m[1][1];
  for (int k = 0; k < 3; ++k)
    s += a.m[k][2 - k] * a.m[1][k];
  const double *g = &x[i].m[0][0];
  y[i] = s * g[5] * g[i % 9];
}

BOTH("(y)/(x)")
__global__ void three_dimensions(int n, const double *x, double *y) {
  ELEMENT;
  double a[2][3][2], *f = &a[0][0][0], v = 0;
  for (int k = 0; k < 12; ++k)
    f[k] = x[(i + k) % n];
  for (int p = 0; p < 3; ++p) {
    double(*q)[2] = a[1];
    v += a[0][p][0] * q[p][1] * a[1][2 - p][0];
    a[1][p][0] += v;
  }
  y[i] = v + f[i % 12];
}

// Pointers that walk, by elements and by columns, and back.
BOTH("(y)/(x)")
__global__ void walks(int n, const double *x, double *y) {
  ELEMENT;
  double a[3][4], *f = (double *)a, s = 0;
  for (int k = 0; k < 12; ++k)
    f[k] = x[(i + k) % n] * (k + 1);
  f[7] = f[3] * a[2][1];
  for (double *p = &a[0][0]; p < &a[0][0] + 12; ++p)
    s += *p * *p;
  for (double *p = a[0] + 1; p - f < 11; p += 4)
    s *= *p;
  double *q = &a[1][2];
  q += 3;
  *q *= 2;
  q[-5] += s;
  y[i] = s * a[2][1] + a[0][0] * a[1][0];
}

BOTH("(y)/(x)")
__global__ void rows_of_a_tile(const double *x, double *y) {
  __shared__ double tile[8][9];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  double *row = tile[t / 8];
  row[t % 8] = x[i];
  __syncthreads();
  double *p = &tile[t % 8][0], s = 0;
  for (int k = 0; k < 8; ++k)
    s += p[k] * tile[k][t / 8];
  __syncthreads();
  double *q = &tile[0][0];
  q[t] = s * x[i];
  __syncthreads();
  y[i] = tile[t / 9][t % 9] * s;
}

