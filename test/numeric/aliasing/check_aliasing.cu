// usage: check_aliasing BLOCK ORDER
#include "aliasing_grad.cu"
#define GPUAD_DUAL_SOURCE "aliasing.cu"
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

  // x = 2 x; z = x^2; x += z; z *= x at 3: z = 36 and x = 42, z = 1512. With seeds 2 and 1 on x and z:
  // z_bar = x = 42, x_bar = 2 + 36; z_bar += x_bar: 80; x_bar += 80 * 2 * 6; at last 2 * 998.
  GPUAD_CHECK(double_then_square_of_one, cover(n), plain(n), in<float>(n), out<float>(n), through<float>(n));
  array<float> one(n, 3.0f), one_bar(n, 2.0f), last(n, 0.0f), last_bar(n, 1.0f);
  launch_double_then_square_of_one_adjoint(cover(n), n, one, one_bar, one, one_bar, last, last_bar);
  expect("equal arrays as the pragma says", gpuad::synchronize().ok());
  one_bar.expect_near("one_bar", std::vector<double>(n, 1996.0));
  one.expect_untouched("one");

  // out[i] = v[i] v[n - 1 - i]: each element stands in two products, which two threads hold.
  GPUAD_CHECK(mirrored_product, cover(n), plain(n), in<float>(n), in<float>(n), out<float>(n));
  GPUAD_CHECK(mirrored_apart, cover(n), plain(n), in<float>(n), in<float>(n), out<float>(n));
  array<float> both(n, 3.0f), both_bar(n, 0.0f), product(n, 0.0f), product_bar(n, 1.0f);
  launch_mirrored_product_adjoint(cover(n), n, both, both_bar, both, both_bar, product, product_bar);
  expect("one array read twice", gpuad::synchronize().ok());
  both_bar.expect_near("both_bar", std::vector<double>(n, 6.0));
  array<float> viewed(n, 3.0f), viewed_bar(n, 0.0f), out_bar(n, 1.0f);
  launch_mirrored_view_adjoint(cover(n), n, pair_view{viewed, viewed}, pair_view{viewed_bar, viewed_bar}, product, out_bar);
  expect("one array twice in a view", gpuad::synchronize().ok());
  viewed_bar.expect_near("viewed_bar", std::vector<double>(n, 6.0));
  return verdict();
}
