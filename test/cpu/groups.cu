// Cooperative groups: blocks, tiles, coalesced threads, reductions, and barriers of the whole grid.
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void tiles(const float *x, float *sums, int *ranks) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  float v = x[block.thread_rank()];
  for (int k = tile.size() / 2; k; k /= 2)
    v += tile.shfl_down(v, k);
  if (tile.thread_rank() == 0)
    sums[tile.meta_group_rank()] = v;
  block.sync();
  auto warp = cg::tiled_partition<32>(block);
  float total = cg::reduce(warp, x[block.thread_rank()], cg::plus<float>());
  if (warp.thread_rank() == 0)
    sums[16 + warp.meta_group_rank()] = total;
  ranks[block.thread_rank()] = warp.any(warp.thread_rank() == 5) * 100 + __popc(warp.ballot(warp.thread_rank() % 2));
}

__global__ void coalesced(int *out) {
  if (threadIdx.x % 4 == 1) {
    cg::coalesced_group group = cg::coalesced_threads();
    out[threadIdx.x] = group.size() * 100 + group.thread_rank();
  }
}

// Neighbours are summed again and again, and every step needs what all blocks did in the step before.
__global__ void diffuse(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      b[i] = 0.5f * a[i] + 0.25f * (a[(i + 1) % n] + a[(i + n - 1) % n]);
    grid.sync();
    float *t = a;
    a = b;
    b = t;
  }
}

// A block keeps values in shared memory across barriers of the grid.
__global__ void keep_shared(int *out) {
  __shared__ int own;
  extern __shared__ int more[];
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) {
    own = blockIdx.x;
    more[0] = 10 * blockIdx.x;
  }
  grid.sync();
  if (threadIdx.x == 1)
    out[blockIdx.x] = own + more[0];
  grid.sync();
}

void test_tiles() {
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i)
    x[i] = float(i);
  device_array<float> dx(x), sums(18, 0.0f);
  device_array<int> ranks(64, 0), out(64, 0);
  tiles<<<1, 64>>>(dx, sums, ranks);
  CHECK_NEAR(sums.get()[7], 8 * 56 + 28, 0);
  CHECK_NEAR(sums.get()[17], 32 * 32 + 496, 0);
  CHECK(ranks.get()[40] == 116);
  coalesced<<<1, 64>>>(out);
  CHECK(out.get()[1] == 800 && out.get()[61] == 807);
}

void test_grid() {
  const int n = 1000, steps = 5;
  std::vector<float> x(n, 0);
  x[10] = 1;
  device_array<float> a(x), b(x);
  float *pa = a, *pb = b;
  int size = n, times = steps;
  void *arguments[] = {&pa, &pb, &size, &times};
  OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(diffuse), dim3(6), dim3(64), arguments, 0, 0));
  for (int s = 0; s < steps; ++s) {
    std::vector<float> y(n);
    for (int i = 0; i < n; ++i)
      y[i] = 0.5f * x[i] + 0.25f * (x[(i + 1) % n] + x[(i + n - 1) % n]);
    x = y;
  }
  std::vector<float> got = b.get();
  for (int i = 0; i < n; ++i)
    CHECK_NEAR(got[i], x[i], 1e-6);
  device_array<int> out(10, -1);
  int *po = out;
  void *more[] = {&po};
  OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(keep_shared), dim3(10), dim3(40), more, 4, 0));
  for (int i = 0; i < 10; ++i)
    CHECK(out.get()[i] == 11 * i);
  int blocks = 0, processors = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, diffuse, 64, 0));
  OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(diffuse), dim3(blocks * processors + 1), dim3(64),
                                    arguments, 0, 0) == cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
}

int main() {
  test_tiles();
  test_grid();
  return verdict();
}
