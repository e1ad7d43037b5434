// usage: check_nasty_shared BLOCK ORDER
#include "nasty_shared_grad.cu"
#define GPUAD_DUAL_SOURCE "nasty_shared.cu"
#include "harness.h"
using namespace numeric;
int main(int count, char **arguments) {
  start(count, arguments);
  auto b = [](int grid, int block, size_t bytes = 0) { return gpuad::launch{dim3(grid), dim3(block), bytes}; };
  GPUAD_CHECK(carve, b(2, 16, 32 * 4), plain(27), in<float>(27), out<float>(27));
  GPUAD_CHECK(partial_refresh, b(1, 16), plain(4), in<double>(16), out<double>(16));
  GPUAD_CHECK(running, b(1, 16), plain(4), in<double>(16), out<double>(16));
  GPUAD_CHECK(stencil2, b(1, 16), in<double>(16), out<double>(16));
  GPUAD_CHECK(sliding, b(1, 16), in<double>(16), out<double>(16));
  { gpuad::launch w{dim3(1), dim3(8, 4)}; GPUAD_CHECK(rows2d, w, in<double>(32), out<double>(4)); }
  { gpuad::launch w{dim3(1), dim3(8, 8)}; GPUAD_CHECK(transpose_tile, w, in<double>(64), out<double>(64)); }
  GPUAD_CHECK(strided_tiles, b(2, 16), plain(75), in<double>(75), out<double>(75));
  GPUAD_CHECK(two_purposes, b(1, 16), in<double>(16), out<double>(16));
  GPUAD_CHECK(shared_max, b(1, 16), in<double>(16), out<double>(1));
  GPUAD_CHECK(scan_double, b(1, 16), in<double>(16), out<double>(16));
  GPUAD_CHECK(scan_reg, b(1, 16), in<double>(16), out<double>(16));
  GPUAD_CHECK(relax_shared, b(1, 16), plain(5), in<double>(16), out<double>(16));
  GPUAD_CHECK(read_then_add, b(1, 16), in<double>(16), through<double>(16));
  return verdict();
}
