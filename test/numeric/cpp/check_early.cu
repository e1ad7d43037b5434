// usage: check_early BLOCK ORDER
#include "early_grad.cu"
void run_scale_adjoint(int n, T a, T *a_bar, const T *x, T *x_bar, T *y, T *y_bar) {
  launch_scale_adjoint({(n + N - 1) / N, N}, n, a, a_bar, x, x_bar, y, y_bar);
}
void run_scale_tangent(int n, T a, const T *x, const T *x_dot, T *y, T *y_dot) {
  launch_scale_tangent({{1, 1, 1}, {unsigned(n), 1}, 0, 0}, n, a, x, x_dot, y, y_dot);
}

__global__ void tangents(const gains *a, const gains *b, const T *t, const gains *a_dot, const gains *b_dot,
                         const T *t_dot, gains *dots, T *numbers) {
  gains mine = *a, mine_dot = *a_dot;
  numbers[0] = at_tangent(*a, *a_dot, *t, *t_dot).tangent;
  numbers[1] = index_tangent(*a, *a_dot, 4).tangent;
  gpuad::dual<gains> result = assign_add_tangent(mine, mine_dot, *b, *b_dot);
  dots[0] = result.tangent;
  dots[1] = mine_dot;
  result = neg_tangent(*a, *a_dot);
  dots[2] = result.tangent;
  result = choose_tangent(*a, *a_dot, *b, *b_dot, *t, *t_dot);
  dots[3] = result.tangent;
}

#undef N
#undef T
#undef size
#undef index

#include "harness.h"

using namespace numeric;

static double product(const gains &a, const gains &b) {
  return a.k * b.k + a.w[0] * b.w[0] + a.w[1] * b.w[1] + a.w[2] * b.w[2];
}

/// Seeds times tangents, and adjoints times directions.
static void check_functions(double t) {
  const gains a{0.7, {1.1, -0.4, 0.9}, 7}, b{-0.3, {0.8, 1.7, 0.6}, 2}, seed{0.5, {-1.3, 0.2, 0.75}, 0};
  const gains a_dot{1.2, {0.3, -0.8, 0.45}, 0}, b_dot{-0.6, {0.9, 0.35, 1.4}, 0};
  const double t_dot = 0.65;
  array<gains> of_a(1, a), of_b(1, b), seeds(1, seed), dots_of_a(1, a_dot), dots_of_b(1, b_dot);
  array<double> of_t(1, t), dots_of_t(1, t_dot), numbers(2, 0.0), t_bar(3, 0.0);
  array<gains> a_bar(5, gains{}), b_bar(2, gains{}), dots(4, gains{});
  adjoints<<<1, 1>>>(of_a, of_b, of_t, seeds, a_bar, b_bar, t_bar);
  tangents<<<1, 1>>>(of_a, of_b, of_t, dots_of_a, dots_of_b, dots_of_t, dots, numbers);
  cudaDeviceSynchronize();
  std::vector<gains> as = a_bar.host(), bs = b_bar.host(), ds = dots.host();
  std::vector<double> ts = t_bar.host(), ns = numbers.host();
  auto agree = [&](const char *what, double seeded, double added) { expect_near(what, 0, added, seeded, 1e-13); };
  agree("at", 1.5 * ns[0], product(as[0], a_dot) + ts[0] * t_dot);
  agree("operator[]", 2.5 * ns[1], product(as[1], a_dot));
  expect_near("operator[]", 1, ns[1], a_dot.w[1]);
  agree("operator+=", product(seed, ds[0]) + product(seed, ds[1]), product(as[2], a_dot) + product(bs[0], b_dot));
  expect_near("operator+=", 1, ds[0].k, a_dot.k + 2 * b_dot.k);
  agree("operator-", product(seed, ds[2]), product(as[3], a_dot));
  expect_near("operator-", 1, product(seed, ds[2]), -product(seed, a_dot));
  agree("choose", product(seed, ds[3]), product(as[4], a_dot) + product(bs[1], b_dot) + ts[1] * t_dot);
  expect_near("half", 0, ts[2], 1.5);
}

int main(int count, char **arguments) {
  start(count, arguments);
  check_functions(0.8);
  check_functions(1.6);
  const int n = 11;
  std::vector<double> values(n), ones(n, 1.0), right(n, 0.0);
  double of_a = 0;
  for (int i = 0; i < n; ++i)
    values[i] = 0.25 * i - 1;
  for (int i = 0; i < n; ++i) {
    right[i] += 3 * values[i];
    right[i % 3] += 1;
    of_a += values[i] * values[i];
  }
  array<double> x(values), y(n, 0.0), x_bar(n, 0.0), y_bar(ones), a_bar(1, 0.0), x_dot(ones), y_dot(n, 0.0);
  run_scale_adjoint(n, 1.5, a_bar, x, x_bar, y, y_bar);
  run_scale_tangent(n, 1.5, x, x_dot, y, y_dot);
  x_bar.expect_near("x_bar", right);
  a_bar.expect_near("a_bar", {of_a});
  for (int i = 0; i < n; ++i)
    expect_near("y_dot", i, y_dot.host()[i], 3 * values[i] + 1);
  return verdict();
}
