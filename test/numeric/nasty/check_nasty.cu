// usage: check_nasty BLOCK ORDER
#include "nasty_grad.cu"
#define GPUAD_DUAL_SOURCE "nasty.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 25;
  GPUAD_CHECK(overlapping_writes, cover(n), value<double>(), in<double>(n), through<double>(n));
  GPUAD_CHECK(cancelling_index, cover(n), value<double>(), in<double>(n), through<double>(n));
  GPUAD_CHECK(fractional_bound, cover(n), plain(n), value<double>(), in<double>(n), through<double>(n));
  GPUAD_CHECK(called_before_loop, cover(n), plain(n), value<double>(), in<double>(n), through<double>(n));
  GPUAD_CHECK(pointers_in_arms, cover(n), plain(n), value<double>(), in<double>(n), through<double>(n));
  GPUAD_CHECK(loaded_in_condition, cover(n), plain(n), value<double>(), in<double>(n), through<double>(n));
  GPUAD_CHECK(array_in_arm, cover(n), plain(n), value<double>(), in<double>(n), through<double>(2 * n));
  GPUAD_CHECK(guarded_loads, cover(n), plain(n), value<double>(), in<double>(n), out<double>(n));
  GPUAD_CHECK(nested_calls, cover(n), plain(n), value<double>(), in<double>(n), out<double>(n));
  GPUAD_CHECK(views_handed_on, cover(n), plain(n), value<double>(), in<double>(2 * n), out<double>(n));
  GPUAD_CHECK(read_back, cover(n), plain(n), value<double>(), in<double>(n), through<double>(n), out<double>(n));
  GPUAD_CHECK_IN(callees, thomas, cover(n), out<double>(6 * n), in<double>(6 * n), in<double>(6 * n, {3, 4}),
                 in<double>(6 * n), in<double>(6 * n), plain(n));
  GPUAD_CHECK_IN(callees, triples, cover(n), out<double>(n), in<double>(3 * n), plain(n));
  GPUAD_CHECK_IN(callees, two_patterns, cover(n), out<double>(n), in<double>(n), constant<double>({0.75}), plain(n));
  return verdict();
}
