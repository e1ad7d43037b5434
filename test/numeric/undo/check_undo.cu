// usage: check_undo BLOCK ORDER
#include "undo_grad.cu"
#include "harness.h"
#include "overflow_checks.h"

template <> struct numeric::layout<cell> {
  using scalar = float;
  static std::vector<std::size_t> offsets() { return {offsetof(cell, a), offsetof(cell, b), offsetof(cell, c)}; }
};
template <> struct numeric::layout<body> {
  using scalar = double;
  static std::vector<std::size_t> offsets() { return {offsetof(body, pos), offsetof(body, mass), offsetof(body, acc)}; }
};
using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19, m = 6;
  GPUAD_CHECK(sweep, cover(n), plain(n), plain(m), through<double>(n * m));
  GPUAD_CHECK(sweep, cover(n), plain(n), plain(1), through<double>(n));
  GPUAD_CHECK(sweep_down, cover(n), plain(n), plain(7), plain(3), in<double>(11), through<double>(11 * n));
  GPUAD_CHECK(tridiagonal, cover(n), plain(n), plain(m), in<double>(n * m), in<double>(n * m, {3, 4}),
              through<double>(n * m), through<double>(n * m));
  GPUAD_CHECK(by_functions, cover(n), plain(n), plain(m), in<double>(n * m), in<double>(n * m, {3, 4}),
              through<double>(n * m), through<double>(n * m));
  GPUAD_CHECK(stepper, cover(n), plain(n), plain(m), plain(4), value<float>({0.05, 0.1}), through<float>(n * m));
  GPUAD_CHECK(one_thread, cover(n), plain(m), plain(3), through<double>(m));
  GPUAD_CHECK(three_levels, cover(n), plain(n), plain(4), plain(2), plain(3), through<double>(4 * n), out<double>(n));
  GPUAD_CHECK(triangular, cover(n), plain(n), plain(m), through<double>(n * m));
  std::vector<int> begins(n + 1);
  for (int i = 0; i < n; ++i)
    begins[i + 1] = begins[i] + (i * 7) % 5;
  GPUAD_CHECK(ragged, cover(n), plain(n), constant(begins), through<double>(begins[n] + 1));
  GPUAD_CHECK(chain, (gpuad::launch{dim3(1), dim3(4)}), through<double>(n), constant(overflow_checks::lists(n, 4)));
  GPUAD_CHECK(linked, cover(4), plain(4), through<double>(n), constant(overflow_checks::lists(n, 4)));
  GPUAD_CHECK(until_small, cover(n), plain(n), plain(3), plain(0.3), through<double>(3 * n));
  GPUAD_CHECK(picks, cover(n), plain(n), plain(4), through<double>(4 * n));
  GPUAD_CHECK(products, cover(n), plain(n), plain(m), in<double>(n * m), through<double>(n * m));
  GPUAD_CHECK(leaves, cover(n), plain(n), plain(m), plain(2.5), through<double>(n * m));
  GPUAD_CHECK(sometimes, cover(n), plain(n), plain(m), through<double>(n * m));
  GPUAD_CHECK(exchange, cover(n), plain(n), plain(5),
              through<double>(5 * n, {0.0, 0.0625, false, {3, 1, 2, 5, 4, 4, 3, 2, 5, 1, 2, 4, 1, 3, 5}}));
  GPUAD_CHECK(leapfrog, cover(n), plain(n), plain(4), plain(3), through<double>(4 * n), through<double>(4 * n));
  GPUAD_CHECK(moving, cover(n), plain(n), plain(m), through<double>(n * m));
  GPUAD_CHECK(reads_back, cover(n), plain(n), plain(m), constant(std::vector<int>{2, 1, 5, 3, 0, 4}),
              through<double>(n * m));
  GPUAD_CHECK(moving_tops, cover(n), plain(n), plain(m), inactive_out<int>(2 * n), through<double>(n * m));
  GPUAD_CHECK(find_roots, cover(n), plain(n), plain(m), inactive_out<int>(n * m), inactive_out<unsigned char>(n * m),
              in<double>(m), out<double>(n));
  GPUAD_CHECK(cells, cover(n), plain(n), plain(m), through<cell>(n * m));
  GPUAD_CHECK(whole_cells, cover(n), plain(n), plain(m), through<float2>(n * m));
  GPUAD_CHECK(attract, cover(n), plain(n), through<body>(n));
  GPUAD_CHECK(few, cover(n), plain(n), through<double>(4 * n));
  GPUAD_CHECK(straight, cover(n), plain(n), constant(std::vector<int>{1, 0, 2}), through<double>(3 * n));
  GPUAD_CHECK(straight, cover(n), plain(n), constant(std::vector<int>{0, 0, 1}), through<double>(3 * n));
  GPUAD_CHECK(needs_old, cover(n), plain(n), plain(m), value<double>(), through<double>(n * m), out<double>(n));
  GPUAD_CHECK(staged, cover(n), plain(n), plain(m), in<double>(n), through<double>(n * m));
  GPUAD_CHECK(from_a_to_b, cover(n), plain(n), plain(m), in<double>(n * m), through<double>(n * m));
  overflow_checks::all();
  return verdict();
}
