// Lambdas that are called where they are written, that keep values of their own, and that functions return.
#include <gpuad/gpuad.h>

#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n) return

BOTH("(y)/(x,s)")
__global__ void at_once(double *y, const double *x, double s, int n) {
  INDEX;
  const double v = [&] {
    if (x[i] > 1) return x[i] * s;
    return x[i] * x[i];
  }();
  double counted = 0;
  double twice = v + [&](double w) { counted += w * w; return w * v; }(s) + 1;
  y[i] = v * twice + counted;
}

BOTH("(y)/(x)")
__global__ void in_conditions(double *y, const double *x, int n) {
  INDEX;
  double v = x[i];
  int k = 0;
  while ([&](double w) { return w * w; }(v) < 4 && k < 10) {
    v *= 1.5;
    ++k;
  }
  for (int m = 0; m < [=] { return 1 + i % 3; }(); ++m) v = v * x[i] + 0.25;
  y[i] = v;
}

BOTH("(y)/(x)")
__global__ void own_values(double *y, const double *x, int n) {
  INDEX;
  double a = x[i], sum = 0;
  auto f = [w = a * a, i](double v) { return w * v + i % 2; };
  a = 3;
  auto add = [&to = sum](double v) { to += v * v; };
  add(x[i]);
  add(f(2.0) + a);
  for (int k = 0; k < 3; ++k) {
    auto g = [w = x[i] * k + sum](auto v) { return w * v; };
    sum = g(0.5 + sum * 0.125);
  }
  y[i] = sum + f(x[i]);
}

__device__ auto make_scale(double s) {
  return [s](double v) { return s * v * v; };
}
template <class T> __device__ auto line(const T &slope, T offset) {
  return [=](T v) { return slope * v + offset; };
}
template <class F, class G> __device__ auto after(F f, G g) {
  return [=](auto v) { return g(f(v)); };
}
BOTH("(y)/(x,s)")
__global__ void returned(double *y, const double *x, double s, int n) {
  INDEX;
  auto f = make_scale(s);
  auto g = make_scale(x[i]);
  double slope = x[i];
  auto h = line(slope, s);
  slope = 7;
  y[i] = f(x[i]) + g(2 * x[i]) * f(g(s)) + h(x[i]) + make_scale(slope)(s);
}
BOTH("(y)/(x,s)")
__global__ void composed(double *y, const double *x, double s, int n) {
  INDEX;
  auto up = [=](double v) { return v * s; };
  auto square = [](double v) { return v * v; };
  auto first = after(up, square);
  auto second = after(square, [&](double v) { return sin(v) + x[i]; });
  double v = x[i];
  for (int k = 0; k < 3; ++k) {
    auto shifted = line(v, s);
    v = shifted(first(v)) * 0.25 + second(v);
  }
  y[i] = v;
}
