// Structs that hold arrays, by value: copied, passed, returned, stored whole.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

struct mat3 {
  float m[3][3];
  __host__ __device__ float &operator()(int r, int c) { return m[r][c]; }
  __host__ __device__ float operator()(int r, int c) const { return m[r][c]; }
};
__device__ mat3 operator*(const mat3 &a, const mat3 &b) {
  mat3 c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      float sum = 0;
      for (int k = 0; k < 3; ++k)
        sum += a(i, k) * b(k, j);
      c(i, j) = sum;
    }
  return c;
}
__device__ mat3 transposed(mat3 a) {
  mat3 t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      t.m[i][j] = a.m[j][i];
  return t;
}

struct weights {
  float w[3];
};
__device__ weights spline(float t) {
  weights r;
  r.w[0] = t * t;
  r.w[1] = 1 - t;
  r.w[2] = t;
  return r;
}
BOTH("(y)/(x)")
__global__ void constant_indices(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const weights a = spline(x[i]);
  weights b = a;
  b.w[1] *= a.w[0];
  y[i] = a.w[0] * a.w[1] + a.w[2] * b.w[1];
}

BOTH("(y)/(x)")
__global__ void products(mat3 *y, const mat3 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  mat3 a = x[i];
  mat3 b = a * transposed(x[i + 1]);
  y[i] = b * a;
}

struct layer {
  weights in;
  float bias;
  float table[4];
};
BOTH("(y)/(x,p)")
__global__ void by_value_parameter(float *y, const float *x, layer p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = p.bias;
  for (int k = 0; k < 3; ++k)
    sum += p.in.w[k] * x[i + k];
  y[i] = sum * p.table[i % 4];
}
__device__ float applied(layer p, const layer &q, int k) {
  p.bias *= q.table[k];
  return p.bias + q.in.w[k % 3];
}
BOTH("(y)/(x)")
__global__ void passed_on(float *y, const layer *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  layer p = x[i], q = x[i + 1];
  bool swap = i % 2;
  layer chosen = swap ? q : p;
  chosen.in = spline(p.table[1]);
  y[i] = applied(chosen, p, i % 4) * applied(q, chosen, 2);
}

// Element lists within element lists, some of them objects.
struct pair_of_layers {
  mat3 one, two;
  float gain;
};
BOTH("(y)/(x)")
__global__ void nested_lists(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = x[i + 1];
  const mat3 first = {{{a * b, 1.0f / a}, {-b, sinf(a), 2}, {0, a * a}}};
  pair_of_layers both = {first, {{{b, 1}, {a, 0, expf(-b)}}}, 0.5f * a};
  both.one(0, 0) += both.gain;
  mat3 all = both.one * both.two * first;
  y[i] = all(0, 0) * all(1, 1) + both.gain * all(2, 1) - all(0, 1);
}

// One that a loop replaces, with the old one read in any order: it is recorded number by number, in local arrays and in the stack.
struct grid2 {
  float low[2];
  float m[2][3];
  float high;
};
__device__ grid2 relaxed(const grid2 &a, float rate) {
  grid2 flow;
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 3; ++c)
      flow.m[r][c] = a.m[1 - r][c] * a.m[r][(c + 1) % 3];
  grid2 next;
  for (int r = 0; r < 2; ++r) {
    next.low[r] = a.low[1 - r] + rate * a.high * a.low[r];
    for (int c = 0; c < 3; ++c)
      next.m[r][c] = 0.5f * (a.m[r][c] + rate * flow.m[r][c] / (a.low[r] + 1));
  }
  next.high = a.high * a.m[0][1];
  return next;
}
BOTH("(y)/(x,rate)")
__global__ void replaced(grid2 *y, const grid2 *x, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  grid2 g = x[i];
  for (int step = 0; step < 3; ++step) g = relaxed(g, rate);
  y[i] = g;
}
BOTH("(y)/(x,rate)")
__global__ void replaced_often(grid2 *y, const grid2 *x, float rate, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  grid2 g = x[i];
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    g = relaxed(g, rate + sum);
    sum += 0.125f * g.m[step % 2][1];
    if (i % 4 == 0 && step > 2) break;
  }
  y[i] = g;
}
