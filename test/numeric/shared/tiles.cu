// Tiles of which the last one is partial, with guarded loads, filled with zeros or not at all; and a matrix that a
// block overwrites.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
// A product of matrices of any size; outside there are zeros.
BOTH("(c)/(a,b)") __global__ void ragged_product(int m, int n, int p, const double *a, const double *b, double *c) {
  __shared__ double s[8][8], t[8][9];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
  double sum = 0;
  for (int k = 0; k < (p + 7) / 8; ++k) {
    s[y][x] = row < m && k * 8 + x < p ? a[row * p + k * 8 + x] : 0.0;
    if (col < n && k * 8 + y < p)
      t[y][x] = b[(k * 8 + y) * n + col];
    else
      t[y][x] = 0;
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      sum += s[y][j] * t[j][x];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = sum * sum;
}
// All pairs; the last tile holds old numbers behind those that count.
BOTH("(force)/(pos)") __global__ void bodies(int n, const float2 *pos, float2 *force) {
  __shared__ float2 tile[16];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 mine = i < n ? pos[i] : make_float2(0.f, 0.f), sum = make_float2(0.f, 0.f);
  for (int base = 0; base < n; base += 16) {
    if (threadIdx.x < 16 && base + threadIdx.x < n)
      tile[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
    const int count = min(16, n - base);
    for (int j = 0; j < count; ++j) {
      float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, d = rsqrtf(dx * dx + dy * dy + 0.25f);
      sum.x += dx * d * d * d;
      sum.y += dy * d * d * d;
    }
    __syncthreads();
  }
  if (i < n)
    force[i] = sum;
}
// Attention with a running maximum, a row for each thread; keys and values come in tiles.
BOTH("(out)/(q,k,v)")
__global__ void flash(int n, float scale, const float *q, const float *k, const float *v, float *out) {
  __shared__ float kt[8][4], vt[8][4];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float qr[4], acc[4] = {0, 0, 0, 0}, most = -1e30f, sum = 0;
  for (int d = 0; d < 4; ++d)
    qr[d] = row < n ? q[row * 4 + d] : 0.f;
  for (int base = 0; base < n; base += 8) {
    const int count = min(8, n - base);
    for (int at = threadIdx.x; at < count * 4; at += blockDim.x) {
      kt[at / 4][at % 4] = k[base * 4 + at];
      vt[at / 4][at % 4] = v[base * 4 + at];
    }
    __syncthreads();
    for (int j = 0; j < count; ++j) {
      float s = 0;
      for (int d = 0; d < 4; ++d)
        s += qr[d] * kt[j][d];
      s *= scale;
      const float next = fmaxf(most, s), fade = expf(most - next), p = expf(s - next);
      sum = sum * fade + p;
      for (int d = 0; d < 4; ++d)
        acc[d] = acc[d] * fade + p * vt[j][d];
      most = next;
    }
    __syncthreads();
  }
  if (row < n)
    for (int d = 0; d < 4; ++d)
      out[row * 4 + d] = acc[d] / sum;
}

// Gaussian elimination in place by the threads of a block: a triangular nest.
BOTH("(m)/(m)") __global__ void eliminate(int n, double *m) {
  double *a = m + blockIdx.x * n * n;
  for (int k = 0; k < n; ++k) {
    for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) {
      const double f = a[r * n + k] / a[k * n + k];
      for (int c = k; c < n; ++c)
        a[r * n + c] -= f * a[k * n + c];
    }
    __syncthreads();
  }
}

// Who looks at the tile does so in an arm that does nothing else; where the tile is set, only memory knows.
BOTH("(y)/(x)") __global__ void seen_by_some(int rounds, const int *place, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, n = blockDim.x;
  for (int r = 0; r < rounds; ++r) {
    s[place[r * n + t]] = sin(x[r * n + t]);
    __syncthreads();
    if (t % 2 == 0)
      y[r * n + t] = s[t] * s[t + 1];
    __syncthreads();
  }
}
