// On numbers of few bits, so that halves hold exactly what is computed; the right derivatives are differences in double
// precision.
#include "pairs_grad.cu"

#include "numeric.cuh"
using namespace numeric;

struct two {
  double x, y;
};
using reference = two (*)(double, double);

template <class T, class Tangent, class Adjoint>
static void check(const std::string &name, Tangent tangent, Adjoint adjoint, reference f) {
  const int n = 9;
  auto make = [](double a, double b) { return T(float(a), float(b)); };
  std::vector<T> x, x_dot, y_bar;
  for (int i = 0; i < n; ++i) {
    x.push_back(make(0.5 * (i % 3) - 0.5, 1 + i % 2));
    x_dot.push_back(make(1 + i % 2, i % 3 - 1));
    y_bar.push_back(make(i % 2 ? 0.5 : 2, 1 - i % 3));
  }
  array<T> in(x), along(x_dot), out(n, make(0, 0)), out_dot(n, make(0, 0)), seed(y_bar), in_bar(n, make(1, 0));
  const gpuad::launch where{dim3(2), dim3(5)};
  tangent(where, n, in, along, out, out_dot);
  expect((name + ": the tangent runs").c_str(), gpuad::synchronize().ok());
  std::vector<T> values = out.host(), dots = out_dot.host();
  adjoint(where, n, in, in_bar, out, seed);
  expect((name + ": the adjoint runs").c_str(), gpuad::synchronize().ok());
  std::vector<T> bars = in_bar.host();
  auto near = [&](const char *what, int i, double got, double right) {
    expect_near((name + ": " + what).c_str(), i, got, right, 1e-7);
  };
  for (int i = 0; i < n; ++i) {
    const double a = float(x[i].x), b = float(x[i].y), h = 1.0 / 1024;
    auto slope = [&](double da, double db) { // exact for polynomials of degree 4
      auto central = [&](double s) {
        two up = f(a + s * da, b + s * db), down = f(a - s * da, b - s * db);
        return two{(up.x - down.x) / (2 * s), (up.y - down.y) / (2 * s)};
      };
      two far = central(h), near = central(h / 2);
      return two{(4 * near.x - far.x) / 3, (4 * near.y - far.y) / 3};
    };
    two value = f(a, b), dot = slope(float(x_dot[i].x), float(x_dot[i].y)), by_a = slope(1, 0), by_b = slope(0, 1);
    double sx = float(y_bar[i].x), sy = float(y_bar[i].y);
    near("first value", i, float(values[i].x), value.x);
    near("second value", i, float(values[i].y), value.y);
    near("first tangent", i, float(dots[i].x), dot.x);
    near("second tangent", i, float(dots[i].y), dot.y);
    near("first adjoint", i, float(bars[i].x), 1 + sx * by_a.x + sy * by_a.y);
    near("second adjoint", i, float(bars[i].y), sx * by_b.x + sy * by_b.y);
  }
  in.expect_untouched("x");
}

int main() {
  check<__half2>("in_float", launch_in_float_tangent, launch_in_float_adjoint,
                 [](double a, double b) { return two{a * b, a + b * b}; });
  check<__nv_bfloat162>("field_by_field", launch_field_by_field_tangent, launch_field_by_field_adjoint,
                        [](double a, double b) { return two{a * b, b * b + a}; });
  check<__half2>("in_loop", launch_in_loop_tangent, launch_in_loop_adjoint, [](double a, double b) {
    two v{b, a};
    for (int k = 0; k < 2; ++k)
      v = two{v.y * v.y, v.x + v.x * v.x};
    return v;
  });
  check<__half2>("by_functions", launch_by_functions_tangent, launch_by_functions_adjoint, [](double a, double b) {
    two w{a * a + b, b * b + a};
    w = two{w.x * a - w.x - 0.5, w.y * a - w.y - 0.5};
    return two{w.x + a, w.y + b + a};
  });
  check<__nv_bfloat162>("by_operators", launch_by_operators_tangent, launch_by_operators_adjoint,
                        [](double a, double b) {
                          return two{0.5 * (a * a - b - a) + a * a, 2 * (b * b - b - b) + b * a};
                        });
  return verdict();
}
