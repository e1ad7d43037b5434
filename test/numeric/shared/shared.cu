// Shared memory, barriers and exchanges among lanes.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// A sum over the block by halves; every block writes its own.
BOTH("(out)/(x)")
__global__ void block_sum_squares(int n, const double *x, double *out) {
  __shared__ double part[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] * x[i] : 0.0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sqrt(part[0]);
}

// The same with memory of the launch.
BOTH("(out)/(x)")
__global__ void block_norm(int n, const double *x, double *out) {
  extern __shared__ double dynamic_part[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  dynamic_part[t] = i < n ? x[i] * x[i] : 0.0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      dynamic_part[t] += dynamic_part[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sqrt(dynamic_part[0]);
}

// Tiles of both operands, loaded anew in each step; ragged sizes.
BOTH("(c)/(a,b)")
__global__ void tiled_product(int rows, int inner, int columns, const float *a, const float *b, float *c) {
  __shared__ float tile_a[8][8];
  __shared__ float tile_b[8][9];
  int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
  float sum = 0.0f;
  for (int step = 0; step < (inner + 7) / 8; ++step) {
    int k = step * 8 + threadIdx.x, m = step * 8 + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = m < inner && column < columns ? b[m * columns + column] : 0.0f;
    __syncthreads();
    for (int q = 0; q < 8; ++q)
      sum += tile_a[threadIdx.y][q] * tile_b[q][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

// A stencil with its halo.
BOTH("(y)/(x,w)")
__global__ void stencil_with_halo(int n, const double *x, const double *w, double *y) {
  __shared__ double line[32 + 2];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  line[t + 1] = i < n ? x[i] : 0.0;
  if (t == 0)
    line[0] = i > 0 ? x[i - 1] : 0.0;
  if (t == 31)
    line[33] = i + 1 < n ? x[i + 1] : 0.0;
  __syncthreads();
  if (i < n)
    y[i] = w[0] * line[t] + w[1] * line[t + 1] * line[t + 1] + w[2] * line[t + 2];
}

// One row for each block: maximum, sum of exponentials, quotient.
BOTH("(y)/(x)")
__global__ void softmax_row(int n, const float *x, float *y) {
  __shared__ float scratch[32];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * n;
  float most = -1e30f;
  for (int k = t; k < n; k += blockDim.x)
    most = fmaxf(most, row[k]);
  scratch[t] = most;
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half)
      scratch[t] = fmaxf(scratch[t], scratch[t + half]);
    __syncthreads();
  }
  most = scratch[0];
  __syncthreads();
  float sum = 0.0f;
  for (int k = t; k < n; k += blockDim.x)
    sum += expf(row[k] - most);
  scratch[t] = sum;
  __syncthreads();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half)
      scratch[t] += scratch[t + half];
    __syncthreads();
  }
  sum = scratch[0];
  for (int k = t; k < n; k += blockDim.x)
    y[blockIdx.x * n + k] = expf(row[k] - most) / sum;
}

// Everybody reads what one thread has written.
BOTH("(y)/(x)")
__global__ void broadcast(int who, const double *x, double *y) {
  __shared__ double cell;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t == who)
    cell = x[i] * x[i];
  __syncthreads();
  y[i] = cell * x[i];
}

// Atomic sums in shared memory.
BOTH("(bins)/(x)")
__global__ void weigh_bins(int n, const int *bin, const double *x, double *bins) {
  __shared__ double local[5];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 5)
    local[t] = 0.0;
  __syncthreads();
  if (i < n)
    atomicAdd(&local[bin[i]], x[i] * x[i]);
  __syncthreads();
  if (t < 5)
    atomicAdd(&bins[t], local[t]);
}

// A neighbour's value, overwritten and read again behind barriers.
BOTH("(y)/(x)")
__global__ void twice_around(const double *x, double *y) {
  __shared__ double ring[16];
  int t = threadIdx.x, i = blockIdx.x * 16 + t;
  ring[t] = x[i];
  __syncthreads();
  double a = ring[(t + 1) % 16] * x[i];
  __syncthreads();
  ring[t] = a * a;
  __syncthreads();
  y[i] = ring[(t + 3) % 16] * a;
}

// Structs in shared memory.
struct body {
  float x, y, z, mass;
};

BOTH("(force)/(bodies)")
__global__ void tiled_bodies(int n, const body *bodies, float3 *force) {
  __shared__ body tile[16];
  int t = threadIdx.x, i = blockIdx.x * 16 + t;
  body self = {0.0f, 0.0f, 0.0f, 0.0f};
  if (i < n)
    self = bodies[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < n; first += 16) {
    if (first + t < n)
      tile[t] = bodies[first + t];
    else
      tile[t] = body{0.0f, 0.0f, 0.0f, 0.0f};
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float dx = tile[k].x - self.x, dy = tile[k].y - self.y, dz = tile[k].z - self.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.5f);
      float weight = tile[k].mass * inverse * inverse * inverse;
      sum.x += weight * dx;
      sum.y += weight * dy;
      sum.z += weight * dz;
    }
    __syncthreads();
  }
  if (i < n)
    force[i] = sum;
}

// Lanes.
BOTH("(out)/(x)")
__global__ void warp_sum(const float *x, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i] * x[i];
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(0xffffffffu, v, offset);
  if (threadIdx.x % 32 == 0)
    out[i / 32] = v;
}

BOTH("(y)/(x)")
__global__ void warp_scan(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    double below = __shfl_up_sync(0xffffffffu, v, offset);
    if (lane >= offset)
      v += below;
  }
  y[i] = v * x[i];
}

BOTH("(y)/(x)")
__global__ void shuffles_of_all_kinds(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i];
  double a = __shfl_sync(0xffffffffu, v, 5) * __shfl_sync(0xffffffffu, v * v, 3, 8);
  double b = __shfl_up_sync(0xffffffffu, v, 3, 16) + __shfl_up_sync(0xffffffffu, v * a, 1, 4);
  double c = __shfl_down_sync(0xffffffffu, v, 2, 8) - __shfl_down_sync(0xffffffffu, a, 31);
  double d = __shfl_xor_sync(0xffffffffu, b, 5, 16) * __shfl_xor_sync(0xffffffffu, c, 16);
  double e = __shfl_sync(0xffffffffu, d, (lane * 7 + 3) % 32) + __shfl_sync(0xffffffffu, b, lane / 2, 16);
  double f = __shfl_up_sync(0xffffffffu, v, lane % 3) + __shfl_down_sync(0xffffffffu, v, lane % 4, 16) +
             __shfl_xor_sync(0xffffffffu, v, lane % 2 ? 3 : 1);
  y[i] = a * b + c * d + e * v + f * f;
}

// Part of the lanes.
BOTH("(y)/(x)")
__global__ void half_of_the_lanes(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i];
  if (lane < 16)
    v = v * __shfl_xor_sync(0x0000ffffu, v * v, 3) + __shfl_down_sync(0x0000ffffu, v, 4, 16);
  y[i] = v;
}

// A block whose last warp is not whole: the mask names lanes that are not there.
BOTH("(y)/(x)")
__global__ void part_of_a_warp(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  double v = x[i];
  double below = __shfl_up_sync(0xffffffffu, v, 1), first = __shfl_sync(0xffffffffu, v * v, 0);
  double above = __shfl_down_sync(0xffffffffu, v * first, 2), pair = __shfl_xor_sync(0xffffffffu, v, 1);
  y[i] = v * first + (lane > 0 ? below * v : 0.0) + pair * pair + (threadIdx.x % 8 < 6 ? above : 0.0);
}

// First in the warp, then in the block.
BOTH("(out)/(x)")
__global__ void two_stage_sum(int n, const float *x, float *out) {
  __shared__ float of_warp[32];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
    v += sinf(x[i]);
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, offset);
  if (lane == 0)
    of_warp[warp] = v;
  __syncthreads();
  if (warp == 0) {
    float w = lane < blockDim.x / 32 ? of_warp[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2)
      w += __shfl_down_sync(0xffffffffu, w, offset);
    if (lane == 0)
      atomicAdd(out, w * w);
  }
}

// Memory of the launch, carved up; and the same with bytes that are seen as numbers.
BOTH("(y)/(x)")
__global__ void carved(int n, const double *x, double *y) {
  extern __shared__ double numbers_of_launch[];
  double *first = numbers_of_launch, *second = first + blockDim.x;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  first[t] = i < n ? x[i] : 0.0;
  __syncthreads();
  second[t] = first[(t + 1) % blockDim.x] * first[t];
  __syncthreads();
  if (i < n)
    y[i] = second[(t + 2) % blockDim.x] * first[t];
}

BOTH("(y)/(x)")
__global__ void carved_bytes(int n, const double *x, double *y) {
  extern __shared__ unsigned char bytes_of_launch[];
  double *first = reinterpret_cast<double *>(bytes_of_launch), *second = first + blockDim.x;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  first[t] = i < n ? x[i] : 0.0;
  __syncthreads();
  second[t] = first[(t + 1) % blockDim.x] * first[t];
  __syncthreads();
  if (i < n)
    y[i] = second[(t + 2) % blockDim.x] * first[t];
}

// Bytes of fixed size that hold numbers and, behind them, indices.
BOTH("(y)/(x)")
__global__ void mixed_bytes(int n, const double *x, double *y) {
  __shared__ __align__(16) char mixed[1024];
  double *numbers = (double *)mixed;
  int *indices = (int *)(mixed + 32 * sizeof(double));
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  numbers[t] = i < n ? sin(x[i]) : 0.0;
  indices[t] = (t * 3 + 1) % blockDim.x;
  __syncthreads();
  if (i < n)
    y[i] = numbers[indices[t]] * numbers[t];
}
