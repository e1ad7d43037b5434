#include "rows_grad.cu"

#include "harness.h"
using namespace numeric;

namespace numeric {
template <> struct layout<matrix> : layout_of_doubles<matrix> {};
} // namespace numeric

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 24;
  GPUAD_CHECK(known_elements, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(products, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(cast_tile, (gpuad::launch{dim3(2), dim3(32)}), in<double>(40), out<double>(8));
  GPUAD_CHECK(members, cover(n), plain(n), in<matrix>(n), out<double>(n));
  GPUAD_CHECK(three_dimensions, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(walks, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(rows_of_a_tile, (gpuad::launch{dim3(2), dim3(64)}), in<double>(128), out<double>(128));
  return verdict();
}
