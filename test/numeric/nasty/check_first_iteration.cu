// usage: check_first_iteration BLOCK ORDER
#include "first_iteration_grad.cu"
#define GPUAD_DUAL_SOURCE "first_iteration.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(previous, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(sum_of_previous, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(fields, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(indices, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(pointers, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(farthest, cover(n), plain(n), in<double>(n, {0.5, 1.5, true}), out<double>(n));
  GPUAD_CHECK(stored_back, cover(n), plain(n), in<double>(n), through<double>(n));
  GPUAD_CHECK(views, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
