// usage: check_branches BLOCK ORDER
#include "branches_grad.cu"
#define GPUAD_DUAL_SOURCE "branches.cu"
#include "harness.h"

using namespace numeric;

/// n integers that are not in order.
static std::vector<int> kinds(int n, int count) {
  std::vector<int> list(n);
  for (int i = 0; i < n; ++i)
    list[i] = (i * 7 + i / 3) % count;
  return list;
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 51, m = 6;
  const range both{0.5, 1.5, true};
  GPUAD_CHECK(if_else, cover(n), plain(n), in<float>(n, both), out<float>(n));
  GPUAD_CHECK(merge_after, cover(n), plain(n), in<double>(n, both), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(leaky, cover(n), plain(n), plain(0.125f), in<float>(n, both), out<float>(n));
  GPUAD_CHECK(nested_select, cover(n), plain(n), in<double>(n, {3, 8}), in<double>(n, both), out<double>(n));
  GPUAD_CHECK(safe_root, cover(n), plain(n), in<float>(n, both), out<float>(n));
  GPUAD_CHECK(switch_cases, cover(n), plain(n), constant(kinds(n, 7)), in<float>(n), out<float>(n));
  GPUAD_CHECK(fall_through, cover(n), plain(n), constant(kinds(n, 8)), in<double>(n), out<double>(n));
  GPUAD_CHECK(several_exits, cover(n), plain(n), in<float>(n, both), out<float>(n));
  GPUAD_CHECK(some_written, cover(n), plain(n), constant(kinds(n, 2)), in<float>(n), out<float>(n));
  GPUAD_CHECK(some_updated, cover(n), plain(n), constant(kinds(n, 5)), in<float>(n), through<float>(n));
  GPUAD_CHECK(skip_some, cover(n), plain(n), plain(m), constant(kinds(n, 3)), in<double>(n * m), out<double>(n));
  GPUAD_CHECK(stop_early, cover(n), plain(n), plain(m), constant(kinds(n, m + 2)), in<double>(n * m), out<double>(n));
  GPUAD_CHECK(branch_in_loop, cover(n), plain(n), plain(m), in<float>(n * m, both), out<float>(n));
  GPUAD_CHECK(short_circuit, cover(n), plain(n), constant(kinds(n, 4)), in<float>(n), out<float>(n));
  GPUAD_CHECK(sort_pair, cover(n), plain(n), in<float>(n, {1, 2}), in<float>(n, {0.25, 0.75}), out<float>(n), out<float>(n));
  GPUAD_CHECK(sort_pair, cover(n), plain(n), in<float>(n, {1, 2}), in<float>(n, {3, 4}), out<float>(n), out<float>(n));
  GPUAD_CHECK(clamped, cover(n), plain(n), in<float>(n, {0.375, 1.5, true}), out<float>(n));
  GPUAD_CHECK(constant_chosen, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(perhaps_falls, cover(n), plain(n), constant(kinds(n, 7)), in<double>(n), out<double>(n));
  for (int m : {1, 2, 9})
    GPUAD_CHECK(falls_in_loop, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
  return verdict();
}
