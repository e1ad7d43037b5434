// Pointers that lead to an array with a derivative or to one without: the latter keeps its place among the
// parameters, with no shadow.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
    return

BOTH("(y)/(x)")
__global__ void chosen(int n, const double *x, const double *w, double *y) {
  ELEMENT;
  const double *p = i % 2 ? x : w;
  y[i] = p[i] * p[(i + 1) % n];
}

// An element of either, an address within either, and the choice as part of an expression.
BOTH("(y)/(x)")
__global__ void moved(int n, const double *x, const double *w, double *y) {
  ELEMENT;
  const double *p = i % 2 ? x + i : &w[n - 1 - i];
  const double *q = (i % 3 ? x : w) + i;
  y[i] = *p * sin(*q) + (i % 4 ? w : x)[i] * __ldg(i % 3 ? &w[i] : x) * *((i % 5 ? x : w) + (i + 2) % n);
}

BOTH("(y)/(x,z)")
__global__ void of_three(int n, const double *x, const double *w, const double *z, double *y) {
  ELEMENT;
  const double *p = i % 3 == 0 ? x : i % 3 == 1 ? w : z;
  const double *q = p;
  if (i % 4 == 0)
    q = w;
  y[i] = p[i] * q[i] + cos(q[0]);
}

// The pointer leads to one array first, and to the other in later iterations.
BOTH("(y)/(x)")
__global__ void goes_over(int n, int m, const double *x, const double *w, double *y) {
  ELEMENT;
  const double *p = x + i;
  double v = 0.3;
  for (int k = 0; k < m; ++k) {
    v = v * *p + cos(v);
    if (v > 0.9)
      p = w + k;
    else
      p = x + k;
  }
  y[i] = v;
}

BOTH("(y)/(x)")
__global__ void swapped(int n, int m, const double *x, const double *w, double *y) {
  ELEMENT;
  const double *p = x, *q = w;
  double v = 0;
  for (int k = 0; k < m; ++k) {
    v += sin(v) + *p * q[i];
    const double *t = p;
    p = q;
    q = t;
  }
  y[i] = v * *p;
}

BOTH("(y)/(x)")
__global__ void from_local(int n, const double *x, const double *w, double *y) {
  ELEMENT;
  double a[3] = {x[i], x[i] * x[i], 1};
  const double b[3] = {0.5, 0.25, 2};
  const double *p = a;
  double s = 0;
  for (int k = 0; k < 4; ++k) {
    s += p[k % 3] * p[1];
    p = k == 1 ? x + i % (n - 3) : k == 2 ? b : k == 0 ? w : a;
  }
  y[i] = s;
}

// Stores: only what is listed has a derivative.
BOTH("(y)/(x)")
__global__ void stores(int n, const double *x, double *y, double *scratch) {
  ELEMENT;
  double *p = i % 3 ? y : scratch;
  p[i] = x[i] * x[i];
}

BOTH("(y)/(x)")
__global__ void constants_into_either(int n, const double *x, double *y, double *other) {
  ELEMENT;
  y[i] += x[i] * x[i];
  double *p = i % 3 ? y : other;
  p[i] = 2;
}

BOTH("(y)/(x)")
__global__ void adds(int n, const double *x, double *y, double *other) {
  ELEMENT;
  atomicAdd((i % 2 ? y : other) + i % 3, x[i] * x[i]);
}

__device__ double product(const double *p, int i) { return p[i] * p[i + 1]; }
__device__ double mixed(const double *p, const double *q, int i) {
  const double *r = i % 2 ? p : q;
  return r[i] * p[i];
}
__device__ void halve(double &v, const double &by) { v = v / (2 + by); }

BOTH("(y)/(x)")
__global__ void callees(int n, const double *x, const double *w, double *y) {
  ELEMENT;
  const double *p = i % 2 ? x : w;
  double s = product(p, i) + product(w, i) + mixed(x, w, i) + mixed(w, x, i);
  halve(s, i % 3 ? p[i] : w[i]);
  y[i] = s;
}

BOTH("(y)/(x)")
__global__ void references(int n, const double *x, const double *w, double *y) {
  ELEMENT;
  const double &a = i % 2 ? x[i] : w[i];
  double s = x[i] * a, r = w[i];
  const double &q = i % 3 ? s : r;
  y[i] = a * q;
}

struct view {
  const double *data;
  int size;
  __device__ double operator()(int i) const { return data[i % size]; }
};

BOTH("(y)/(a)")
__global__ void views(int n, view a, view b, double *y) {
  ELEMENT;
  view v = i % 2 ? a : b;
  double s = v(i);
  for (int k = 0; k < 3; ++k) {
    v = k % 2 ? a : b;
    s = s * v(i + k) + b(k);
  }
  y[i] = s;
}

// A struct with numbers of its own and pointers; an array of pointers.
struct field {
  double *out;
  const double *in;
  double scale;
};

BOTH("(y)/(x)")
__global__ void made_here(int n, const double *x, const double *w, double *y) {
  ELEMENT;
  field f = {y, x, 2.0};
  const field g = {y, w, x[i]};
  f.out[i] = f.in[i] * f.in[i] * f.scale + g.in[i] * g.scale;
  f.scale *= f.out[i];
  g.out[i] += f.scale;
}

GPUAD_TANGENT("(y,z)/(x)")
__global__ void rows(int n, const double *x, const double *w, double *y, double *z) {
  ELEMENT;
  const double *in[3] = {x, w, x + 1};
  double *out[2] = {y, z};
  double s = 0;
  for (int k = 0; k < 3; ++k)
    s += in[k][i] * in[2][i];
  for (int k = 0; k < 2; ++k)
    out[k][i] = s * (k + 1);
}
