// Loops whose reverse needs what each iteration started with: sized by the launch's arguments, or counted by the run.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(v)/(v0,h)")
__global__ void relax(int n, int rounds, const double *v0, const double *h, double *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double cur = v0[i];
  for (int k = 0; k < rounds; ++k)
    cur = cur / (1.0 + h[0] * cur);
  v[i] = cur;
}

// Two carried values of which one needs the other's old value.
BOTH("(out)/(x)")
__global__ void pair_steps(int n, int steps, const float *x, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float q0 = x[i], q1 = 0.5f * x[i];
  for (int k = 0; k < steps; ++k) {
    float old = q0;
    q0 = old * q1;
    q1 = q1 + 0.1f * old * q1;
  }
  out[i] = q1;
}

// Down, by a stride that is an argument, with an offset.
BOTH("(out)/(x)")
__global__ void down_strided(int n, int from, int stride, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = from; k > 1; k -= stride)
    v = sin(v) + v * x[k];
  out[i] = v;
}

// The division stands in a branch that the kernel may not take; the host has no such branch.
BOTH("(out)/(x)")
__global__ void guarded_division(int n, int total, int parts, int stride, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  if (parts != 0)
    for (int k = 0; k < total / parts + total % parts; ++k)
      v = sin(v) + v * x[k];
  if (stride > 0)
    for (int k = 0; k < total; k += stride)
      v = sin(v) + v * x[k];
  out[i] = v;
}

// Mixed widths share the slots of the wider one.
BOTH("(out)/(x,w)")
__global__ void mixed_widths(int n, int steps, const float *x, const double *w, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i];
  double b = w[i];
  for (int k = 0; k < steps; ++k) {
    b = b * (0.5 + a);
    a = a * 0.9f + 0.05f * a * a;
  }
  out[i] = b * a;
}

// Three levels: slots add up, they do not multiply.
BOTH("(out)/(x)")
__global__ void three_levels(int n, int a, int b, int c, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double u = x[i];
  for (int p = 0; p < a; ++p) {
    double v = u * u * 0.5;
    for (int q = 0; q < b; ++q) {
      double w = v + 0.25 * u;
      for (int r = 0; r < c; ++r)
        w = w * (1.0 - 0.1 * w);
      v = v * w;
    }
    u = u * 0.7 + v;
  }
  out[i] = u;
}

// The inner bound depends on the outer counter and on the thread.
BOTH("(out)/(x)")
__global__ void triangular(int n, int m, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double p = 1.0;
  for (int j = 0; j < m; ++j)
    for (int k = j; k < m + i % 3; ++k)
      p *= x[k] * 0.8 + x[i] * 0.1;
  out[i] = p;
}

// Trip counts by the data, different in every thread and block.
BOTH("(out)/(x)")
__global__ void until_small(int n, double stop, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i] * (1 + i % 7);
  while (v > stop)
    v = 0.5 * v + 0.1 * sqrt(v);
  out[i] = v * v;
}

BOTH("(root)/(a)")
__global__ void newton(int n, const double *a, double *root) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = 2 * a[i], old;
  do {
    old = x;
    x = 0.5 * (x + a[i] / x);
  } while (fabs(x - old) > 1e-9 * x);
  root[i] = x;
}

// A loop that only adds, around one that records as much as the data say (pitfall A4).
BOTH("(y)/(x)")
__global__ void decay_inside_sum(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double acc = 0;
  for (int t = 0; t < m; ++t) {
    double v = x[i * m + t] * (1 + (i + t) % 4);
    while (v > 1.0)
      v = 0.9 * sqrt(v) * 0.99;
    acc += v;
  }
  y[i] = acc;
}

// break, continue and a bound that is far away (pitfall A16).
BOTH("(img)/(sigma,col)")
__global__ void composite(int n, int far, const double *sigma, const double *col, double *img) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n)
    return;
  double through = 1.0, acc = 0.0;
  for (int s = 0; s < far; ++s) {
    double a = 1.0 - exp(-sigma[(r + s) % 16]);
    if (a < 0.45)
      continue;
    acc += through * a * col[s % 16];
    through *= 1.0 - a;
    if (through < 0.001)
      break;
  }
  img[r] = acc;
}

// A return from the middle of two loops, and code behind them.
BOTH("(y)/(x)")
__global__ void leave_both(int n, int m, double limit, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < m; ++k) {
      v = v * (1.0 + 0.3 * x[k]);
      if (v > limit) {
        y[i] = v * v;
        return;
      }
    }
    v = v * 0.9;
  }
  y[i] = v * 3.0;
}

// Recorded loops one after the other, and in both arms of a branch.
BOTH("(y)/(x)")
__global__ void one_after_the_other(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < m; ++k)
    v = sin(v) + 0.5;
  if (x[i] > 1.0) {
    for (int k = 0; k < 2 * m; ++k)
      v = v * v * 0.4 + 0.3;
  } else {
    while (v < 3.0)
      v = v * v + 0.7;
  }
  for (int k = 0; k < m; ++k)
    v = cos(v) + 0.3 * v;
  y[i] = v;
}

// The trip counts are a geometric series, and a list in memory.
BOTH("(y)/(x)")
__global__ void doubling(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 1; k < m; k *= 2)
    v = v * (1 + x[k] * 0.1);
  y[i] = v;
}

BOTH("(y)/(x)")
__global__ void follow_list(int n, const int *next, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = 1.0;
  for (int p = i; p >= 0; p = next[p])
    v = v * x[p] + 0.2 * v * v;
  y[i] = v;
}

// An integer that the branches of every iteration decide: state of the loop, not of the derivative.
BOTH("(y)/(x)")
__global__ void state_machine(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  int mode = i % 3;
  bool flip = false;
  for (int k = 0; k < m; ++k) {
    if (mode == 0)
      v = v * 1.1f * x[k];
    else if (mode == 1)
      v = v + x[k] * v * 0.5f;
    else
      v = flip ? v * 0.5f : v * v * 0.25f;
    mode = (mode + k + (flip ? 1 : 2)) % 3;
    flip = !flip && k % 2 == 0;
  }
  y[i] = v;
}

// The bound changes behind the loop.
BOTH("(y)/(x)")
__global__ void bound_changes(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bound = m;
  double v = x[i];
  for (int k = 0; k < bound; ++k)
    v = v * v * 0.9;
  bound = 2;
  for (int k = 0; k < bound; ++k)
    v = v + sin(v);
  y[i] = v * bound;
}

// A device function with loops of its own, called in a loop.
__device__ double polish(double x, double a, int rounds) {
  double v = x;
  for (int k = 0; k < rounds; ++k)
    v = 0.5 * (v + a / v);
  return v;
}

BOTH("(y)/(x)")
__global__ void loops_in_callees(int n, int rounds, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = 1.0;
  for (int k = 0; k < rounds; ++k)
    v = v * polish(1.0 + v, x[i], k + 1) * 0.5;
  y[i] = v;
}

// By value, so that the block adds it up behind the recorded loop.
BOTH("(y)/(gain,x)")
__global__ void by_value(int n, int m, double gain, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < m + i % 5; ++k)
    v = v * gain + 0.1 * v * v;
  y[i] = v;
}

// Unsigned, wide and not-equal counters.
BOTH("(y)/(x)")
__global__ void other_counters(unsigned n, unsigned long long m, const double *x, double *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (unsigned k = 0; k < n % 7; k++)
    v = v * v * 0.8;
  for (unsigned long long k = m; k-- > 0;)
    v = v + 0.1 * sin(v * k);
  for (int k = 0; k != 5; ++k)
    v = v * (1.0 - 0.05 * v);
  y[i] = v;
}

// A local array of which only some elements are ever written; it is recorded whole, which is a copy and no use.
BOTH("(y)/(x)")
__global__ void partly_filled(int n, int used, int steps, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[8];
  for (int k = 0; k < used; ++k)
    a[k] = x[(i + k) % n];
  for (int t = 0; t < steps; ++t)
    for (int k = 0; k < used; ++k)
      a[k] = sin(a[k]) * a[(k + 1) % used];
  for (int t = 0; t < 3; ++t)
    for (int k = 0; k < used; ++k)
      a[k] = cos(a[k]) * a[(k + 1) % used];
  y[i] = a[0];
}
