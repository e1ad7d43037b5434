// usage: check_expressions BLOCK ORDER
#include "expressions_grad.cu"
#define GPUAD_DUAL_SOURCE "expressions.cu"
#include "harness.h"

template <> struct numeric::layout<particle> {
  using scalar = float;
  static std::vector<std::size_t> offsets() { return {0, 8, 12}; }
};
template <> struct numeric::layout<outer> : numeric::layout_of_doubles<outer> {};

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 45;
  const std::vector<particle> kinds = {{0, 0, {}}, {0, 3, {}}, {0, 1, {}}};
  auto three_columns = [](float *data) { return matrix_view<float>{data, 3}; };
  auto three_read = [](float *data) { return matrix_view<const float>{data, 3}; };
  auto two_columns = [](double *data) { return matrix_view<double>{data, 2}; };

  GPUAD_CHECK(blend, cover(n), plain(n), value<float>(), in<float>(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(quotient, cover(n), plain(n), in<double>(n), in<double>(n, {0.5, 1.5, true}), out<double>(n));
  GPUAD_CHECK(one_over, cover(n), plain(n), in<float>(n, {1, 2, true}), out<float>(n));
  GPUAD_CHECK(math_single, cover(n), plain(n), in<float>(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(math_double, cover(n), plain(n), in<double>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(in_place, cover(n), plain(n), through<float>(n, {0.5, 1.5, true}));
  GPUAD_CHECK(reused_name, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(compound, cover(n), plain(n), in<float>(n), in<float>(n), out<float>(n), out<float>(n));
  GPUAD_CHECK(by_value, cover(n), plain(n), value<line>(), in<float>(n), out<float>(n));
  GPUAD_CHECK(kinetic, cover(n), plain(n), in<particle>(n, {}, kinds), out<float>(n));
  GPUAD_CHECK(push, cover(n), plain(n), through<particle>(n, {}, kinds), in<float>(2 * n), plain(0.125f));
  GPUAD_CHECK(nested_struct, cover(n), plain(n), in<outer>(n), out<double>(n));
  GPUAD_CHECK(vector_cast, cover(n), plain(4 * n), in<float>(4 * n), out<float>(4 * n));
  GPUAD_CHECK(vector_types, cover(n), plain(n), in<float2>(n), in<float2>(n), out<float2>(n));
  GPUAD_CHECK(vector_double, cover(n), plain(n), in<double2>(n), out<double2>(n));
  GPUAD_CHECK(through_cache, cover(n), plain(n), in<float>(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(fused, cover(n), plain(n), in<double>(n), in<double>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(view_read_write, cover(n), plain(n), in_view<float>(three_read, 3 * n),
              through_view<float>(three_columns, 3 * n));
  GPUAD_CHECK(view_in_place, cover(n), plain(n), through_view<double>(two_columns, 2 * n));
  GPUAD_CHECK(mixed, cover(n), plain(n), in<float>(n), in<double>(n), out<float>(n));
  GPUAD_CHECK(walking, cover(n), plain(n), in<float>(3 * n), out<float>(2 * n));
  GPUAD_CHECK(rotate_pair, cover(n), plain(n), plain(0.75f), through<float>(n), through<float>(n));
  GPUAD_CHECK(dead_store, cover(n), plain(n), in<float>(n), out<float>(n));
  // Away from steps of the integer parts.
  GPUAD_CHECK(parts_of_numbers, cover(n), plain(n), in<double>(n, {0.6, 0.78}), in<double>(n, {1.02, 1.12}),
              out<double>(n), through<double>(n));
  GPUAD_CHECK(sines_through_pointers, cover(n), plain(n), in<float>(n), out<float>(n), out<float>(n), out<float>(n));
  return verdict();
}
