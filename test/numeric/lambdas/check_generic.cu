#include "generic_grad.cu"

#define GPUAD_DUAL_SOURCE "generic.cu"
#include "harness.h"
using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 24;
  GPUAD_CHECK(generic, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(counting, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(handed_on, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(copies, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(packs, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(of_this, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(immediately, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
