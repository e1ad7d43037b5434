// Tangents of adjoints of reductions and scans of CUB.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <gpuad/gpuad.h>

GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void sum(const double* x, double* y) {
  using BlockReduce = cub::BlockReduce<double, 64>;
  __shared__ BlockReduce::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double total = BlockReduce(storage).Sum(x[i] * x[i] * x[i]);
  __syncthreads();
  double some = BlockReduce(storage).Sum(x[i] * x[i], 40);
  if (threadIdx.x == 0)
    y[blockIdx.x] = total * some;
}

GPUAD_ADJOINT("(y)/(x)") __global__ void scan(const double* x, double* y) {
  using BlockScan = cub::BlockScan<double, 64>;
  __shared__ BlockScan::TempStorage storage;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double before, total;
  BlockScan(storage).ExclusiveSum(x[i] * x[i], before, total);
  y[i] = sin(0.1 * before) * total * x[i];
}

GPUAD_ADJOINT("(y)/(x)") __global__ void extremes(const double* x, double* y) {
  using BlockReduce = cub::BlockReduce<double, 64>;
  __shared__ BlockReduce::TempStorage first, second;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] * x[i] * (1 + 0.0317 * threadIdx.x);
  double high = BlockReduce(first).Reduce(v, cuda::maximum<>{});
  double low = BlockReduce(second).Reduce(v * v, cuda::minimum<>{});
  if (threadIdx.x == 0)
    y[blockIdx.x] = high * high * low;
}

GPUAD_ADJOINT("(y)/(x)") __global__ void lanes(const double* x, double* y) {
  using WarpReduce = cub::WarpReduce<double, 16>;
  using WarpScan = cub::WarpScan<double>;
  __shared__ WarpReduce::TempStorage storage[4];
  __shared__ WarpScan::TempStorage scans[2];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double inclusive, v = x[i] * (1 + 0.0317 * threadIdx.x);
  WarpScan(scans[threadIdx.x / 32]).InclusiveSum(v * v, inclusive);
  double sum = WarpReduce(storage[threadIdx.x / 16]).Sum(inclusive * v);
  double most = WarpReduce(storage[threadIdx.x / 16]).Reduce(v * v, cuda::maximum<>{});
  if (threadIdx.x % 16 == 0)
    y[i / 16] = sum * most;
}
