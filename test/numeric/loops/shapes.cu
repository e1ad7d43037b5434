// Loops of all shapes at once, each of which has what another one broke: bounds and counters that values move, exits
// among stores, conditions that rounding decides, places that values name.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// The bound changes inside the loop, by what is computed there.
BOTH("(y)/(x)")
__global__ void bound_moves_by_value(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int lim = m;
  double v = x[i];
  for (int k = 0; k < lim; ++k) {
    v = v * v * 0.5 + 0.3;
    if (k == 2)
      lim = m - 1;
    if (v > 2.0)
      lim -= 1;
  }
  y[i] = v * lim;
}

// Do with continue; condition with side effect.
BOTH("(y)/(x)")
__global__ void do_with_continue(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = 0;
  double v = x[i], w = 1;
  do {
    if (k % 3 == 1)
      continue;
    v = sin(v) * w;
    w += 0.25 * v;
  } while (++k < m);
  y[i] = v * w;
}

// Pointer bumped in a loop, two pointers swapping.
BOTH("(y)/(x,u)")
__global__ void pointers_change_places(int n, int m, const double *x, const double *u, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *p = x + i, *q = u + i;
  double v = 1;
  for (int k = 0; k < m; ++k) {
    v = v * *p + 0.5 * sin(v * *q);
    const double *t = p;
    p = q;
    q = t + 1;
  }
  y[i] = v;
}

// A linked list, until a value is large.
BOTH("(y)/(x)")
__global__ void list_until_large(int n, const int *next, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = 1;
  for (int p = i; p >= 0; p = next[p]) {
    v = v * x[p] + 0.1 * v * v;
    if (v > 3)
      break;
  }
  y[i] = v;
}

// Return inside nested loops.
BOTH("(y)/(x)")
__global__ void returns_from_the_inner_loop(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int a = 0; a < m; ++a) {
    double w = v;
    for (int b = 0; b <= a; ++b) {
      w = w * 0.9 + 0.2 * w * w;
      if (w > 1.2) {
        y[i] = w * v;
        return;
      }
    }
    v = 0.5 * v + w * 0.4;
  }
  y[i] = v;
}

// In place, while over memory condition.
BOTH("(x)/(x)")
__global__ void while_over_memory(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = x + i * m;
  for (int k = 0; k + 1 < m; ++k)
    while (p[k] > 0.4) {
      p[k] *= 0.6;
      p[k + 1] += 0.25 * p[k] * p[k];
    }
}

// Unsigned wrap-around countdown, large steps.
BOTH("(y)/(x)")
__global__ void unsigned_counters(int n, unsigned m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (unsigned k = m; k-- > 2;)
    v = v * v * 0.3 + 0.2 * k;
  for (unsigned k = m; k < m + 7; k += 3)
    v = sin(v + k);
  for (unsigned long long k = 0; k < 5; k += 2)
    v = v * (1 + 0.01 * k * v);
  y[i] = v;
}

// Triangular with inner bound carried.
BOTH("(y)/(x)")
__global__ void length_is_carried(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  int len = 1;
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < len; ++b)
      v = v * 0.8 + 0.1 * v * v;
    len = (len * 5 + a) % 4 + (v > 0.5);
  }
  y[i] = v;
}

// Array of carried, shifting window, index data.
BOTH("(y)/(x)")
__global__ void window_shifts(int n, int m, const int *pick, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double r[4] = {x[i], 0.5, 0.25, 1.0};
  for (int k = 0; k < m; ++k) {
    double t = r[pick[k] & 3] * r[(k + 1) & 3];
    r[3] = r[2];
    r[2] = r[1];
    r[1] = r[0];
    r[0] = sin(t) + 0.1 * r[3];
  }
  y[i] = r[0] * r[3];
}

// Loop with float counter.
BOTH("(y)/(x)")
__global__ void floating_counters(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (float t = 0.0f; t < 1.0f; t += 0.125f)
    v = v + 0.1 * sin(v * t);
  for (double h = 1.0; h > 0.01; h *= 0.5)
    v = v - h * 0.1 * v * v;
  y[i] = v;
}

// Counter modified inside.
BOTH("(y)/(x)")
__global__ void counter_skips(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int k = 0; k < m; ++k) {
    v = v * 0.9 + 0.05 * v * v * k;
    if (v > 0.6)
      k += 2;
    if (k == 4)
      k = 5;
  }
  y[i] = v;
}

// Guarded stores in two loops one after the other, with different frames.
BOTH("(x)/(x)")
__global__ void guarded_sweeps(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = x + i * m;
  for (int k = 1; k < m; ++k)
    if (p[k] * p[k - 1] > 0.2)
      p[k] = p[k] * 0.5 + p[k - 1] * p[k];
  for (int s = 0; s < 3; ++s)
    for (int k = m - 2; k >= 0; --k) {
      double d = p[k] - p[k + 1];
      if (d > 0.1) {
        p[k] -= 0.3 * d;
        p[k + 1] += 0.3 * d * p[k];
      } else if (d * d > 0.04)
        p[k] *= 1.1;
    }
}

// Insertion into a place that rounding decides, read-only data decides another.
BOTH("(x)/(w,x)")
__global__ void places_by_value(int n, int m, const double *w, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = x + i * m;
  for (int k = 0; k < m; ++k) {
    int at = (int)(w[k] * w[k] * 3.0) % m;
    p[at] = p[at] * 0.5 + sin(p[k]) * w[k];
    if (p[at] > 0.5)
      p[(at + 1) % m] *= p[at];
  }
}

// Barriers and a while whose end rounding decides, uniform in the block by shared memory.
BOTH("(y)/(x)")
__global__ void barriers_in_a_while(int n, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.1;
  __syncthreads();
  {
    double top = s[0] * 1.5;
    while (top > 0.25) {
      double v = s[(t + 1) % blockDim.x];
      __syncthreads();
      s[t] = 0.5 * s[t] + 0.1 * v * v;
      __syncthreads();
      top = 0.6 * top;
    }
  }
  if (i < n)
    y[i] = s[t] * s[t];
}

// Guard under a data condition, with else branches that store elsewhere.
BOTH("(x,z)/(x,z)")
__global__ void arms_store_elsewhere(int n, int m, const int *pick, double *x, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  x += i * m;
  z += i * m;
  for (int k = 1; k < m; ++k) {
    if (pick[k % 7] > 2) {
      if (x[k - 1] > 0.4 * z[k])
        x[k] = x[k - 1] * z[k];
      else
        z[k] = z[k] * 0.5 + x[k];
    } else {
      double u = x[k] * z[k - 1];
      if (u > 0.3) {
        x[k] = u;
        z[k - 1] = u * u;
      }
    }
  }
}

// Goto-like: exits out of guarded loops with stores.
BOTH("(x)/(x)")
__global__ void exits_among_stores(int n, int m, double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double *p = x + i * m;
  for (int r = 0; r < m; ++r) {
    for (int k = 1; k < m; ++k) {
      if (p[k] > 1.5)
        break;
      if (p[k] < 0.2)
        continue;
      p[k] = p[k] * (0.8 + 0.3 * p[k - 1]);
      if (p[k] > 1.9)
        return;
    }
    p[0] = p[0] * 0.9 + 0.05 * p[m - 1];
  }
}
