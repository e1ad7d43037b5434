// usage: check_constructors BLOCK ORDER
#include "constructors_grad.cu"
#define GPUAD_DUAL_SOURCE "constructors.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(no_default, cover(n), out<float>(n), in<float>(4 * n), plain(n));
  GPUAD_CHECK(in_polar, cover(n), out<float>(n), in<float>(2 * n), plain(n));
  GPUAD_CHECK(not_zero, cover(n), out<float>(n), in<float>(n + 2), plain(n));
  GPUAD_CHECK(two_bases, cover(n), out<float>(n), in<float>(n + 2), plain(n));
  GPUAD_CHECK(robust, cover(n), out<float>(n), in<float>(n, {0.125, 0.5, false, {0, 1}}), value<huber>({0.625, 0.875}), plain(n));
  return verdict();
}
