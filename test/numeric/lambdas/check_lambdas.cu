#include "lambdas_grad.cu"

#include "harness.h"

using namespace numeric;

int main(int argc, char **argv) {
  start(argc, argv);
  const int n = 45;
  GPUAD_CHECK(by_copy, cover(n), plain(n), value<double>(), in<double>(n), out<double>(n));
  GPUAD_CHECK(by_reference, cover(n), plain(n), value<double>(), in<double>(n), out<double>(n));
  GPUAD_CHECK(in_each_other, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(sums, cover(n), plain(n), in<double>(5), in<double>(n), out<double>(n));
  GPUAD_CHECK(changed, cover(n), plain(n), in<double>(n), out<double>(n));
  auto view = [](double *data) { return span{data, 8}; };
  GPUAD_CHECK(ranged, cover(n), plain(n), in_view<double>(view, 8), out<double>(n));
  GPUAD_CHECK(copied_pointer, cover(n), plain(n), in_view<double>(view, 8), out<double>(n));
  GPUAD_CHECK(stepped, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(assigned, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
