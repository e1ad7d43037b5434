// usage: check_nests BLOCK ORDER
#include "nests_grad.cu"
#define GPUAD_DUAL_SOURCE "nests.cu"
#include "harness.h"
using namespace numeric;
int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(newton_sys, cover(n), plain(n), in<double>(2 * n), out<double>(2 * n));
  GPUAD_CHECK(deep, cover(n), plain(n), plain(3), in<double>(n, {0.7, 1.0}), out<double>(n));
  GPUAD_CHECK(twice_advanced, cover(n), plain(n), plain(4), value<double>({0.125, 0.25}), in<double>(n), out<double>(n));
  std::vector<int> op(n); for (int i = 0; i < n; ++i) op[i] = (i * 5) % 4;
  GPUAD_CHECK(automaton, cover(n), plain(n), plain(6), constant(op), in<double>(n), out<double>(n));
  GPUAD_CHECK(rotating_rows, cover(n), plain(n), plain(5), in<double>(n), out<double>(n));
  GPUAD_CHECK(first_above, cover(n), plain(n), plain(6), plain(3.3), in<double>(n), out<double>(n));
  GPUAD_CHECK(down_unsigned, cover(n), plain(23u), in<double>(n), out<double>(n));
  GPUAD_CHECK(march_until, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(running_use, cover(n), plain(n), plain(4), in<double>(n), in<double>(16), out<double>(n));
  GPUAD_CHECK(fibonacci, cover(n), plain(n), plain(5), in<double>(n), out<double>(n));
  GPUAD_CHECK(long_and_short, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(nested_sums, cover(n), plain(n), plain(4), in<double>(n), in<double>(16), out<double>(n));
  return verdict();
}
