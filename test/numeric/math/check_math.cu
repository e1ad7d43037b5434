// Derivatives of every math function: against differences of the double-precision function inside its range, in double and in
// single precision; and exactly zero for a zero seed wherever the function is evaluated, poles included.
#include "math_grad.cu"

#include <cmath>
#include <cstdio>
#include <vector>

static const int Samples = 8;
static int failures = 0;

struct Range {
  const char* name;
  double low, high, low2, high2;
};
static const Range unary[] = {
#define UNARY(ID, F, G, LOW, HIGH) {#F " / " #G, LOW, HIGH, 0, 0},
#include "functions.inc"
};
static const Range binary[] = {
#define BINARY(ID, F, G, LOW, HIGH, LOW2, HIGH2) {#F " / " #G, LOW, HIGH, LOW2, HIGH2},
#include "functions.inc"
};
static const Range ternary[] = {
#define TERNARY(ID, F, G) {#F " / " #G, 0.3, 2, 0, 0},
#include "functions.inc"
};

template <class T> struct Device {
  T* data = nullptr;
  size_t count;
  explicit Device(const std::vector<T>& from) : count(from.size()) {
    cudaMalloc(&data, count * sizeof(T));
    cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  Device(const Device&) = delete;
  ~Device() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> to(count);
    cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return to;
  }
};

static double sample(double low, double high, int number) {
  double whole;
  return low + (high - low) * std::modf(0.37 + 0.6180339887 * (number + 1), &whole);
}

static void compare(const char* what, const Range& range, double got, double wanted, double tolerance) {
  if (std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted)))
    return;
  std::printf("%s of %s: %.9g, but differences give %.9g\n", what, range.name, got, wanted);
  ++failures;
}

template <class T> std::vector<T> as(const std::vector<double>& values) {
  return std::vector<T>(values.begin(), values.end());
}

// The kernels under one name each.
static void value(const gpuad::launch& at, int n, const int* which, const double* x, double* y) {
  unary_double<<<at.grid, at.block>>>(n, which, x, y);
}
static void value(const gpuad::launch& at, int n, const int* which, const double* a, const double* b, double* y) {
  binary_double<<<at.grid, at.block>>>(n, which, a, b, y);
}
static void value(const gpuad::launch& at, int n, const int* which, const double* a, const double* b, const double* c,
                  double* y) {
  ternary_double<<<at.grid, at.block>>>(n, which, a, b, c, y);
}

struct Points {
  std::vector<int> which;
  std::vector<double> x[3];
  int count() const { return static_cast<int>(which.size()); }
  gpuad::launch launch() const { return gpuad::launch{dim3((which.size() + 63) / 64), dim3(64)}; }
};

template <size_t N> Points points(const Range (&ranges)[N]) {
  Points points;
  for (size_t f = 0; f < N; ++f)
    for (int s = 0; s < Samples; ++s) {
      points.which.push_back(static_cast<int>(f));
      const Range& r = ranges[f];
      bool one_range = r.low2 == 0 && r.high2 == 0;
      points.x[0].push_back(sample(r.low, r.high, s));
      points.x[1].push_back(sample(one_range ? r.low : r.low2, one_range ? r.high : r.high2, 3 * s + 1));
      points.x[2].push_back(sample(r.low, r.high, 5 * s + 2));
    }
  return points;
}

/// Differences of the double-precision kernel by argument `k`.
template <class Value> std::vector<double> differences(const Points& points, int k, Value run) {
  const double step = 1e-6;
  std::vector<double> sides[2];
  for (int side = 0; side < 2; ++side) {
    Points moved = points;
    for (double& x : moved.x[k])
      x += side ? step : -step;
    sides[side] = run(moved);
  }
  for (size_t i = 0; i < sides[0].size(); ++i)
    sides[0][i] = (sides[1][i] - sides[0][i]) / (2 * step);
  return sides[0];
}

static void check_unary() {
  Points p = points(unary);
  int n = p.count();
  Device<int> which(p.which);
  std::vector<double> zeros(n), ones(n, 1.0);
  auto expected = differences(p, 0, [&](const Points& at) {
    Device<double> x(at.x[0]), y(zeros);
    value(at.launch(), n, which.data, x.data, y.data);
    return y.host();
  });
  Device<double> x(p.x[0]), y(zeros), x_bar(zeros), y_bar(ones), x_dot(ones), y_dot(zeros);
  launch_unary_double_adjoint(p.launch(), n, which.data, x.data, x_bar.data, y.data, y_bar.data);
  launch_unary_double_tangent(p.launch(), n, which.data, x.data, x_dot.data, y.data, y_dot.data);
  Device<float> xf(as<float>(p.x[0])), yf(as<float>(zeros)), xf_bar(as<float>(zeros)), yf_bar(as<float>(ones)),
      xf_dot(as<float>(ones)), yf_dot(as<float>(zeros));
  launch_unary_float_adjoint(p.launch(), n, which.data, xf.data, xf_bar.data, yf.data, yf_bar.data);
  launch_unary_float_tangent(p.launch(), n, which.data, xf.data, xf_dot.data, yf.data, yf_dot.data);
  auto adjoint = x_bar.host(), tangent = y_dot.host();
  auto adjoint_f = xf_bar.host(), tangent_f = yf_dot.host();
  for (int i = 0; i < n; ++i) {
    const Range& range = unary[p.which[i]];
    compare("adjoint", range, adjoint[i], expected[i], 1e-6);
    compare("tangent", range, tangent[i], expected[i], 1e-6);
    compare("adjoint in single precision", range, adjoint_f[i], expected[i], 2e-4);
    compare("tangent in single precision", range, tangent_f[i], expected[i], 2e-4);
  }
}

static void check_binary() {
  Points p = points(binary);
  int n = p.count();
  Device<int> which(p.which);
  std::vector<double> zeros(n), ones(n, 1.0);
  Device<double> a(p.x[0]), b(p.x[1]), y(zeros), a_bar(zeros), b_bar(zeros), y_bar(ones);
  launch_binary_double_adjoint(p.launch(), n, which.data, a.data, a_bar.data, b.data, b_bar.data, y.data, y_bar.data);
  Device<float> af(as<float>(p.x[0])), bf(as<float>(p.x[1])), yf(as<float>(zeros)), af_bar(as<float>(zeros)),
      bf_bar(as<float>(zeros)), yf_bar(as<float>(ones));
  launch_binary_float_adjoint(p.launch(), n, which.data, af.data, af_bar.data, bf.data, bf_bar.data, yf.data,
                              yf_bar.data);
  for (int k = 0; k < 2; ++k) {
    auto expected = differences(p, k, [&](const Points& at) {
      Device<double> u(at.x[0]), v(at.x[1]), w(zeros);
      value(at.launch(), n, which.data, u.data, v.data, w.data);
      return w.host();
    });
    Device<double> a_dot(k == 0 ? ones : zeros), b_dot(k == 1 ? ones : zeros), y_dot(zeros);
    launch_binary_double_tangent(p.launch(), n, which.data, a.data, a_dot.data, b.data, b_dot.data, y.data,
                                 y_dot.data);
    auto adjoint = (k == 0 ? a_bar : b_bar).host(), tangent = y_dot.host();
    auto adjoint_f = (k == 0 ? af_bar : bf_bar).host();
    for (int i = 0; i < n; ++i) {
      const Range& range = binary[p.which[i]];
      compare(k == 0 ? "adjoint by a" : "adjoint by b", range, adjoint[i], expected[i], 1e-6);
      compare(k == 0 ? "tangent by a" : "tangent by b", range, tangent[i], expected[i], 1e-6);
      compare("adjoint in single precision", range, adjoint_f[i], expected[i], 5e-4);
    }
  }
}

static void check_ternary() {
  Points p = points(ternary);
  int n = p.count();
  Device<int> which(p.which);
  std::vector<double> zeros(n), ones(n, 1.0);
  Device<double> a(p.x[0]), b(p.x[1]), c(p.x[2]), y(zeros), a_bar(zeros), b_bar(zeros), c_bar(zeros), y_bar(ones);
  launch_ternary_double_adjoint(p.launch(), n, which.data, a.data, a_bar.data, b.data, b_bar.data, c.data, c_bar.data,
                                y.data, y_bar.data);
  const Device<double>* bars[] = {&a_bar, &b_bar, &c_bar};
  for (int k = 0; k < 3; ++k) {
    auto expected = differences(p, k, [&](const Points& at) {
      Device<double> u(at.x[0]), v(at.x[1]), w(at.x[2]), r(zeros);
      value(at.launch(), n, which.data, u.data, v.data, w.data, r.data);
      return r.host();
    });
    auto adjoint = bars[k]->host();
    for (int i = 0; i < n; ++i)
      compare("adjoint", ternary[p.which[i]], adjoint[i], expected[i], 1e-6);
  }
}

/// No seed, no derivative: 0 times an infinite factor must not come out as NaN.
static void check_zero_seeds() {
  const double places[] = {0.0, 1.0, -1.0, -3.5, 1e5, -1e5};
  Points p;
  for (size_t f = 0; f < sizeof(unary) / sizeof(unary[0]); ++f)
    for (double place : places) {
      p.which.push_back(static_cast<int>(f));
      p.x[0].push_back(place);
    }
  int n = p.count();
  Device<int> which(p.which);
  std::vector<double> zeros(n);
  Device<double> x(p.x[0]), y(zeros), x_bar(zeros), y_bar(zeros);
  launch_unary_double_adjoint(p.launch(), n, which.data, x.data, x_bar.data, y.data, y_bar.data);
  auto adjoint = x_bar.host();
  for (int i = 0; i < n; ++i)
    if (adjoint[i] != 0) {
      std::printf("zero seed of %s at %g gives %g\n", unary[p.which[i]].name, p.x[0][i], adjoint[i]);
      ++failures;
    }
}

/// At kinks, poles and where an operand is no number.
static void check_corners() {
  const struct {
    const char* call;
    double u, v, by_u, by_v;
  } table[] = {
#define CORNER(ID, CALL, A, B, BY_A, BY_B) {#CALL, A, B, BY_A, BY_B},
#include "corners.inc"
  };
  int n = sizeof table / sizeof table[0];
  std::vector<int> number;
  std::vector<double> us, vs, zeros(n), ones(n, 1.0);
  for (int i = 0; i < n; ++i) {
    number.push_back(i);
    us.push_back(table[i].u);
    vs.push_back(table[i].v);
  }
  gpuad::launch where{dim3(1), dim3(64)};
  Device<int> which(number);
  Device<double> u(us), v(vs), y(zeros), u_bar(zeros), v_bar(zeros), y_bar(ones), by_u(zeros), by_v(zeros), one(ones),
      zero(zeros);
  launch_corners_adjoint(where, n, which.data, u.data, u_bar.data, v.data, v_bar.data, y.data, y_bar.data);
  launch_corners_tangent(where, n, which.data, u.data, one.data, v.data, zero.data, y.data, by_u.data);
  launch_corners_tangent(where, n, which.data, u.data, zero.data, v.data, one.data, y.data, by_v.data);
  auto adjoint_u = u_bar.host(), adjoint_v = v_bar.host(), tangent_u = by_u.host(), tangent_v = by_v.host();
  for (int i = 0; i < n; ++i) {
    auto expect = [&](const char* what, double got, double wanted) {
      if (got == wanted)
        return;
      std::printf("%s of %s at (%g, %g): %g, but the page says %g\n", what, table[i].call, us[i], vs[i], got, wanted);
      ++failures;
    };
    expect("adjoint by u", adjoint_u[i], table[i].by_u);
    expect("adjoint by v", adjoint_v[i], table[i].by_v);
    expect("tangent by u", tangent_u[i], table[i].by_u);
    expect("tangent by v", tangent_v[i], table[i].by_v);
  }
}

int main() {
  check_unary();
  check_binary();
  check_ternary();
  check_zero_seeds();
  check_corners();
  gpuad::status status = gpuad::synchronize();
  if (!status.ok())
    std::printf("%s\n", status.message().c_str());
  std::printf("%d failures\n", failures);
  return failures || !status.ok() ? 1 : 0;
}
