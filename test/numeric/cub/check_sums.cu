// usage: check_sums BLOCK ORDER
#include "sums_grad.cu"
#define GPUAD_DUAL_SOURCE "sums.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  auto blocks = [](dim3 grid, dim3 block) { return gpuad::launch{grid, block}; };
  for (int blocksInGrid : {1, 3}) {
    int n = blocksInGrid * 64 - 13, columns = blocksInGrid == 1 ? 70 : 11;
    dim3 grid(blocksInGrid);
    GPUAD_CHECK(sum_of_squares, blocks(grid, 64), in<double>(n), out<double>(blocksInGrid), plain(n));
    GPUAD_CHECK_INSTANCE(dot, (double, 64), blocks(grid, 64), in<double>(n * 2), in<double>(n * 2), through<double>(1),
                         plain<size_t>(n * 2));
    GPUAD_CHECK(sum_of_first_ones, blocks(grid, 96), in<double>(96 * blocksInGrid - 30), out<double>(blocksInGrid),
                plain(96 * blocksInGrid - 30));
    GPUAD_CHECK(sum_of_items, blocks(grid, 32), in<double>(96 * blocksInGrid - 7), out<double>(blocksInGrid),
                plain(96 * blocksInGrid - 7));
    GPUAD_CHECK(normalize_rows, blocks(grid, 64), in<double>(4 * columns), out<double>(4 * columns), plain(4),
                plain(columns));
    GPUAD_CHECK(softmax, blocks(grid, 64), in<double>(blocksInGrid * columns), out<double>(blocksInGrid * columns),
                plain(columns));
    GPUAD_CHECK(extremes, blocks(grid, 64), in<double>(n), out<double>(blocksInGrid), plain(n));
    GPUAD_CHECK(sum_in_three_dimensions, blocks(grid, dim3(4, 3, 5)), in<double>(60 * blocksInGrid),
                out<double>(blocksInGrid));
    GPUAD_CHECK(sums_of_parts_of_warps, blocks(grid, 64), in<double>(64 * blocksInGrid), out<double>(4 * blocksInGrid));
    GPUAD_CHECK(sums_of_rows, blocks(grid, 64), in<double>((2 * blocksInGrid - 1) * columns),
                out<double>(2 * blocksInGrid - 1), plain(2 * blocksInGrid - 1), plain(columns));
    GPUAD_CHECK(scans, blocks(grid, 64), in<double>(n), out<double>(n), out<double>(n), plain(n));
    GPUAD_CHECK(scans_of_items, blocks(grid, 32), in<double>(128 * blocksInGrid - 9),
                out<double>(128 * blocksInGrid - 9), out<double>(blocksInGrid), plain(128 * blocksInGrid - 9));
    GPUAD_CHECK(scans_of_lanes, blocks(grid, 64), in<double>(64 * blocksInGrid), out<double>(64 * blocksInGrid));
    GPUAD_CHECK(sums_in_functions, blocks(grid, 64), in<double>(n), out<double>(n), plain(n));
    std::vector<int> keep(n);
    for (int i = 0; i < n; ++i)
      keep[i] = i * 7 % 5;
    GPUAD_CHECK(compaction, blocks(grid, 64), in<double>(n), out<double>(64 * blocksInGrid), constant<int>(keep),
                plain(n));
    GPUAD_CHECK(iterate, blocks(grid, 32), through<double>(32 * blocksInGrid), plain(4));
    GPUAD_CHECK(sum_in_branch, blocks(grid, 64), in<double>(n), out<double>(blocksInGrid), plain(n));
    GPUAD_CHECK(different_types, blocks(grid, 64), in<double>(64 * blocksInGrid), constant<float>(std::vector<float>(64 * blocksInGrid, 0.125f)),
                out<double>(blocksInGrid));
    GPUAD_CHECK(neighbours_across_sum, blocks(grid, 64), in<double>(64 * blocksInGrid), out<double>(64 * blocksInGrid));
  }
  return verdict();
}
