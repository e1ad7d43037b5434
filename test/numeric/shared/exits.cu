// Threads that leave before others are done: early returns in front of barriers and exchanges, loops around barriers
// that are left early, votes.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// The plain case. The sum of `a` over all threads is formed at the end, by all of them.
BOTH("(y)/(a,x)")
__global__ void return_in_front(int n, double a, const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n)
    return;
  double v = a * x[i];
  s[t] = v * v;
  __syncthreads();
  int other = (i ^ 1) < n ? t ^ 1 : t;
  y[i] = s[other] * v;
}

// Barriers in a loop behind the exit, its bounds worked out by those who are still there.
BOTH("(y)/(x)")
__global__ void tiles_behind_exit(int n, int m, const double *w, const double *x, double *y) {
  __shared__ double tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = 0.0;
  int count = (m + 3) / 4;
  for (int k = 0; k < count; ++k) {
    if (threadIdx.x < 4)
      tile[threadIdx.x] = 4 * k + threadIdx.x < m ? w[4 * k + threadIdx.x] * x[4 * k + threadIdx.x] : 0.0;
    __syncthreads();
    for (int q = 0; q < 4; ++q)
      sum += sin(tile[q] * x[i]);
    __syncthreads();
  }
  y[i] = sum;
}

// The number of tiles is loaded, by those who are still there.
BOTH("(y)/(x)")
__global__ void loaded_bound(int n, const int *rounds, const double *x, double *y) {
  __shared__ double cell[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n)
    return;
  double v = x[i];
  int most = rounds[blockIdx.x];
  for (int k = 0; k < most; ++k) {
    cell[t] = v * v;
    __syncthreads();
    int other = i + 1 < n && t + 1 < blockDim.x ? t + 1 : 0;
    v = 0.5 * v + cell[other] / (1.0 + k);
    __syncthreads();
  }
  y[i] = v;
}

// An exit within a loop around barriers: each thread leaves when its value has become small.
BOTH("(y)/(c)")
__global__ void exit_in_loop(int n, double eps, const double *c, const double *start, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x;
  double v = start[t];
  for (int k = 0; k < n; ++k) {
    tile[t] = c[k * blockDim.x + t];
    __syncthreads();
    v *= tile[(t + k) % blockDim.x];
    __syncthreads();
    if (v < eps) {
      y[t] = v;
      return;
    }
  }
  y[t] = v;
}

// Both: some threads never come to the loop, the others leave it one by one.
BOTH("(y)/(x)")
__global__ void exit_and_loop(int n, const double *x, double *y) {
  __shared__ double cell[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n) {
    if (i < n + 3)
      y[i] = 2.0 * x[i];
    return;
  }
  double v = x[i];
  cell[t] = 0.1 * v;
  __syncthreads();
  int k = 0;
  while (v < 4.0 + 0.01 * t) {
    v += 0.25 * v * v + cell[0];
    ++k;
    __syncthreads();
    if (k > 6)
      break;
  }
  y[i] = v * k;
}

// A warp adds up, lanes behind the end have left.
BOTH("(out)/(x,w)")
__global__ void lanes_leave(int n, double w, const double *x, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = w * x[i] * x[i];
  double next = __shfl_down_sync(0xffffffff, v, 1);
  bool has = i + 1 < n && threadIdx.x % 32 != 31 && threadIdx.x + 1 < blockDim.x;
  unsigned large = __ballot_sync(0xffffffff, v > 1.0);
  out[i] = (has ? next * v : v) + 0.125 * __popc(large) * v;
}

// A branch that the whole block takes, with a barrier within: it is run again for its reverse.
BOTH("(y)/(x)")
__global__ void wide_only(int wide, const double *x, double *y) {
  __shared__ double cell[64];
  int t = threadIdx.x, last = blockDim.x - 1, i = blockIdx.x * blockDim.x + t;
  cell[t] = x[i];
  __syncthreads();
  double v = cell[last - t];
  if (wide > 3) {
    __syncthreads();
    cell[t] = v * v;
    __syncthreads();
    v = sin(cell[last - t]) * cell[t];
  }
  y[i] = v * v * x[i];
}

// A tile of which the last round loads only a part: the rest is still that of the round before.
BOTH("(y)/(x)")
__global__ void partly_new(int n, int m, const double *x, double *y) {
  __shared__ double tile[8];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double sum = 0.0, own = i < n ? x[i] : 0.5;
  for (int k = 0; k * 8 < m; ++k) {
    if (t < 8 && (k * 8 + t < m || k == 0))
      tile[t] = x[(k * 8 + t) % n];
    __syncthreads();
    for (int e = 0; e < 8; ++e)
      sum += sin(tile[e] * own);
    __syncthreads();
  }
  if (i < n)
    y[i] = sum;
}

// Tiles that are left when all threads are done, as splatting does.
BOTH("(image)/(alpha,color)")
__global__ void blend(int pixels, int points, const float *alpha, const float *color, float *image) {
  __shared__ float tile_alpha[32];
  __shared__ float tile_color[32];
  int t = threadIdx.x, pixel = blockIdx.x * blockDim.x + t, size = blockDim.x;
  bool inside = pixel < pixels, done = !inside;
  float left = 1.0f, sum = 0.0f;
  int rounds = (points + size - 1) / size, todo = points;
  for (int r = 0; r < rounds; ++r, todo -= size) {
    int finished = __syncthreads_count(done);
    if (finished == size)
      break;
    if (r * size + t < points) {
      tile_alpha[t] = alpha[r * size + t];
      tile_color[t] = color[r * size + t];
    }
    __syncthreads();
    for (int j = 0; !done && j < min(size, todo); ++j) {
      float a = tile_alpha[j] * (0.5f + 0.015625f * (pixel % 16));
      float rest = left * (1.0f - a);
      if (rest < 0.2f) {
        done = true;
        continue;
      }
      sum += tile_color[j] * a * left;
      left = rest;
    }
  }
  if (inside)
    image[pixel] = sum + left * 0.25f;
}

// Whole blocks leave.
BOTH("(y)/(x)")
__global__ void block_leaves(int rows, int width, const double *x, double *y) {
  __shared__ double part[64];
  int row = blockIdx.x, t = threadIdx.x;
  if (row >= rows)
    return;
  double sum = 0.0;
  for (int i = t; i < width; i += blockDim.x)
    sum += x[row * width + i] * x[row * width + i];
  part[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  double scale = 1.0 / sqrt(part[0] + 0.5);
  for (int i = t; i < width; i += blockDim.x)
    y[row * width + i] = x[row * width + i] * scale;
}

// A local array of which one element is written only within the loop that records it.
BOTH("(y)/(x)")
__global__ void passed_along(int rounds, const double *x, double *y) {
  __shared__ double edge[65];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double cell[3];
  cell[0] = x[2 * i];
  cell[1] = x[2 * i + 1];
  if (t == 0)
    edge[blockDim.x] = 0.5;
  for (int k = 0; k < rounds; ++k) {
    edge[t] = cell[0];
    __syncthreads();
    cell[2] = edge[t + 1];
    __syncthreads();
    for (int j = 0; j < 2; ++j)
      cell[j] = 0.5 * cell[j] * cell[j] + 0.25 * cell[j + 1];
  }
  y[i] = cell[0] + cell[1];
}
