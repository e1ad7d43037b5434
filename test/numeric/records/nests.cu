// Loops of every kind around each other, with exits, local arrays and calls.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
// arrays in nested data-dependent loops with exits
BOTH("(y)/(x)")
__global__ void newton_sys(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v[2] = {1.0, 1.0}, r[2];
  for (int it = 0; it < 50; ++it) {
    r[0] = v[0] * v[0] - x[2 * i];
    r[1] = v[0] * v[1] - x[2 * i + 1];
    double norm = 0;
    for (int k = 0; k < 2; ++k)
      norm += r[k] * r[k];
    if (norm < 1e-22)
      break;
    double d0 = r[0] / (2 * v[0]);
    double d1 = (r[1] - v[1] * d0) / v[0];
    v[0] -= d0;
    v[1] -= d1;
  }
  y[2 * i] = v[0];
  y[2 * i + 1] = v[1];
}
// while in a for in a while, everything carried
BOTH("(y)/(x)")
__global__ void deep(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], total = 0;
  int left = m + i % 3;
  while (left > 0) {
    for (int k = 0; k < left; ++k) {
      double b = a * (1 + 0.1 * k);
      int guard = 0;
      while (b > 0.01 * guard && guard < 2 + k) {
        b = b * (0.6 + 0.1 * a);
        ++guard;
      }
      total += b * a;
      a = 0.9 * a + 0.05 * b;
    }
    left -= 2;
  }
  y[i] = total * a;
}
// array state in a while loop in a device function, called twice
__device__ void advance(double *s, double h, int steps) {
  for (int k = 0; k < steps; ++k) {
    double f0 = s[1], f1 = -s[0] * s[0];
    s[0] += h * f0;
    s[1] += h * f1;
  }
}
BOTH("(y)/(x,h)")
__global__ void twice_advanced(int n, int steps, double h, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s[2] = {x[i], 0.5};
  advance(s, h, steps);
  double mid = s[0] * s[1];
  advance(s, 2 * h, steps + i % 2);
  y[i] = mid + s[0] * s[0];
}
// switch inside a recorded loop
BOTH("(y)/(x)")
__global__ void automaton(int n, int m, const int *op, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < m; ++k) {
    switch (op[(i + k) % n]) {
    case 0:
      v = v * v * 0.5;
      break;
    case 1:
      v = sin(v);
    case 2:
      v = v + 0.1 * v * v;
      break;
    default:
      continue;
    }
    v = v * 0.95;
  }
  y[i] = v;
}
// 2-D array carried, with a run-time row
BOTH("(y)/(x)")
__global__ void rotating_rows(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a[2][3];
  for (int k = 0; k < 3; ++k) {
    a[0][k] = x[i] * (k + 1);
    a[1][k] = 1.0;
  }
  for (int s = 0; s < m; ++s) {
    int from = s & 1, to = 1 - from;
    for (int k = 0; k < 3; ++k)
      a[to][k] = 0.5 * a[from][k] * a[from][(k + 1) % 3] + 0.1 * a[to][k];
  }
  y[i] = a[0][0] + a[1][1] * a[0][2];
}
// integers and values in one loop, with early exit value
BOTH("(y)/(x)")
__global__ void first_above(int n, int m, double level, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0, best = -1;
  int where = -1;
  for (int k = 0; k < m; ++k) {
    sum += x[(i * 3 + k) % n] * x[(i + k) % n];
    if (where < 0 && sum > level) {
      where = k;
      best = sum * (k + 1);
    }
  }
  y[i] = where < 0 ? sum : best * sum;
}
// downward unsigned counter, product
BOTH("(y)/(x)")
__global__ void down_unsigned(unsigned n, const double *x, double *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double p = 1;
  for (unsigned k = i % 6; k != 0; --k)
    p *= x[k] + 0.1 * p;
  y[i] = p;
}
// loop bound loaded and carried float in condition
BOTH("(y)/(x)")
__global__ void march_until(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double t = 0, step = 0.1 + 0.01 * (i % 4), acc = 0, pos = x[i];
  do {
    acc += step * exp(-pos) * pos;
    pos += step * (1 + 0.1 * acc);
    t += step;
    if (i % 5 == 4 && t > 0.35)
      break;
  } while (t < 0.77);
  y[i] = acc * pos;
}
// accumulation through nested sums with a use of the running value
BOTH("(y)/(x,w)")
__global__ void running_use(int n, int m, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double acc = 0, other = 0;
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < m; ++b)
      acc += x[i] * w[a * m + b];
    other += acc * w[a];
    for (int b = 0; b < a; ++b)
      other += w[b] * x[i];
  }
  y[i] = acc + other;
}
BOTH("(y)/(x,w)")
__global__ void nested_sums(int n, int m, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double acc = 1;
  for (int a = 0; a < m; ++a) {
    acc += w[a];
    for (int b = 0; b < m; ++b) {
      acc += x[i] * w[a * m + b];
      if (b % 2)
        for (int c = 0; c < 2; ++c)
          acc -= w[c] * w[b];
    }
    acc += x[i] * x[i];
  }
  y[i] = acc * acc;
}

// Variables that go on with each other.
BOTH("(out)/(x)")
__global__ void fibonacci(int n, int rounds, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], b = 1, e = 0.5, f = 0.25;
  for (int k = 0; k < rounds; ++k) {
    double sum = a + b;
    a = b;
    b = sum;
    if (k % 2)
      f = f * 0.5 + e;
    else
      e = sin(e) + f + a;
    for (int j = 0; j < k; ++j)
      e = e + a;
  }
  out[i] = a * b + e * f;
}

// A table that is long for a local record, and a variable that is not: a loop has its records in one place.
BOTH("(out)/(x)")
__global__ void long_and_short(int n, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double table[5] = {1, 2, 3, 4, 5}, v = x[i];
  for (int r = 0; r < 20; ++r) {
    for (int k = 1; k < 5; ++k)
      table[k] = table[k - 1] * 0.25 + 0.5 * sin(v) * table[k];
    v = v * 0.75 + 0.05 * table[4];
  }
  out[i] = v + table[2];
}
