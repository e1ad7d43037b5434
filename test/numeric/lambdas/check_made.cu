// usage: check_made BLOCK ORDER
#include "made_grad.cu"
#define GPUAD_DUAL_SOURCE "made.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(at_once, cover(n), out<double>(n), in<double>(n, {0.5, 0.9, false, {0, 0.6}}), value<double>(), plain(n));
  GPUAD_CHECK(in_conditions, cover(n), out<double>(n), in<double>(n, {0.6, 0.8}), plain(n));
  GPUAD_CHECK(own_values, cover(n), out<double>(n), in<double>(n), plain(n));
  GPUAD_CHECK(returned, cover(n), out<double>(n), in<double>(n), value<double>(), plain(n));
  GPUAD_CHECK(composed, cover(n), out<double>(n), in<double>(n, {0.2, 0.6}), value<double>({0.2, 0.6}), plain(n));
  return verdict();
}
