// Kernels in which the index alone, or an equal condition, tells that an element is one thread's; and close ones in which it does not.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// No plain write: the index is enough in a launch of one dimension.
BOTH("(sum)/(x)")
__global__ void sum_cubes(int n, const double *x, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, x[i] * x[i] * x[i]);
}

// A loop that strides over the grid.
BOTH("(sum)/(x)")
__global__ void strided(int n, const double *x, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += sin(x[i]) * x[i];
  atomicAdd(sum, mine);
}

// A row for each block, over which its threads stride; two loops over the same row, and one writer.
BOTH("(norms)/(rows)")
__global__ void row_norms(int columns, const double *rows, double *norms) {
  __shared__ double part[64];
  double sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += rows[blockIdx.x * columns + c];
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += rows[blockIdx.x * columns + c] * rows[blockIdx.x * columns + c];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double all = 0;
    for (int t = 0; t < blockDim.x; ++t)
      all += part[t];
    norms[blockIdx.x] = sqrt(all);
  }
}

// Pixels; parts of a record; a mirrored index.
BOTH("(sum)/(image)")
__global__ void pixels(int width, int height, const double *image, double *sum) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  double v = image[y * width + x];
  atomicAdd(&sum[x % 3], v * v);
}
BOTH("(sum)/(p)")
__global__ void records(int n, const double *p, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double r = 0;
  for (int k = 0; k < 3; ++k)
    r += p[3 * i + k] * p[3 * i + k];
  atomicAdd(sum, sqrt(r));
}
BOTH("(sum)/(x)")
__global__ void mirrored(int n, const double *x, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sum[i % 2], exp(x[n - 1 - i]));
}

// The same condition as around the write, but another branch.
BOTH("(y)/(x)")
__global__ void guarded_twice(int n, const int *order, const double *x, double *y) {
  __shared__ double s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  double mine = 0;
  if (i < n)
    mine = x[order[i]];
  s[t] = mine;
  __syncthreads();
  if (i < n)
    y[order[i]] = s[(t + 1) % blockDim.x] * mine;
}

// Neighbours in memory are not neighbours in x: too narrow rows, so that threads meet.
BOTH("(sum)/(x)")
__global__ void overlapping(int n, int pitch, const double *x, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < 4; ++k)
    atomicAdd(sum, x[3 * i + k] * x[i * pitch + k]);
}

// One lane of each warp: more than one thread of a block.
BOTH("(sum)/(x)")
__global__ void first_lanes(const double *x, double *sum) {
  __shared__ double s[2];
  if (threadIdx.x == 0)
    s[0] = x[blockIdx.x];
  __syncthreads();
  if (threadIdx.x % 4 == 0)
    atomicAdd(sum, s[0] * x[blockIdx.x]);
}

// One thread after the other comes to the same element: the counter lets in another one each time.
BOTH("(sum)/(x)")
__global__ void in_turn(int n, const double *x, double *sum) {
  __shared__ double s[1];
  if (threadIdx.x == 0)
    s[0] = x[blockIdx.x];
  __syncthreads();
  double mine = 0;
  for (int j = 0; j < n; ++j)
    if (threadIdx.x == j)
      mine += s[0] * s[0];
  atomicAdd(sum, mine);
}

// Vectors that many threads may read: one atomic for each of them.
BOTH("(y)/(x)")
__global__ void gather_vectors(int n, const int *from, const float4 *x, float2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = x[from[i]];
  y[i] = make_float2(v.x * v.y + v.z, v.w * v.w * v.x);
}

// Rows, columns and planes of an image, told from the counter of a grid-stride loop: the quotients
// come first, and a division by one hides nothing.
BOTH("(y)/(x)")
__global__ void planes(int n, int rows, int columns, const double *x, double *y) {
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n; at += blockDim.x * gridDim.x) {
    int plane = at / (rows * columns), row = at / columns % rows, column = at / (1) % columns;
    int to = (plane * rows + row) * columns + column;
    y[to] = x[to] * x[to];
  }
}

// Each thread goes up and down its own column, in strides of rows, however they are counted.
BOTH("(sum)/(x)")
__global__ void columns(int n, int m, const double *x, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int last = n * (m - 1) + i;
  double v = x[i];
  for (int at = i + n; at <= last; at += n)
    v = sin(v) * x[at] + x[at - n];
  for (int at = last - n; at >= i; at -= n)
    v += x[at] * x[at + n];
  const double *p = x + last;
  for (int k = 0; k < m; ++k, p -= n)
    v = v * 0.5 + *p * x[(m - 1 - k) * n + i];
  atomicAdd(sum, v);
}

// The same, but each thread looks at the next column too.
BOTH("(sum)/(x)")
__global__ void next_columns(int n, int m, const double *x, double *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  for (int at = i; at < n * m; at += n)
    v = sin(v) * x[at] + x[at / n * n + (i + 1) % n];
  atomicAdd(sum, v);
}

// What a thread writes into an array of its own says nothing about other threads.
BOTH("(y)/(x,w)")
__global__ void own_arrays(int n, const double *x, const double *w, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int part = i % 4;
  double a[4] = {x[i], w[part], 1, 2};
  a[part] = x[i] * w[part] * w[part];
  y[4 * i + 1] = a[1] * a[3] + a[0];
}

// And what a block writes into an array of its own, nothing about other blocks.
BOTH("(y)/(x,w)")
__global__ void arrays_of_blocks(const double *x, const double *w, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, turned = (blockIdx.x + t) % blockDim.x;
  s[turned] = x[blockIdx.x * blockDim.x + t] * w[turned];
  __syncthreads();
  y[blockIdx.x * blockDim.x + t] = s[t] * s[blockDim.x - 1 - t];
}

// An index that is each thread's own behind the loop, where it is written to, and not in it.
BOTH("(y)/(x)")
__global__ void own_in_the_end(int n, const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = 1;
  int j = i / 3;
  for (int k = 0; k < 3; ++k) {
    v += x[j] * x[j];
    j = k < 2 ? (i + k) / 2 : i;
  }
  y[j] = v;
}

// And one that is its own in the loop alone.
BOTH("(y,z)/(x)")
__global__ void own_in_the_loop(int n, const double *x, double *y, double *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = 1;
  int j = i;
  for (int k = 0; k < 3; ++k) {
    y[j] = v * x[i];
    v *= 1.5;
    j = k < 2 ? j + n : i / 2;
  }
  z[i] = x[j] * x[j];
}
