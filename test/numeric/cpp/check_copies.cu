#include "copies_grad.cu"

#include "harness.h"
using namespace numeric;

namespace numeric {
template <> struct layout<two> : layout_of_doubles<two> {};
} // namespace numeric

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 24, m = 3;
  GPUAD_CHECK(objects, cover(n), plain(n), in<two>(n), out<two>(n));
  GPUAD_CHECK(arrays, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(rows, cover(n), plain(n), plain(m), in<double>(n * m), through<double>(n * m));
  return verdict();
}
