//===- sums.cuh - sums and scans over a block or a part of a warp -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What stands in derivatives for reductions and scans that a library does through an
/// object and a piece of shared memory. All threads of the block call those of a block,
/// with the shape that the launch has; threads are numbered as the hardware counts them
/// into warps. They keep no state: calls may follow each other, and other uses of shared
/// memory, without a barrier. `lanes` consecutive lanes of a warp call those of a part of
/// a warp; parts lie at multiples of it.
///
/// Each names its mirror image: `block_sum_to_first` and `block_from_first`,
/// `block_sum_before` and `block_sum_behind`; `block_sum` is its own.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_SUMS_CUH
#define GPUAD_RUNTIME_SUMS_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "tiles.cuh"

namespace gpuad {

namespace detail {

/// A part of a warp, as one of its lanes sees it.
struct lane_group {
  unsigned mask; ///< the lanes that are there
  int first;     ///< its first lane
  unsigned lane, rank;

  __device__ inline explicit lane_group(int lanes) {
    lane = thread_in_block() % 32u;
    rank = lane % unsigned(lanes);
    first = int(lane - rank);
    mask = lanes_there((~0u >> (32u - unsigned(lanes))) << first);
  }
  __device__ inline bool has_behind(unsigned distance) const {
    return lane + distance < 32u && (mask >> (lane + distance) & 1u) != 0u;
  }
  __device__ inline bool has_before(unsigned distance) const { return rank >= distance; }
};

/// The sum of all lanes, in the first.
template <class T> __device__ inline T sum_of_lanes(const lane_group &group, T value) {
  for (unsigned distance = 16u; distance > 0u; distance /= 2u) {
    T other = __shfl_down_sync(group.mask, value, distance);
    if (group.has_behind(distance))
      value += other;
  }
  return value;
}

/// The sum of this lane and those before it.
template <class T> __device__ inline T sum_through(const lane_group &group, T value) {
  for (unsigned distance = 1u; distance < 32u; distance *= 2u) {
    T other = __shfl_up_sync(group.mask, value, distance);
    if (group.has_before(distance))
      value += other;
  }
  return value;
}

/// The sum of this lane and those behind it.
template <class T> __device__ inline T sum_onward(const lane_group &group, T value) {
  for (unsigned distance = 1u; distance < 32u; distance *= 2u) {
    T other = __shfl_down_sync(group.mask, value, distance);
    if (group.has_behind(distance))
      value += other;
  }
  return value;
}

template <class T> __device__ inline T sum_before(const lane_group &group, T value) {
  T sum = __shfl_up_sync(group.mask, sum_through(group, value), 1u);
  return group.has_before(1u) ? sum : T(0);
}

template <class T> __device__ inline T sum_behind(const lane_group &group, T value) {
  T sum = __shfl_down_sync(group.mask, sum_onward(group, value), 1u);
  return group.has_behind(1u) ? sum : T(0);
}

template <class T> __device__ inline T from_first_lane(const lane_group &group, T value) {
  return __shfl_sync(group.mask, value, group.first);
}

/// Which of two offers stays: the larger, or the smaller.
template <bool Largest, class T> __device__ inline T better(T a, T b) {
  return (Largest ? a < b : b < a) ? b : a;
}

template <bool Largest, class T> __device__ inline T best_of_lanes(const lane_group &group, T value) {
  for (unsigned distance = 16u; distance > 0u; distance /= 2u) {
    T other = __shfl_down_sync(group.mask, value, distance);
    if (group.has_behind(distance))
      value = better<Largest>(value, other);
  }
  return from_first_lane(group, value);
}

/// What each warp has, told to all threads of the block.
template <class T> struct warp_values {
  T *of_warp;

  /// `value` counts in the first lane.
  __device__ inline explicit warp_values(T value) {
    __shared__ T values[32];
    __syncthreads(); // what was told before may still be read
    unsigned thread = thread_in_block();
    if (thread % 32u == 0u)
      values[thread / 32u] = value;
    __syncthreads();
    of_warp = values;
  }
  __device__ inline T sum(unsigned from, unsigned to) const {
    T all = T(0);
    for (unsigned warp = from; warp < to; ++warp)
      all += of_warp[warp];
    return all;
  }
};

__device__ inline unsigned warps_of_block() {
  return (threads_of_block() + 31u) / 32u;
}

template <bool Largest, class T> __device__ inline T best_of_block(T value) {
  warp_values<T> values(best_of_lanes<Largest>(lane_group(32), value));
  T best = values.of_warp[0];
  for (unsigned warp = 1u; warp < warps_of_block(); ++warp)
    best = better<Largest>(best, values.of_warp[warp]);
  return best;
}

/// The first thread of the block for which it holds.
__device__ inline unsigned first_thread_where(bool holds) {
  unsigned warp = thread_in_block() / 32u;
  int lane = first_lane(__ballot_sync(lane_group(32).mask, holds));
  warp_values<unsigned> found(lane < 0 ? ~0u : warp * 32u + unsigned(lane));
  unsigned thread = ~0u;
  for (unsigned other = 0u; other < warps_of_block(); ++other)
    thread = found.of_warp[other] < thread ? found.of_warp[other] : thread;
  return thread;
}

} // namespace detail

/// The sum over the block, in all threads.
template <class T> __device__ inline T block_sum(T value) {
  detail::warp_values<T> sums(detail::sum_of_lanes(detail::lane_group(32), value));
  return sums.sum(0u, detail::warps_of_block());
}

/// The sum over the block, or over its first `count` threads, which counts in the first
/// thread alone.
template <class T> __device__ inline T block_sum_to_first(T value) {
  return block_sum(value);
}
template <class T> __device__ inline T block_sum_to_first(T value, int count) {
  return block_sum(int(detail::thread_in_block()) < count ? value : T(0));
}

/// What the first thread has; zero in those that are not among the first `count`.
template <class T> __device__ inline T block_from_first(T value) {
  return detail::warp_values<T>(value).of_warp[0];
}
template <class T> __device__ inline T block_from_first(T value, int count) {
  T first = block_from_first(value);
  return int(detail::thread_in_block()) < count ? first : T(0);
}

/// The sum over the threads before this one.
template <class T> __device__ inline T block_sum_before(T value) {
  detail::lane_group warp(32);
  detail::warp_values<T> sums(detail::sum_of_lanes(warp, value));
  return sums.sum(0u, detail::thread_in_block() / 32u) + detail::sum_before(warp, value);
}

/// The sum over the threads behind this one.
template <class T> __device__ inline T block_sum_behind(T value) {
  detail::lane_group warp(32);
  detail::warp_values<T> sums(detail::sum_of_lanes(warp, value));
  return detail::sum_behind(warp, value) + sums.sum(detail::thread_in_block() / 32u + 1u, detail::warps_of_block());
}

/// The largest, or the smallest, of what the threads of the block have.
template <class T> __device__ inline T block_largest(T value) {
  return detail::best_of_block<true>(value);
}
template <class T> __device__ inline T block_smallest(T value) {
  return detail::best_of_block<false>(value);
}

/// The seed of such a reduction, of which the result counts in the first thread. Of
/// several threads that have the value, it goes to the first.
template <class T>
__device__ inline T block_winner_transpose(T seed, typename detail::same<T>::type value,
                                           typename detail::same<T>::type result) {
  T first = block_from_first(seed);
  return detail::first_thread_where(value == result) == detail::thread_in_block() ? first : T(0);
}

/// The tangent of such a reduction: that of the thread whose value it is.
template <class T>
__device__ inline T block_winner_tangent(T tangent, typename detail::same<T>::type value,
                                         typename detail::same<T>::type result) {
  bool wins = detail::first_thread_where(value == result) == detail::thread_in_block();
  return block_sum(wins ? tangent : T(0));
}

template <class T> __device__ inline T lanes_sum(T value, int lanes) {
  detail::lane_group group(lanes);
  return detail::from_first_lane(group, detail::sum_of_lanes(group, value));
}

template <class T> __device__ inline T lanes_sum_to_first(T value, int lanes) {
  return lanes_sum(value, lanes);
}
template <class T> __device__ inline T lanes_sum_to_first(T value, int count, int lanes) {
  return lanes_sum(int(detail::lane_group(lanes).rank) < count ? value : T(0), lanes);
}

template <class T> __device__ inline T lanes_from_first(T value, int lanes) {
  return detail::from_first_lane(detail::lane_group(lanes), value);
}
template <class T> __device__ inline T lanes_from_first(T value, int count, int lanes) {
  detail::lane_group group(lanes);
  T first = detail::from_first_lane(group, value);
  return int(group.rank) < count ? first : T(0);
}

template <class T> __device__ inline T lanes_sum_before(T value, int lanes) {
  return detail::sum_before(detail::lane_group(lanes), value);
}

template <class T> __device__ inline T lanes_sum_behind(T value, int lanes) {
  return detail::sum_behind(detail::lane_group(lanes), value);
}

template <class T> __device__ inline T lanes_largest(T value, int lanes) {
  return detail::best_of_lanes<true>(detail::lane_group(lanes), value);
}
template <class T> __device__ inline T lanes_smallest(T value, int lanes) {
  return detail::best_of_lanes<false>(detail::lane_group(lanes), value);
}

template <class T>
__device__ inline T lanes_winner_transpose(T seed, int lanes, typename detail::same<T>::type value,
                                           typename detail::same<T>::type result) {
  detail::lane_group group(lanes);
  T first = detail::from_first_lane(group, seed);
  return detail::winner_of(group.mask, value, result) == int(group.lane) ? first : T(0);
}

template <class T>
__device__ inline T lanes_winner_tangent(T tangent, int lanes, typename detail::same<T>::type value,
                                         typename detail::same<T>::type result) {
  detail::lane_group group(lanes);
  int winner = detail::winner_of(group.mask, value, result);
  return __shfl_sync(group.mask, tangent, winner < 0 ? group.first : winner);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_SUMS_CUH
