// The tangent of an adjoint is the tangent of a kernel like others: it is compared with differences of the adjoint.
#include "harness.h"
#include "second_again.cu"

using namespace numeric;

template <> struct numeric::layout<Spring> : layout_of_doubles<Spring> {};

/// Where exp(w) sqrt(w) is `goal` to the last bit.
static void check_exact_fit() {
  const int n = 4;
  // The goals are what the kernel itself computes at 1; the adjoint is 0 there, and the Hessian 2 (d residual / d w)^2.
  array<double> w(n, 1.0), loss(n, 0.0), zero(n, 0.0), goal(n, std::exp(1.0));
  gpuad::launch where{dim3(1), dim3(32)};
  array<double> loss_bar(n, 1.0), w_bar(n, 0.0), w_dot(n, 1.0), w_bar_dot(n, 0.0);
  launch_exact_fit_adjoint_tangent(where, loss, loss_bar, w, w_dot, w_bar, w_bar_dot, goal, n);
  double slope = std::exp(1.0) * 1.5;
  w_bar.expect_near("gradient at the fit", std::vector<double>(n, 0.0), 1e-14);
  w_bar_dot.expect_near("Hessian at the fit", std::vector<double>(n, 2 * slope * slope), 1e-13);

  array<double> first(n, 1.0), second(n, 1.0), first_dot(n, 0.0), loss_dot(n, 0.0), loss_dot_2(n, 0.0), mixed(n, 0.0);
  launch_exact_fit_tangent_tangent(where, loss, loss_dot_2, loss_dot, mixed, w, first, second, first_dot, goal, n);
  mixed.expect_near("second tangent at the fit", std::vector<double>(n, 2 * slope * slope), 1e-13);
}

/// y[i] = x[0]^2 + 6 x[i + 1]^2 about 0.
static void check_squares() {
  const int n = 4;
  array<double> y(n, 0.0), y_bar(n, 1.0), x(n + 1, 0.0), x_dot(n + 1, 1.0), x_bar(n + 1, 0.0), x_bar_dot(n + 1, 0.0);
  array<double> weights(3, 2.0);
  launch_squares_adjoint_tangent({dim3(1), dim3(32)}, y, y_bar, x, x_dot, x_bar, x_bar_dot, weights, 3, n);
  expect("squares", gpuad::synchronize().ok());
  x_bar.expect_near("gradient at 0", std::vector<double>(n + 1, 0.0), 0);
  x_bar_dot.expect_near("Hessian at 0", {2.0 * n, 12.0, 12.0, 12.0, 12.0}, 1e-14);
}

int main(int argc, char **argv) {
  start(argc, argv);
  const int n = 17;
  GPUAD_CHECK_AGAIN(energy_adjoint, cover(n), constant<double>({0.25}), in<double>(1), constant(std::vector<double>(n)),
                    through<double>(n), in<double>(n), through<double>(n), value<double>(), through<double>(1),
                    plain(n));
  GPUAD_CHECK_AGAIN(exact_fit_adjoint, cover(n), constant(std::vector<double>(n)), inactive_out<double>(n),
                    in<double>(n), through<double>(n), constant(std::vector<double>(n, 2.0)), plain(n));
  GPUAD_CHECK_AGAIN(in_place_adjoint, cover(n), constant(std::vector<double>(n, 1.25)), through<double>(n),
                    in<double>(n), through<double>(n), plain(n));
  GPUAD_CHECK_AGAIN(pull_adjoint, cover(n), constant(std::vector<double2>(n)), through<double2>(n), in<Spring>(n),
                    through<Spring>(n), value<double2>({-1, -0.5}), through<double2>(1), plain(3), plain(n));
  GPUAD_CHECK_AGAIN(energy_tangent, cover(n), inactive_out<double>(1), through<double>(1), through<double>(n),
                    through<double>(n), in<double>(n), in<double>(n), value<double>(), value<double>(), plain(n));
  GPUAD_CHECK_AGAIN(pull_tangent, cover(n), out<double2>(n), out<double2>(n), in<Spring>(n), in<Spring>(n),
                    value<double2>({-1, -0.5}), value<double2>({-1, -0.5}), plain(3), plain(n));
  range none{0, 0}; // the exponent is 0
  GPUAD_CHECK_AGAIN(powers_adjoint, cover(n), constant(std::vector<double>(n)), through<double>(n), in<double>(n),
                    through<double>(n), in<double>(n, none), through<double>(n), plain(n));
  GPUAD_CHECK_AGAIN(powers_tangent, cover(n), out<double>(n), out<double>(n), in<double>(n), in<double>(n),
                    in<double>(n, none), in<double>(n), plain(n));
  check_exact_fit();
  check_squares();
  return verdict();
}
