// usage: check_spelled BLOCK ORDER
#include "harness.h"
#include "spelled_grad.cu"

using namespace numeric;

template <> struct numeric::layout<pair> : layout_of_doubles<pair> {};

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  GPUAD_CHECK(tags, cover(n), in<pair>(n), value<double>(), out<double>(n), plain(n));
  GPUAD_CHECK(vectors, cover(n), in<double>(2 * n), out<double>(n), plain(n));
  GPUAD_CHECK(unchecked, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK_INSTANCE(local_names, (double), cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(limits, cover(n), in<double>(n + 2), out<double>(n), plain(n));
  GPUAD_CHECK_INSTANCE(limits_of, (double), cover(n), in<double>(n + 2), out<double>(n), plain(n));
  GPUAD_CHECK_INSTANCE(by_constant, (shapes<2>), cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(volatile_arrays, cover(n), in<double>(n), out<double2>(n), plain(n));
  GPUAD_CHECK(volatile_in_place, cover(n), through<double>(n), plain(n));
  return verdict();
}
