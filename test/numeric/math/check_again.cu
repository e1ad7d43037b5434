// Second derivatives of every math function: the tangents of its adjoint and of its tangent against differences of the adjoint inside
// its range; and exactly zero for zero seeds wherever the function is evaluated, poles included.
#include "math_again.cu"

#include "numeric.cuh"

#include <cmath>
#include <functional>

using namespace numeric;
using list = std::vector<double>;

static const int Samples = 6;

/// An array that is made of numbers without further words.
struct numbers : array<double> {
  numbers(const list& values) : array<double>(values) {}
};

struct function {
  const char* name;
  double low, high, low2, high2;
};
static const std::vector<function> unary = {
#define UNARY(ID, F, G, LOW, HIGH) {#F, LOW, HIGH, 0, 0},
#include "functions.inc"
};
static const std::vector<function> binary = {
#define BINARY(ID, F, G, LOW, HIGH, LOW2, HIGH2) {#F, LOW, HIGH, LOW2, HIGH2},
#include "functions.inc"
};
static const std::vector<function> ternary = {
#define TERNARY(ID, F, G) {#F, 0.3, 2, 0.3, 2},
#include "functions.inc"
};

static double sample(double low, double high, int number) {
  double whole;
  return low + (high - low) * std::modf(0.37 + 0.6180339887 * (number + 1), &whole);
}

/// Arguments, in the order of functions, and a direction; what adjoints give at such places.
struct points {
  std::vector<int> which;
  list x[3];
  int count() const { return static_cast<int>(which.size()); }
  gpuad::launch launch() const { return gpuad::launch{dim3((which.size() + 63) / 64), dim3(64)}; }
};
static points places(const std::vector<function>& functions) {
  points made;
  for (size_t f = 0; f < functions.size(); ++f)
    for (int s = 0; s < Samples; ++s) {
      const function& one = functions[f];
      bool has_second = one.low2 != 0 || one.high2 != 0;
      made.which.push_back(static_cast<int>(f));
      made.x[0].push_back(sample(one.low, one.high, s));
      made.x[1].push_back(sample(has_second ? one.low2 : one.low, has_second ? one.high2 : one.high, 3 * s + 1));
      made.x[2].push_back(sample(one.low, one.high, 5 * s + 2));
    }
  return made;
}

/// The kernels for one, two and three arguments under one name.
static void adjoint(const points& at, array<int>& which, numbers* x, numbers* x_bar, array<double>& y,
                    array<double>& y_bar, int arguments) {
  if (arguments == 1)
    launch_unary_double_adjoint(at.launch(), at.count(), which, x[0], x_bar[0], y, y_bar);
  else if (arguments == 2)
    launch_binary_double_adjoint(at.launch(), at.count(), which, x[0], x_bar[0], x[1], x_bar[1], y, y_bar);
  else
    launch_ternary_double_adjoint(at.launch(), at.count(), which, x[0], x_bar[0], x[1], x_bar[1], x[2], x_bar[2], y,
                                  y_bar);
}
static void adjoint_tangent(const points& at, array<int>& which, numbers* x, numbers* x_dot,
                            numbers* x_bar, numbers* x_bar_dot, array<double>& y, array<double>& y_bar,
                            array<double>& y_bar_dot, int arguments) {
  if (arguments == 1)
    launch_unary_double_adjoint_tangent(at.launch(), at.count(), which, x[0], x_dot[0], x_bar[0], x_bar_dot[0], y,
                                        y_bar, y_bar_dot);
  else if (arguments == 2)
    launch_binary_double_adjoint_tangent(at.launch(), at.count(), which, x[0], x_dot[0], x_bar[0], x_bar_dot[0], x[1],
                                         x_dot[1], x_bar[1], x_bar_dot[1], y, y_bar, y_bar_dot);
  else
    launch_ternary_double_adjoint_tangent(at.launch(), at.count(), which, x[0], x_dot[0], x_bar[0], x_bar_dot[0], x[1],
                                          x_dot[1], x_bar[1], x_bar_dot[1], x[2], x_dot[2], x_bar[2], x_bar_dot[2], y,
                                          y_bar, y_bar_dot);
}

/// Gradients, for a seed of one everywhere.
static std::vector<list> gradients(const points& at, int arguments) {
  const list zeros(at.count(), 0.0);
  array<int> which(at.which);
  numbers x[3] = {at.x[0], at.x[1], at.x[2]}, bar[3] = {zeros, zeros, zeros}, y(zeros), y_bar(list(at.count(), 1.0));
  adjoint(at, which, x, bar, y, y_bar, arguments);
  expect("adjoint", gpuad::synchronize().ok());
  return {bar[0].host(), bar[1].host(), bar[2].host()};
}

static void check(const std::vector<function>& functions, int arguments, double step) {
  const points at = places(functions);
  const int n = at.count();
  const list zeros(n, 0.0);
  for (int along = 0; along < arguments; ++along) {
    std::vector<list> runs[4];
    const double steps[4] = {step, -step, step / 2, -step / 2};
    for (int side = 0; side < 4; ++side) {
      points moved = at;
      for (double& x : moved.x[along])
        x += steps[side];
      runs[side] = gradients(moved, arguments);
    }
    const std::vector<list> slopes = gradients(at, arguments);
    // The second number is the tangent of the seed, which the gradient is linear in.
    for (double seed_dot : {0.0, 0.75}) {
      array<int> which(at.which);
      numbers x[3] = {at.x[0], at.x[1], at.x[2]}, bar[3] = {zeros, zeros, zeros}, bar_dot[3] = {zeros, zeros, zeros};
      numbers dot[3] = {list(n, along == 0), list(n, along == 1), list(n, along == 2)};
      array<double> y(zeros), y_bar(n, 1.0), y_bar_dot(n, seed_dot);
      adjoint_tangent(at, which, x, dot, bar, bar_dot, y, y_bar, y_bar_dot, arguments);
      expect("tangent of the adjoint", gpuad::synchronize().ok());
      for (int k = 0; k < arguments; ++k) {
        const list got = bar_dot[k].host(), values = bar[k].host();
        for (int i = 0; i < n; ++i) {
          double far = (runs[0][k][i] - runs[1][k][i]) / (2 * step), near = (runs[2][k][i] - runs[3][k][i]) / step;
          double right = (4 * near - far) / 3 + seed_dot * slopes[k][i];
          std::string what = std::string(functions[at.which[i]].name) + ", second derivative by " + "abc"[k] + " and " + "abc"[along];
          expect_near(what.c_str(), i, got[i], right, 1e-6 * (1 + std::fabs(right)));
          expect_near("gradient beside it", i, values[i], slopes[k][i], 1e-14 * (1 + std::fabs(slopes[k][i])));
        }
      }
    }
  }
}

/// The tangent of the tangent is another way to the same.
static void check_tangents() {
  const points at = places(unary);
  const int n = at.count();
  const list zeros(n, 0.0), ones(n, 1.0);
  array<int> which(at.which);
  array<double> x(at.x[0]), one(ones), two(n, 2.0), y(zeros), y_dot(zeros), y_dot_2(zeros), both(zeros), none(zeros);
  launch_unary_double_tangent_tangent(at.launch(), n, which, x, two, one, none, y, y_dot_2, y_dot, both);
  array<double> bar(zeros), bar_dot(zeros), y_bar(ones), y_bar_dot(zeros);
  launch_unary_double_adjoint_tangent(at.launch(), n, which, x, two, bar, bar_dot, y, y_bar, y_bar_dot);
  expect("tangent of the tangent", gpuad::synchronize().ok());
  const list got = both.host(), right = bar_dot.host(), first = y_dot_2.host(), slopes = bar.host();
  for (int i = 0; i < n; ++i) {
    expect_near((std::string(unary[at.which[i]].name) + ", tangent of the tangent").c_str(), i, got[i], right[i],
                1e-12 * (1 + std::fabs(right[i])));
    expect_near("the added direction", i, first[i], 2 * slopes[i], 1e-13 * (1 + std::fabs(slopes[i])));
  }
}

/// Neither a seed nor a change of it: 0 times an infinite factor must not come out as NaN.
static void check_zero_seeds() {
  points at;
  for (size_t f = 0; f < unary.size(); ++f)
    for (double place : {0.0, 1.0, -1.0, -3.5, 1e5, -1e5}) {
      at.which.push_back(static_cast<int>(f));
      at.x[0].push_back(place);
    }
  const int n = at.count();
  const list zeros(n, 0.0);
  array<int> which(at.which);
  array<double> x(at.x[0]), x_dot(n, 1.0), bar(zeros), bar_dot(zeros), y(zeros), seed(zeros), seed_dot(zeros);
  launch_unary_double_adjoint_tangent(at.launch(), n, which, x, x_dot, bar, bar_dot, y, seed, seed_dot);
  expect("zero seeds", gpuad::synchronize().ok());
  const list got = bar_dot.host();
  for (int i = 0; i < n; ++i) {
    std::string what = std::string("zero seeds of ") + unary[at.which[i]].name + " at " + std::to_string(at.x[0][i]);
    expect_near(what.c_str(), i, got[i], 0.0, 0.0);
  }
}

/// At kinks and poles: by hand.
static void check_corners() {
  const struct {
    double u, v, by_uu, by_uv, by_vv;
  } table[] = {
#define CORNER(ID, CALL, A, B, BY_UU, BY_UV, BY_VV) {A, B, BY_UU, BY_UV, BY_VV},
#include "second_corners.inc"
  };
  const char* const calls[] = {
#define CORNER(ID, CALL, A, B, BY_UU, BY_UV, BY_VV) #CALL,
#include "second_corners.inc"
  };
  const int n = sizeof table / sizeof table[0];
  std::vector<int> number;
  list us, vs, zeros(n, 0.0), ones(n, 1.0);
  for (int i = 0; i < n; ++i) {
    number.push_back(i);
    us.push_back(table[i].u);
    vs.push_back(table[i].v);
  }
  for (bool by_v : {false, true}) {
    array<int> which(number);
    array<double> u(us), v(vs), u_dot(n, !by_v), v_dot(n, by_v), y(zeros), y_bar(ones), y_bar_dot(zeros);
    array<double> u_bar(zeros), v_bar(zeros), u_bar_dot(zeros), v_bar_dot(zeros);
    launch_second_corners_adjoint_tangent({dim3(1), dim3(64)}, n, which, u, u_dot, u_bar, u_bar_dot, v, v_dot, v_bar,
                                          v_bar_dot, y, y_bar, y_bar_dot);
    expect("corners", gpuad::synchronize().ok());
    const list along_u = u_bar_dot.host(), along_v = v_bar_dot.host();
    for (int i = 0; i < n; ++i) {
      std::string what = std::string(calls[i]) + " along " + (by_v ? "v" : "u");
      expect_near((what + ", by u").c_str(), i, along_u[i], by_v ? table[i].by_uv : table[i].by_uu, 1e-13);
      expect_near((what + ", by v").c_str(), i, along_v[i], by_v ? table[i].by_vv : table[i].by_uv, 1e-13);
    }
  }
}

int main() {
  check(unary, 1, 1e-3);
  check(binary, 2, 1e-3);
  check(ternary, 3, 1e-3);
  check_tangents();
  check_zero_seeds();
  check_corners();
  return verdict();
}
