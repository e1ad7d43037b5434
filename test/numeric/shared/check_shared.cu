// usage: check_shared BLOCK ORDER
#include "shared_grad.cu"
#define GPUAD_DUAL_SOURCE "shared.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 77;
  auto blocks = [](int grid, int block, size_t bytes = 0) { return gpuad::launch{dim3(grid), dim3(block), bytes}; };
  GPUAD_CHECK(block_sum_squares, blocks(3, 32), plain(n), in<double>(n), out<double>(3));
  GPUAD_CHECK(block_sum_squares, blocks(2, 64), plain(n), in<double>(n), out<double>(2));
  GPUAD_CHECK(block_norm, blocks(3, 32, 32 * sizeof(double)), plain(n), in<double>(n), out<double>(3));
  GPUAD_CHECK(block_norm, blocks(10, 8, 8 * sizeof(double)), plain(n), in<double>(n), out<double>(10));
  gpuad::launch tiles{dim3(2, 2), dim3(8, 8)};
  GPUAD_CHECK(tiled_product, tiles, plain(11), plain(13), plain(10), in<float>(143), in<float>(130), out<float>(110));
  GPUAD_CHECK(stencil_with_halo, blocks(3, 32), plain(n), in<double>(n), in<double>(3), out<double>(n));
  GPUAD_CHECK(softmax_row, blocks(3, 32), plain(45), in<float>(3 * 45), out<float>(3 * 45));
  GPUAD_CHECK(broadcast, blocks(3, 20), plain(7), in<double>(60), out<double>(60));
  std::vector<int> bin(n);
  for (int i = 0; i < n; ++i)
    bin[i] = (i * i) % 5;
  GPUAD_CHECK(weigh_bins, blocks(4, 20), plain(n), constant(bin), in<double>(n), through<double>(5));
  GPUAD_CHECK(twice_around, blocks(3, 16), in<double>(48), out<double>(48));
  GPUAD_CHECK(tiled_bodies, blocks(3, 16), plain(43), in<body>(43), out<float3>(43));
  GPUAD_CHECK(warp_sum, blocks(2, 64), in<float>(128), out<float>(4));
  GPUAD_CHECK(warp_scan, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(shuffles_of_all_kinds, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(half_of_the_lanes, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(part_of_a_warp, blocks(3, 40), in<double>(120), out<double>(120));
  GPUAD_CHECK(two_stage_sum, blocks(2, 96), plain(500), in<float>(500), through<float>(1));
  GPUAD_CHECK(carved, blocks(2, 16, 32 * sizeof(double)), plain(27), in<double>(27), out<double>(27));
  GPUAD_CHECK(carved_bytes, blocks(2, 16, 32 * sizeof(double)), plain(27), in<double>(27), out<double>(27));
  GPUAD_CHECK(mixed_bytes, blocks(2, 16), plain(27), in<double>(27), out<double>(27));
  return verdict();
}
