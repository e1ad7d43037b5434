// usage: check_written BLOCK ORDER
#include "written_grad.cu"
#include "harness.h"

using namespace numeric;

static void check_which_is_called() {
  const int n = 9;
  array<double> y(n, 0.0), y_dot(n, 0.0), y_bar(n, 1.0), x(n, 2.0), x_dot(n, 1.0), x_bar(n, 0.0);
  launch_shows_tangent(cover(n), y, y_dot, x, x_dot, n);
  launch_shows_adjoint(cover(n), y, y_bar, x, x_bar, n);
  expect("shows", gpuad::synchronize().ok());
  y_dot.expect_near("differentiated", std::vector<double>(n, 4.0), 0);
  x_bar.expect_near("written by hand", std::vector<double>(n, 12.0), 0);
}

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 19;
  GPUAD_CHECK(roots, cover(n), out<double>(n), in<double>(n), plain(n));
  GPUAD_CHECK(roots_in_a_loop, cover(n), out<double>(n), in<double>(n), plain(5), plain(n));
  GPUAD_CHECK(weighed, cover(n), out<double>(n), in<double>(n), in<double>(3), plain(n));
  GPUAD_CHECK(weighed_by_constants, cover(n), out<double>(n), in<double>(n), constant<double>({0.5, 0.25, 2}), plain(n));
  GPUAD_CHECK(weighed_constant, cover(n), out<double>(n), constant(std::vector<double>(n, 0.75)), in<double>(3), plain(n));
  GPUAD_CHECK(kicked, cover(n), out<double>(n), in<double>(n), value<double>(), plain(3), plain(n));
  check_which_is_called();
  return verdict();
}
