// C++ as people write it: operands with effects, bases and conversions, packs, smart pointers, iterators, optional
// values, chains.
#include <gpuad/gpuad.h>
#include <type_traits>
#define IDX                                                                                                            \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                       \
  if (i >= n)                                                                                                          \
  return
template <class T> __device__ void swap_(T &a, T &b) {
  T t = a;
  a = b;
  b = t;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void walking_pointers(const double *x, double *y, int n) {
  IDX;
  const double *p = x + 4 * i;
  double *q = y + 2 * i;
  double a = *p++ * 2;
  a += *p++;
  *q++ = a * *p;
  *q = a = a * *++p;
  y[2 * i] += a;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void short_circuits(const double *x, double *y, int n) {
  IDX;
  double v = x[i];
  int k = 0;
  if (v > 0.8 && (v *= 2) > 2 || (++k, v > 0.7))
    v = v * v + k;
  double w = (k > 0 ? v : (v += 1, v * 2));
  y[i] = w * v;
}
struct B {
  double a = 1, b = 2;
  __device__ B() {}
  __device__ explicit B(double v) : B() { a = v; }
  __device__ B(double v, double w) : a(v), b(w) {}
  __device__ operator double() const { return a * b; }
};
struct D : B {
  double c;
  __device__ D(double v) : B(v, v * v), c(a + b) {}
  __device__ double all() const { return a * b * c; }
};
__device__ double slice(B b) {
  b.a += 1;
  return b.a * b.b;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void bases(const double *x, double *y, int n) {
  IDX;
  D d(x[i]);
  B b(x[i]);
  double v = b;
  y[i] = d.all() + slice(d) + v + double(B(x[i], 3.0));
}
template <class T, class... R> __device__ double horner(double v, T a, R... r) {
  if constexpr (sizeof...(R) == 0)
    return a;
  else
    return a + v * horner(v, r...);
}
template <class T> struct Ptr {
  T *p;
  __device__ T *operator->() const { return p; }
  __device__ T &operator*() const { return *p; }
};
struct Body {
  double m, v;
};
GPUAD_ADJOINT("(b)/(b,dt)") GPUAD_TANGENT("(b)/(b,dt)") __global__ void arrows(Body *b, double dt, int n) {
  IDX;
  Ptr<Body> p{b + i};
  p->v += dt * p->m;
  (*p).m *= p->v;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void swaps(const double *x, double *y, int n) {
  IDX;
  double a = x[i], b = x[i + 1], c = x[i + 2];
  if (a > b)
    swap_(a, b);
  if (b > c)
    swap_(b, c);
  if (a > b)
    swap_(a, b);
  y[i] = a * 1 + b * 10 + c * c;
}
GPUAD_ADJOINT("(y)/(x)")
GPUAD_TANGENT("(y)/(x)") __global__ void nested_exits(const double *x, double *y, int m, int n) {
  IDX;
  double s = 0;
  for (int a = 0; a < m; ++a) {
    double p = 1;
    for (int b = 0; b < m; ++b) {
      p *= x[(i + a * b) % n];
      if (p < 0.3)
        break;
      if (b % 2)
        continue;
      s += p;
    }
    if (s > 6)
      return (void)(y[i] = s * s);
  }
  y[i] = s;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void ranges_of_rows(const double *x, double *y, int n) {
  IDX;
  double t[2][3] = {{x[i], 1, 2}, {x[i + 1], x[i], 3}};
  for (auto &r : t)
    for (auto &&e : r)
      e *= x[i];
  auto &[a, b, c] = t[1];
  a += b * c;
  y[i] = t[1][0] + t[0][2];
}
GPUAD_ADJOINT("(y)/(a,x)")
GPUAD_TANGENT("(y)/(a,x)") __global__ void changed_parameter(double a, const double *x, double *y, int n) {
  IDX;
  a *= x[i];
  for (; a < 4; a += x[i])
    a *= 1.1;
  y[i] = a;
}

GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void coordinates(const double *x, double *y, int n) {
  IDX;
  dim3 at(i, 2), none;
  dim3 last = dim3(n - 1);
  none.y = at.y + 1;
  y[at.x] = x[at.x] * x[last.x - i] * at.y * at.z + none.x * none.y * x[i];
}

template <class... T> __device__ double sum_all(T... t) {
  double parts[] = {t...};
  double s = 0;
  for (double p : parts)
    s += p;
  return s;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void packs(const double *x, double *y, int n) {
  IDX;
  y[i] = sum_all(x[i], x[i] * x[i], 2.0) * horner(x[i], 1.0, x[i], 0.5, x[i] * 2);
}
template <class T> struct cplx {
  T re, im;
  __device__ cplx(T r = 0, T i = 0) : re(r), im(i) {}
  __device__ cplx &operator*=(const cplx &o) {
    T r = re * o.re - im * o.im;
    im = re * o.im + im * o.re;
    re = r;
    return *this;
  }
  __device__ friend cplx operator*(cplx a, const cplx &b) { return a *= b; }
  __device__ friend cplx operator+(const cplx &a, const cplx &b) { return {a.re + b.re, a.im + b.im}; }
  __device__ T norm() const { return re * re + im * im; }
};
template <class T> struct Opt {
  bool has = false;
  T v{};
  __device__ explicit operator bool() const { return has; }
  __device__ const T &operator*() const { return v; }
  __device__ T value_or(T o) const { return has ? v : o; }
};
struct Ray {
  double o, d;
};
struct Hit {
  double t, u;
  int id;
};
__device__ Opt<Hit> intersect(const Ray &r, double c) {
  Opt<Hit> h;
  double t = (c - r.o) / r.d;
  if (t > 0.2) {
    h.has = true;
    h.v = {t, t * r.d, 3};
  }
  return h;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void trace(const double *x, double *y, int n) {
  IDX;
  Ray r{x[i], 1 + x[i]};
  if (auto h = intersect(r, 2.0); h) {
    const auto &[t, u, id] = *h;
    y[i] = t * u + id;
  } else
    y[i] = intersect(r, 9.0).value_or(Hit{x[i], 1, 2}).t;
}
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ T rec(T v) {
  return T(1) / v;
}
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __device__ T rec(T v) {
  return v + 1;
}
template <template <class> class C, class T> __device__ T fold(const C<T> &c) {
  return c.re * rec(c.im + T(2)) + rec(3);
}
__device__ constexpr double operator""_deg(long double v) {
  return double(v) * 0.017453292519943295;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void sfinae(const double *x, double *y, int n) {
  IDX;
  y[i] = fold(cplx<double>{x[i], x[i] * x[i]}) * sin(30.0_deg + x[i]);
}
struct Acc {
  mutable int calls = 0;
  double s = 0;
  __device__ Acc &add(double v) {
    ++calls;
    s += v * v;
    return *this;
  }
  __device__ Acc &scale(double v) {
    s *= v;
    return *this;
  }
  __device__ double get() const {
    ++calls;
    return s * calls;
  }
};
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void chain(const double *x, double *y, int n) {
  IDX;
  Acc a;
  y[i] = a.add(x[i]).add(2).scale(x[i]).get() + a.calls;
}
struct Strided {
  const double *p;
  int s;
  struct It {
    const double *p;
    int s;
    __device__ double operator*() const { return *p; }
    __device__ It &operator++() {
      p += s;
      return *this;
    }
    __device__ bool operator!=(const It &o) const { return p != o.p; }
  };
  int m;
  __device__ It begin() const { return {p, s}; }
  __device__ It end() const { return {p + s * m, s}; }
};
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void iterators(const double *x, double *y, int n) {
  IDX;
  double s = 1;
  for (double v : Strided{x + i, 2, 3})
    s = s * v + v;
  y[i] = s;
}
struct Cand {
  double d;
  int j;
};
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void nearest(const double *x, double *y, int n) {
  IDX;
  double d[3] = {1e9, 1e9, 1e9};
  for (int j = 0; j < 7; ++j) {
    double v = x[(i + j) % n] * (j + 1);
    for (int k = 0; k < 3; ++k)
      if (v < d[k]) {
        double t = d[k];
        d[k] = v;
        v = t;
      }
  }
  y[i] = d[0] + 2 * d[1] * d[2];
}
template <int N> struct Poly {
  double c[N + 1];
  __device__ double operator()(double v) const {
    if constexpr (N == 0)
      return c[0];
    else {
      Poly<N - 1> q{};
      for (int k = 0; k < N; ++k)
        q.c[k] = c[k + 1];
      return c[0] + v * q(v);
    }
  }
};
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void poly(const double *x, double *y, int n) {
  IDX;
  Poly<3> p{{1, x[i], 0.5, x[i] * x[i]}};
  y[i] = p(x[i]);
}

// A struct that is a copy of one of two.
struct three {
  double a, b, c;
};
__device__ const three &pick(const three &a, const three &b, bool first) {
  return first ? a : b;
}
GPUAD_ADJOINT("(y)/(x)") GPUAD_TANGENT("(y)/(x)") __global__ void picked(const double *x, double *y, int n) {
  IDX;
  three a{x[i], 1, 2}, b{2, x[i], x[i]};
  const three &r = pick(a, b, i % 2);
  three q = i % 3 ? a : b, s = pick(b, a, i % 5 == 1);
  y[i] = r.a * r.b + q.c * q.a + pick(q, s, true).b * s.c;
}
