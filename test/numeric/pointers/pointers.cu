// Pointers that lead to one array or another: chosen by a condition, swapped in loops, in structs and references.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT                                                                                                        \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
    return

BOTH("(y)/(x,z)")
__global__ void chosen(int n, const double *x, const double *z, double *y) {
  ELEMENT;
  const double *p = i % 2 ? x : z;
  y[i] = p[i] * p[(i + 1) % n];
}

// By numbers, with offsets; a choice of choices.
BOTH("(y)/(x,z)")
__global__ void chosen_by_values(int n, const double *x, const double *z, double *y) {
  ELEMENT;
  const double *p;
  if (x[i] * z[i] > 1.2)
    p = x + i;
  else
    p = z + (i + 3) % n;
  const double *q = x[i] > z[i] ? p : x;
  y[i] = p[0] * q[0] + sin(*p);
}

BOTH("(y)/(x,z)")
__global__ void swapped(int n, int m, const double *x, const double *z, double *y) {
  ELEMENT;
  const double *p = x, *q = z;
  double v = 0;
  for (int k = 0; k < m; ++k) {
    v += sin(v) + *p * q[i];
    const double *t = p;
    p = q;
    q = t;
  }
  y[i] = (v + x[i]) * *p;
}

// Only in some iterations, and moved besides.
BOTH("(y)/(x,z)")
__global__ void swapped_at_times(int n, int m, const double *x, const double *z, double *y) {
  ELEMENT;
  const double *p = x, *q = z;
  double v = 0.1;
  for (int k = 0; k < m; ++k) {
    v = sin(v) + p[k] * *q;
    if (v > 1) {
      const double *t = p;
      p = q;
      q = t;
    } else if (k % 3 == 0) {
      q += 1;
    }
  }
  y[i] = v * *p;
}

BOTH("(y)/(x,z,w)")
__global__ void in_a_circle(int n, int m, const double *x, const double *z, const double *w, double *y) {
  ELEMENT;
  const double *a = x, *b = z, *c = w;
  double v = 0.1;
  int k = 0;
  while (k < m && v < 6) {
    v = 0.5 * v + a[i] * b[k] - c[i];
    const double *t = a;
    a = b;
    b = c;
    c = t;
    ++k;
  }
  y[i] = v * *a;
}

// The rest of the loop reads another array.
BOTH("(y)/(x,z)")
__global__ void goes_over(int n, int m, const double *x, const double *z, double *y) {
  ELEMENT;
  const double *p = x + i;
  double v = 0.3;
  for (int k = 0; k < m; ++k) {
    v = v * *p + cos(v);
    if (v > 0.9)
      p = z + k;
  }
  y[i] = v;
}

BOTH("(y)/(x)")
__global__ void local_buffers(int n, const double *x, double *y) {
  ELEMENT;
  double a[4] = {x[i], x[i] * 2, 1, 0.5}, b[4] = {};
  double *from = a, *to = b;
  for (int k = 0; k < 5; ++k) {
    for (int j = 0; j < 4; ++j)
      to[j] = sin(from[(j + 1) % 4]) + from[j];
    double *t = from;
    from = to;
    to = t;
  }
  y[i] = from[0] * from[3];
}

// An inclusive sum over the block.
BOTH("(y)/(x)")
__global__ void shared_buffers(const double *x, double *y) {
  __shared__ double a[64], b[64];
  double *in = a, *out = b;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  in[t] = x[i] * x[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    out[t] = t >= d ? in[t] + in[t - d] : in[t];
    __syncthreads();
    double *other = in;
    in = out;
    out = other;
  }
  y[i] = in[t] * x[i];
}

BOTH("(y,z)/(x)")
__global__ void stores(int n, const double *x, double *y, double *z) {
  ELEMENT;
  double *p = i % 3 ? y : z;
  p[i] = x[i] * x[i];
  p[i] *= sin(x[i]);
}

BOTH("(y,z)/(x)")
__global__ void adds(int n, const double *x, double *y, double *z) {
  ELEMENT;
  double *p = x[i] > 1.1 ? y : z;
  atomicAdd(p + i % 3, x[i] * x[i]);
}

__device__ double product(const double *p, int i) { return p[i] * p[i + 1]; }
__device__ double &pick(bool first, double &a, double &b) { return first ? a : b; }

BOTH("(y)/(x,z)")
__global__ void references(int n, const double *x, const double *z, double *y) {
  ELEMENT;
  const double *p = i % 2 ? x : z;
  double s = product(p, i), r = x[i];
  double &q = i % 3 ? s : r;
  q *= 2;
  pick(i & 4, s, r) += 1;
  y[i] = s * r;
}

struct view {
  const double *data;
  int size;
  __device__ double operator()(int i) const { return data[i % size]; }
};

BOTH("(y)/(a,b)")
__global__ void views(int n, view a, view b, double *y) {
  ELEMENT;
  view v = i % 2 ? a : b;
  double s = v(i);
  for (int k = 0; k < 3; ++k) {
    view t = a;
    a = b;
    b = t;
    s = s * a(i + k) + b(k);
  }
  y[i] = s;
}

BOTH("(y)/(x)")
__global__ void perhaps_null(int n, const double *x, const double *scale, double *y) {
  ELEMENT;
  const double *s = nullptr;
  if (i % 2)
    s = scale;
  double v = x[i];
  if (s)
    v *= s[i];
  y[i] = v * v;
}

struct complex {
  double re, im;
};

BOTH("(y)/(x,z)")
__global__ void structs(int n, const complex *x, const complex *z, complex *y) {
  ELEMENT;
  const complex &a = i % 2 ? x[i] : z[i];
  const complex *p = i % 3 ? x : z;
  complex c = p[i];
  y[i].re = a.re * c.im;
  y[i].im = a.im + c.re * p[(i + 1) % n].re;
}

// Rows of one buffer in turn, as in a time stepper.
BOTH("(u)/(u)")
__global__ void time_levels(int n, int m, double *u) {
  int t = threadIdx.x;
  double *now = u, *next = u + n;
  for (int k = 0; k < m; ++k) {
    next[t] = now[t] + 0.1 * sin(now[t]) * now[t];
    double *other = now;
    now = next;
    next = other;
  }
}
