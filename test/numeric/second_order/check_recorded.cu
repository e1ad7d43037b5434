// usage: check_recorded BLOCK ORDER
#include "harness.h"
#include "recorded_again.cu"

using namespace numeric;

/// The adjoint, or its tangent, with the record of a run of the primal at the same point.
template <class Augmented, class Derivative> static auto with_record(Augmented augmented, Derivative derivative) {
  return [=](const gpuad::launch &where, int n, auto *x, auto... others) {
    array<double> y(n, 0.0);
    array<int> count(1, 0);
    gpuad::record record;
    augmented(where, n, x, y, count, record);
    expect("the primal's run", gpuad::synchronize().ok());
    derivative(where, n, x, others..., count, record);
    expect("the derivative", gpuad::synchronize().ok());
  };
}

#define CHECK(KERNEL)                                                                                                  \
  {                                                                                                                    \
    auto adjoint = with_record(launch_##KERNEL##_augmented,                                                            \
                               [](auto &&...p) { launch_##KERNEL##_adjoint(std::forward<decltype(p)>(p)...); });       \
    auto tangent = with_record(launch_##KERNEL##_augmented, [](auto &&...p) {                                          \
      gpuad::record none; /* nothing that is kept has a tangent */                                                     \
      launch_##KERNEL##_adjoint_tangent(std::forward<decltype(p)>(p)..., none);                                        \
    });                                                                                                                \
    numeric::check(#KERNEL, launched<decltype(adjoint)>{adjoint}, tangent, nullptr, nullptr, cover(n), plain(n),       \
                   in<double>(n), through<double>(n), constant(std::vector<double>(n)), through<double>(n));           \
  }

int main(int argc, char **argv) {
  start(argc, argv);
  const int n = 41;
  CHECK(claimed)
  CHECK(stepped)
  CHECK(largest)
  // The launcher asks for the record of a run.
  gpuad::record empty, none;
  array<double> x(n, 1.0), x_dot(n, 1.0), x_bar(n, 0.0), x_bar_dot(n, 0.0), y(n, 0.0), y_bar(n, 1.0), y_bar_dot(n, 0.0);
  array<int> count(1, 0);
  launch_claimed_adjoint_tangent(cover(n), n, x, x_dot, x_bar, x_bar_dot, y, y_bar, y_bar_dot, count, empty, none);
  expect("an empty record", gpuad::synchronize().code() == gpuad::error::record_too_small);
  x_bar_dot.expect_near("nothing is added", std::vector<double>(n, 0.0), 0);
  return verdict();
}
