// usage: check_maxima BLOCK ORDER
#include "maxima_grad.cu"
#include "harness.h"

using namespace numeric;

/// All offer the same: one thread of a block takes the seed, and the tangent is that of one number, of whichever thread.
static void check_equal(const gpuad::launch &where, int n) {
  std::vector<float> dots(n), seeds(where.grid.x, 1.f);
  for (int i = 0; i < n; ++i)
    dots[i] = 1 + i;
  array<float> x(std::vector<float>(n, 2.f)), x_dot(dots), x_bar(n, 0.f), y(where.grid.x, 0.f), y_dot(where.grid.x, 0.f),
      y_bar(seeds);
  launch_largest_of_block_tangent(where, n, x, x_dot, y, y_dot);
  launch_largest_of_block_adjoint(where, n, x, x_bar, y, y_bar);
  expect("equal numbers", gpuad::synchronize().ok());
  std::vector<float> bars = x_bar.host(), tops = y_dot.host();
  const int block = where.block.x;
  for (int b = 0; b * block < n; ++b) {
    int takers = 0, taker = 0, owners = 0;
    for (int i = b * block; i < std::min(n, (b + 1) * block); ++i) {
      owners += tops[b] == 4 * dots[i];
      if (bars[i] != 0) {
        ++takers;
        taker = i;
      }
    }
    expect("one thread takes the seed", takers == 1);
    expect_near("what it takes", b, bars[taker], 4);
    expect("the tangent is that of one number", owners == 1);
  }
}

int main(int count, char **arguments) {
  start(count, arguments);
  auto blocks = [](int grid, int block) { return gpuad::launch{dim3(grid), dim3(block)}; };
  const int n = 77;
  // Numbers that lie so far apart that none overtakes another on the way of a difference.
  range apart{0.5, 0.503};
  for (int k = 0; k < 6733; ++k)
    apart.base.push_back(k * 37 % 6733 * 0.0078125);
  range some{0.5, 0.52};
  some.base.resize(101);
  for (int k = 0; k < 101; ++k)
    some.base[k] = k * 29 % 101 * 0.125;
  std::vector<int> bin(n);
  for (int i = 0; i < n; ++i)
    bin[i] = i % 13 == 5 ? -1 : (i * i) % 8;
  for (auto [grid, block] : {std::pair(3, 32), std::pair(2, 40), std::pair(8, 10)}) {
    gpuad::launch where = blocks(grid, block);
    const int threads = grid * block;
    GPUAD_CHECK(softmax_of_block, where, plain(23), in<float>(23 * grid, some), out<float>(23 * grid));
    for (int rows : {1, 5, 70})
      GPUAD_CHECK(by_largest_of_row, where, plain(rows), plain(23), in<double>(23 * rows, some),
                  out<double>(23 * rows));
    GPUAD_CHECK(largest_then_smallest, where, plain(n), in<float>(n, some), out<float>(n));
    GPUAD_CHECK(of_each_line, gpuad::launch{dim3(grid), dim3(8, 4)}, plain(11), in<double>(44 * grid, apart),
                out<double>(44 * grid));
    GPUAD_CHECK(of_bins, where, plain(n), constant(bin), in<float>(n, some), out<float>(n));
    GPUAD_CHECK(of_bins_in_a_loop, where, plain(n), constant(bin), in<float>(n, some), out<float>(8 * grid));
    for (int rounds : {1, 3, 70}) {
      GPUAD_CHECK(largest_so_far, where, plain(rounds), in<double>(rounds * threads, apart), out<double>(rounds * threads));
      GPUAD_CHECK(of_the_round_before, where, plain(rounds), in<double>(rounds * threads, apart),
                  out<double>(rounds * threads));
    }
    for (bool normalise : {true, false})
      GPUAD_CHECK(barrier_in_an_arm, where, plain(n), plain(normalise), in<float>(n, some), out<float>(n));
    GPUAD_CHECK(in_dynamic_memory, (gpuad::launch{dim3(grid), dim3(block), unsigned(block + 2) * 4}), plain(n),
                in<float>(n, some), out<float>(n));
    for (int rows : {1, 5, 70})
      GPUAD_CHECK(of_rounded_numbers, where, plain(rows), plain(23), in<float>(23 * rows, some), out<float>(23 * rows));
    GPUAD_CHECK(of_rounded_numbers_in_a_loop, where, plain(n), in<float>(n, some), out<float>(n * grid));
    GPUAD_CHECK(of_one_rounded_number, where, plain(n), in<float>(n, some), out<float>(n));
    GPUAD_CHECK(in_a_struct, where, plain(n), in<float>(n, some), out<float>(n));
    GPUAD_CHECK(behind_a_return, where, plain(n), constant(bin), in<float>(n, some), out<float>(n));
    GPUAD_CHECK(largest_of_block, where, plain(n), in<float>(n, some), out<float>(grid));
    check_equal(where, n);
    GPUAD_CHECK(of_warps, where, plain(n), in<float>(n, some), out<float>(n));
  }
  return verdict();
}
