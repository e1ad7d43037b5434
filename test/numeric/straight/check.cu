// usage: check BLOCK      the number of threads in a block; each array has a length that is no multiple of it
#include "numeric.cuh"
#include "straight_grad.cu"

#include <cstdlib>

using numeric::array;

static gpuad::launch cover(int n, int block) { return {dim3((n + block - 1) / block), dim3(block)}; }

// y += a x: x_bar = a y_bar, a_bar = sum of x y_bar, y_bar stays. What is there is added to.
static void check_saxpy(int block) {
  const int n = 100;
  std::vector<float> x(n), y_bar(n);
  std::vector<double> x_right(n), y_right(n);
  double a_right = 10;
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5f + i % 8;
    y_bar[i] = 1.0f - i % 3;
    x_right[i] = 2 + 0.25 * y_bar[i];
    y_right[i] = y_bar[i];
    a_right += double(x[i]) * y_bar[i];
  }
  array<float> d_x(x), d_y(n, 3.0f), d_x_bar(n, 2.0f), d_y_bar(y_bar), d_a_bar(1, 10.0f);
  launch_saxpy_adjoint(cover(n, block), n, 0.25f, d_a_bar, d_x, d_x_bar, d_y, d_y_bar);
  d_x_bar.expect_near("saxpy x_bar", x_right);
  d_y_bar.expect_near("saxpy y_bar", y_right);
  d_a_bar.expect_near("saxpy a_bar", {a_right});
  d_x.expect_untouched("saxpy x");
  d_y.expect_untouched("saxpy y");

  // A null shadow is not wanted, and changes nothing for the others.
  array<float> other_x_bar(n, 2.0f), other_y_bar(y_bar);
  launch_saxpy_adjoint(cover(n, block), n, 0.25f, nullptr, d_x, other_x_bar, d_y, other_y_bar);
  other_x_bar.expect_near("saxpy x_bar without a_bar", x_right);
}

// y = max(x, 0)^2: x_bar += 2 max(x, 0) y_bar, and y_bar is consumed.
static void check_clipped_square(int block) {
  const int n = 77;
  std::vector<float> x(n), y_bar(n);
  std::vector<double> right(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5f * (i % 7) - 1.25f;
    y_bar[i] = 1.0f + i % 5;
    right[i] = x[i] < 0 ? 0 : 2.0 * x[i] * y_bar[i];
  }
  array<float> d_x(x), d_y(n, 9.0f), d_x_bar(n, 0.0f), d_y_bar(y_bar);
  launch_clipped_square_adjoint(cover(n, block), n, d_x, d_x_bar, d_y, d_y_bar);
  d_x_bar.expect_near("clipped_square x_bar", right);
  d_y_bar.expect_near("clipped_square y_bar", std::vector<double>(n, 0.0));
  d_y.expect_untouched("clipped_square y");
}

// y = sin(x) e^w / q with q = 1 + x^2: dy/dw = y, dy/dx = (cos(x) - 2 x sin(x) / q) e^w / q.
static void check_wave(int block) {
  const int n = 50;
  std::vector<double> x(n), w(n), y_bar(n), x_right(n), w_right(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.1 * i - 2;
    w[i] = 1 - 0.03 * i;
    y_bar[i] = 1 + i % 2;
    double q = 1 + x[i] * x[i], e = std::exp(w[i]);
    x_right[i] = y_bar[i] * (std::cos(x[i]) - 2 * x[i] * std::sin(x[i]) / q) * e / q;
    w_right[i] = y_bar[i] * std::sin(x[i]) * e / q;
  }
  array<double> d_x(x), d_w(w), d_y(n, 0.0), d_x_bar(n, 0.0), d_w_bar(n, 0.0), d_y_bar(y_bar);
  launch_wave_adjoint(cover(n, block), n, d_x, d_x_bar, d_w, d_w_bar, d_y, d_y_bar);
  d_x_bar.expect_near("wave x_bar", x_right, 1e-12);
  d_w_bar.expect_near("wave w_bar", w_right, 1e-12);
}

int main(int, char **arguments) {
  int block = std::atoi(arguments[1]);
  check_saxpy(block);
  check_clipped_square(block);
  check_wave(block);
  return numeric::verdict();
}
