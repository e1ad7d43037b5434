// Values are compared with the same functions in double precision, as closely as the type can tell.
#include "half_grad.cu"
#include "numeric.cuh"

#include <cstdlib>

using namespace numeric;

static const char *const names[] = {
#define HALF(ID, CALL, REFERENCE) #CALL,
#include "functions.inc"
#undef HALF
};
constexpr int Functions = sizeof(names) / sizeof(names[0]), Places = 5, count = Functions * Places;

static double reference(int which, double a, double b) {
  switch (which) {
#define HALF(ID, CALL, REFERENCE)                                                                                      \
  case ID:                                                                                                             \
    return REFERENCE;
#include "functions.inc"
#undef HALF
  }
  return 0;
}

/// A multiple of 1/64, which both types hold exactly, and never an integer.
static double place(int k, double from) {
  return from + (k * 11 % 24) / 32.0 + 1.0 / 64;
}

template <class T> static void check_functions(const char *type, double tolerance) {
  std::vector<int> which;
  std::vector<T> a, b;
  for (int f = 0; f < Functions; ++f)
    for (int k = 0; k < Places; ++k) {
      which.push_back(f);
      a.push_back(T(place(f + 3 * k, 0.25)));
      b.push_back(T(place(f + 7 * k + 5, 0.5) + (k % 2 ? 0.75 : 0)));
    }
  array<int> choice(which);
  array<T> da(a), db(b), y(count, T(0.0)), a_bar(count, T(0.0)), b_bar(count, T(0.0)), seeds(count, T(1.0));
  gpuad::launch where{dim3((count + 63) / 64), dim3(64)};
  launch_functions_adjoint<T>(where, count, choice, da, a_bar, db, b_bar, y, seeds);
  for (int side = 0; side < 2; ++side) {
    array<T> a_dot(count, T(side == 0)), b_dot(count, T(side == 1)), y_dot(count, T(0.0));
    launch_functions_tangent<T>(where, count, choice, da, a_dot, db, b_dot, y, y_dot);
    std::vector<T> bars = (side == 0 ? a_bar : b_bar).host(), dots = y_dot.host(), values = y.host();
    for (int i = 0; i < count; ++i) {
      double u = float(a[i]), v = float(b[i]), h = 1e-5;
      double right = side == 0 ? (reference(which[i], u + h, v) - reference(which[i], u - h, v)) / (2 * h)
                               : (reference(which[i], u, v + h) - reference(which[i], u, v - h)) / (2 * h);
      std::string what = std::string(type) + " " + names[which[i]] + (side == 0 ? " by a" : " by b");
      expect_near((what + ", value").c_str(), i, float(values[i]), reference(which[i], u, v), tolerance);
      expect_near((what + ", tangent").c_str(), i, float(dots[i]), right, tolerance);
      expect_near((what + ", adjoint").c_str(), i, float(bars[i]), right, tolerance);
    }
  }
}

/// Small integers and their halves: everything is exact.
template <class T> static void check_mixed() {
  const int rows = 4, n = 2;
  array<T> w({T(1.0), T(2.0), T(-1.0), T(3.0), T(0.5), T(1.0), T(2.0), T(-1.0)}), y(rows, T(0.0));
  array<float> x({2.0f, 1.0f}), total(1, 0.0f);
  // sums: 6, -1, 3, 7; kept: 2, -2, 2, 14 for scale 2
  array<T> w_bar(w.host().size(), T(0.0)), scale_bar(1, T(0.0)), y_bar(rows, T(1.0));
  array<float> x_bar(2, 0.0f), total_bar(1, 1.0f);
  launch_mixed_adjoint<T>({dim3(1), dim3(32)}, rows, n, w, w_bar, x, x_bar, T(2.0), scale_bar, y, y_bar, total,
                          total_bar);
  // By kept: 1 + x0, and 1 more in rows 0 and 3. By the sum: 2 kept_bar in odd rows, and 1 in rows 1 and 2.
  // kept_bar = 4, 3, 3, 4; sum_bar = 0, 7, 1, 8.
  // w_bar = sum_bar * x^2: x^2 = 4, 1.
  w_bar.expect_near("w_bar", {0, 0, 28, 7, 4, 1, 32, 8}, 0);
  // scale_bar = 4 + 3 * -1 + 3 + 4 * 7
  scale_bar.expect_near("scale_bar", {32}, 0);
  // x_bar[k] = sum of sum_bar * 2 w x[k], and the kept ones at x[0]: 2 - 2 + 2 + 14 = 16.
  x_bar.expect_near("x_bar", {16 + 4 * (-7 + 0.5 + 16), 2 * (21 + 1 - 8)}, 0);
  y_bar.expect_near("y_bar", {0, 0, 0, 0}, 0);
  w.expect_untouched("w");

  array<T> w_dot(8, T(1.0)), y_dot(rows, T(0.0));
  array<float> x_dot(2, 1.0f), total_dot(1, 0.0f);
  launch_mixed_tangent<T>({dim3(1), dim3(32)}, rows, n, w, w_dot, x, x_dot, T(2.0), T(1.0), y, y_dot, total, total_dot);
  // sum_dot = 5 + 4 w0 + 2 w1 = 13, 7, 9, 11; kept_dot = 1, 2 * 7 - 1, 1, 2 * 11 + 7
  y_dot.expect_near("y_dot", {1, 13, 1, 29}, 0);
  // x0 kept_dot + kept, and kept_dot, sum_dot, sum_dot, kept_dot
  total_dot.expect_near("total_dot", {2 * 44 + 16 + 1 + 7 + 9 + 29}, 0);
}

static void check_squares() {
  array<__half> x({__half(1.0), __half(3.0), __half(-2.0)}), x_bar(3, __half(1.0)), y(3, __half(0.0)),
      y_bar(3, __half(2.0));
  launch_squares_adjoint({dim3(1), dim3(32)}, 3, x, x_bar, y, y_bar);
  x_bar.expect_near("x_bar of squares", {1 - 2, 1 + 12, 1 - 2}, 0);
  array<__half> x_dot(3, __half(2.0)), y_dot(3, __half(0.0));
  launch_squares_tangent({dim3(1), dim3(32)}, 3, x, x_dot, y, y_dot);
  y.expect_near("y of squares", {-1, 9.5, 2}, 0);
  y_dot.expect_near("y_dot of squares", {-2, 12, -2}, 0);
}

template <class T> static void check_bias() {
  array<T> x(6, T(1.0)), x_bar(6, T(0.0)), x_dot({T(1.0), T(2.0), T(3.0), T(4.0), T(5.0), T(6.0)}), y(2, T(0.0)),
      y_bar({T(2.0), T(-1.0)}), y_dot(2, T(0.0));
  launch_bias_adjoint<T>({dim3(1), dim3(3)}, 2, x, x_bar, y, y_bar);
  x_bar.expect_near("x_bar of bias", {2, -1, 0, 2, -1, 0}, 0);
  launch_bias_tangent<T>({dim3(1), dim3(3)}, 2, x, x_dot, y, y_dot);
  y_dot.expect_near("y_dot of bias", {5, 7}, 0);
}

template <class T> static void check_odd_tile() {
  array<T> x({T(1.0), T(2.0), T(-1.0), T(3.0), T(0.5), T(-2.0), T(1.5)}), x_bar(7, T(0.0)), y(7, T(0.0)),
      y_bar(7, T(1.0));
  launch_odd_tile_adjoint<T>({dim3(1), dim3(7)}, x, x_bar, y, y_bar);
  x_bar.expect_near("x_bar of odd_tile", {6, 12, -6, 18, 3, -12, 9}, 0);
}

/// Shared memory that holds something else before, and behind the array that is cleared.
template <class Array> __global__ void clear_between(unsigned char *seen) {
  __shared__ struct {
    unsigned char before[4];
    Array cleared;
    unsigned char behind[4];
  } all;
  auto *bytes = reinterpret_cast<unsigned char *>(&all);
  for (unsigned i = threadIdx.x; i < sizeof all; i += blockDim.x)
    bytes[i] = 0xa5;
  __syncthreads();
  gpuad::clear_shared(all.cleared);
  for (unsigned i = threadIdx.x; i < sizeof all; i += blockDim.x) {
    const unsigned from = offsetof(decltype(all), cleared);
    seen[i] = bytes[i] == (i >= from && i < from + sizeof(Array) ? 0 : 0xa5);
  }
}

template <class Array> static void check_clearing(const char *what) {
  std::vector<unsigned char> right(sizeof(Array) + 16, 1);
  array<unsigned char> seen(right);
  clear_between<Array><<<1, 5>>>(seen);
  cudaDeviceSynchronize();
  expect(what, seen.host() == right);
}

int main() {
  check_clearing<unsigned short[7]>("seven halves are cleared, and nothing else");
  check_clearing<unsigned short[1]>("one half");
  check_clearing<unsigned char[3]>("three bytes");
  check_clearing<double[3]>("three doubles");
  check_bias<__half>();
  check_bias<__nv_bfloat16>();
  check_odd_tile<__half>();
  check_odd_tile<__nv_bfloat16>();
  check_squares();
  check_functions<__half>("half", 4e-3);
  check_functions<__nv_bfloat16>("bfloat16", 4e-2);
  check_mixed<__half>();
  check_mixed<__nv_bfloat16>();
  return verdict();
}
