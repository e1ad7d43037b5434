// Where results of CUB's reductions and scans go, and where their operands come from.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// Whole blocks leave.
BOTH("(y)/(x)") __global__ void leave_early(const double* x, double* y, int n) {
  using Reduce = cub::BlockReduce<double, 64>;
  __shared__ Reduce::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s = Reduce(storage).Sum(x[i] * x[i]);
  if (threadIdx.x == 0)
    y[blockIdx.x] = s * s;
}

// Literals are summed as numbers of the class.
BOTH("(y)/(x)") __global__ void literals(const double* x, double* y) {
  using Doubles = cub::BlockReduce<double, 64>;
  using Longs = cub::BlockReduce<unsigned long long, 64>;
  __shared__ Doubles::TempStorage first;
  __shared__ Longs::TempStorage second;
  __shared__ double number;
  __shared__ unsigned long long count;
  double c = Doubles(first).Sum(1);
  unsigned long long d = Longs(second).Sum(threadIdx.x);
  if (threadIdx.x == 0) {
    number = c;
    count = d;
  }
  __syncthreads();
  int i = blockIdx.x * 64 + threadIdx.x;
  y[i] = x[i] * x[i] / number * count;
}

// How often the loop runs is for the sum to say.
BOTH("(x)/(x)") __global__ void converge(double* x, double enough) {
  using Reduce = cub::BlockReduce<double, 64>;
  __shared__ Reduce::TempStorage storage;
  __shared__ bool goes_on;
  double v = x[blockIdx.x * 64 + threadIdx.x];
  while (true) {
    double s = Reduce(storage).Sum(v * v);
    if (threadIdx.x == 0)
      goes_on = s > enough;
    __syncthreads();
    if (!goes_on)
      break;
    v = 0.5 * v + 0.1 * v * v;
    __syncthreads();
  }
  x[blockIdx.x * 64 + threadIdx.x] = v * v;
}

// In both arms of a conditional expression.
BOTH("(y)/(x)") __global__ void either(const double* x, double* y, int which) {
  using Reduce = cub::BlockReduce<double, 64>;
  __shared__ Reduce::TempStorage storage;
  double v = x[blockIdx.x * 64 + threadIdx.x] * (1 + 0.0317 * threadIdx.x);
  double s = which > 2 ? Reduce(storage).Sum(exp(v)) : Reduce(storage).Reduce(v, cuda::maximum<>{});
  if (threadIdx.x == 0)
    y[blockIdx.x] = s * s;
}

// Results right in memory of the caller, and in shared memory.
BOTH("(y,z)/(x)") __global__ void into_memory(const double* x, double* y, double* z) {
  using Scan = cub::BlockScan<double, 64>;
  __shared__ Scan::TempStorage storage;
  __shared__ double sums[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  Scan(storage).InclusiveSum(x[i] * x[i], y[i]);
  __syncthreads();
  Scan(storage).ExclusiveSum(x[i], sums[threadIdx.x]);
  __syncthreads();
  z[i] = sums[63 - threadIdx.x] * x[i];
}

// Warps, then the first lanes of the first warp.
BOTH("(y)/(x)") __global__ void two_stages(const double* x, double* y) {
  using OfWarp = cub::WarpReduce<double>;
  using OfFour = cub::WarpReduce<double, 4>;
  __shared__ OfWarp::TempStorage storage[4];
  __shared__ OfFour::TempStorage again;
  __shared__ double parts[4];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  double v = x[blockIdx.x * 128 + threadIdx.x];
  double s = OfWarp(storage[warp]).Sum(v * v);
  if (lane == 0)
    parts[warp] = s;
  __syncthreads();
  if (threadIdx.x < 4) {
    double t = OfFour(again).Sum(parts[threadIdx.x]);
    if (threadIdx.x == 0)
      y[blockIdx.x] = sqrt(t);
  }
}

// A long row, a tile at a time: the total goes into the next.
BOTH("(y)/(x)") __global__ void long_scan(const double* x, double* y, int n) {
  using Scan = cub::BlockScan<double, 64>;
  __shared__ Scan::TempStorage storage;
  double carry = 0;
  for (int base = 0; base < n; base += 64) {
    int i = base + threadIdx.x;
    double v = i < n ? x[blockIdx.x * n + i] : 0, sum, total;
    Scan(storage).InclusiveSum(v * v, sum, total);
    if (i < n)
      y[blockIdx.x * n + i] = sin(0.05 * (carry + sum));
    carry += total;
    __syncthreads();
  }
}

// The same where what goes on decides how.
BOTH("(y)/(x)") __global__ void recurrence(const double* x, double* y, int n) {
  using Reduce = cub::BlockReduce<double, 64, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>;
  __shared__ Reduce::TempStorage storage;
  __shared__ double state;
  if (threadIdx.x == 0)
    state = 0.5;
  __syncthreads();
  for (int base = 0; base < n; base += 64) {
    double v = base + threadIdx.x < n ? x[blockIdx.x * n + base + threadIdx.x] : 0;
    double sum = Reduce(storage).Sum(v * sin(state));
    if (threadIdx.x == 0)
      state = 0.1 * sum + cos(state);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[blockIdx.x] = state;
}

// The largest integer of a block chooses what all load.
BOTH("(y)/(x)") __global__ void chosen(const double* x, double* y, const int* key) {
  using Reduce = cub::BlockReduce<int, 64>;
  __shared__ Reduce::TempStorage storage;
  __shared__ int at;
  int most = Reduce(storage).Reduce(key[threadIdx.x], cuda::maximum<int>{});
  if (threadIdx.x == 0)
    at = most;
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = x[at] * x[threadIdx.x + 1];
}

// Storage of many uses in one piece of dynamic shared memory.
BOTH("(y)/(x)") __global__ void in_dynamic(const double* x, double* y) {
  using Reduce = cub::BlockReduce<double, 64>;
  using Scan = cub::BlockScan<double, 64>;
  extern __shared__ __align__(16) unsigned char raw[];
  auto& reduce = *reinterpret_cast<Reduce::TempStorage*>(raw);
  auto& scan = *reinterpret_cast<Scan::TempStorage*>(raw + 1024);
  double v = x[blockIdx.x * 64 + threadIdx.x], before;
  double s = Reduce(reduce).Sum(v * v);
  Scan(scan).ExclusiveSum(v, before);
  y[blockIdx.x * 64 + threadIdx.x] = before * v;
  if (threadIdx.x == 0)
    y[blockIdx.x * 64] += s;
}

// A scan by the name of its operation.
BOTH("(y)/(x)") __global__ void scan_by_operation(const double* x, double* y) {
  using Scan = cub::BlockScan<double, 64, cub::BLOCK_SCAN_RAKING>;
  __shared__ Scan::TempStorage storage;
  double v = x[blockIdx.x * 64 + threadIdx.x], inclusive;
  Scan(storage).InclusiveScan(v * v, inclusive, cuda::std::plus<>{});
  y[blockIdx.x * 64 + threadIdx.x] = sin(0.05 * inclusive);
}
