// Where several threads meet in one shadow: parameters by value, broadcast reads, indirect indices, atomics of the primal.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

BOTH("(y)/(a,b,x)")
__global__ void two_scalars(int n, float a, double b, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + float(b) * x[i] * x[i] + a * a;
}

BOTH("(y)/(a,x)")
__global__ void scalar_in_loop(int n, int m, double a, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0;
  for (int k = 0; k < m; ++k)
    sum += a * x[i * m + k] * x[i * m + k];
  y[i] = sum;
}

// Changed inside: the parameter is a local variable, too.
BOTH("(y)/(a)")
__global__ void scalar_overwritten(int n, double a, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a = a * a + i;
  if (i < n)
    y[i] = a * a;
}

struct table {
  float weight[3];
  int shift;
  float bias;
};

BOTH("(y)/(t,x)")
__global__ void struct_by_value(int n, table t, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = t.weight[0] * x[i] + t.weight[1] * x[(i + t.shift) % n] + t.weight[2] * t.bias;
}

BOTH("(y)/(v,x)")
__global__ void vector_by_value(int n, float3 v, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = v.x + v.y * x[i] + v.z * x[i] * x[i];
}

BOTH("(y)/(c,x)")
__global__ void broadcast(int n, const float *c, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = c[0] * x[i] + c[1];
}

// One value for all threads of a block.
BOTH("(y)/(bias,x)")
__global__ void block_bias(int n, const double *bias, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = sin(x[i] * bias[blockIdx.x]);
}

BOTH("(y)/(x)")
__global__ void gather(int n, const int *from, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[from[i]] * x[from[i]] + x[i];
}

BOTH("(y)/(x)")
__global__ void stencil(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    y[i] = x[i - 1] * x[i + 1] - 2.0 * x[i] * x[i];
}

BOTH("(bins)/(x)")
__global__ void scatter(int n, const int *to, const float *x, float *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[to[i]], x[i] * x[i]);
}

BOTH("(total)/(x,a)")
__global__ void reduce_all(int n, double a, const double *x, double *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(total, a * sin(x[i]));
}

BOTH("(total)/(x)")
__global__ void subtract_all(int n, const double *x, double *total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(total, -x[i]);
    atomicAdd(total + 1, x[i] * x[i]);
  }
}

BOTH("(bins,y)/(x)")
__global__ void scatter_and_store(int n, int m, const float *x, float *bins, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t = x[i] * x[i];
  for (int k = 0; k < m; ++k)
    atomicAdd(&bins[(i + k) % m], t * (k + 1));
  y[i] = t;
}

// One thread of each block writes.
BOTH("(y)/(x,a)")
__global__ void one_writer(float a, const float *x, float *y) {
  if (threadIdx.x == 0)
    y[blockIdx.x] = a * x[2 * blockIdx.x] * x[2 * blockIdx.x + 1];
}

// Blocks and threads in two dimensions.
BOTH("(y)/(row,column)")
__global__ void outer_product(int rows, int columns, const float *row, const float *column, float *y) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows && j < columns)
    y[i * columns + j] = row[i] * column[j];
}

// Every second thread takes part.
BOTH("(y)/(a,x)")
__global__ void half_of_threads(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i % 2 == 0) {
    y[i] = a * x[i];
    y[i + 1] = a * a - x[i];
  }
}
