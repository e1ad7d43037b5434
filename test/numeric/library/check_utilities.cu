#include "utilities_grad.cu"

#define GPUAD_DUAL_SOURCE "utilities.cu"
#include "harness.h"
using namespace numeric;

namespace numeric {
template <size_t N> struct layout<cuda::std::array<double, N>> : layout_of_doubles<cuda::std::array<double, N>> {};
} // namespace numeric

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  GPUAD_CHECK(swapped, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(swapped_in_memory, cover(n), plain(n), through<double>(2 * n));
  GPUAD_CHECK(sorted, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(pairs, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(tuples, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(arrays, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(arrays_in_memory, cover(n), plain(n), in<cuda::std::array<double, 3>>(n),
              out<cuda::std::array<double, 2>>(n));
  GPUAD_CHECK(functions, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(lists, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(spans, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(transformed, cover(n), plain(n), in<double>(n), out<double>(n));
  return verdict();
}
