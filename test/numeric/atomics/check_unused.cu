// usage: check_unused BLOCK ORDER
#include "unused_grad.cu"
#define GPUAD_DUAL_SOURCE "unused.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 77;
  auto blocks = [](int grid, int block) { return gpuad::launch{dim3(grid), dim3(block)}; };
  for (auto [grid, block] : {std::pair(3, 32), std::pair(2, 40), std::pair(8, 10)}) {
    GPUAD_CHECK(square_of_sum, blocks(grid, block), plain(n), in<double>(n), out<double>(n));
    for (bool adds : {true, false})
      GPUAD_CHECK(sum_in_an_arm, blocks(grid, block), plain(n), plain(adds), in<double>(n), out<double>(n));
    for (int rounds : {0, 1, 3, 70})
      GPUAD_CHECK(sums_over_rounds, blocks(grid, block), plain(rounds), in<double>(grid * block),
                  out<double>(grid * block));
    std::vector<int> key(n);
    for (int i = 0; i < n; ++i)
      key[i] = (i * i) % 7;
    GPUAD_CHECK(weigh_by_count, blocks(grid, block), plain(n), constant(key), in<double>(n), inactive_out<int>(10),
                out<double>(n));
    GPUAD_CHECK(sums_of_all_scopes, blocks(grid, block), plain(n), in<float>(n), in<double>(n), through<float>(3 + grid),
                through<double>(3 + grid), inactive_out<unsigned long long>(1));
    GPUAD_CHECK(sums_in_a_loop, blocks(grid, block), plain(n), plain(5), constant(key), in<double>(n),
                through<double>(7));
    GPUAD_CHECK(sums_behind_functions, blocks(grid, block), plain(n), in<double>(n), through<double>(2),
                through<double>(1), inactive_out<int>(2));
    GPUAD_CHECK(results_unread, blocks(grid, block), plain(n), in<double>(n), through<double>(2), through<double>(1));
    GPUAD_CHECK(norm_of_block, blocks(grid, block), plain(n), in<float>(n), through<float>(1));
  }
  return verdict();
}
