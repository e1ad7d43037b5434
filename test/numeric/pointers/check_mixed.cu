// usage: check_mixed BLOCK ORDER
#include "mixed_grad.cu"
#define GPUAD_DUAL_SOURCE "mixed.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(columns, cover(4), plain(4), through<double>(24), in<double>(24), value<double>());
  GPUAD_CHECK(picked, cover(n), plain(n), in<double>(n), in<double>(n), value<double>(), out<double>(n));
  GPUAD_CHECK(nested, cover(n), plain(n), in<double>(n), in<double>(n), value<double>(), out<double>(n));
  GPUAD_CHECK(reassigned, cover(n), plain(n), in<double>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK_TANGENT_IN(forward, channels, cover(n), plain(n), in<double>(n), in<double>(n), in<double>(n),
                         out<double>(n));
  GPUAD_CHECK_TANGENT_IN(forward, array_of_pointers, cover(n), plain(n), in<double>(n), in<double>(n), out<double>(n));
  return verdict();
}
