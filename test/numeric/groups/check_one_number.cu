// usage: check_one_number BLOCK ORDER
#include "one_number_grad.cu"
#define GPUAD_DUAL_SOURCE "one_number.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  auto blocks = [](dim3 grid, dim3 block) { return gpuad::launch{grid, block}; };
  for (int columns : {70, 5}) {
    GPUAD_CHECK(groupnorm_of_block, blocks(3, 96), in<float>(3 * columns), in<float>(7), out<float>(3 * columns),
                out<float>(3), plain(columns));
    GPUAD_CHECK(row_sum_by_all, blocks(3, 64), in<double>(5 * columns), in<double>(5), out<double>(5), plain(5),
                plain(columns));
  }
  return verdict();
}
