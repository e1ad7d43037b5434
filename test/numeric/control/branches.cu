// Branches, selections, switches and exits. Inputs keep away from where a branch turns, so that differences are smooth there.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(x)")
__global__ void if_else(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (x[i] > 0.0f)
      y[i] = x[i] * x[i];
    else
      y[i] = -0.25f * x[i] + sinf(x[i]);
  }
}

// A local that the branches give different histories.
BOTH("(y)/(x,w)")
__global__ void merge_after(int n, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double t = x[i];
  if (t < 0) {
    t = t * w[i];
    if (w[i] < 0)
      t = t * t;
  } else {
    t += 2.0 * w[i];
  }
  y[i] = t * exp(-t * t);
}

BOTH("(y)/(x)")
__global__ void leaky(int n, float slope, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] > 0 ? x[i] * x[i] : slope * x[i];
}

BOTH("(y)/(a,b)")
__global__ void nested_select(int n, const double *a, const double *b, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double larger = a[i] > b[i] + 4.0 ? a[i] * b[i] : b[i] > 0.0 ? b[i] * b[i] : -a[i];
    y[i] = larger * a[i];
  }
}

// What is not selected may be infinite or not a number: its derivative is zero, and not a number times zero.
BOTH("(y)/(x)")
__global__ void safe_root(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float root = sqrtf(x[i]);
    y[i] = x[i] > 0.0f ? root * 3.0f : 0.5f * x[i];
  }
}

BOTH("(y)/(x)")
__global__ void switch_cases(int n, const int *kind, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  switch (kind[i]) {
  case 0:
    v = v * v;
    break;
  case 1:
  case 2:
    v = expf(v);
    break;
  case 5:
    v = 2.0f;
    break;
  default:
    v = -v;
  }
  y[i] = v * x[i];
}

BOTH("(y)/(x)")
__global__ void fall_through(int n, const int *kind, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double v = 1.0;
    switch (kind[i] % 4) {
    case 3:
      v *= x[i];
      [[fallthrough]];
    case 2:
      v *= x[i] + 1.0;
      [[fallthrough]];
    case 1:
      v = v * v + x[i];
      break;
    default:
      v = sin(x[i]);
    }
    y[i] = v;
  }
}

BOTH("(y)/(x)")
__global__ void several_exits(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  if (v < -0.25f) {
    y[i] = v * v * v;
    return;
  }
  v = v + 1.0f;
  if (i % 3 == 0)
    return;
  y[i] = v * v;
}

// Only some elements are written: the others keep value, tangent and seed.
BOTH("(y)/(x)")
__global__ void some_written(int n, const int *flag, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && flag[i])
    y[i] = x[i] * x[i];
}

BOTH("(y)/(y,x)")
__global__ void some_updated(int n, const int *flag, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (flag[i] == 1)
      y[i] = y[i] * x[i];
    else if (flag[i] == 2)
      y[i] += x[i] * x[i];
    else if (flag[i] == 3)
      y[i] = 0.0f;
  }
}

// continue and break in a loop that only adds.
BOTH("(y)/(x)")
__global__ void skip_some(int n, int m, const int *flag, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int k = 0; k < m; ++k) {
    if (flag[(i + k) % n] == 0)
      continue;
    sum += x[i * m + k] * x[i * m + k];
  }
  y[i] = sum;
}

BOTH("(y)/(x)")
__global__ void stop_early(int n, int m, const int *last, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = x[i * m];
  for (int k = 1; k < m; ++k) {
    if (k > last[i])
      break;
    sum += sin(x[i * m + k]);
  }
  y[i] = sum * sum;
}

BOTH("(y)/(x)")
__global__ void branch_in_loop(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float positive = 0.0f, negative = 1.0f;
  for (int k = 0; k < m; ++k) {
    float v = x[i + k * n];
    if (v > 0.0f)
      positive += v * v;
    else
      negative -= 0.5f * v;
  }
  y[i] = positive / negative;
}

// Conditions with a side effect, short circuits, and a comma.
BOTH("(y)/(x)")
__global__ void short_circuit(int n, const int *flag, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int turn = 0;
  if (i < n && (flag[i] > 1 || ++turn > 0)) {
    float v = x[i], w = (turn += 1, v * v);
    y[i] = turn == 2 ? w : w * v;
  }
}

BOTH("(lo,hi)/(a,b)")
__global__ void sort_pair(int n, const float *a, const float *b, float *lo, float *hi) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float p = a[i], q = b[i];
  if (p > q) {
    float swap = p;
    p = q;
    q = swap;
  }
  lo[i] = p * p;
  hi[i] = q - p * 0.5f;
}

BOTH("(y)/(x)")
__global__ void clamped(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float inside = fminf(fmaxf(x[i], -0.25f), 0.25f);
    y[i] = inside + fabsf(x[i]) * x[i];
  }
}

// A case that is left on the way, or falls into the next one.
BOTH("(y)/(x)")
__global__ void perhaps_falls(int n, const int *kind, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], w = 0.5 * x[i];
  switch (kind[i] % 4) {
  case 0:
    v = v * (0.9 + w);
  case 1:
    w = w * v;
    if (i % 2 == 0)
      break;
    v = v + 1;
  case 2:
    v = v + w * w;
    if (i % 3 == 0)
      break;
    if (i % 5 == 0) {
      y[i] = v * v;
      return;
    }
  default:
    v = sin(v);
  }
  y[i] = v + w;
}

// The same in a loop, which a case may also end or go on with.
BOTH("(y)/(x)")
__global__ void falls_in_loop(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], w = 0.5;
  int s = i % 4;
  for (int k = 0; k < m; ++k) {
    switch (s) {
    case 0:
      v *= 0.9 + 0.1 * w;
    case 1:
      w = 0.5 * w * v;
      if (k % 4 == 3) {
        s = 2;
        continue;
      }
      break;
    case 2:
      v = 0.5 * v + w * w;
      if (k & 1)
        break;
    default:
      v = sin(v);
      s = 0;
      continue;
    }
    s = (s * 3 + k) % 4;
  }
  y[i] = v + w;
}

// A constant that is chosen between something computed and something loaded.
BOTH("(y)/(x)")
__global__ void constant_chosen(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double v = x[i];
  const double t = i % 3 == 0 ? sin(0.1 * i) : 0.4 * v * x[(i + 1) % n];
  y[i] = t * v + t;
}
