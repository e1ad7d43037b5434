// usage: check_inplace BLOCK ORDER
#include "inplace_grad.cu"
#define GPUAD_DUAL_SOURCE "inplace.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 37;
  GPUAD_CHECK(square_again, cover(n), plain(n), plain(5), through<double>(n));
  GPUAD_CHECK(square_again, cover(n), plain(n), plain(0), through<double>(n));
  GPUAD_CHECK(oscillate, cover(n), plain(n), plain(6), plain(0.1), through<double>(n), through<double>(n), out<double>(n));
  GPUAD_CHECK(relax_rows, cover(n), plain(n), plain(3), plain(4), in<double>(3), through<double>(n));
  std::vector<int> times(n);
  for (int i = 0; i < n; ++i)
    times[i] = i % 4;
  GPUAD_CHECK(as_often_as_told, cover(n), plain(n), constant(times), through<double>(n));
  return verdict();
}
