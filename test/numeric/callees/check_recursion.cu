// usage: check_recursion BLOCK ORDER
#include "recursion_grad.cu"
#define GPUAD_DUAL_SOURCE "recursion.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(trees, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(quadrature, cover(n), plain(n), in<double>(n, {0.2, 1.7}), out<double>(n));
  GPUAD_CHECK(heap_path, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(in_a_loop, cover(n), plain(n), plain(7), in<double>(n), out<double>(n));
  GPUAD_CHECK(short_loops, cover(n), plain(n), in<double>(n, {0.5, 1.5}), out<double>(n));
  GPUAD_CHECK(templates, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
