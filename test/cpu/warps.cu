// Operations of a warp: every shuffle with every width, on full and partial warps and on masks; votes, matches, reductions.
#include "check.h"

#include <cstdint>

enum { index_, up_, down_, xor_ };

template <class T> __device__ T value_of(int lane) { return T(lane * 3 + 1); }

template <class T> __device__ T shuffle(int kind, unsigned mask, T v, int b, int width) {
  switch (kind) {
  case index_:
    return __shfl_sync(mask, v, b, width);
  case up_:
    return __shfl_up_sync(mask, v, b, width);
  case down_:
    return __shfl_down_sync(mask, v, b, width);
  default:
    return __shfl_xor_sync(mask, v, b, width);
  }
}

// What the manual says a shuffle reads.
__host__ __device__ int source(int kind, int lane, int b, int width) {
  int first = lane / width * width, last = first + width - 1;
  int from = kind == index_ ? first + (b & (width - 1)) : kind == up_ ? lane - b : kind == down_ ? lane + b : lane ^ b;
  bool inside = kind == up_ ? from >= first : from <= last;
  return inside ? from : lane;
}

template <class T> __global__ void all_shuffles(T *out) {
  int lane = threadIdx.x, at = 0;
  for (int kind = 0; kind < 4; ++kind)
    for (int width = 1; width <= 32; width *= 2)
      for (int b = 0; b < 32; ++b)
        out[32 * at++ + lane] = shuffle(kind, 0xffffffffu, value_of<T>(lane), b, width);
}

template <class T> void test_shuffles() {
  device_array<T> out(4 * 6 * 32 * 32);
  all_shuffles<<<1, 32>>>(out.data);
  std::vector<T> got = out.get();
  int at = 0, bad = 0;
  for (int kind = 0; kind < 4; ++kind)
    for (int width = 1; width <= 32; width *= 2)
      for (int b = 0; b < 32; ++b, ++at)
        for (int lane = 0; lane < 32; ++lane) {
          int from = source(kind, lane, b, width);
          bad += got[32 * at + lane] != T(from * 3 + 1);
        }
  CHECK(bad == 0);
}

// Halves and single lanes of a warp take different ways and operate under their own masks.
__global__ void masks(int *out) {
  int lane = threadIdx.x % 32, sum = lane;
  if (lane < 16) {
    for (int k = 8; k; k /= 2)
      sum += __shfl_down_sync(0x0000ffffu, sum, k, 16);
  } else if (lane != 20) {
    unsigned mask = 0xffff0000u & ~(1u << 20);
    sum = __shfl_sync(mask, lane, 17) * 1000 + __popc(__ballot_sync(mask, lane % 2));
  } else {
    sum = __shfl_sync(1u << 20, lane, 20);
  }
  __syncwarp();
  out[threadIdx.x] = sum;
}

__global__ void partial(int *out) { // the last warp of the block has 8 lanes
  unsigned mask = __ballot_sync(0xffffffffu, 1);
  int sum = 1;
  for (int k = 4; k; k /= 2)
    sum += __shfl_xor_sync(mask, sum, k);
  out[threadIdx.x] = threadIdx.x < 32 ? int(__popc(mask)) : sum;
}

__global__ void votes(unsigned *out) {
  int lane = threadIdx.x;
  unsigned all = 0xffffffffu;
  out[0 * 32 + lane] = __all_sync(all, lane < 32) * 2 + __all_sync(all, lane < 31);
  out[1 * 32 + lane] = __any_sync(all, lane == 7) * 2 + __any_sync(all, lane > 31);
  out[2 * 32 + lane] = __ballot_sync(all, lane % 3 == 0);
  out[3 * 32 + lane] = __uni_sync(all, 1) * 2 + __uni_sync(all, lane == 3);
  out[4 * 32 + lane] = __match_any_sync(all, lane / 4);
  out[5 * 32 + lane] = __match_any_sync(all, (unsigned long long)(lane % 2) << 40);
  int same = 0;
  out[6 * 32 + lane] = __match_all_sync(all, 5, &same);
  out[7 * 32 + lane] = same;
  out[8 * 32 + lane] = __match_all_sync(all, lane, &same);
  out[9 * 32 + lane] = same;
  out[10 * 32 + lane] = __activemask();
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void reductions(unsigned *out) {
  int lane = threadIdx.x, value = lane - 5;
  unsigned all = 0xffffffffu;
  out[0 * 32 + lane] = __reduce_add_sync(all, value);
  out[1 * 32 + lane] = __reduce_min_sync(all, value);
  out[2 * 32 + lane] = __reduce_max_sync(all, value);
  out[3 * 32 + lane] = __reduce_min_sync(all, unsigned(lane) + 3u);
  out[4 * 32 + lane] = __reduce_max_sync(all, unsigned(value));
  out[5 * 32 + lane] = __reduce_and_sync(all, unsigned(lane) | 64u);
  out[6 * 32 + lane] = __reduce_or_sync(all, unsigned(lane));
  out[7 * 32 + lane] = __reduce_xor_sync(all, 1u << lane);
}
#else
__global__ void reductions(unsigned *) {}
#endif

// Lanes that come the same way find one another.
__global__ void aggregated(int *counter, int *out) {
  if (threadIdx.x % 3 == 0) {
    unsigned mask = __activemask();
    int leader = __ffs(mask) - 1, lane = threadIdx.x % 32, first = 0;
    if (lane == leader)
      first = atomicAdd(counter, __popc(mask));
    first = __shfl_sync(mask, first, leader);
    out[first + __popc(mask & ((1u << lane) - 1))] = threadIdx.x;
  }
}

void test_masks() {
  device_array<int> out(32);
  masks<<<1, 32>>>(out);
  std::vector<int> got = out.get();
  CHECK(got[0] == 120);
  CHECK(got[16] == 17008);
  CHECK(got[31] == 17008);
  CHECK(got[20] == 20);
  device_array<int> sums(40);
  partial<<<1, 40>>>(sums);
  CHECK(sums.get()[5] == 32);
  CHECK(sums.get()[39] == 8);
}

void test_votes() {
  device_array<unsigned> out(11 * 32);
  votes<<<1, 32>>>(out);
  std::vector<unsigned> got = out.get();
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(got[0 * 32 + lane] == 2);
    CHECK(got[1 * 32 + lane] == 2);
    CHECK(got[2 * 32 + lane] == 0x49249249u);
    CHECK(got[3 * 32 + lane] == 2);
    CHECK(got[4 * 32 + lane] == 0xfu << lane / 4 * 4);
    CHECK(got[5 * 32 + lane] == (lane % 2 ? 0xaaaaaaaau : 0x55555555u));
    CHECK(got[6 * 32 + lane] == 0xffffffffu);
    CHECK(got[7 * 32 + lane] == 1);
    CHECK(got[8 * 32 + lane] == 0);
    CHECK(got[9 * 32 + lane] == 0);
    CHECK(got[10 * 32 + lane] == 0xffffffffu);
  }
}

void test_reductions() {
  device_array<unsigned> out(8 * 32);
  reductions<<<1, 32>>>(out);
  std::vector<unsigned> got = out.get();
  const int right[8] = {336, -5, 26, 3, -1, 64, 31, -1};
  for (int i = 0; i < 8; ++i)
    for (int lane = 0; lane < 32; ++lane)
      CHECK(int(got[i * 32 + lane]) == right[i]);
}

void test_aggregated() {
  device_array<int> counter(1, 0), out(86, -1);
  aggregated<<<1, 256>>>(counter, out);
  CHECK(counter.get()[0] == 86);
  std::vector<int> seen(256, 0);
  for (int thread : out.get())
    ++seen[thread];
  for (int i = 0; i < 256; ++i)
    CHECK(seen[i] == (i % 3 == 0));
}

int main() {
  test_shuffles<int>();
  test_shuffles<unsigned>();
  test_shuffles<float>();
  test_shuffles<double>();
  test_shuffles<long long>();
  test_masks();
  test_votes();
  test_reductions();
  test_aggregated();
  return verdict();
}
