// usage: check_counters BLOCK ORDER
#include "counters_grad.cu"
#define GPUAD_DUAL_SOURCE "counters.cu"
#include "harness.h"
using namespace numeric;
int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 29;
  for (int m : {0, 1, 5}) {
    GPUAD_CHECK(used_behind, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(strides, cover(n), plain(n), plain(unsigned(m)), in<double>(n), out<double>(n));
    GPUAD_CHECK(while_counted, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(from_both_ends, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(nested, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(parameter_counts, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(not_counted, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(goes_on, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
  }
  GPUAD_CHECK(known_bounds, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(far_apart, (gpuad::launch{dim3(1), dim3(3)}), plain(4), plain(3000000000u), in<double>(4), out<double>(3));
  return verdict();
}
