// Reductions and scans of CUB, over a block and over parts of a warp.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// The storage is used once; the result counts in the first thread.
BOTH("(y)/(x)") __global__ void sum_of_squares(const double* x, double* y, int n) {
  typedef cub::BlockReduce<double, 64> BlockReduce;
  __shared__ typename BlockReduce::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = BlockReduce(storage).Sum(i < n ? x[i] * x[i] : 0.0);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum * sum;
}

// A strided loop in front, an atomic behind, as programs do it.
template <typename T, int Threads>
__global__ void dot(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ d, size_t n) {
  T sum = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  using BlockReduce = cub::BlockReduce<T, Threads>;
  __shared__ typename BlockReduce::TempStorage storage;
  T aggregate = BlockReduce(storage).Sum(sum);
  if (threadIdx.x == 0)
    atomicAdd(d, aggregate);
}

// Only the first threads take part.
BOTH("(y)/(x)") __global__ void sum_of_first_ones(const double* x, double* y, int n) {
  using BlockReduce = cub::BlockReduce<double, 96>;
  __shared__ BlockReduce::TempStorage storage;
  int left = n - blockIdx.x * 96;
  double v = threadIdx.x < left ? x[blockIdx.x * 96 + threadIdx.x] : 77.0;
  double sum = BlockReduce(storage).Sum(v * v, left < 96 ? left : 96);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sqrt(sum);
}

// Each thread has several items.
BOTH("(y)/(x)") __global__ void sum_of_items(const double* x, double* y, int n) {
  using BlockReduce = cub::BlockReduce<double, 32>;
  __shared__ BlockReduce::TempStorage storage;
  double items[3];
  for (int k = 0; k < 3; ++k) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 3 + k;
    items[k] = i < n ? sin(x[i]) : 0.0;
  }
  double sum = BlockReduce(storage).Sum(items);
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum;
}

// One storage for two reductions of different meaning in a loop; all threads need the results.
BOTH("(y)/(x)") __global__ void normalize_rows(const double* x, double* y, int rows, int columns) {
  using BlockReduce = cub::BlockReduce<double, 64>;
  __shared__ BlockReduce::TempStorage storage;
  __shared__ double mean, scale;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const double* in = x + row * columns;
    double sum = 0.0, squares = 0.0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
      sum += in[c];
      squares += in[c] * in[c];
    }
    sum = BlockReduce(storage).Sum(sum);
    __syncthreads();
    squares = BlockReduce(storage).Sum(squares);
    if (threadIdx.x == 0) {
      mean = sum / columns;
      scale = rsqrt(squares / columns - mean * mean + 1e-3);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
      y[row * columns + c] = (in[c] - mean) * scale;
    __syncthreads();
  }
}

// A softmax: the maximum of the block, then the sum.
BOTH("(y)/(x)") __global__ void softmax(const double* x, double* y, int columns) {
  using BlockReduce = cub::BlockReduce<double, 64>;
  __shared__ union {
    typename BlockReduce::TempStorage most, sum;
  } storage;
  __shared__ double shared_most, shared_sum;
  const double* in = x + blockIdx.x * columns;
  double most = -1e30;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    most = fmax(most, in[c]);
  most = BlockReduce(storage.most).Reduce(most, cuda::maximum<>{});
  if (threadIdx.x == 0)
    shared_most = most;
  __syncthreads();
  double sum = 0.0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += exp(in[c] - shared_most);
  sum = BlockReduce(storage.sum).Reduce(sum, cuda::std::plus<>{});
  if (threadIdx.x == 0)
    shared_sum = sum;
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    y[blockIdx.x * columns + c] = exp(in[c] - shared_most) / shared_sum;
}

// The range of what a block has.
BOTH("(y)/(x)") __global__ void extremes(const double* x, double* y, int n) {
  using BlockReduce = cub::BlockReduce<double, 64, cub::BLOCK_REDUCE_RAKING>;
  __shared__ BlockReduce::TempStorage first, second;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = (i < n ? x[i] * x[i] : x[0]) * (1 + 0.0317 * threadIdx.x);
  double high = BlockReduce(first).Reduce(v, cuda::maximum<double>());
  double low = BlockReduce(second).Reduce(v, cuda::minimum<double>());
  if (threadIdx.x == 0)
    y[blockIdx.x] = high * low;
}

// A block of three dimensions.
BOTH("(y)/(x)") __global__ void sum_in_three_dimensions(const double* x, double* y) {
  using BlockReduce = cub::BlockReduce<double, 4, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 3, 5>;
  __shared__ BlockReduce::TempStorage storage;
  int rank = threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z);
  double v = x[blockIdx.x * 60 + rank];
  double sum = BlockReduce(storage).Sum(v * v * rank, 50);
  if (rank == 0)
    y[blockIdx.x] = sum;
}

constexpr int LanesOfPart = 16;
// Four sums of sixteen lanes each.
BOTH("(y)/(x)") __global__ void sums_of_parts_of_warps(const double* x, double* y) {
  using WarpReduce = cub::WarpReduce<double, LanesOfPart>;
  __shared__ WarpReduce::TempStorage storage[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x, part = threadIdx.x / 16;
  double v = x[i], w = v * v;
  double sum = WarpReduce(storage[part]).Sum(w);
  double some = WarpReduce(storage[part]).Sum(w * v, 5);
  if (threadIdx.x % 16 == 0)
    y[i / 16] = sum * some;
}

// Warps that have no row stay out.
BOTH("(y)/(x)") __global__ void sums_of_rows(const double* x, double* y, int rows, int columns) {
  typedef cub::WarpReduce<double> WarpReduce;
  __shared__ WarpReduce::TempStorage storage[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 2 + warp;
  if (row >= rows)
    return;
  double sum = 0.0;
  for (int c = lane; c < columns; c += 32)
    sum += x[row * columns + c] * x[row * columns + c];
  WarpReduce reduce(storage[warp]);
  sum = reduce.Reduce(sum, cuda::std::plus<double>());
  double most = reduce.Reduce(lane < columns ? x[row * columns + lane] : 0.0, cuda::maximum<>());
  if (lane == 0)
    y[row] = sqrt(sum) * most;
}

// Both sums of the threads before, and the total that all of them have.
BOTH("(y,z)/(x)") __global__ void scans(const double* x, double* y, double* z, int n) {
  using BlockScan = cub::BlockScan<double, 64>;
  __shared__ BlockScan::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] * x[i] : 0.0, inclusive, exclusive, total, again;
  BlockScan(storage).InclusiveSum(v, inclusive);
  __syncthreads();
  BlockScan(storage).ExclusiveSum(v, exclusive, total);
  __syncthreads();
  BlockScan(storage).InclusiveSum(exclusive, again, v);
  if (i < n) {
    y[i] = sin(0.05 * inclusive) * exclusive;
    z[i] = 0.001 * total * again + v;
  }
}

// In place, over arrays of items.
BOTH("(y,t)/(x)") __global__ void scans_of_items(const double* x, double* y, double* t, int n) {
  using BlockScan = cub::BlockScan<double, 32, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ BlockScan::TempStorage storage;
  double items[4], before[4], total;
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; ++k)
    items[k] = base + k < n ? x[base + k] * x[base + k] : 0.0;
  BlockScan(storage).ExclusiveSum(items, before);
  __syncthreads();
  BlockScan(storage).InclusiveSum(items, items, total);
  for (int k = 0; k < 4; ++k)
    if (base + k < n)
      y[base + k] = items[k] * before[k];
  if (threadIdx.x == 0)
    t[blockIdx.x] = total * total;
}

// Scans of the lanes of a warp, and of eight of them.
BOTH("(y)/(x)") __global__ void scans_of_lanes(const double* x, double* y) {
  using WarpScan = cub::WarpScan<double>;
  using PartScan = cub::WarpScan<double, 8>;
  __shared__ WarpScan::TempStorage storage[2];
  __shared__ PartScan::TempStorage parts[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] * x[i], inclusive, exclusive, total;
  WarpScan(storage[threadIdx.x / 32]).InclusiveSum(v, inclusive, total);
  PartScan(parts[threadIdx.x / 8]).ExclusiveSum(v, exclusive);
  y[i] = inclusive * exclusive + total * v;
}

__device__ double sum_in_function(cub::BlockReduce<double, 64>::TempStorage& storage, double v) {
  return cub::BlockReduce<double, 64>(storage).Sum(v * v);
}
template <int Threads> struct Sums {
  using BlockReduce = cub::BlockReduce<double, Threads>;
  typename BlockReduce::TempStorage storage;
  double of_block;
};
// In functions, with storage in a struct.
BOTH("(y)/(x)") __global__ void sums_in_functions(const double* x, double* y, int n) {
  __shared__ cub::BlockReduce<double, 64>::TempStorage storage;
  __shared__ Sums<64> sums;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] : 0.0;
  double first = sum_in_function(storage, v);
  double second = Sums<64>::BlockReduce(sums.storage).Sum(v * v * v);
  if (threadIdx.x == 0)
    sums.of_block = first * second;
  __syncthreads();
  if (i < n)
    y[i] = sums.of_block * v;
}

// Integers tell where a number goes: they are no derivatives' business.
BOTH("(y)/(x)") __global__ void compaction(const double* x, double* y, const int* keep, int n) {
  using BlockScan = cub::BlockScan<int, 64>;
  __shared__ BlockScan::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int kept = i < n && keep[i] > 2 ? 1 : 0, place, count;
  BlockScan(storage).ExclusiveSum(kept, place, count);
  if (kept)
    y[blockIdx.x * blockDim.x + place] = x[i] * x[i] / count;
}

// A step at a time, until the sum is small: the storage is used in each, and the sum decides.
BOTH("(x)/(x)") __global__ void iterate(double* x, int most) {
  using BlockReduce = cub::BlockReduce<double, 32>;
  __shared__ BlockReduce::TempStorage storage;
  __shared__ double norm;
  double v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int k = 0; k < most; ++k) {
    double sum = BlockReduce(storage).Sum(v * v);
    if (threadIdx.x == 0)
      norm = sqrt(sum);
    __syncthreads();
    if (norm > 3.0)
      v = v / norm + 0.25 * v * v;
    else
      v = sin(v) * norm;
    __syncthreads();
  }
  x[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

// A sum in a branch that all threads of the block take.
BOTH("(y)/(x)") __global__ void sum_in_branch(const double* x, double* y, int n) {
  using BlockReduce = cub::BlockReduce<double, 64>;
  __shared__ BlockReduce::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = i < n ? x[i] : 0.0, sum = 0.0;
  if (blockIdx.x % 2 == 0)
    sum = BlockReduce(storage).Sum(v * v);
  else
    sum = BlockReduce(storage).Sum(v) * 2.0;
  if (threadIdx.x == 0)
    y[blockIdx.x] = sum * sum;
}

// Two reductions in a row, of different types, and one whose value is an operand.
BOTH("(y)/(x)") __global__ void different_types(const double* x, const float* f, double* y) {
  __shared__ cub::BlockReduce<double, 64>::TempStorage of_doubles;
  __shared__ cub::BlockReduce<float, 64>::TempStorage of_floats;
  __shared__ cub::BlockReduce<int, 64>::TempStorage of_integers;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double scaled = 0.5 * cub::BlockReduce<double, 64>(of_doubles).Sum(x[i] * x[i]);
  float weight = cub::BlockReduce<float, 64>(of_floats).Sum(f[i] * f[i]);
  int positive = cub::BlockReduce<int, 64>(of_integers).Sum(x[i] > 0.5);
  if (threadIdx.x == 0)
    y[blockIdx.x] = scaled * weight + positive * scaled * scaled;
}

// What threads stored in front of a sum others load behind it: CUB has a barrier there.
BOTH("(y)/(x)") __global__ void neighbours_across_sum(const double* x, double* y) {
  using BlockReduce = cub::BlockReduce<double, 64>;
  __shared__ BlockReduce::TempStorage storage;
  __shared__ double tile[64], total;
  int me = threadIdx.x, i = blockIdx.x * 64 + me;
  tile[me] = x[i] * x[i];
  double sum = BlockReduce(storage).Sum(x[i]);
  if (me == 0)
    total = sum;
  __syncthreads();
  y[i] = tile[(me + 33) % 64] * tile[me] * total;
}
