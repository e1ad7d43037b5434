// Classes, templates, names and literals of C++17.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

#define KERNEL(NAME)                                                                                                   \
  GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void NAME(const double *x, double *y, int n)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return

__device__ double sq(double v) {
  return v * v;
}
KERNEL(if_init) {
  INDEX;
  double s = 0;
  if (double v = sq(x[i]); v > 0.3)
    s = v * 2;
  else if (double w = v + 1; w > 1.1)
    s = v * w;
  else
    s = w - v;
  y[i] = s;
}
KERNEL(if_cond) {
  INDEX;
  double s = x[i];
  if (double v = x[i] - 0.5)
    s += v * v;
  else
    s = v;
  y[i] = s;
}
KERNEL(if_cond_int) {
  INDEX;
  double s = x[i];
  if (int k = i % 3)
    s *= k;
  else
    s = s * s;
  y[i] = s;
}
KERNEL(if_cond_ptr) {
  INDEX;
  double s = 0;
  if (const double *p = i > 2 ? x + i : nullptr)
    s = *p * *p;
  y[i] = s;
}
KERNEL(switch_init) {
  INDEX;
  double s = x[i];
  switch (int k = i % 4; k) {
  case 0:
    s *= s;
    break;
  case 1: {
    double t = s;
    s += t * t;
  }
  case 2:
    s *= 3;
    [[fallthrough]];
  default:
    s += k;
  }
  y[i] = s;
}
KERNEL(switch_cond) {
  INDEX;
  double s = x[i];
  switch (int k = i % 3) {
  case 1:
    s *= k + 1;
    break;
  case 2:
    s = sin(s) * k;
  }
  y[i] = s;
}
KERNEL(while_cond) {
  INDEX;
  double s = x[i];
  int m = i % 4;
  while (int k = m) {
    s = s * s + 0.1 * k;
    --m;
  }
  y[i] = s;
}
KERNEL(for_cond) {
  INDEX;
  double s = x[i];
  for (int j = 3; int k = j; --j) {
    s = s * s + 0.1 * k;
    if (k == 2)
      continue;
    s *= 1.1;
  }
  y[i] = s;
}
KERNEL(while_cond_real) {
  INDEX;
  double s = x[i], r = 2;
  int c = 0;
  while (double v = r - 1) {
    s += v * s * 0.1;
    r = r > 1.5 ? 1.25 : 1;
    ++c;
  }
  y[i] = s * c;
}
template <class... T> __device__ double sum_all(T... v) {
  return (v + ...);
}
template <class... T> __device__ double sum_left(T... v) {
  return (0.5 + ... + v);
}
template <class... T> __device__ double sum_init(T... v) {
  return (v * ... * 2.0);
}
template <class... T> __device__ bool any_above(double t, T... v) {
  return ((v > t) || ...);
}
template <class... T> __device__ void scale_all(double f, T &...v) {
  ((v *= f), ...);
}
template <class... T> __device__ void store_all(double *p, T... v) {
  int k = 0;
  ((p[k++] = v), ...);
}
KERNEL(folds) {
  INDEX;
  double v = x[i];
  y[i] = sum_all(v, v * v, 2.0) * sum_left(v, 3.0 * v) + sum_init(v, v);
}
KERNEL(fold_bool) {
  INDEX;
  double v = x[i];
  y[i] = any_above(0.7, v, v * v) ? v * v : sin(v);
}
KERNEL(fold_effects) {
  INDEX;
  double a = x[i], b = a * a, c = 3;
  scale_all(a, b, c);
  y[i] = a * b * c;
}
KERNEL(fold_store) {
  INDEX;
  double w[3];
  store_all(w, x[i], x[i] * x[i], 4.0);
  y[i] = w[0] * w[1] * w[2];
}
template <class F, class... A> __device__ double call(F f, A... a) {
  return f(a...);
}
struct mul3 {
  double k;
  __device__ double operator()(double a, double b, double c) const { return k * a * b + c; }
};
KERNEL(pack_forward) {
  INDEX;
  y[i] = call(mul3{x[i]}, x[i], 2.0, sq(x[i]));
}
template <int... I> __device__ double at_indices(const double *p) {
  return ((p[I] * (I + 1)) + ...);
}
KERNEL(pack_ints) {
  INDEX;
  double w[4] = {x[i], x[i] * x[i], 1, 2 * x[i]};
  y[i] = at_indices<0, 1, 3>(w);
}
template <class T> constexpr T half_of = T(0.5);
template <int N> constexpr double cubed = 1.0 * N * N * N;
KERNEL(variable_templates) {
  INDEX;
  y[i] = half_of<double> * x[i] * x[i] + cubed<3> * x[i];
}
constexpr __host__ __device__ double cube(double v) {
  return v * v * v;
}
constexpr __host__ __device__ int fact(int k) {
  return k <= 1 ? 1 : k * fact(k - 1);
}
KERNEL(constexprs) {
  INDEX;
  constexpr double c = cube(2.0);
  constexpr int f = fact(4);
  y[i] = c * cube(x[i]) + f * x[i];
}
struct weights {
  double left, middle, right;
};
constexpr weights stencil = {0.25, 0.5, 0.25};
__constant__ constexpr double table[3] = {1, 2, 3};
inline constexpr double gain = 1.5;
KERNEL(constexpr_arrays) {
  INDEX;
  constexpr double middle = stencil.middle;
  constexpr double local[2][2] = {{1, 2}, {3, 4}};
  double s = 0;
  for (int j = 0; j < 2; ++j)
    for (int k = 0; k < 2; ++k)
      s += local[j][k] * x[i] * (j + k);
  y[i] = s * gain + middle * x[i] * x[i] + table[2] * x[i];
}
struct params {
  double a = 2, b = a * 3;
  int k = 2;
};
KERNEL(default_members) {
  INDEX;
  params p;
  p.a *= x[i];
  params q{x[i]};
  params r{x[i], 2 * x[i]};
  y[i] = p.a * p.b + q.a * q.b * q.k + r.a * r.b;
}
struct line {
  double a, b;
  struct inner {
    double c, d;
  } in;
  double e[2];
};
KERNEL(nested_aggregates) {
  INDEX;
  line l = {x[i], 2, {x[i] * x[i], 3}, {x[i], 4}};
  line m = {x[i], 2, x[i] * x[i], 3, x[i], 4};
  line z = {};
  line p{x[i], {}, {}, {x[i]}};
  y[i] = l.a * l.in.c * l.e[0] + m.in.d * m.e[0] * m.in.c + z.a + p.e[0] * p.a + p.in.c;
}
class acc {
public:
  __device__ acc() : acc(0.0) {}
  __device__ acc(double v) : acc(v, 1.0) { w *= 2; }
  __device__ acc(double v, double u) : v(v), w(u) {}
  double v, w;
};
struct acc2 : acc {
  using acc::acc;
  double z = 3;
};
KERNEL(constructors) {
  INDEX;
  acc a, b(x[i]), c(x[i], x[i] * x[i]);
  acc2 d(x[i], 4.0);
  y[i] = a.w * b.v * b.w + c.v * c.w + d.z * d.v * d.w;
}
struct meters {
  double v;
  __device__ operator double() const { return v; }
  __device__ explicit operator bool() const { return v > 0.5; }
};
KERNEL(conversions) {
  INDEX;
  meters m{x[i] * 2};
  double d = m;
  y[i] = d * m + (m ? sin(d) : cos(d)) + static_cast<double>(m);
}
namespace algebra {
struct cplx {
  double re, im;
  friend __device__ cplx operator*(const cplx &a, const cplx &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend __device__ double abs2(const cplx &c) { return c.re * c.re + c.im * c.im; }
  __device__ friend bool operator<(const cplx &a, const cplx &b) { return abs2(a) < abs2(b); }
  __device__ cplx &operator+=(const cplx &o) {
    re += o.re;
    im += o.im;
    return *this;
  }
  __device__ cplx operator-() const { return {-re, -im}; }
  friend __device__ int level(const cplx &c) { return c.re > 0.5 ? 2 : 1; }
};
} // namespace algebra
KERNEL(hidden_friends) {
  INDEX;
  algebra::cplx a{x[i], 1}, b{2, x[i]};
  algebra::cplx c = a * b;
  c += -a;
  y[i] = c < b ? level(a) * abs2(c) : abs2(b * c);
}
template <class D> struct base {
  __device__ double eval(double v) const { return static_cast<const D *>(this)->f(v) * 2; }
  __device__ D &self() { return static_cast<D &>(*this); }
};
struct square : base<square> {
  double k;
  __device__ square(double k) : k(k) {}
  __device__ double f(double v) const { return k * v * v; }
};
KERNEL(crtp) {
  INDEX;
  square s(x[i]);
  s.self().k *= 2;
  y[i] = s.eval(x[i]);
}
enum class kind : unsigned char { linear, quad, other = 7 };
enum old { FIRST, SECOND = 5 };
__device__ double by_kind(kind k, double v) {
  switch (k) {
  case kind::linear:
    return v;
  case kind::quad:
    return v * v;
  default:
    return 1 / v;
  }
}
KERNEL(enums) {
  INDEX;
  kind k = i % 3 == 0 ? kind::linear : i % 3 == 1 ? kind::quad : kind::other;
  y[i] = by_kind(k, x[i]) * (SECOND + static_cast<int>(k));
}
namespace deep {
namespace er {
__device__ double f(double v) {
  return v * v * 3;
}
struct S {
  double v;
};
} // namespace er
using er::f;
} // namespace deep
namespace alias = deep::er;
KERNEL(usings) {
  INDEX;
  using alias::S;
  using deep::f;
  using real = double;
  typedef real arr[2];
  arr a = {x[i], 2};
  S s{f(x[i])};
  using namespace deep;
  y[i] = s.v * er::f(a[0]) * a[1];
}
__host__ __device__ constexpr double operator""_km(long double v) {
  return double(v) * 1000;
}
__host__ __device__ constexpr double operator""_pc(unsigned long long v) {
  return double(v) / 100;
}
KERNEL(literals) {
  INDEX;
  y[i] = 0.002_km * x[i] * x[i] + 5_pc * x[i] + 0x1.8p1 * x[i] + 1'000.5e-3 * x[i] + 017 * x[i] + 0b101 * x[i] +
         0x1F * x[i] + 'a' * x[i];
}
KERNEL(volatile_local) {
  INDEX;
  volatile double v = x[i];
  volatile int k = 2;
  v = v * v;
  y[i] = v * k;
}
