// Small kernels on which other tools are known to be wrong; the right derivatives are stated in the program.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// A product over a loop whose length is an argument.
BOTH("(out)/(x)")
__global__ void product_of_row(int rows, int n, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  double p = 1;
  for (int k = 0; k < n; ++k)
    p *= x[i * n + k];
  out[i] = p;
}

// A factor that is made before the loop and used behind it.
BOTH("(out)/(x,s,start)")
__global__ void factor_before_sum(int rows, int n, const double *x, const double *s, const double *start, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  double b = 2 * x[i], acc = start[i];
  for (int k = 0; k < n; ++k)
    acc += s[k];
  out[i] = acc * b;
}

// Nonlinear in what a device function sums.
__device__ double one_over_sum(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += x[k];
  return 1 / sum;
}
__device__ double sum_squared(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k)
    sum += x[k];
  return sum * sum;
}
BOTH("(inverse,square)/(x)")
__global__ void of_sums(int rows, int n, const double *x, double *inverse, double *square) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows)
    return;
  inverse[i] = one_over_sum(x + i * n, n);
  square[i] = sum_squared(x + i * n, n);
}

// The best entry of a table, with entries that are skipped.
BOTH("(best)/(table,x)")
__global__ void best_entry(int n, int rows, int columns, const double *table, const double *x, double *best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double most = -1000;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      double entry = table[r * columns + c];
      if (entry == 0)
        continue;
      double value = entry * x[i];
      if (value > most)
        most = value;
    }
  best[i] = most;
}

BOTH("(v)/(a,t)")
__global__ void quotient_or_not(int n, const int *flag, const double *a, const double *t, double *v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] = flag[i] ? a[i] / t[i] : a[i];
}

// What is read is changed behind the use.
BOTH("(loss,b)/(x,b)")
__global__ void read_then_raised(const double *x, double *b, double *loss) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    loss[0] = x[1] * b[0];
    b[0] += 100;
  }
}

// A return inside the loop, under a condition that never holds.
BOTH("(r)/(x)")
__global__ void return_that_is_not_taken(int n, int m, const double *x, double *r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < m; ++k)
    if (k > m + n) {
      r[i] = 0;
      return;
    }
  r[i] = x[i];
}

// Three dense layers, each two nested loops.
__device__ void layer(const double *weights, const double *in, double *out, int inputs, int outputs) {
  for (int o = 0; o < outputs; ++o) {
    double sum = weights[o];
    for (int k = 0; k < inputs; ++k)
      sum += weights[outputs + o * inputs + k] * in[k];
    out[o] = tanh(sum);
  }
}
BOTH("(y)/(x,w)")
__global__ void dense(int n, int inputs, int hidden, int outputs, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double in[2], first[32], second[32], out[3];
  for (int k = 0; k < inputs; ++k)
    in[k] = x[i * inputs + k];
  const double *second_weights = w + hidden * (inputs + 1), *third_weights = second_weights + hidden * (hidden + 1);
  layer(w, in, first, inputs, hidden);
  layer(second_weights, first, second, hidden, hidden);
  layer(third_weights, second, out, hidden, outputs);
  for (int k = 0; k < outputs; ++k)
    y[i * outputs + k] = out[k];
}

// All threads add the same row.
BOTH("(x)/(x,y)")
__global__ void add_row_to_all(int threads, int n, double *x, const double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads)
    return;
  for (int k = 0; k < n; ++k)
    atomicAdd(&x[i], y[k]);
}

// Two carried values of which one is squared.
BOTH("(out)/(x)")
__global__ void squares_carried(int n, int steps, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double q0 = x[i], q1 = 0.5 * x[i];
  for (int k = 0; k < steps; ++k) {
    double old = q0;
    q0 = old * old;
    q1 = q1 + 0.1 * old;
  }
  out[i] = q1;
}

// Segments of different lengths.
BOTH("(sums)/(x)")
__global__ void squares_of_segments(int segments, const int *starts, const double *x, double *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= segments)
    return;
  double sum = 0;
  for (int k = 0; k < starts[i + 1] - starts[i]; ++k)
    sum += x[starts[i] + k] * x[starts[i] + k];
  sums[i] = sum;
}
