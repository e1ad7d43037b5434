#include "complex_grad.cu"

#include "harness.h"
using namespace numeric;

namespace numeric {
template <> struct layout<complex> : layout_of_doubles<complex> {};
} // namespace numeric

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 23;
  std::vector<int> bits(n);
  for (int i = 0; i < n; ++i)
    bits[i] = 0x3f800000 + 100000 * i;
  GPUAD_CHECK(arithmetic, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(functions, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(in_memory, cover(n), plain(n), in<complex>(n), through<complex>(n), plain(complex(0.5, -1)));
  GPUAD_CHECK(transform, cover(n), plain(n), in<complex>(n), out<complex>(n));
  GPUAD_CHECK(multipole, (gpuad::launch{2, 32}), plain(40), in<complex>(40), in<complex>(40), out<complex>(40));
  GPUAD_CHECK(iterated, cover(n), plain(n), in<double>(n), value<complex>(), out<double>(n));
  GPUAD_CHECK(of_bits, cover(n), plain(n), constant(bits), in<double>(n), out<double>(n));
#ifndef OF_THRUST
  GPUAD_CHECK(parts, cover(n), plain(n), in<double>(n), out<double>(n));
#endif
  return verdict();
}
