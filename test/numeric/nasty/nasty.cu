// What looked right and was not: order of overwrites, values of scopes that were left, arrays between two uses.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Two pairs (i, j) write one element: the last one counts.
BOTH("(y)/(a,x,y)")
__global__ void overlapping_writes(double a, const double *x, double *y) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        y[i + j] = x[i] * x[j] * a * (i + 1);
}

// All iterations write the same element, though the index has the loop variable in it.
BOTH("(y)/(a,x,y)")
__global__ void cancelling_index(double a, const double *x, double *y) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0)
    for (int i = 0; i < 6; ++i) {
      int rest = 5 - i;
      y[i + rest] = x[i] * a;
    }
}

// A bound that is no integer.
BOTH("(y)/(a,x,y)")
__global__ void fractional_bound(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < 2 + x[i]; ++k)
    y[i] += x[(i + k) % n] * a * (k + 1);
}

__device__ double with_loop(double v) {
  double s = v;
  for (int j = 0; j < 3; ++j) {
    double t = s * v;
    s += t;
  }
  return s;
}

// The function's locals are gone between its calls.
BOTH("(y)/(a,x,y)")
__global__ void called_before_loop(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double p = with_loop(x[i]);
  for (int k = 0; k < 3; ++k)
    p += with_loop(x[(i + k) % n]) * a;
  y[i] += p;
}

__device__ void scale(double *p, double s) {
  *p = *p * s;
}

// The parameter p is another pointer in each call.
BOTH("(y)/(a,x,y)")
__global__ void pointers_in_arms(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double u = x[i], v = a;
  scale(&u, a);
  if (u > 0.4)
    scale(&u, v);
  else
    scale(&v, u);
  y[i] = u * v;
}

// w[j] is loaded on the right of && and needed where that was not evaluated.
BOTH("(y)/(a,x,y)")
__global__ void loaded_in_condition(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double w[3] = {x[i], a, 1};
  int j = i % 3;
  if (x[i] > 0.4 && w[j] > 0.5)
    y[i] += w[j];
  y[i] += w[j] * w[(j + 1) % 3];
}

// An array in an arm, summed up in a loop, and its values needed behind it.
BOTH("(y)/(a,x,y)")
__global__ void array_in_arm(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double h[3];
    for (int k = 0; k < 3; ++k)
      h[k] = 0;
    for (int k = 0; k < 4; ++k) {
      h[0] += x[(i + k) % n] * x[i];
      h[1] += x[(i + k) % n] * a;
      h[2] += x[i];
    }
    y[i] = h[0] * a;
    y[i + n] = h[1] * h[2];
  }
}

// A parameter that points to rows of constant data.
BOTH("(y)/(x)")
__global__ void constant_rows(int n, const double x[][4], double (*y)[4]) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 4; ++k)
      y[i][k] = x[i][k] * x[n - 1 - i][3 - k];
}

// The arm that is not taken reads outside: nothing of it may be moved in front.
__device__ double product_of(double a, double b) {
  return a * b;
}
__device__ double first_or_square(const double *x, int i, int n) {
  return i < n - 1 ? log(x[i + 1]) : x[i] * x[i];
}
BOTH("(y)/(a,x)")
__global__ void guarded_loads(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double left = i > 0 ? x[i - 1] * x[i - 1] * a : 0.0;
  double both = 2.0 * (i > 0 ? (i < n - 1 ? x[i - 1] * x[i + 1] : product_of(x[i - 1], a)) : 1.0);
  double root = sqrt(i < n - 1 ? x[i + 1] * x[i + 1] : 1.0);
  y[i] = left + both * root + first_or_square(x, i, n) + (i % 2 ? x[i] * a * (i / (i % 2)) : 0.0);
}

// Calls of one function among its own arguments.
__device__ double minus(double a, double b) {
  return a - b * b;
}
BOTH("(y)/(a,x)")
__global__ void nested_calls(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = minus(a, minus(x[i], minus(a * x[i], minus(x[i], a)) / (9 + minus(2 * a, x[i]))));
}

// Views that are copied, handed on by reference, and kept in a struct with numbers.
struct Slice {
  const double *data;
  int step;
  __device__ double operator()(int i) const { return data[i * step]; }
};
struct Scaled {
  Slice slice;
  double factor;
};
__device__ double through_reference(const Slice &slice, int i) {
  Slice copy = slice;
  return slice(i) * copy(i);
}
BOTH("(y)/(a,x)")
__global__ void views_handed_on(int n, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Slice slice = {x, 2};
  Scaled scaled = {slice, a};
  Slice other = i % 2 ? slice : Slice{x + 1, 1};
  y[i] = through_reference(slice, i) * scaled.factor + scaled.slice(i / 2) * other(i / 2);
}

// An output that is read back on the way to another one, and places chosen among two arrays.
BOTH("(y,z)/(a,x)")
__global__ void read_back(int n, double a, const double *x, double *y, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = a * x[i];
  z[i] = y[i] * y[i];
}

namespace callees {

__device__ void forward_elim(double *c, double *d, const double *a, const double *b, int n) {
  c[0] = c[0] / b[0];
  d[0] = d[0] / b[0];
  for (int i = 1; i < n; ++i) {
    double m = 1.0 / (b[i] - a[i] * c[i - 1]);
    c[i] = c[i] * m;
    d[i] = (d[i] - a[i] * d[i - 1]) * m;
  }
}
__device__ void back_subst(const double *c, double *d, int n) {
  for (int i = n - 2; i >= 0; --i)
    d[i] -= c[i] * d[i + 1];
}
// Two callees overwrite arrays that the reverse of each other needs.
BOTH("(x)/(a,b,c,d)")
__global__ void thomas(double *x, const double *a, const double *b, const double *c, const double *d, int rows) {
  double cc[6], dd[6];
  const int n = 6;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= rows)
    return;
  for (int i = 0; i < n; ++i) {
    cc[i] = c[t * n + i];
    dd[i] = d[t * n + i];
  }
  forward_elim(cc, dd, a + t * n, b + t * n, n);
  back_subst(cc, dd, n);
  for (int i = 0; i < n; ++i)
    x[t * n + i] = dd[i];
}
__device__ void sq3(const double *x, double *t) {
  t[0] = x[0] * x[0];
  t[1] = x[1] * x[2];
  t[2] = x[2];
}
// No address may be formed from a null shadow on the way into a callee.
BOTH("(y)/(x)")
__global__ void triples(double *y, const double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double t[3];
  sq3(&x[3 * i], t);
  y[i] = t[0] * t[1] + t[2];
}
__device__ double mix(const double *x, const double *y) {
  return x[0] * y[0] + x[0];
}
// One callee with one parameter active, with the other, and with both.
BOTH("(out)/(u)")
__global__ void two_patterns(double *out, const double *u, const double *k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = mix(u + i, k) * mix(k, u + i) + mix(u + i, u + i);
}

} // namespace callees
