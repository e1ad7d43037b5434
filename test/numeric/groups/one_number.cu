// All threads of a warp write one number to one place: strict mode calls that a race, so it does not look for any here.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <gpuad/gpuad.h>

namespace cg = cooperative_groups;

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)

// GroupNorm with a block for a row. All threads of a warp store its sum.
BOTH("(out,mean)/(x,weight)")
__global__ void groupnorm_of_block(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ out,
                                   float* __restrict__ mean, int columns) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ float sums[32];
  __shared__ float squares[32];
  int warps = blockDim.x / 32, id = threadIdx.x / 32, lane = threadIdx.x % 32;
  x += blockIdx.x * columns;
  out += blockIdx.x * columns;
  float sum = 0.0f, square = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    sum += x[i];
    square += x[i] * x[i];
  }
  sums[id] = cg::reduce(warp, sum, cg::plus<float>{});
  squares[id] = cg::reduce(warp, square, cg::plus<float>{});
  __syncthreads();
  float a = lane < warps ? sums[lane] : 0.0f, b = lane < warps ? squares[lane] : 0.0f;
  float m = cg::reduce(warp, a, cg::plus<float>{}) / columns;
  float s = rsqrtf(cg::reduce(warp, b, cg::plus<float>{}) / columns - m * m + 1e-5f);
  if (mean != nullptr && threadIdx.x == 0)
    mean[blockIdx.x] = m;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[i] = s * (x[i] - m) * weight[i % 7];
}

// All threads of a warp write one number, and each of them read another one there.
BOTH("(y)/(x,scale)")
__global__ void row_sum_by_all(const double* x, const double* scale, double* y, int rows, int columns) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row < rows) {
    double sum = 0;
    for (int i = warp.thread_rank(); i < columns; i += warp.size())
      sum += x[row * columns + i] * scale[row];
    y[row] = exp(cg::reduce(warp, sum, cg::plus<double>()) / columns);
  }
}
