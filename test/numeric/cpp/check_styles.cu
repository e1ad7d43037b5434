// usage: check_styles BLOCK ORDER
#include "harness.h"
#include "styles_grad.cu"

using namespace numeric;

template <> struct numeric::layout<Body> : layout_of_doubles<Body> {};

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  GPUAD_CHECK(walking_pointers, cover(n), in<double>(4 * n), out<double>(2 * n), plain(n));
  GPUAD_CHECK(short_circuits, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(bases, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(coordinates, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(packs, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(arrows, cover(n), through<Body>(n), value<double>(), plain(n));
  GPUAD_CHECK(swaps, cover(n), in<double>(n + 2), out<double>(n), plain(n));
  GPUAD_CHECK(nested_exits, cover(n), in<double>(n), out<double>(n), plain(4), plain(n));
  GPUAD_CHECK(ranges_of_rows, cover(n), in<double>(n + 1), out<double>(n), plain(n));
  GPUAD_CHECK(changed_parameter, cover(n), value<double>(), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(trace, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(sfinae, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(chain, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(iterators, cover(n), in<double>(n + 5), out<double>(n), plain(n));
  GPUAD_CHECK(nearest, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(picked, cover(n), in<double>(n), out<double>(n), plain(n));
  GPUAD_CHECK(poly, cover(n), in<double>(n), out<double>(n), plain(n));
  return verdict();
}
