// Counters as C wrote them: declared before the loop, assigned in its head, read behind it; and variables that only look like one.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// One variable for several loops; what it holds behind each of them is used.
BOTH("(y)/(x)")
__global__ void used_behind(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k;
  if (i >= n)
    return;
  double v = x[i], s;
  for (k = 0; k < m; k++)
    v = sin(v) + 0.5 * x[k];
  s = v * k;
  for (k = m - 1; k > 0; --k)
    v = sin(v) + x[k] * s * 0.1;
  s += v * (k + 2);
  for (k = 1; k <= m; ++k)
    v = 0.5 * sin(v) * v + 0.1 * x[k];
  s = s * k;
  for (k = m; k >= 1; k--)
    v = 0.5 * sin(v) * v + 0.1 * x[k];
  s = 0.1 * s * (k + 1) + v;
  for (k = 2; k != m + 3; ++k)
    v = cos(v) * x[k];
  y[i] = v + 0.1 * s * x[k];
}

BOTH("(y)/(x)")
__global__ void strides(int n, unsigned m, const double *x, double *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k;
  long q;
  if (i >= n)
    return;
  double v = x[i];
  for (k = 1; k < 2 * m; k += 3)
    v = sin(v) + x[k];
  v = v * x[k] + k;
  for (q = 2 * m; q > 1; q -= 3)
    v = sin(v) + x[q];
  y[i] = v * x[q + 2];
}

// The bounds are literals: so is what the counter holds behind.
BOTH("(y)/(x)")
__global__ void known_bounds(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  double v = x[i];
  for (; k < 7; k += 2)
    v = sin(v) + x[k];
  if (k == 8)
    v = v * v;
  for (k = 5; k < 3; ++k)
    v = 0;
  y[i] = v * x[k];
}

// An increment at the end of a while loop.
BOTH("(y)/(x)")
__global__ void while_counted(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  int k = 0;
  while (k < m) {
    v = sin(v) + x[k];
    k++;
  }
  while (k > 1) {
    v = cos(v) * x[k];
    k = k - 2;
  }
  y[i] = v * x[k + 1];
}

// Two variables step together; the second one goes another way.
BOTH("(y)/(x)")
__global__ void from_both_ends(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int p, q;
  double v = x[i];
  for (p = 0, q = m; p < m; q--, p++)
    v = v * x[p] * 0.7 + x[q];
  y[i] = v * x[q];
}

// Nested, in one function with one set of counters; triangular.
BOTH("(y)/(x)")
__global__ void nested(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j, k = 0;
  if (i >= n)
    return;
  double v = x[i];
  for (j = 0; j < m; j++) {
    for (k = 0; k < j; k++)
      v = sin(v) + 0.3 * x[k + j];
    v = v * x[k];
  }
  y[i] = v * k + x[j];
}

// A parameter counts down.
__device__ double power(double v, int times) {
  double made = 1;
  for (; times > 0; times--)
    made *= v;
  return made * (1 + times) + v;
}
BOTH("(y)/(x)")
__global__ void parameter_counts(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = power(x[i], m);
  while (m > 0) {
    v = sin(v) + x[m];
    --m;
  }
  y[i] = v * x[i];
}

// Not counters: stepped in a branch, twice, behind a continue, by an inner loop, or towards a bound that moves.
BOTH("(y)/(x)")
__global__ void not_counted(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k;
  if (i >= n)
    return;
  double v = x[i];
  for (k = 0; k < m; ++k) {
    v = sin(v) + x[k];
    if (k % 3 == 1)
      ++k;
  }
  k = 0;
  while (k < m) {
    if (k == 2) {
      k += 2;
      v = v * x[1];
      continue;
    }
    v = 0.4 * v + x[k];
    k++;
  }
  for (k = 0; k < m; ++k)
    for (; k % 4 != 3; ++k)
      v = 0.3 * sin(v) + x[k];
  int end = m;
  for (k = 0; k < end; ++k) {
    v = cos(v) * x[k];
    if (k & 1)
      --end;
  }
  v = v * (k + 1);
  for (k = 0; k < m; ++k) {
    if (k == 3)
      break;
    v = sin(v) + x[k];
  }
  y[i] = v + k;
}

// Each element changes what the counter's next loop starts with.
BOTH("(y)/(x)")
__global__ void goes_on(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
  if (i >= n)
    return;
  double v = x[i];
  for (int t = 1; t <= 3; ++t) {
    for (; k < t * m; ++k)
      v = sin(v) + 0.4 * x[k];
    v = v * x[k];
  }
  y[i] = v * (k + 1);
}

// Counters of 64 bits that pass what 32 hold.
BOTH("(y)/(x)")
__global__ void far_apart(int m, unsigned hop, const double *x, double *y) {
  double v = 0.3;
  for (long long i = threadIdx.x; i < (long long)m * hop; i += hop)
    v = sin(v) + x[i / hop] * (i > 4000000000ll ? 0.5 : 2.0);
  for (size_t i = (size_t)m * hop; i > 0; i -= hop)
    v = sin(v) * x[i / hop - 1] * (i > 4000000000ull ? 0.7 : 2.0);
  y[threadIdx.x] = v;
}
