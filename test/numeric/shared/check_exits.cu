// usage: check_exits BLOCK ORDER
#include "exits_grad.cu"
#define GPUAD_DUAL_SOURCE "exits.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  auto blocks = [](int grid, int block) { return gpuad::launch{dim3(grid), dim3(block), 0}; };
  using numbers = std::vector<double>;
  struct shape {
    int n, grid, block;
  };
  for (shape at : {shape{77, 3, 32}, {5, 1, 8}, {64, 1, 64}, {38, 4, 16}, {100, 2, 64}}) {
    int n = at.n, threads = at.grid * at.block;
    GPUAD_CHECK(return_in_front, blocks(at.grid, at.block), plain(n), value<double>(), in<double>(n), out<double>(n));
    GPUAD_CHECK(tiles_behind_exit, blocks(at.grid, at.block), plain(n), plain(n - 3), constant(numbers(n, 0.5)),
                in<double>(n), out<double>(n));
    std::vector<int> rounds(at.grid);
    for (int i = 0; i < at.grid; ++i)
      rounds[i] = (3 * i + 2) % 4;
    GPUAD_CHECK(loaded_bound, blocks(at.grid, at.block), plain(n), constant(rounds), in<double>(n), out<double>(n));
    numbers begin(at.block);
    for (int i = 0; i < at.block; ++i)
      begin[i] = 0.5 + 0.03 * i;
    GPUAD_CHECK(exit_in_loop, blocks(1, at.block), plain(5), plain(0.21), in<double>(5 * at.block), constant(begin),
                out<double>(at.block));
    GPUAD_CHECK(exit_and_loop, blocks(at.grid, at.block), plain(n), in<double>(threads + 3), out<double>(threads + 3));
    GPUAD_CHECK(lanes_leave, blocks(at.grid, at.block), plain(n), value<double>(), in<double>(n), out<double>(n));
    GPUAD_CHECK(blend, blocks(at.grid, std::min(at.block, 32)), plain(n), plain(2 * n + 3), in<float>(2 * n + 3),
                in<float>(2 * n + 3), out<float>(n));
    GPUAD_CHECK(partly_new, blocks(at.grid, at.block), plain(n), plain(n / 2 + 3), in<double>(n), out<double>(n));
    GPUAD_CHECK(passed_along, blocks(at.grid, at.block), plain(4), in<double>(2 * threads), out<double>(threads));
    for (int wide : {1, 5})
      GPUAD_CHECK(wide_only, blocks(at.grid, at.block), plain(wide), in<double>(threads), out<double>(threads));
    GPUAD_CHECK(block_leaves, blocks(at.grid, at.block), plain(at.grid / 2 + 1), plain(n), in<double>(at.grid * n),
                out<double>((at.grid / 2 + 1) * n));
  }
  return verdict();
}
