#include "pointers_grad.cu"

#include "harness.h"
using namespace numeric;

namespace numeric {
template <> struct layout<complex> : layout_of_doubles<complex> {};
} // namespace numeric

/// A shadow that the derivative flows through cannot be left out: the launcher says so, and runs nothing.
static void check_missing(int n) {
  array<double> u(2 * n, 1.0), dot(2 * n, 0.5);
  const gpuad::launch where{dim3(1), dim3(n)};
  launch_time_levels_adjoint(where, n, 3, u, nullptr);
  expect("the adjoint tells of a missing shadow", gpuad::synchronize().code() == gpuad::error::missing_shadow);
  launch_time_levels_tangent(where, n, 3, u, nullptr);
  expect("the tangent tells of a missing shadow", gpuad::synchronize().code() == gpuad::error::missing_shadow);
  u.expect_untouched("memory of a launch that did not take place");
  array<double> y(n, 0.0);
  launch_chosen_tangent(where, n, u, dot, u, nullptr, y, nullptr); // not wanted
  expect("an input and an output without shadows", gpuad::synchronize().ok());
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 24, block = std::min(block_size(), 64);
  GPUAD_CHECK(chosen, cover(n), plain(n), in<double>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(chosen_by_values, cover(n), plain(n), in<double>(n), in<double>(n), out<double>(n));
  for (int m : {0, 1, 2, 7}) {
    GPUAD_CHECK(swapped, cover(n), plain(n), plain(m), in<double>(n), in<double>(n), out<double>(n));
    GPUAD_CHECK(swapped_at_times, cover(n), plain(n), plain(m), in<double>(2 * n), in<double>(2 * n), out<double>(n));
    GPUAD_CHECK(in_a_circle, cover(n), plain(n), plain(m), in<double>(n), in<double>(n), in<double>(n), out<double>(n));
    if (m > 0)
      GPUAD_CHECK(goes_over, cover(n), plain(n), plain(m), in<double>(n), in<double>(n), out<double>(n));
    GPUAD_CHECK(time_levels, (gpuad::launch{dim3(1), dim3(n)}), plain(n), plain(m), through<double>(2 * n));
  }
  GPUAD_CHECK(local_buffers, cover(n), plain(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(shared_buffers, (gpuad::launch{dim3(2), dim3(block)}), in<double>(2 * block), out<double>(2 * block));
  GPUAD_CHECK(stores, cover(n), plain(n), in<double>(n), through<double>(n), through<double>(n));
  GPUAD_CHECK(adds, cover(n), plain(n), in<double>(n), through<double>(3), through<double>(3));
  GPUAD_CHECK(references, cover(n), plain(n), in<double>(n + 1), in<double>(n + 1), out<double>(n));
  auto view_of = [=](double *data) { return view{data, n}; };
  GPUAD_CHECK(views, cover(n), plain(n), in_view<double>(view_of, n), in_view<double>(view_of, n), out<double>(n));
  GPUAD_CHECK(perhaps_null, cover(n), plain(n), in<double>(n), constant(std::vector<double>(n, 0.7)), out<double>(n));
  GPUAD_CHECK(structs, cover(n), plain(n), in<complex>(n), in<complex>(n), out<complex>(n));
  check_missing(n);
  return verdict();
}
