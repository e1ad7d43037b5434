//===- tiles.cuh - what the threads of a tile do together -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Exchanges and reductions of cooperative groups, reversed. A tile is a part of a warp
/// (`cooperative_groups::thread_block_tile`); its type is a parameter here, so that
/// nothing of that library is needed where it is not used. All threads of the tile call
/// these together.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_TILES_CUH
#define GPUAD_RUNTIME_TILES_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "group.cuh"

namespace gpuad {

namespace detail {

/// The lanes of the warp that belong to the tile.
template <class Tile> __device__ inline unsigned lanes_of(const Tile &tile) {
  unsigned start = thread_in_block() % 32u - unsigned(tile.thread_rank());
  return (~0u >> (32u - unsigned(tile.size()))) << start;
}

/// The sum of what all threads of the tile give.
template <class Tile, class T> __device__ inline T sum_of_tile(const Tile &tile, T value) {
  unsigned mask = lanes_of(tile);
  if (lanes_there(mask) == mask) {
    for (unsigned step = unsigned(tile.size()) / 2u; step != 0u; step /= 2u)
      value += __shfl_xor_sync(mask, value, int(step));
    return value;
  }
  // The block ends within the tile.
  T sum = T(0);
  for (unsigned rest = lanes_there(mask); rest != 0u; rest &= rest - 1u)
    sum += __shfl_sync(mask, value, first_lane(rest));
  return sum;
}

/// The first lane whose value is the result of a maximum or minimum; none, when that is
/// not a number.
template <class T> __device__ inline int winner_of(unsigned mask, T value, T result) {
  return first_lane(__ballot_sync(mask, value == result));
}

} // namespace detail

/// The seed of tile.shfl(value, source).
template <class Tile, class T> __device__ inline T tile_shfl_transpose(const Tile &tile, T seed, int source) {
  return shfl_transpose(detail::lanes_of(tile), seed, source, int(tile.size()));
}

/// The seed of tile.shfl_up(value, delta).
template <class Tile, class T> __device__ inline T tile_shfl_up_transpose(const Tile &tile, T seed, unsigned delta) {
  return shfl_up_transpose(detail::lanes_of(tile), seed, delta, int(tile.size()));
}

/// The seed of tile.shfl_down(value, delta).
template <class Tile, class T> __device__ inline T tile_shfl_down_transpose(const Tile &tile, T seed, unsigned delta) {
  return shfl_down_transpose(detail::lanes_of(tile), seed, delta, int(tile.size()));
}

/// The seed of tile.shfl_xor(value, lanes).
template <class Tile, class T> __device__ inline T tile_shfl_xor_transpose(const Tile &tile, T seed, unsigned lanes) {
  return shfl_xor_transpose(detail::lanes_of(tile), seed, int(lanes), int(tile.size()));
}

/// The seed of cooperative_groups::reduce(tile, value, plus): all threads have the sum of all.
template <class Tile, class T, class Operation>
__device__ inline T tile_sum_transpose(const Tile &tile, T seed, const Operation &) {
  return detail::sum_of_tile(tile, seed);
}

/// The seed of cooperative_groups::reduce(tile, value, greater or less): all threads have
/// the value of one. Of several that have it, that is the first.
template <class Tile, class T, class Operation>
__device__ inline T tile_winner_transpose(const Tile &tile, T seed, const Operation &, T value, T result) {
  T sum = detail::sum_of_tile(tile, seed);
  int winner = detail::winner_of(detail::lanes_of(tile), value, result);
  return winner == int(detail::thread_in_block() % 32u) ? sum : T(0);
}

/// The tangent of such a reduction: that of the thread whose value it is.
template <class Tile, class T, class Operation>
__device__ inline T tile_winner_tangent(const Tile &tile, T tangent, const Operation &, T value, T result) {
  unsigned mask = detail::lanes_of(tile);
  int winner = detail::winner_of(mask, value, result);
  return __shfl_sync(mask, tangent, winner < 0 ? 0 : winner);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_TILES_CUH
