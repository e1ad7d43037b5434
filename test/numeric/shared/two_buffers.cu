// Shared arrays of which an epoch reads one half and writes the other one, and epochs in which threads of both arms of
// a condition read.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Tiles that are loaded while the ones before are used: one barrier an iteration.
BOTH("(y)/(x,w)")
__global__ void next_tile(int n, const double *x, const double *w, double *y) {
  __shared__ double tile[2][8];
  int t = threadIdx.x, buf = 0;
  tile[0][t] = t < n ? x[t] : 0.0;
  __syncthreads();
  double acc = 0;
  for (int base = 0; base < n; base += 8) {
    int next = base + 8 + t;
    if (base + 8 < n)
      tile[buf ^ 1][t] = next < n ? x[next] : 0.0;
    for (int k = 0; k < 8 && base + k < n; ++k)
      acc += tile[buf][k] * tile[buf][(k + t) % 8] * w[base + k];
    __syncthreads();
    buf ^= 1;
  }
  y[blockIdx.x * 8 + t] = acc * acc;
}

// A scan: two arms, each of which reads what the other one's threads own.
BOTH("(y)/(x)")
__global__ void scan(const double *x, double *y) {
  __shared__ double temp[2 * 16];
  int t = threadIdx.x, out = 0, in = 1;
  temp[t] = t > 0 ? x[blockIdx.x * 16 + t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < 16; offset *= 2) {
    out = 1 - out;
    in = 1 - out;
    if (t >= offset)
      temp[out * 16 + t] = temp[in * 16 + t] + temp[in * 16 + t - offset] * temp[in * 16 + t];
    else
      temp[out * 16 + t] = temp[in * 16 + t];
    __syncthreads();
  }
  y[blockIdx.x * 16 + t] = temp[out * 16 + t];
}

// The same without a loop.
BOTH("(y)/(x)")
__global__ void arms(const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 16 + t];
  __syncthreads();
  double v;
  if (t % 3 == 0)
    v = s[(t + 1) % 16] * s[t];
  else
    v = s[t] * 2 + sin(s[t]);
  y[blockIdx.x * 16 + t] = v;
}

// Pointers that change places, and a store behind the loads of the epoch.
BOTH("(y)/(x)")
__global__ void swapped(int steps, const double *x, double *y) {
  __shared__ double a[16], b[16];
  double *now = a, *next = b;
  int t = threadIdx.x, i = blockIdx.x * 16 + t;
  now[t] = x[i];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    double sum = 0;
    for (int k = 0; k <= s % 3; ++k)
      sum += now[(t + k) % 16] * now[t];
    next[t] = 0.5 * sum;
    __syncthreads();
    double *other = now;
    now = next;
    next = other;
  }
  y[i] = now[t];
}

// Rows that an iteration reads in one epoch and writes in the next one, which is the first of the next iteration:
// there, neighbours read other rows.
BOTH("(y)/(x)")
__global__ void row_by_row(const double *x, double *y) {
  __shared__ double s[4][16];
  int t = threadIdx.x;
  double sum = 0;
  for (int k = 0; k < 4; ++k)
    s[k][t] = x[blockIdx.x * 64 + t + 16 * k];
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    double a = s[k][t] * s[k][(t + 1) % 16];
    __syncthreads();
    s[k][t] = a;
    sum += a * (k + 1);
  }
  __syncthreads();
  y[blockIdx.x * 16 + t] = sum + s[t % 4][t];
}

// An index that is each thread's own behind the loop, and not in it.
BOTH("(y)/(x)")
__global__ void own_in_the_end(const double *x, double *y) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 32 + t];
  s[t + 16] = x[blockIdx.x * 32 + t + 16];
  __syncthreads();
  double v = 1;
  int j = 16 + t / 3;
  for (int k = 0; k < 3; ++k) {
    v += s[j] * s[j];
    j = k < 2 ? 16 + (t + k) / 2 : t;
  }
  s[j] = v;
  __syncthreads();
  y[blockIdx.x * 16 + t] = s[15 - t];
}

// The first kernel, by a warp alone.
BOTH("(y)/(x,w)")
__global__ void next_tile_of_warp(int n, const double *x, const double *w, double *y) {
  __shared__ double tile[2][32];
  int t = threadIdx.x, buf = 0;
  tile[0][t] = t < n ? x[t] : 0.0;
  __syncwarp();
  double acc = 0;
  for (int base = 0; base < n; base += 32) {
    int next = base + 32 + t;
    if (base + 32 < n)
      tile[buf ^ 1][t] = next < n ? x[next] : 0.0;
    for (int k = 0; k < 32 && base + k < n; ++k)
      acc += tile[buf][k] * tile[buf][(k + t) % 32] * w[base + k];
    __syncwarp();
    buf ^= 1;
  }
  y[blockIdx.x * 32 + t] = acc * acc;
}
