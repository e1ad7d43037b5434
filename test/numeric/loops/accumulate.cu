// Loops that accumulate, in every direction and nesting, and short loops that keep values of each iteration.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(x)")
__global__ void count_up(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int k = 0; k < m; k++)
    sum += x[i * m + k] * x[i * m + k];
  y[i] = sum;
}

BOTH("(y)/(x)")
__global__ void count_down(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 1.0f;
  for (int k = m - 1; k >= 0; --k)
    sum -= (k + 1) * sinf(x[i + k * n]);
  y[i] = sum * sum;
}

BOTH("(y)/(x,w)")
__global__ void strided(int n, int m, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double even = 0, odd = 0;
  for (int k = 0; k < m; k += 2)
    even += x[i * m + k] * w[k];
  for (int k = 1; k <= m - 1; k += 2)
    odd = odd + exp(-x[i * m + k]) * w[k];
  y[i] = even * odd;
}

BOTH("(y)/(x)")
__global__ void grid_stride(int n, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = x[i] * x[i] - 0.5f * x[i];
}

BOTH("(v)/(v,a,x)")
__global__ void grid_stride_update(int n, float a, const float *x, float *v) {
  int stride = gridDim.x * blockDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride)
    v[i] += a * x[i] * x[i];
}

BOTH("(c)/(a,b)")
__global__ void matrix_product(int rows, int inner, int columns, const double *a, const double *b, double *c) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  for (int column = 0; column < columns; ++column) {
    double sum = 0;
    for (int k = 0; k < inner; ++k)
      sum += a[row * inner + k] * b[k * columns + column];
    c[row * columns + column] = sum;
  }
}

// The inner bound depends on the outer counter.
BOTH("(y)/(x)")
__global__ void triangle(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double total = 0;
  for (int j = 0; j < m; ++j)
    for (int k = j; k < m; ++k)
      total += x[i * m + j] * x[i * m + k] / (1.0 + k);
  y[i] = total;
}

// The bound is loaded.
BOTH("(y)/(value,x)")
__global__ void sparse_rows(int rows, const int *first, const int *column, const float *value, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int k = first[row]; k < first[row + 1]; ++k)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

BOTH("(y)/(x)")
__global__ void local_array(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v[4];
  for (int k = 0; k < 4; ++k)
    v[k] = x[4 * i + k] * (k + 1);
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k)
    sum += v[k] * v[3 - k];
  y[i] = sum + v[0];
}

BOTH("(y)/(x)")
__global__ void local_initialised(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double c[3] = {x[i], 2.0, x[i] * x[i]};
    c[1] = x[i] * x[i] * x[i];
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += c[k] * c[k];
    y[i] = sum;
  }
}

// Pointers move with the counter.
BOTH("(y)/(x)")
__global__ void moving_pointer(int n, int m, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const double *at = x + i;
  double sum = 0;
  for (int k = 0; k < m; ++k) {
    sum += at[0] * at[0];
    at += n;
  }
  y[i] = sum;
}

BOTH("(y)/(x)")
__global__ void until_end(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  for (const float *p = x + i * m, *end = p + m; p != end; ++p)
    sum += *p * *p;
  y[i] = sum;
}

BOTH("(y)/(x)")
__global__ void while_loop(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0.0f;
  int k = 0;
  while (k < m) {
    sum += x[i * m + k] * x[i];
    ++k;
  }
  y[i] = sum;
}

// The value of each iteration is needed: a product, and a recurrence.
BOTH("(y)/(x)")
__global__ void short_product(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double product = 1;
  for (int k = 0; k < 5; ++k)
    product *= x[5 * i + k];
  y[i] = product;
}

BOTH("(y)/(x)")
__global__ void short_recurrence(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i], w = 1;
#pragma unroll
  for (int k = 0; k < 6; ++k) {
    double old = v;
    v = sin(v) + 0.25 * w;
    w = old * w;
  }
  y[i] = v * w;
}

// A polynomial by Horner's rule in short loops of two levels.
BOTH("(y)/(c,x)")
__global__ void horner(int n, const float *c, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float total = 0.0f;
  for (int p = 0; p < 3; ++p) {
    float value = c[3];
    for (int k = 2; k >= 0; --k)
      value = value * x[i] + c[k];
    total += value * value;
  }
  y[i] = total;
}

// Sums over several outputs at once, and an output that is the running sum.
BOTH("(mean,square)/(x)")
__global__ void two_sums(int n, int m, const double *x, double *mean, double *square) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s = 0, q = 0;
  for (int k = 0; k < m; ++k) {
    double v = x[i * m + k];
    s += v;
    q += v * v;
  }
  mean[i] = s / m;
  square[i] = q / m - (s / m) * (s / m);
}

BOTH("(y)/(x)")
__global__ void add_into_output(int n, int m, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < m; ++k)
    y[i] += x[i * m + k] * x[i * m + k];
}

// No iteration at all for some threads.
BOTH("(y)/(x)")
__global__ void empty_trip(int n, const int *length, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = x[i];
  for (int k = 0; k < length[i]; ++k)
    sum += x[i] * x[(i + k) % n];
  y[i] = sum;
}
