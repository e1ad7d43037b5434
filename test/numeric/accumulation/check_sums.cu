// usage: check_sums BLOCK ORDER
#include "sums_grad.cu"
#define GPUAD_DUAL_SOURCE "sums.cu"
#include "harness.h"

template <> struct numeric::layout<table> {
  using scalar = float;
  static std::vector<std::size_t> offsets() { return {0, 4, 8, 16}; }
};

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 70, m = 4;
  const int blocks = static_cast<int>(cover(n).grid.x);
  std::vector<int> anywhere(n);
  for (int i = 0; i < n; ++i)
    anywhere[i] = (i * i + 3) % 11;
  table shifted{};
  shifted.shift = 5;
  GPUAD_CHECK(two_scalars, cover(n), plain(n), value<float>(), value<double>(), in<float>(n), out<float>(n));
  GPUAD_CHECK(scalar_in_loop, cover(n), plain(n), plain(m), value<double>(), in<double>(n * m), out<double>(n));
  GPUAD_CHECK(scalar_overwritten, cover(n), plain(n), value<double>(), out<double>(n));
  GPUAD_CHECK(struct_by_value, cover(n), plain(n), value<table>({}, {shifted}), in<float>(n), out<float>(n));
  GPUAD_CHECK(vector_by_value, cover(n), plain(n), value<float3>(), in<float>(n), out<float>(n));
  GPUAD_CHECK(broadcast, cover(n), plain(n), in<float>(2), in<float>(n), out<float>(n));
  GPUAD_CHECK(block_bias, cover(n), plain(n), in<double>(blocks), in<double>(n), out<double>(n));
  GPUAD_CHECK(gather, cover(n), plain(n), constant(anywhere), in<float>(n), out<float>(n));
  GPUAD_CHECK(stencil, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(scatter, cover(n), plain(n), constant(anywhere), in<float>(n), through<float>(11));
  GPUAD_CHECK(reduce_all, cover(n), plain(n), value<double>(), in<double>(n), through<double>(1));
  GPUAD_CHECK(subtract_all, cover(n), plain(n), in<double>(n), through<double>(2));
  GPUAD_CHECK(scatter_and_store, cover(n), plain(n), plain(m), in<float>(n), through<float>(m), out<float>(n));
  GPUAD_CHECK(one_writer, cover(n), value<float>(), in<float>(2 * blocks), out<float>(blocks));
  const gpuad::launch plane{dim3(3, 4), dim3(5, 3)};
  GPUAD_CHECK(outer_product, plane, plain(11), plain(14), in<float>(11), in<float>(14), out<float>(154));
  GPUAD_CHECK(half_of_threads, cover(n), plain(n), value<float>(), in<float>(n), out<float>(n));
  return verdict();
}
