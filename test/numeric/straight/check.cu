// usage: check BLOCK      the number of threads in a block; each array has a length that is no multiple of it
#include "numeric.cuh"
#include "straight_grad.cu"

#include <cstdlib>

using numeric::array;

static gpuad::launch cover(int n, int block) {
  return {dim3((n + block - 1) / block), dim3(block)};
}

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

// The tangents of the same three, with right values worked out in the same way.
static void check_tangents(int block) {
  const int n = 33;
  std::vector<float> x(n), x_dot(n);
  std::vector<double> w(n), w_dot(n), saxpy_y(n), saxpy_dot(n), square_y(n), square_dot(n), wave_y(n), wave_dot(n);
  for (int i = 0; i < n; ++i) {
    double v = x[i] = 0.25f * i - 3, v_dot = x_dot[i] = 1 - 0.125f * (i % 4);
    w[i] = 0.1 * i - 1;
    w_dot[i] = 2 - i % 3;
    saxpy_y[i] = 0.5 * v + 3;
    saxpy_dot[i] = 2 * v + 0.5 * v_dot + 1;
    square_y[i] = v < 0 ? 0 : v * v;
    square_dot[i] = v < 0 ? 0 : 2 * v * v_dot;
    double q = 1 + v * v, e = std::exp(w[i]);
    wave_y[i] = std::sin(v) * e / q;
    wave_dot[i] = (std::cos(v) - 2 * v * std::sin(v) / q) * e / q * v_dot + wave_y[i] * w_dot[i];
  }
  array<float> d_x(x), d_x_dot(x_dot), d_y(n, 3.0f), d_y_dot(n, 1.0f);
  launch_saxpy_tangent(cover(n, block), n, 0.5f, 2.0f, d_x, d_x_dot, d_y, d_y_dot);
  d_y.expect_near("saxpy y", saxpy_y);
  d_y_dot.expect_near("saxpy y_dot", saxpy_dot);

  array<float> d_square(n, 9.0f), d_square_dot(n, 9.0f);
  launch_clipped_square_tangent(cover(n, block), n, d_x, d_x_dot, d_square, d_square_dot);
  d_square.expect_near("clipped_square y", square_y);
  d_square_dot.expect_near("clipped_square y_dot", square_dot);

  array<double> d_v(std::vector<double>(x.begin(), x.end())), d_v_dot(std::vector<double>(x_dot.begin(), x_dot.end()));
  array<double> d_w(w), d_w_dot(w_dot), d_wave(n, 9.0), d_wave_dot(n, 9.0);
  launch_wave_tangent(cover(n, block), n, d_v, d_v_dot, d_w, d_w_dot, d_wave, d_wave_dot);
  d_wave.expect_near("wave y", wave_y, 1e-12);
  d_wave_dot.expect_near("wave y_dot", wave_dot, 1e-12);
}

int main(int, char **arguments) {
  int block = std::atoi(arguments[1]);
  check_saxpy(block);
  check_clipped_square(block);
  check_wave(block);
  check_tangents(block);
  return numeric::verdict();
}
