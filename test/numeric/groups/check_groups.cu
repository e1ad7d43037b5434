// usage: check_groups BLOCK ORDER
#include "groups_grad.cu"
#define GPUAD_DUAL_SOURCE "groups.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  auto blocks = [](dim3 grid, dim3 block) { return gpuad::launch{grid, block}; };
  for (int columns : {70, 5}) {
    GPUAD_CHECK(maximum_by_exchange, blocks(3, 32), in<double>(3 * 41), out<double>(3 * 41), out<double>(3), plain(41));
  GPUAD_CHECK(maximum_of_reduced, blocks(1, 32), in<double>(32), out<double>(32));
  GPUAD_CHECK(row_norm, blocks(3, 64), in<double>(5 * columns), out<double>(5), plain(5), plain(columns));
    GPUAD_CHECK(softmax_of_warp, blocks(3, 64), out<float>(5 * columns), in<float>(5 * columns), plain(5),
                plain(columns));
    GPUAD_CHECK(softmax_of_block, blocks(2, 96), out<float>(2 * columns), in<float>(2 * columns), plain(columns));
    GPUAD_CHECK(layernorm_of_warp, blocks(2, 96), out<float>(5 * columns), out<float>(5), out<float>(5),
                in<float>(5 * columns), in<float>(columns), in<float>(columns), plain(5), plain(columns));
    GPUAD_CHECK(leave_early, blocks(3, 64), in<double>(5 * columns), out<double>(5 * columns), plain(5),
                plain(columns));
  }
  GPUAD_CHECK(row_norm, blocks(2, dim3(16, 4)), in<double>(120), out<double>(4), plain(4), plain(30));
  GPUAD_CHECK(normalize_eights, blocks(2, 48), in<double>(91), out<double>(91), plain(91));
  GPUAD_CHECK(normalize_eights, blocks(3, dim3(4, 8)), in<double>(91), out<double>(91), plain(91));
  GPUAD_CHECK(all_exchanges, blocks(2, 48), in<double>(96), out<double>(96));
  GPUAD_CHECK(prefix_sums, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(extremes, blocks(2, 64), in<double>(100), out<double>(25), out<double>(25), out<double>(100), plain(100));
  GPUAD_CHECK(barriers, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(neighbours_in_warp, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(votes, blocks(2, 64), in<double>(128), out<double>(128));
  GPUAD_CHECK(rounds, blocks(2, 64), in<double>(128), out<double>(128), plain(4));
  for (int threads : {32, 96})
    GPUAD_CHECK(classifier, blocks(3, threads), through<float>(3 * 60), out<float>(3), in<float>(3), constant<int>({4, 0, 49}),
                plain(3), plain(1), plain(50), plain(60));
  return verdict();
}
