// Lambdas that are templates, that change what they keep, that are copied and handed on, that capture an object.
#include <gpuad/gpuad.h>
#define BOTH(HEAD) GPUAD_ADJOINT(HEAD) GPUAD_TANGENT(HEAD)
#define ELEMENT int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

// A generic lambda stored, called with several types, and handed on by reference.
template <class F> __device__ double twice(const F &f, double v) { return f(f(v)); }
template <class F> __device__ double twice_moved(F &&f, double v) { return f(f(v)); }
template <class F, class G> __device__ auto compose(F f, G g) { return [=](auto v) { return f(g(v)); }; }
BOTH("(y)/(x)")
__global__ void generic(int n, const double *x, double *y) {
  ELEMENT;
  const auto square = [](auto v) { return v * v; };
  const auto mix = [&](auto a, auto b) { return square(a) + b * x[i]; };
  y[i] = twice(square, x[i]) + mix(x[i], 2) + mix(2.0f, x[i]) + twice_moved([=](auto v) { return sin(v) * x[i]; }, x[i]) +
         compose(square, [](auto v) { return v + 1; })(x[i]);
}

// mutable, by value; state kept between calls; copied.
BOTH("(y)/(x)")
__global__ void counting(int n, const double *x, double *y) {
  ELEMENT;
  auto next = [v = x[i], k = 0]() mutable { v = v * v + ++k; return v; };
  double s = next();
  auto other = next;
  s += next() * other();
  double a = x[i];
  auto add = [a](double b) mutable { a += b * a; return a; };
  s += add(s) + add(x[i]) + a;
  y[i] = s;
}

// mutable and passed by reference to a function that calls it.
template <class F> __device__ void repeat(F &f, int m) { for (int k = 0; k < m; ++k) f(k); }
template <class F> __device__ void repeat_copy(F f, int m) { for (int k = 0; k < m; ++k) f(k); }
BOTH("(y)/(x)")
__global__ void handed_on(int n, const double *x, double *y) {
  ELEMENT;
  double s = x[i];
  auto f = [&s, v = x[i]](int k) mutable { v *= 0.5 * v; s += v * k; };
  repeat(f, 3);
  repeat(f, 2);
  repeat_copy([&](int k) { s = s * x[(i + k) % n]; }, 3);
  y[i] = s;
}

// Copies have states of their own, references share one.
template <class F> __device__ double next_of(F f) { return f(); }
template <class F> __device__ double next_of_same(F &f) { return f(); }
BOTH("(y)/(x)")
__global__ void copies(int n, const double *x, double *y) {
  ELEMENT;
  auto f = [v = x[i]]() mutable { return v *= 1 - 0.25 * v; };
  double s = next_of(f);
  s += next_of_same(f);
  auto g = f;
  auto &h = f;
  for (int k = 0; k < 2; ++k)
    s += 0.1 * g() + h() * next_of(g);
  auto both = [g, &f]() mutable { return g() - f(); };
  s += both() + 2 * both() + g() * f();
  y[i] = s;
}

// As many arguments as the call gives.
BOTH("(y)/(x)")
__global__ void packs(int n, const double *x, double *y) {
  ELEMENT;
  auto total = [&](auto... v) { return (v + ...) * x[i]; };
  auto first = [](auto a, auto... rest) { return a * sizeof...(rest); };
  y[i] = total(x[i], 2, 3.0f) + total(x[i] * x[i]) + first(x[i], 1, 2);
}

// this, and views.
struct model {
  double a, b;
  const double *data;
  __device__ double at(int i) const {
    auto f = [this, i](double v) { return a * v + b * data[i]; };
    auto g = [*this](double v) { return b * v; };
    return f(g(data[i]));
  }
};
BOTH("(y)/(x)")
__global__ void of_this(int n, const double *x, double *y) {
  ELEMENT;
  model m{x[i], 2.0, x};
  auto load = [m](int k) { return m.data[k] * m.a; };
  y[i] = m.at(i) + load((i + 1) % n);
}

// Called where it is written, with an early return.
BOTH("(y)/(x)")
__global__ void immediately(int n, const double *x, double *y) {
  ELEMENT;
  const double v = [&] { if (i % 2) return x[i]; double s = 0; for (int k = 0; k < 3; ++k) s += x[(i + k) % n]; return s; }();
  y[i] = [](double a, double b) { return a * b; }(v, x[i]);
}
