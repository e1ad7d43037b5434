// CUB: what blocks and warps do together, by all of its algorithms, and the inline PTX that its headers use.
#include "check.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>

template <cub::BlockReduceAlgorithm How> __global__ void reduce(const float *x, float *y, int count) {
  using Reduce = cub::BlockReduce<float, 96, How>;
  __shared__ typename Reduce::TempStorage first, second, third;
  float sum = Reduce(first).Sum(x[threadIdx.x]);
  float some = Reduce(second).Sum(x[threadIdx.x], count);
  float most = Reduce(third).Reduce(x[threadIdx.x], cuda::maximum<>{});
  if (threadIdx.x == 0)
    y[0] = sum, y[1] = some, y[2] = most;
}

template <cub::BlockScanAlgorithm How> __global__ void scan(const double *x, double *y) {
  using Scan = cub::BlockScan<double, 64, How>;
  __shared__ typename Scan::TempStorage storage;
  double items[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]}, total;
  Scan(storage).InclusiveSum(items, items, total);
  y[2 * threadIdx.x] = items[0];
  y[2 * threadIdx.x + 1] = items[1] + (threadIdx.x == 63 ? total : 0);
}

__global__ void warps(const float *x, float *y) {
  using Segments = cub::WarpReduce<float>;
  using Twelve = cub::WarpReduce<float, 12>; // through shared memory
  using Scan = cub::WarpScan<float, 8>;
  __shared__ typename Segments::TempStorage segments[2];
  __shared__ typename Twelve::TempStorage twelve;
  __shared__ typename Scan::TempStorage scans[8];
  float sum = Segments(segments[threadIdx.x / 32]).HeadSegmentedSum(x[threadIdx.x], threadIdx.x % 4 == 0), before;
  Scan(scans[threadIdx.x / 8]).ExclusiveSum(x[threadIdx.x], before);
  y[threadIdx.x] = threadIdx.x % 4 == 0 ? sum : before;
  if (threadIdx.x < 12) {
    float of_twelve = Twelve(twelve).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
      y[64] = of_twelve;
  }
}

__global__ void sort(const float *x, float *y) {
  using Load = cub::BlockLoad<float, 64, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<float, 64, 2>;
  using Store = cub::BlockStore<float, 64, 2, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } storage;
  float keys[2];
  Load(storage.load).Load(x, keys);
  __syncthreads();
  Sort(storage.sort).Sort(keys);
  __syncthreads();
  Store(storage.store).Store(y, keys);
}

__global__ void count(const unsigned char *x, unsigned *y) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 2, 16, cub::BLOCK_HISTO_SORT>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned counts[16];
  unsigned char samples[2] = {x[2 * threadIdx.x], x[2 * threadIdx.x + 1]};
  Histogram(storage).Histogram(samples, counts);
  __syncthreads();
  if (threadIdx.x < 16)
    y[threadIdx.x] = counts[threadIdx.x];
}

struct lane_bits {
  unsigned field, inserted, less, less_equal, greater, greater_equal, equal, from, has, any, all, number, ballot, bytes;
};

__global__ void inline_ptx(lane_bits *out) {
  int i = threadIdx.x;
  lane_bits b;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(b.field) : "r"(0xabcdef01u), "r"(4u), "r"(8u));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(b.inserted) : "r"(5u), "r"(0xffffffffu), "r"(8u), "r"(4u));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(b.less));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(b.less_equal));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(b.greater));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(b.greater_equal));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(b.equal));
  asm volatile("{ .reg .pred q; shfl.sync.down.b32 %0|q, %2, 3, 0x1f, 0xffffffff; selp.s32 %1, 1, 0, q; }"
               : "=r"(b.from), "=r"(b.has)
               : "r"(unsigned(i % 32 * 7)));
  asm volatile("{ .reg .pred q, s; setp.ne.u32 q, %1, 0; bar.red.or.pred s, 0, q; selp.s32 %0, 1, 0, s; }"
               : "=r"(b.any)
               : "r"(unsigned(i == 5)));
  asm volatile("{ .reg .pred q, s; setp.ne.u32 q, %1, 0; bar.red.and.pred s, 0, q; selp.s32 %0, 1, 0, s; }"
               : "=r"(b.all)
               : "r"(unsigned(i < 63)));
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; bar.red.popc.u32 %0, 0, q; }"
               : "=r"(b.number)
               : "r"(unsigned(i < 37)));
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, 0xffffffff; }"
               : "=r"(b.ballot)
               : "r"(unsigned(i % 2)));
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(b.bytes) : "r"(0x03020100u), "r"(0x07060504u), "r"(0x7531u));
  out[i] = b;
}

__global__ void cached(const double2 *x, double2 *y, const short *s, short *t) {
  double2 v = cub::ThreadLoad<cub::LOAD_CG>(x + threadIdx.x);
  cub::ThreadStore<cub::STORE_CS>(y + threadIdx.x, v);
  cub::ThreadStore<cub::STORE_WT>(t + threadIdx.x, cub::ThreadLoad<cub::LOAD_CS>(s + threadIdx.x));
}

template <cub::BlockReduceAlgorithm How> static void test_reductions() {
  std::vector<float> x(96);
  for (int i = 0; i < 96; ++i)
    x[i] = float(i * 37 % 96);
  device_array<float> in(x), out(3);
  reduce<How><<<1, 96>>>(in, out, 50);
  std::vector<float> y = out.get();
  CHECK(y[0] == 95 * 48);
  CHECK(y[1] == std::accumulate(x.begin(), x.begin() + 50, 0.0f));
  CHECK(y[2] == 95);
}

template <cub::BlockScanAlgorithm How> static void test_scans() {
  std::vector<double> x(128), right(128);
  for (int i = 0; i < 128; ++i)
    x[i] = i % 7;
  std::partial_sum(x.begin(), x.end(), right.begin());
  right[127] *= 2;
  device_array<double> in(x), out(128);
  scan<How><<<1, 64>>>(in, out);
  CHECK(out.get() == right);
}

static void test_others() {
  std::vector<float> x(128);
  for (int i = 0; i < 128; ++i)
    x[i] = float(i * 37 % 128);
  device_array<float> in(x), out(128), sums(65);
  sort<<<1, 64>>>(in, out);
  std::vector<float> sorted = out.get();
  for (int i = 0; i < 128; ++i)
    CHECK(sorted[i] == i);
  warps<<<1, 64>>>(in, sums);
  std::vector<float> y = sums.get();
  CHECK(y[4] == x[4] + x[5] + x[6] + x[7] && y[13] == x[8] + x[9] + x[10] + x[11] + x[12]);
  CHECK(y[64] == std::accumulate(x.begin(), x.begin() + 12, 0.0f));
  std::vector<unsigned char> samples(128);
  for (int i = 0; i < 128; ++i)
    samples[i] = i * 7 % 16;
  device_array<unsigned char> bytes(samples);
  device_array<unsigned> counts(16);
  count<<<1, 64>>>(bytes, counts);
  CHECK(counts.get() == std::vector<unsigned>(16, 8));
}

static void test_ptx() {
  device_array<lane_bits> out(64);
  inline_ptx<<<1, 64>>>(out);
  lane_bits b = out.get()[5], last = out.get()[62];
  CHECK(b.field == 0xf0 && b.inserted == 0xfffff5ff && b.bytes == 0x07050301);
  CHECK(b.less == 0x1f && b.less_equal == 0x3f && b.greater == ~0x3fu && b.greater_equal == ~0x1fu && b.equal == 0x20);
  CHECK(b.from == 56 && b.has == 1 && last.from == 210 && last.has == 0);
  CHECK(b.any == 1 && b.all == 0 && b.number == 37 && b.ballot == 0xaaaaaaaa);
  std::vector<double2> x(32);
  std::vector<short> s(32);
  for (int i = 0; i < 32; ++i)
    x[i] = {i + 0.5, -i - 0.5}, s[i] = short(3 * i);
  device_array<double2> in(x), copy(32);
  device_array<short> shorts(s), same(32);
  cached<<<1, 32>>>(in, copy, shorts, same);
  CHECK(copy.get()[31].x == 31.5 && copy.get()[31].y == -31.5 && same.get() == s);
}

int main() {
  test_reductions<cub::BLOCK_REDUCE_WARP_REDUCTIONS>();
  test_reductions<cub::BLOCK_REDUCE_RAKING>();
  test_reductions<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>();
  test_scans<cub::BLOCK_SCAN_WARP_SCANS>();
  test_scans<cub::BLOCK_SCAN_RAKING>();
  test_scans<cub::BLOCK_SCAN_RAKING_MEMOIZE>();
  test_others();
  test_ptx();
  return verdict();
}
