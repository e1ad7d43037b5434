// usage: check_rows BLOCK ORDER
#include "rows_grad.cu"
#define GPUAD_DUAL_SOURCE "rows.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  auto blocks = [](int grid, int block) { return gpuad::launch{dim3(grid), dim3(block), 0}; };
  for (auto [rows, width, grid, block] : {std::array{5, 37, 3, 64}, std::array{3, 20, 4, 32}, std::array{7, 64, 4, 64}}) {
    int size = rows * width;
    GPUAD_CHECK(layer_norm, blocks(grid, block), out<float>(size), in<float>(size), in<float>(width), in<float>(width),
                plain(rows), plain(width));
    GPUAD_CHECK(softmax, blocks(rows + 2, block), out<float>(size), in<float>(size), plain(rows), plain(width));
    std::vector<int> begin(rows + 1), column;
    for (int row = 0; row < rows; ++row) {
      begin[row] = static_cast<int>(column.size());
      for (int k = 0; k < (row * 23) % 41; ++k)
        column.push_back((k * 7 + row) % width);
    }
    begin[rows] = static_cast<int>(column.size());
    GPUAD_CHECK(sparse_product, blocks(grid, block), plain(rows), constant(begin), constant(column),
                in<float>(column.size()), in<float>(width), out<float>(rows));
  }
  for (int n : {16, 27, 40})
    GPUAD_CHECK(attention, blocks((n + 15) / 16, 16), plain(n), in<float>(4 * n), in<float>(4 * n), in<float>(4 * n),
                out<float>(4 * n));
  for (int n : {8, 32, 64}) {
    std::vector<int> flag(2 * n);
    for (int i = 0; i < 2 * n; ++i)
      flag[i] = i % 11 == 3;
    GPUAD_CHECK(segmented_scan, blocks(2, n), plain(2 * n - 5), constant(flag), in<double>(2 * n - 5),
                out<double>(2 * n - 5));
  }
  return verdict();
}
