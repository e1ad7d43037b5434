// usage: check_picks BLOCK ORDER
#include "picks_grad.cu"

#include "harness.h"

using namespace numeric;

const int n = 77, classes = 5;

/// Offers x[i]^2 (times `sign`) to class i % 5. Class 3 holds more on entry than anybody offers; in class 1 two threads offer
/// the same. The seed goes to one thread that has won, or stays where none has.
template <class T, class Augmented, class Adjoint>
void check(const char *name, T sign, Augmented augmented, Adjoint adjoint) {
  std::vector<T> inputs(n), start(classes, T(0)), seeds(classes);
  for (int i = 0; i < n; ++i)
    inputs[i] = T(0.5 + (i * 37 % n) / 64.0);
  inputs[1] = inputs[11] = T(3);
  start[3] = sign * T(100);
  for (int c = 0; c < classes; ++c)
    seeds[c] = T(1 + c);
  array<T> x(inputs), m(start), again(start), x_bar(n, T(0)), m_bar(seeds);
  gpuad::launch where{dim3(3), dim3(32)};
  gpuad::record record;
  augmented(where, n, classes, x, m, record);
  gpuad::status status = gpuad::synchronize();
  expect(status.message().c_str(), status.ok());
  std::vector<T> best = start, tops = m.host();
  for (int i = 0; i < n; ++i)
    best[i % classes] = sign * std::max(sign * best[i % classes], inputs[i] * inputs[i]);
  for (int c = 0; c < classes; ++c)
    expect_near(name, c, tops[c], best[c], 1e-6);
  adjoint(where, n, classes, x, x_bar, again, m_bar, record);
  status = gpuad::synchronize();
  expect(status.message().c_str(), status.ok());
  expect("the adjoint leaves the primal's memory", x.untouched() && again.untouched());
  std::vector<T> bars = x_bar.host(), left = m_bar.host();
  for (int c = 0; c < classes; ++c) {
    double taken = 0;
    int takers = 0;
    for (int i = c; i < n; i += classes) {
      if (bars[i] == 0)
        continue;
      ++takers;
      taken += bars[i] / (2 * inputs[i] * sign);
      expect("who takes the seed has won", inputs[i] * inputs[i] * sign == best[c]);
    }
    expect_near(name, c, taken, c == 3 ? 0 : seeds[c], 1e-6);
    expect("one thread takes the seed, or none", takers == (c == 3 ? 0 : 1));
    expect_near("seed that is left", c, left[c], c == 3 ? seeds[c] : 0);
  }
}

#define CHECK(KERNEL, T, SIGN)                                                                                         \
  check<T>(                                                                                                            \
      #KERNEL, T(SIGN), [](auto &&...list) { launch_##KERNEL##_augmented(list...); },                                  \
      [](auto &&...list) { launch_##KERNEL##_adjoint(list...); })

#define CHECK_TANGENT(KERNEL, T)                                                                                       \
  numeric::check(#KERNEL, KERNEL, launch_##KERNEL##_tangent, nullptr, nullptr, nullptr, where, plain(n), plain(classes), \
                 in<T>(n, apart), through<T>(classes, range{0.5, 0.52}))

int main(int count, char **arguments) {
  start(count, arguments);
  CHECK(tops, float, 1);
  CHECK(tops_behind, float, 1);
  CHECK(tops_by_loop, float, 1);
  CHECK(bottoms_by_loop, double, -1);
  CHECK(bottoms_by_sign, float, -1);
  CHECK(tops_of_blocks, float, 1);
  range apart{0.5, 0.52};
  for (int k = 0; k < 101; ++k)
    apart.base.push_back(k * 29 % 101 * 0.125);
  for (auto [grid, block] : {std::pair(3, 32), std::pair(8, 10)}) {
    gpuad::launch where{dim3(grid), dim3(block)};
    CHECK_TANGENT(tops, float);
    CHECK_TANGENT(tops_behind, float);
    CHECK_TANGENT(tops_by_loop, float);
    CHECK_TANGENT(bottoms_by_loop, double);
    CHECK_TANGENT(bottoms_by_sign, float);
    CHECK_TANGENT(tops_of_blocks, float);
  }
  return verdict();
}
