// usage: check_chosen BLOCK ORDER
#include "chosen_grad.cu"
#define GPUAD_DUAL_SOURCE "chosen.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(bound, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(assigned, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(nested, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(elements, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(by_pointer, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(tied, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(method, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(read, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
