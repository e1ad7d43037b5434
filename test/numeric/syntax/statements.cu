// Statements, arrays, pointers and macros as people write them.
#include <cuda_runtime.h>
#include <gpuad/gpuad.h>

#define KERNEL(NAME)                                                                                                   \
  GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void NAME(const double *x, double *y, int n)
#define INDEX                                                                                                          \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return

KERNEL(local_class) {
  INDEX;
  struct pair {
    double a, b;
    __device__ double prod() const { return a * b; }
  };
  pair p{x[i], x[i] * 2};
  y[i] = p.prod() * p.a;
}
struct outer {
  double s;
  struct part {
    double a;
    __device__ double twice() const { return 2 * a; }
  } p;
  enum mode { A, B };
  mode m;
  __device__ double run() const { return m == B ? p.twice() * s : s; }
};
KERNEL(nested_class) {
  INDEX;
  outer o{x[i], {x[i] * x[i]}, outer::B};
  outer::part q = o.p;
  q.a *= 2;
  y[i] = o.run() * q.twice();
}
template <class F> struct wrap {
  F f;
  double k;
  __device__ double operator()(double v) const { return k * f(v); }
};
template <class F> wrap(F, double) -> wrap<F>;
template <class F> __device__ wrap<F> make_wrap(F f, double k) {
  return {f, k};
}
union bits {
  float f;
  unsigned u;
};
union either {
  double d[2];
  struct {
    double lo, hi;
  } p;
};
struct anon {
  union {
    double a;
    int k;
  };
  double b;
  struct {
    double c, d;
  };
};
KERNEL(nested_conditional) {
  INDEX;
  double a = x[i], b = 2, t;
  double r = a > 0.7 ? (t = a * b) : a > 0.3 ? (b += a, t = b) : (t = 1);
  y[i] = r * t * b;
}
KERNEL(cond_assign) {
  INDEX;
  double a = x[i], b = 1;
  a > 0.5 ? a = b *a *a : b = a * 3;
  y[i] = a * b;
}
KERNEL(comma) {
  INDEX;
  double a = x[i], b;
  b = (a *= 2, a + 1);
  for (int j = 0, k = 3; j < k; ++j, --k)
    a *= b, b += 0.1;
  y[i] = a * b;
}
KERNEL(chained) {
  INDEX;
  double a, b, c, w[2];
  a = b = c = x[i] * x[i];
  w[0] = w[1] = a += b *= 2;
  (a -= 1) *= c;
  y[i] = a * b * c * w[0] * w[1];
}
struct pt {
  double p[2];
  double q;
};
KERNEL(compound_refs) {
  INDEX;
  pt s[2] = {{{x[i], 1}, 2}, {{3, x[i]}, x[i]}};
  double &r = s[1].p[0];
  r *= s[0].q;
  double (&row)[2] = s[0].p;
  row[1] += r * row[0];
  pt &t = s[i % 2];
  t.q /= t.p[0];
  t.p[i % 2] -= t.q;
  y[i] = s[0].p[0] * s[0].p[1] + s[1].p[0] * s[1].q + s[0].q * s[1].p[1];
}
KERNEL(loop_refs) {
  INDEX;
  double w[4] = {x[i], 2, x[i] * x[i], 1};
  for (double &v : w)
    v *= v;
  double s = 0;
  for (const double &v : w)
    s += v;
  for (auto &&v : w) {
    v += s;
  }
  for (double v : w) {
    v *= 2;
    s += v * v;
  }
  y[i] = s;
}
KERNEL(ptr_walk) {
  INDEX;
  double s = 0;
  const double *e = x + i + 1;
  for (const double *p = x; p != e; ++p)
    s += *p * *p;
  y[i] = s;
}
KERNEL(ptr_walk_lt) {
  INDEX;
  double s = 1;
  for (const double *p = x + i, *e = x + n; p < e; p += 2)
    s += s * *p * 0.1;
  y[i] = s;
}
KERNEL(ptr_walk_down) {
  INDEX;
  double s = 0;
  const double *p = x + i;
  while (p >= x)
    s = s * 0.5 + *p--;
  y[i] = s;
}
KERNEL(ptr_local_walk) {
  INDEX;
  double w[4] = {x[i], 2, x[i] * x[i], 1};
  double s = 1;
  for (double *p = w; p != w + 4; ++p) {
    *p *= s;
    s += *p;
  }
  y[i] = s;
}
KERNEL(do_while) {
  INDEX;
  double s = x[i];
  int k = 0;
  do {
    s = s * s + 0.1;
    if (k == 1)
      continue;
    s *= 0.9;
  } while (++k < 3);
  y[i] = s;
}
KERNEL(do_while0) {
  INDEX;
  double s = x[i];
  do {
    if (s > 0.5)
      break;
    s = s * 2;
  } while (0);
  y[i] = s * s;
}
KERNEL(unused_label) {
  INDEX;
  double s = x[i];
[[maybe_unused]] here:
  y[i] = s * s;
}
KERNEL(switch_nested) {
  INDEX;
  double s = x[i];
  for (int k = 0; k < 3; ++k)
    switch (k) {
    case 0:
      s *= s;
      continue;
    case 1:
      if (s > 0.4)
        break;
      s += 1;
      [[fallthrough]];
    case 2:
      s = s + x[i] * k;
    }
  y[i] = s;
}
KERNEL(switch_scoped) {
  INDEX;
  double s = x[i];
  switch (i % 3) {
    double t;
  case 0:
    t = s * s;
    s += t;
    break;
  case 1:
    t = 2 * s;
    s *= t;
    break;
  default: {
  }
  }
  y[i] = s;
}
KERNEL(switch_return) {
  INDEX;
  switch (i & 1) {
  case 0:
    y[i] = x[i] * x[i];
    return;
  default:
    break;
  }
  y[i] = sin(x[i]);
}
struct consts {
  static constexpr double k = 2.5;
  static constexpr int n = 3;
  double v;
  __device__ double get() const { return v * k; }
};
KERNEL(static_members) {
  INDEX;
  double s = 0;
  for (int j = 0; j < consts::n; ++j)
    s += consts{x[i]}.get() * j;
  y[i] = s * consts::k;
}
struct store {
  double w[3];
  __device__ decltype(auto) at(int k) { return (w[k]); }
  __device__ decltype(auto) at(int k) const { return (w[k]); }
  __device__ auto &first() { return w[0]; }
};
KERNEL(decltype_auto) {
  INDEX;
  store s{{x[i], 2, 3}};
  s.at(1) *= x[i];
  s.first() += s.at(1);
  const store &c = s;
  y[i] = c.at(0) * c.at(1);
}
struct cell {
  double v[2][2];
  int k;
};
struct grid {
  cell c[2];
};
KERNEL(deep_arrays) {
  INDEX;
  grid g[2] = {};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 4; ++c)
        g[a].c[b].v[c / 2][c % 2] = x[i] * (a + 2 * b + 4 * c);
  g[1].c[0].v[1][0] *= g[0].c[1].v[0][1];
  double s = 0;
  for (auto &h : g)
    for (auto &c : h.c)
      for (auto &r : c.v)
        for (double v : r)
          s += v * v;
  y[i] = s;
}
__device__ double trace(const double (&m)[2][2]) {
  return m[0][0] * m[1][1];
}
__device__ void transpose(double m[2][2]) {
  double t = m[0][1];
  m[0][1] = m[1][0];
  m[1][0] = t;
}
__device__ double row_sum(const double (*m)[2], int r) {
  return m[r][0] + m[r][1] * m[r][1];
}
template <int R, int C> __device__ void fill(double (&m)[R][C], double v) {
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c)
      m[r][c] = v * (r + c + 1);
}
KERNEL(array_params) {
  INDEX;
  double m[2][2];
  fill(m, x[i]);
  m[0][1] *= x[i];
  transpose(m);
  double (*q)[2] = m;
  q[0][0] += 1;
  y[i] = trace(m) * row_sum(m, 1) + row_sum(q, 0);
}
KERNEL(ptr_to_array) {
  INDEX;
  double m[3][2] = {{x[i], 1}, {2, x[i]}, {x[i], x[i]}};
  double s = 0;
  for (double (*r)[2] = m; r != m + 3; ++r)
    s += (*r)[0] * (*r)[1];
  double (*whole)[3][2] = &m;
  (*whole)[1][1] *= 2;
  y[i] = s * m[1][1];
}
struct view {
  const double *__restrict__ p;
  int n;
  __device__ double operator[](int k) const { return p[k]; }
};
KERNEL(restrict_member) {
  INDEX;
  view v{x, n};
  y[i] = v[i] * v[(i + 1) % v.n];
}
struct packed {
  unsigned a : 3, b : 5;
  int c : 4;
  double v;
};
KERNEL(const_places) {
  INDEX;
  double const a = x[i];
  const double *const p = x;
  double const *const q = p + i;
  int const k = 2;
  auto const b = a * k;
  y[i] = a * *q * b;
}
template <class T> using pair_of = T[2];
template <class T> struct box {
  T v;
};
template <class T> using boxed = box<box<T>>;
KERNEL(alias_templates) {
  INDEX;
  pair_of<double> a = {x[i], 2};
  boxed<double> b{{x[i]}};
  y[i] = a[0] * a[1] * b.v.v;
}
KERNEL(small_ints) {
  INDEX;
  char c = i % 5;
  short s = c * 3;
  unsigned char u = 250;
  u += 10;
  unsigned j = i;
  j -= 1;
  long long l = 1LL << 33;
  size_t z = (size_t)i;
  y[i] = x[i] * c * x[i] + s * x[z] + u * x[i] + x[(j + 1u) % (unsigned)n] + (l >> 32) * x[i] + x[(short)(i & 3)];
}
KERNEL(down_loop) {
  INDEX;
  double s = 1;
  for (size_t k = 3; k-- > 0;)
    s = s * x[(i + k) % n] + 0.1 * k;
  for (unsigned k = 2; k + 1 != 0; --k)
    s *= 1 + 0.1 * x[i] * k;
  y[i] = s;
}
KERNEL(aligned) {
  INDEX;
  alignas(16) double w[2] = {x[i], 2};
  struct alignas(32) S {
    double a, b;
  };
  S s{x[i], 3};
  y[i] = w[0] * w[1] * s.a * s.b;
}
KERNEL(attributes) {
  INDEX;
  [[maybe_unused]] double dead = x[i];
  double s = x[i];
  __builtin_assume(n > 0);
  if (s > 10)
    __builtin_unreachable();
  switch (i % 2) {
  case 0:
    s *= s;
    break;
  case 1:
    s += 1;
    break;
  default:
    __builtin_unreachable();
  }
  y[i] = s;
}
KERNEL(unrolls) {
  INDEX;
  double s = x[i];
#pragma unroll 2
  for (int k = 0; k < 4; ++k)
    s = s * s + 0.1;
#pragma unroll 3
  for (int k = 0; k < 3; ++k)
    s += x[i] * k;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
    s += x[k] * s * 0.01;
  y[i] = s;
}
#define SWAP(T, a, b)                                                                                                  \
  do {                                                                                                                 \
    T t_ = (a);                                                                                                        \
    (a) = (b);                                                                                                         \
    (b) = t_;                                                                                                          \
  } while (0)
#define EACH(k, m) for (int k = 0; k < (m); ++k)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define STEP(v)                                                                                                        \
  v = v * v + 0.1;                                                                                                     \
  v *= 2
#define IF_ELSE(c, a, b)                                                                                               \
  if (c) {                                                                                                             \
    a;                                                                                                                 \
  } else {                                                                                                             \
    b;                                                                                                                 \
  }
KERNEL(macros) {
  INDEX;
  double a = x[i], b = 2;
  SWAP(double, a, b);
  EACH(k, 3) {
    STEP(b);
  }
  IF_ELSE(a > 1, b *= a, b += a) y[i] = MAX(a, b) * MAX(a * b, 1);
}
KERNEL(odd) {
  INDEX;
  double s = x[i];
  ;
  {
    {};
  }
  if (s > 0.5)
    ;
  else
    s *= 2;
  for (;;) {
    if (s > 1)
      break;
    s += 0.3;
  }
  y[i] = (s) * ((s));
  ;
}
double __device__ static inline later(double v, double k);
__device__ double with_default(double v, double k = 2, int m = 3);
KERNEL(declared_first) {
  INDEX;
  y[i] = later(x[i], 3) * with_default(x[i]) + with_default(x[i], x[i]);
}
__device__ double later(double v, double k) {
  return v * v * k;
}
__device__ double with_default(double v, double k, int m) {
  return v * k * m;
}
struct both {
  double v;
  __device__ double &get() { return v; }
  __device__ double get() const { return 2 * v; }
  __device__ double w() & { return v; }
  __device__ double w() && { return v * 3; }
};
__device__ double ov(int) {
  return 2;
}
__device__ double ov(double v) {
  return v;
}
__device__ double ov(float v) {
  return v * 4;
}
__device__ double ov(const double *p) {
  return *p;
}
KERNEL(overloads) {
  INDEX;
  both b{x[i]};
  b.get() *= 2;
  const both &c = b;
  y[i] = b.get() * c.get() + b.w() * both{x[i]}.w() + ov(1) * ov(x[i]) * ov((float)2) * ov(x + i);
}
template <int N> struct power {
  __device__ static double of(double v) { return v * power<N - 1>::of(v); }
};
template <> struct power<0> {
  __device__ static double of(double) { return 1; }
};
template <int N> __device__ double pow_if(double v) {
  if constexpr (N == 0)
    return 1;
  else if constexpr (N % 2)
    return v * pow_if<N - 1>(v);
  else {
    double h = pow_if<N / 2>(v);
    return h * h;
  }
}
KERNEL(recursion) {
  INDEX;
  y[i] = power<3>::of(x[i]) + pow_if<5>(x[i]);
}
