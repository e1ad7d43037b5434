// Shared memory that is carved up, refreshed in part, carried from one iteration to the next, read where it overlaps.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// carve out of one block, floats then floats, by pointer
BOTH("(y)/(x)")
__global__ void carve(int n, const float *x, float *y) {
  extern __shared__ float carve_buf[];
  float *a = carve_buf, *b = carve_buf + blockDim.x;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  a[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  b[t] = a[(t + 1) % blockDim.x] * a[t];
  __syncthreads();
  if (i < n)
    y[i] = b[(t + 2) % blockDim.x] * a[t];
}
// a second tile loop that depends on partial refresh: only even threads refresh
BOTH("(y)/(x)")
__global__ void partial_refresh(int m, const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  double acc = 0;
  for (int k = 0; k < m; ++k) {
    if (t % 2 == k % 2)
      s[t] = x[t] * (k + 1);
    __syncthreads();
    acc += s[(t + 1) % 16] * s[(t + 5) % 16];
    __syncthreads();
  }
  y[t] = acc;
}
// running state in shared memory (A2)
BOTH("(y)/(x)")
__global__ void running(int m, const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int k = 0; k < m; ++k) {
    double v = s[(t + 1) % 16];
    __syncthreads();
    s[t] = 0.5 * v * v + 0.1;
    __syncthreads();
  }
  y[t] = s[t] * s[(t + 3) % 16];
}
// two stencil reads: overlapping loads
BOTH("(y)/(x)")
__global__ void stencil2(const double *x, double *y) {
  __shared__ double s[18];
  int t = threadIdx.x;
  s[t + 1] = x[t];
  if (t == 0) {
    s[0] = x[0] * 2;
    s[17] = x[15] * 3;
  }
  __syncthreads();
  y[t] = s[t] * s[t + 2] + s[t + 1];
}
// same element read by all in a loop without barrier, varying index
BOTH("(y)/(x)")
__global__ void sliding(const double *x, double *y) {
  __shared__ double s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  s[t + 16] = x[t] * x[t];
  __syncthreads();
  double acc = 1;
  for (int k = 0; k < 5; ++k)
    acc *= 0.5 + s[t + k];
  y[t] = acc;
}
// 2-D block, index by y only, guarded by x == 0
BOTH("(y)/(x)")
__global__ void rows2d(const double *x, double *y) {
  __shared__ double s[4][8];
  int tx = threadIdx.x, ty = threadIdx.y;
  s[ty][tx] = x[ty * 8 + tx];
  __syncthreads();
  if (tx == 0) {
    double sum = 0;
    for (int k = 0; k < 8; ++k)
      sum += s[ty][k] * s[ty][k];
    y[ty] = sqrt(sum);
  }
}
// transposition through a tile
BOTH("(y)/(x)")
__global__ void transpose_tile(const double *x, double *y) {
  __shared__ double s[8][9];
  int tx = threadIdx.x, ty = threadIdx.y;
  s[ty][tx] = x[ty * 8 + tx];
  __syncthreads();
  y[ty * 8 + tx] = s[tx][ty] * s[ty][tx];
}
// grid-stride around barriers
BOTH("(y)/(x)")
__global__ void strided_tiles(int n, const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  for (int base = blockIdx.x * 16; base < n; base += gridDim.x * 16) {
    s[t] = base + t < n ? x[base + t] : 0.0;
    __syncthreads();
    if (base + t < n)
      y[base + t] = s[t] * s[15 - t];
    __syncthreads();
  }
}
// shared array used for two purposes
BOTH("(y)/(x)")
__global__ void two_purposes(const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  __syncthreads();
  double a = s[(t + 1) % 16];
  __syncthreads();
  s[15 - t] = a * x[t];
  __syncthreads();
  double b = s[t];
  for (int k = 0; k < 3; ++k) {
    __syncthreads();
    s[t] = b * (k + 1);
    __syncthreads();
    b = b + 0.1 * s[(t + k) % 16] * a;
  }
  y[t] = a * b;
}
// max with winner in shared
BOTH("(y)/(x)")
__global__ void shared_max(const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  s[t] = x[t] + ((t * 7) % 16);
  __syncthreads();
  for (int h = 8; h > 0; h >>= 1) {
    if (t < h)
      s[t] = s[t] > s[t + h] ? s[t] : s[t + h];
    __syncthreads();
  }
  if (t == 0)
    y[0] = s[0] * s[0];
}
// Hillis-Steele scan, double buffered
BOTH("(y)/(x)")
__global__ void scan_double(const double *x, double *y) {
  __shared__ double s[2][16];
  int t = threadIdx.x, in = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int d = 1; d < 16; d *= 2) {
    if (t >= d)
      s[1 - in][t] = s[in][t] * (1.0 + 0.1 * s[in][t - d]);
    else
      s[1 - in][t] = s[in][t];
    in = 1 - in;
    __syncthreads();
  }
  y[t] = s[in][t];
}
// Hillis-Steele in place with register
BOTH("(y)/(x)")
__global__ void scan_reg(const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 16; d <<= 1) {
    double v = 0;
    if (t >= d)
      v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  y[t] = s[t] * x[t];
}
// data-dependent while with barrier, uniform by shared flag? by argument
BOTH("(y)/(x)")
__global__ void relax_shared(int rounds, const double *x, double *y) {
  __shared__ double a[18];
  int t = threadIdx.x;
  a[t + 1] = x[t];
  if (t == 0) {
    a[0] = 0;
    a[17] = 0;
  }
  __syncthreads();
  for (int r = 0; r < rounds; ++r) {
    double left = a[t], mid = a[t + 1], right = a[t + 2];
    __syncthreads();
    a[t + 1] = mid + 0.1 * (left - 2 * mid + right) * mid;
    __syncthreads();
  }
  y[t] = a[t + 1];
}

// Elements of the neighbours are read before the barrier, the own one is added to behind it.
BOTH("(y)/(x,y)")
__global__ void read_then_add(const double *x, double *y) {
  __shared__ double s[16];
  int t = threadIdx.x;
  double v = y[(t + 1) % 16];
  s[t] = v * x[t];
  __syncthreads();
  y[t] += s[15 - t] * x[t];
}
