// usage: check_arrays_inside BLOCK ORDER
#include "arrays_inside_grad.cu"
#define GPUAD_DUAL_SOURCE "arrays_inside.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(constant_indices, cover(n), out<float>(n), in<float>(n), plain(n));
  GPUAD_CHECK(products, cover(n), out<mat3>(n), in<mat3>(n + 1), plain(n));
  GPUAD_CHECK(by_value_parameter, cover(n), out<float>(n), in<float>(n + 2), value<layer>(), plain(n));
  GPUAD_CHECK(passed_on, cover(n), out<float>(n), in<layer>(n + 1), plain(n));
  GPUAD_CHECK(nested_lists, cover(n), out<float>(n), in<float>(n + 1), plain(n));
  GPUAD_CHECK(replaced, cover(n), out<grid2>(n), in<grid2>(n), value<float>({0.1, 0.3}), plain(n));
  GPUAD_CHECK(replaced_often, cover(n), out<grid2>(n), in<grid2>(n), value<float>({0.1, 0.3}), plain(4), plain(n));
  return verdict();
}
