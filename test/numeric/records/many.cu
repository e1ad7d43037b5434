// Loops that carry so many values that each is recalled right before its use: the recall must not pass what changes its slot.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Each needs its neighbour's old value; some in a branch, some in an inner loop.
BOTH("(y)/(x)")
__global__ void ring_of_sixteen(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double a = x[i], b = a + 0.1, c = a + 0.2, d = a + 0.3, e = a - 0.1, f = a - 0.2, g = a - 0.3, h = a + 0.4;
  double p = 0.1, q = 0.2, r = 0.3, s = 0.4, t = 0.5, u = 0.6, v = 0.7, w = 0.8;
  for (int k = 0; k < m; ++k) {
    double first = a;
    a = a * 0.5 + 0.25 * sin(b);
    b = b * 0.6 + 0.25 * b * c;
    c = c * 0.7 - 0.25 * c * d;
    if (k % 3 == 1) {
      d = d * 0.8 + 0.125 * sin(e * d);
      e = e * e * 0.5;
    }
    e = e * 0.9 + 0.25 * cos(f);
    f = f * 0.5 + 0.25 * f * g;
    for (int j = 0; j < k % 4; ++j)
      g = g * 0.75 + 0.125 * g * h;
    h = h * 0.5 + 0.25 * p * h;
    p = p * 0.5 + 0.25 * q * q;
    q = q * 0.5 + 0.25 * sin(r) * q;
    r = r * 0.5 + 0.25 * r * s;
    s = s * 0.5 + 0.25 * s * t;
    t = t * 0.5 + 0.25 * t * u;
    u = u * 0.5 + 0.25 * u * v;
    v = v * 0.5 + 0.25 * v * w;
    w = w * 0.5 + 0.25 * sin(first * w);
  }
  y[i] = a + b * c + d * e + f * g + h * p + q * r + s * t + u * v + w;
}

// Only the run knows how often; the same names are recalled inside an outer loop.
BOTH("(y)/(x)")
__global__ void fourteen_until_small(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int round = 0; round < m; ++round) {
    double a = x[i] + round, b = a * 0.5, c = a * 0.25, d = a + 1, e = a - 1, f = 0.5 * a, g = a * a;
    double p = 0.1 * a, q = 0.2 * a, r = 0.3, s = 0.4, t = 0.5, u = 0.6, v = 0.7;
    while (a > 0.2) {
      double old = a;
      a = 0.5 * a + 0.05 * sin(b);
      b = 0.5 * b * c;
      c = 0.5 * c * d;
      d = 0.5 * d + 0.1 * d * e;
      e = 0.5 * e + 0.1 * e * f;
      f = 0.5 * f + 0.1 * f * g;
      g = 0.5 * g + 0.01 * g * p;
      p = 0.5 * p + 0.1 * p * q;
      q = 0.5 * q + 0.1 * q * r;
      r = 0.5 * r + 0.1 * r * s;
      s = 0.5 * s + 0.1 * s * t;
      t = 0.5 * t + 0.1 * t * u;
      u = 0.5 * u + 0.1 * u * v;
      v = 0.5 * v + 0.1 * v * old;
    }
    sum += a * b + c * d + e * f + g * p + q * r + s * t + u * v;
  }
  y[i] = sum;
}

// Short: the records are local arrays.
BOTH("(y)/(x)")
__global__ void thirteen_in_arrays(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = a + 1, c = a + 2, d = a + 3, e = a - 1, f = a - 2, g = a - 3;
  float p = 0.1f, q = 0.2f, r = 0.3f, s = 0.4f, t = 0.5f, u = 0.6f;
  for (int k = 0; k < 5; ++k) {
    float first = a;
    a = 0.5f * a + 0.1f * a * b;
    b = 0.5f * b + 0.1f * b * c;
    c = 0.5f * c + 0.1f * c * d;
    d = 0.5f * d + 0.1f * d * e;
    e = 0.5f * e + 0.1f * e * f;
    f = 0.5f * f + 0.1f * f * g;
    g = 0.5f * g + 0.1f * g * p;
    p = 0.5f * p + 0.1f * p * q;
    q = 0.5f * q + 0.1f * q * r;
    r = 0.5f * r + 0.1f * r * s;
    s = 0.5f * s + 0.1f * s * t;
    t = 0.5f * t + 0.1f * t * u;
    u = 0.5f * u + 0.1f * u * first;
  }
  y[i] = a * b + c * d + e * f + g * p + q * r + s * t * u;
}
