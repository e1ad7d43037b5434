// usage: check_peers BLOCK ORDER
// First the derivatives that can be stated, for seeds of 1 everywhere; then all kernels on random numbers.
#include "peers_grad.cu"
#define GPUAD_DUAL_SOURCE "peers.cu"
#include "harness.h"

using namespace numeric;
using doubles = std::vector<double>;

/// Shadows of inputs are cleared, seeds are 1.
struct zeros : array<double> {
  explicit zeros(size_t count) : array(count, 0.0) {}
};
struct ones : array<double> {
  explicit ones(size_t count) : array(count, 1.0) {}
};

static void products(const gpuad::launch &where) {
  array<double> x(doubles{2, 2, 2}), y(doubles{0.5, 0, 3});
  for (auto [of, right] : {std::pair{&x, doubles{4, 4, 4}}, std::pair{&y, doubles{0, 1.5, 0}}}) {
    zeros x_bar(3), out(1);
    ones out_bar(1);
    launch_product_of_row_adjoint(where, 1, 3, *of, x_bar, out, out_bar);
    x_bar.expect_near("product_of_row", right, 1e-14);
  }
}

static void factors(const gpuad::launch &where) {
  for (double begin : {0.0, 5.0}) {
    array<double> x(1, 0.75), s(doubles{1, 2, 3}), start(1, begin);
    zeros x_bar(1), s_bar(3), start_bar(1), out(1);
    ones out_bar(1);
    launch_factor_before_sum_adjoint(where, 1, 3, x, x_bar, s, s_bar, start, start_bar, out, out_bar);
    x_bar.expect_near("factor_before_sum, x", {2 * (begin + 6)}, 1e-14);
    s_bar.expect_near("factor_before_sum, s", {1.5, 1.5, 1.5}, 1e-14);
  }
}

static void sums(const gpuad::launch &where) {
  for (const doubles &values : {doubles{1}, doubles{1.1, 1.2, 1.6}}) {
    const int n = static_cast<int>(values.size());
    double sum = n == 1 ? 1 : 3.9;
    array<double> x(values);
    zeros x_bar(n), inverse(1), square(1), none(1);
    ones seed(1);
    launch_of_sums_adjoint(where, 1, n, x, x_bar, inverse, seed, square, none);
    x_bar.expect_near("1 / sum", doubles(n, -1 / (sum * sum)), 1e-14);
    zeros again(n);
    ones other(1);
    launch_of_sums_adjoint(where, 1, n, x, again, inverse, none, square, other);
    again.expect_near("sum squared", doubles(n, 2 * sum), 1e-14);
  }
}

static void entries(const gpuad::launch &where) {
  doubles table(25);
  for (int k = 0; k < 25; ++k)
    table[k] = k % 4 == 0 ? 0 : (k * 7) % 25 - 11.5; // 12.5 at 7 is the largest, -10.5 at 18 the least
  array<double> t(table), x(doubles{0.5, -2, 1});
  zeros t_bar(25), x_bar(3), best(3);
  ones best_bar(3);
  launch_best_entry_adjoint(where, 3, 5, 5, t, t_bar, x, x_bar, best, best_bar);
  x_bar.expect_near("best_entry", {12.5, -10.5, 12.5}, 1e-14);
  doubles right(25);
  right[7] = 1.5;
  right[18] = -2;
  t_bar.expect_near("best_entry, table", right, 1e-14);
}

static void others(const gpuad::launch &where) {
  array<int> flag(std::vector<int>{1, 0});
  array<double> a(2, 3.0), t(2, 2.0);
  zeros a_bar(2), t_bar(2), v(2);
  ones v_bar(2);
  launch_quotient_or_not_adjoint(where, 2, flag, a, a_bar, t, t_bar, v, v_bar);
  a_bar.expect_near("quotient_or_not, a", {0.5, 1}, 1e-14);
  t_bar.expect_near("quotient_or_not, t", {-0.75, 0}, 1e-14);

  array<double> x(2, 4.0), b(1, 10.0);
  zeros x_bar(2), b_bar(1), loss(1);
  ones loss_bar(1);
  launch_read_then_raised_adjoint(where, x, x_bar, b, b_bar, loss, loss_bar);
  x_bar.expect_near("read_then_raised, x", {0, 10}, 1e-14);
  b_bar.expect_near("read_then_raised, b", {4}, 1e-14);
  b.expect_untouched("b");

  zeros r_x_bar(2), r(2);
  ones r_bar(2);
  launch_return_that_is_not_taken_adjoint(where, 2, 5, x, r_x_bar, r, r_bar);
  r_x_bar.expect_near("return_that_is_not_taken", {1, 1}, 1e-14);

  array<double> sum(5, 0.5), row(3, 2.0);
  zeros row_bar(3);
  ones sum_bar(5);
  launch_add_row_to_all_adjoint(where, 5, 3, sum, sum_bar, row, row_bar);
  row_bar.expect_near("add_row_to_all", {5, 5, 5}, 1e-14);
  sum_bar.expect_near("add_row_to_all, seeds", doubles(5, 1), 0);

  array<double> q(doubles{0.3, 0.7});
  zeros q_bar(2), out(2);
  ones out_bar(2);
  launch_squares_carried_adjoint(where, 2, 2, q, q_bar, out, out_bar);
  q_bar.expect_near("squares_carried", {0.6 + 0.2 * 0.3, 0.6 + 0.2 * 0.7}, 1e-14);

  array<int> starts(std::vector<int>{0, 2, 3, 6});
  array<double> elements(doubles{1, 2, 3, 4, 5, 6});
  zeros elements_bar(6), sums(3);
  ones sums_bar(3);
  launch_squares_of_segments_adjoint(where, 3, starts, elements, elements_bar, sums, sums_bar);
  elements_bar.expect_near("squares_of_segments", {2, 4, 6, 8, 10, 12}, 1e-14);
}

int main(int count, char **arguments) {
  start(count, arguments);
  const gpuad::launch where = cover(7);
  products(where);
  factors(where);
  sums(where);
  entries(where);
  others(where);
  const int n = 37;
  for (int m : {0, 1, 6}) {
    GPUAD_CHECK(factor_before_sum, cover(n), plain(n), plain(m), in<double>(n), in<double>(m + 1), in<double>(n), out<double>(n));
    GPUAD_CHECK(return_that_is_not_taken, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
    GPUAD_CHECK(squares_carried, cover(n), plain(n), plain(m), in<double>(n), out<double>(n));
  }
  for (int m : {1, 6}) {
    GPUAD_CHECK(product_of_row, cover(n), plain(n), plain(m), in<double>(n * m), out<double>(n));
    GPUAD_CHECK(of_sums, cover(n), plain(n), plain(m), in<double>(n * m), out<double>(n), out<double>(n));
    GPUAD_CHECK(add_row_to_all, cover(n), plain(n), plain(m), through<double>(n), in<double>(m));
  }
  GPUAD_CHECK(best_entry, cover(n), plain(n), plain(3), plain(4), in<double>(12), in<double>(n), out<double>(n));
  std::vector<int> flags(n), starts(n + 1);
  for (int i = 0; i < n; ++i) {
    flags[i] = i % 3 == 1;
    starts[i + 1] = starts[i] + (5 * i + 2) % 4;
  }
  GPUAD_CHECK(quotient_or_not, cover(n), plain(n), constant(flags), in<double>(n), in<double>(n), out<double>(n));
  GPUAD_CHECK(read_then_raised, cover(1), in<double>(2), through<double>(1), out<double>(1));
  GPUAD_CHECK(dense, cover(5), plain(5), plain(2), plain(32), plain(3), in<double>(10), in<double>(32 * 3 + 32 * 33 + 3 * 33, {-0.3, 0.3}),
              out<double>(15));
  GPUAD_CHECK(squares_of_segments, cover(n), plain(n), constant(starts), in<double>(starts[n]), out<double>(n));
  return verdict();
}
