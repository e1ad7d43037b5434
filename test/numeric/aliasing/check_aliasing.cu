// usage: check_aliasing BLOCK ORDER
#include "aliasing_grad.cu"
#include "harness.h"

using namespace numeric;

int main(int count, char **arguments) {
  start(count, arguments);
  const int n = 21;
  GPUAD_CHECK(add_scaled, cover(n), plain(n), plain(0.5f), in<float>(n), through<float>(n));
  GPUAD_CHECK(square_into, cover(n), plain(n), plain(0.5f), in<float>(n), out<float>(n));
  GPUAD_CHECK(double_then_square, cover(n), plain(n), in<float>(n), out<float>(n), out<float>(n));

  // v += 0.5 v is 1.5 v, in both directions.
  array<float> v(n, 3.0f), v_bar(n, 2.0f);
  launch_add_scaled_adjoint(cover(n), n, 0.5f, v, v_bar, v, v_bar);
  expect("add_scaled takes one array for both", gpuad::synchronize().ok());
  v_bar.expect_near("v_bar of v += 0.5 v", std::vector<double>(n, 3.0));
  v.expect_untouched("v");
  array<float> w(n, 3.0f), w_dot(n, 2.0f);
  launch_add_scaled_tangent(cover(n), n, 0.5f, w, w_dot, w, w_dot);
  w.expect_near("w += 0.5 w", std::vector<double>(n, 4.5));
  w_dot.expect_near("w_dot of w += 0.5 w", std::vector<double>(n, 3.0));

  // v = 0.5 v^2 at 3: the derivative is 3, and the seed is used up.
  array<float> s(n, 3.0f), s_bar(n, 2.0f);
  launch_square_into_adjoint(cover(n), n, 0.5f, s, s_bar, s, s_bar);
  expect("square_into takes one array for both", gpuad::synchronize().ok());
  s_bar.expect_near("s_bar of s = 0.5 s^2", std::vector<double>(n, 6.0));
  s.expect_untouched("s");

  // Where the plan for different arrays does not hold, nothing is added, and the status says so.
  array<float> x(n, 3.0f), x_bar(n, 2.0f), z(n, 0.0f), z_bar(n, 1.0f);
  launch_double_then_square_adjoint(cover(n), n, x, x_bar, x, x_bar, z, z_bar);
  expect("equal arrays are reported", gpuad::synchronize().code() == gpuad::error::aliased);
  x_bar.expect_untouched("x_bar after the refusal");
  z_bar.expect_untouched("z_bar after the refusal");
  x.expect_untouched("x");
  return verdict();
}
