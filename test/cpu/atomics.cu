// Atomics of every operation, type and scope, on global and on shared memory.
#include "check.h"

#include <cstdint>
#include <cstring>

constexpr int threads = 200;

template <class T> __global__ void integers(T *out) {
  __shared__ T s[10];
  int i = threadIdx.x;
  if (i == 0) {
    for (T &v : s)
      v = 0;
    s[2] = T(1000);
    s[5] = T(-1);
  }
  __syncthreads();
  for (T *p : {out, s}) {
    atomicAdd(&p[0], T(i));
    atomicMax(&p[1], T(i));
    atomicMin(&p[2], T(i + 3));
    atomicExch(&p[3], T(7));
    atomicCAS(&p[4], T(0), T(9));
    atomicAnd(&p[5], ~(T(1) << (i % 16)));
    atomicOr(&p[6], T(1) << (i % 16));
    atomicXor(&p[7], T(i));
    T seen = p[8];
    for (;;) { // the usual loop
      T assumed = seen;
      seen = atomicCAS(&p[8], assumed, assumed + 2);
      if (seen == assumed)
        break;
    }
  }
  __syncthreads();
  if (i == 0)
    for (int k = 0; k < 10; ++k)
      out[10 + k] = s[k];
}

template <class T> __global__ void scoped(T *out) {
  int i = threadIdx.x;
  atomicAdd_block(&out[0], T(i));
  atomicAdd_system(&out[0], T(i));
  atomicMax_block(&out[1], T(i));
  atomicMax_system(&out[1], T(i));
  atomicMin_block(&out[2], T(i + 3));
  atomicMin_system(&out[2], T(i + 3));
  atomicExch_block(&out[3], T(7));
  atomicExch_system(&out[3], T(7));
  atomicCAS_block(&out[4], T(0), T(9));
  atomicCAS_system(&out[4], T(9), T(9));
  atomicAnd_block(&out[5], ~(T(1) << (i % 16)));
  atomicAnd_system(&out[5], ~(T(1) << (i % 16)));
  atomicOr_block(&out[6], T(1) << (i % 16));
  atomicOr_system(&out[6], T(1) << (i % 16));
  atomicXor_block(&out[7], T(i));
  atomicXor_system(&out[7], T(i));
}

template <class T> __global__ void reals(T *out) {
  __shared__ T sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&out[0], T(0.5));
  atomicAdd_block(&out[1], T(0.25));
  atomicAdd_system(&out[2], T(0.125));
  atomicAdd(&sum, T(threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0)
    out[3] = sum;
}

__global__ void wrapping(unsigned *out) {
  atomicInc(&out[0], 9);
  atomicDec(&out[1], 9);
  atomicInc_block(&out[2], 9);
  atomicDec_system(&out[3], 9);
  atomicSub(&out[4], 2u);
}

__global__ void returned(unsigned *counter, int *seen) { seen[atomicAdd(counter, 1u)] = 1; }

__global__ void exchanges(float *out, unsigned short *half) {
  atomicExch(&out[0], 2.5f);
  atomicCAS(half, (unsigned short)0, (unsigned short)3);
}

// The largest of the bits of floats: how a float maximum is written.
__global__ void largest(const float *x, int *out) { atomicMax(out, __float_as_int(x[threadIdx.x])); }

template <class T> void check_common(const std::vector<T> &got, int at, int times) {
  T bits = 0;
  for (int i = 0; i < threads && times % 2; ++i)
    bits ^= T(i);
  CHECK(got[at + 0] == T(times * threads * (threads - 1) / 2));
  CHECK(got[at + 1] == T(threads - 1));
  CHECK(got[at + 2] == T(3));
  CHECK(got[at + 3] == T(7));
  CHECK(got[at + 4] == T(9));
  CHECK(got[at + 5] == T(T(-1) & ~T(0xffff)));
  CHECK(got[at + 6] == T(0xffff));
  CHECK(got[at + 7] == bits);
}

template <class T> void test_integers() {
  std::vector<T> start(20, 0);
  start[2] = 1000;
  start[5] = T(-1);
  device_array<T> out(start), again(start);
  integers<<<1, threads>>>(out.data);
  std::vector<T> got = out.get();
  check_common(got, 0, 1);
  check_common(got, 10, 1);
  CHECK(got[8] == T(2 * threads));
  CHECK(got[18] == T(2 * threads));
  scoped<<<1, threads>>>(again.data);
  check_common(again.get(), 0, 2);
}

// Values above the signed range order differently as unsigned numbers.
__global__ void unsigned_order(unsigned *small, unsigned long long *large) {
  atomicMax(&small[0], 0x80000000u);
  atomicMax_block(&small[0], 3u);
  atomicMin_system(&small[1], 0x80000000u);
  atomicMax_system(&large[0], 1ull << 63);
  atomicMax_block(&large[0], 3ull);
  atomicMin(&large[1], 1ull << 63);
}

template <class T> void test_reals() {
  device_array<T> out(4, T(0));
  reals<<<1, threads>>>(out.data);
  std::vector<T> got = out.get();
  CHECK_NEAR(got[0], threads * 0.5, 0);
  CHECK_NEAR(got[1], threads * 0.25, 0);
  CHECK_NEAR(got[2], threads * 0.125, 0);
  CHECK_NEAR(got[3], threads * (threads - 1) / 2, 0);
}

int main() {
  test_integers<int>();
  test_integers<unsigned>();
  test_integers<unsigned long long>();
  test_reals<float>();
  test_reals<double>();
  device_array<unsigned> out(5, 0u), counter(1, 0u), small(std::vector<unsigned>{0u, 0xffffffffu});
  device_array<unsigned long long> large(std::vector<unsigned long long>{0ull, ~0ull});
  wrapping<<<1, 13>>>(out);
  std::vector<unsigned> got = out.get();
  CHECK(got[0] == 3 && got[1] == 7 && got[2] == 3 && got[3] == 7 && got[4] == 0u - 26);
  unsigned_order<<<1, 4>>>(small, large);
  CHECK(small.get()[0] == 0x80000000u && small.get()[1] == 0x80000000u);
  CHECK(large.get()[0] == 1ull << 63 && large.get()[1] == 1ull << 63);
  device_array<int> seen(3 * threads, 0), most(1, 0);
  returned<<<3, threads>>>(counter, seen);
  for (int s : seen.get())
    CHECK(s == 1);
  device_array<float> x(std::vector<float>{1, 5.5f, 3}), f(1, 0.0f);
  device_array<unsigned short> half(2, (unsigned short)0);
  exchanges<<<1, 3>>>(f, half);
  CHECK(f.get()[0] == 2.5f && half.get()[0] == 3 && half.get()[1] == 0);
  largest<<<1, 3>>>(x, most);
  float value;
  int bits = most.get()[0];
  static_assert(sizeof value == sizeof bits, "");
  std::memcpy(&value, &bits, sizeof value);
  CHECK(value == 5.5f);
  return verdict();
}
