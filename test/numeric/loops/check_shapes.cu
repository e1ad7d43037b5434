// usage: check_shapes BLOCK ORDER
#include "shapes_grad.cu"
#define GPUAD_DUAL_SOURCE "shapes.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 29;
  std::vector<int> next(n);
  for (int i = 0; i < n; ++i)
    next[i] = i % 5 == 0 ? -1 : i - 1;
  GPUAD_CHECK(bound_moves_by_value, cover(n), plain(n), plain(7), in<double>(n), out<double>(n));
  GPUAD_CHECK(do_with_continue, cover(n), plain(n), plain(7), in<double>(n), out<double>(n));
  GPUAD_CHECK(pointers_change_places, cover(n), plain(n), plain(6), in<double>(n + 6), in<double>(n + 6),
              out<double>(n));
  GPUAD_CHECK(list_until_large, cover(n), plain(n), constant(next), in<double>(n), out<double>(n));
  GPUAD_CHECK(returns_from_the_inner_loop, cover(n), plain(n), plain(5), in<double>(n), out<double>(n));
  GPUAD_CHECK(while_over_memory, cover(n), plain(n), plain(5), through<double>(n * 5));
  GPUAD_CHECK(unsigned_counters, cover(n), plain(n), plain(6u), in<double>(n), out<double>(n));
  GPUAD_CHECK(length_is_carried, cover(n), plain(n), plain(6), in<double>(n), out<double>(n));
  GPUAD_CHECK(window_shifts, cover(n), plain(n), plain(6), constant(std::vector<int>{3, 1, 2, 0, 2, 3}), in<double>(n),
              out<double>(n));
  GPUAD_CHECK(floating_counters, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(counter_skips, cover(n), plain(n), plain(9), in<double>(n), out<double>(n));
  GPUAD_CHECK(guarded_sweeps, cover(n), plain(n), plain(9), through<double>(n * 9));
  GPUAD_CHECK(places_by_value, cover(n), plain(n), plain(6), in<double>(6), through<double>(n * 6));
  GPUAD_CHECK(barriers_in_a_while, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(arms_store_elsewhere, cover(n), plain(n), plain(8), constant(std::vector<int>{3, 1, 2, 0, 5, 3, 4}),
              through<double>(n * 8), through<double>(n * 8));
  GPUAD_CHECK(exits_among_stores, cover(n), plain(n), plain(6), through<double>(n * 6));
  return verdict();
}
