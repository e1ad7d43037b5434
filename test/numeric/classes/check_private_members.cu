// usage: check_private_members BLOCK ORDER
// The classes mix numbers and integers, hide them, or point at them: they are compared with differences.
#include "harness.h"
#include "private_members_grad.cu"

using namespace numeric;

template <> struct numeric::layout<throw_of_ball> {
  using scalar = float;
  static std::vector<std::size_t> offsets() { return {0, 4, 12, 16}; }
};

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 36;
  GPUAD_CHECK(fly, cover(n), in<throw_of_ball>(n), out<throw_of_ball>(n), plain(n));
  auto written = [](double *data) { return grids::grid<double>(data, 6); };
  auto read = [](double *data) { return grids::grid<const double>(data, 6); };
  GPUAD_CHECK(smooth, cover(n), out_view<double>(written, n), in_view<double>(read, n), plain(n));
  GPUAD_CHECK(areas, cover(n), out<float>(n), in<float>(n + 2), plain(n));
  GPUAD_CHECK(shade, cover(n), out<float>(n), in<material>(3), in<float>(n), plain(n));
  GPUAD_CHECK(shade_with_one, cover(n), out<float>(n), value<material>(), in<float>(n), plain(n));
  return verdict();
}
