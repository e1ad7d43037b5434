/// \file
/// The functions of NVIDIA's libdevice that clang's headers call, from the host's libm. Results may differ from a GPU's
/// by a few units in the last place, either way.

#include <cmath>
#include <cstdint>

#define GPUAD_MATH extern "C" __attribute__((always_inline))

// Names that libm has with the same meaning, in both precisions.
#define GPUAD_SAME1(NAME)                                                                                              \
  GPUAD_MATH double __nv_##NAME(double x) { return ::NAME(x); }                                                        \
  GPUAD_MATH float __nv_##NAME##f(float x) { return ::NAME##f(x); }
#define GPUAD_SAME2(NAME)                                                                                              \
  GPUAD_MATH double __nv_##NAME(double x, double y) { return ::NAME(x, y); }                                           \
  GPUAD_MATH float __nv_##NAME##f(float x, float y) { return ::NAME##f(x, y); }
GPUAD_SAME1(acos)
GPUAD_SAME1(acosh)
GPUAD_SAME1(asin)
GPUAD_SAME1(asinh)
GPUAD_SAME1(atan)
GPUAD_SAME1(atanh)
GPUAD_SAME1(cbrt)
GPUAD_SAME1(ceil)
GPUAD_SAME1(cos)
GPUAD_SAME1(cosh)
GPUAD_SAME1(erf)
GPUAD_SAME1(erfc)
GPUAD_SAME1(exp)
GPUAD_SAME1(exp10)
GPUAD_SAME1(exp2)
GPUAD_SAME1(expm1)
GPUAD_SAME1(fabs)
GPUAD_SAME1(floor)
GPUAD_SAME1(j0)
GPUAD_SAME1(j1)
GPUAD_SAME1(lgamma)
GPUAD_SAME1(log)
GPUAD_SAME1(log10)
GPUAD_SAME1(log1p)
GPUAD_SAME1(log2)
GPUAD_SAME1(logb)
GPUAD_SAME1(nearbyint)
GPUAD_SAME1(rint)
GPUAD_SAME1(round)
GPUAD_SAME1(sin)
GPUAD_SAME1(sinh)
GPUAD_SAME1(sqrt)
GPUAD_SAME1(tan)
GPUAD_SAME1(tanh)
GPUAD_SAME1(tgamma)
GPUAD_SAME1(trunc)
GPUAD_SAME1(y0)
GPUAD_SAME1(y1)
GPUAD_SAME2(atan2)
GPUAD_SAME2(copysign)
GPUAD_SAME2(fdim)
GPUAD_SAME2(fmax)
GPUAD_SAME2(fmin)
GPUAD_SAME2(fmod)
GPUAD_SAME2(hypot)
GPUAD_SAME2(nextafter)
GPUAD_SAME2(pow)
GPUAD_SAME2(remainder)

namespace {
/// Modified Bessel function of order 0 or 1: its power series, whose terms all have one sign.
inline double besselI(double x, int order) {
  double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000 && std::fabs(term) > 1e-18 * std::fabs(sum); ++k)
    sum += term *= x * x / 4 / (double(k) * (k + order));
  return sum;
}
} // namespace

// Names of our own for what libm has not got; T is the type, S the suffix.
#define GPUAD_BOTH(T, S)                                                                                               \
  GPUAD_MATH T __nv_rsqrt##S(T x) { return T(1) / std::sqrt(x); }                                                      \
  GPUAD_MATH T __nv_rcbrt##S(T x) { return T(1) / std::cbrt(x); }                                                      \
  GPUAD_MATH T __nv_rhypot##S(T x, T y) { return T(1) / std::hypot(x, y); }                                            \
  GPUAD_MATH T __nv_norm3d##S(T x, T y, T z) { return std::hypot(x, y, z); }                                           \
  GPUAD_MATH T __nv_norm4d##S(T x, T y, T z, T w) { return std::hypot(std::hypot(x, y, z), w); }                       \
  GPUAD_MATH T __nv_rnorm3d##S(T x, T y, T z) { return T(1) / std::hypot(x, y, z); }                                   \
  GPUAD_MATH T __nv_rnorm4d##S(T x, T y, T z, T w) { return T(1) / std::hypot(std::hypot(x, y, z), w); }               \
  extern "C" T __nv_norm##S(int n, const T *x) {                                                                       \
    T sum = 0;                                                                                                         \
    for (int i = 0; i < n; ++i)                                                                                        \
      sum = std::hypot(sum, x[i]);                                                                                     \
    return sum;                                                                                                        \
  }                                                                                                                    \
  extern "C" T __nv_rnorm##S(int n, const T *x) { return T(1) / __nv_norm##S(n, x); }                                  \
  GPUAD_MATH T __nv_fma##S(T x, T y, T z) { return std::fma(x, y, z); }                                                \
  GPUAD_MATH T __nv_frexp##S(T x, int *e) { return std::frexp(x, e); }                                                 \
  GPUAD_MATH T __nv_ldexp##S(T x, int e) { return std::ldexp(x, e); }                                                  \
  GPUAD_MATH T __nv_scalbn##S(T x, int e) { return std::scalbn(x, e); }                                                \
  GPUAD_MATH T __nv_modf##S(T x, T *i) { return std::modf(x, i); }                                                     \
  GPUAD_MATH T __nv_powi##S(T x, int n) { return std::pow(x, T(n)); }                                                  \
  GPUAD_MATH T __nv_remquo##S(T x, T y, int *q) { return std::remquo(x, y, q); }                                       \
  GPUAD_MATH int __nv_ilogb##S(T x) { return std::ilogb(x); }                                                          \
  GPUAD_MATH long long __nv_llrint##S(T x) { return std::llrint(x); }                                                  \
  GPUAD_MATH long long __nv_llround##S(T x) { return std::llround(x); }                                                \
  GPUAD_MATH T __nv_jn##S(int n, T x) { return T(::jn(n, x)); }                                                        \
  GPUAD_MATH T __nv_yn##S(int n, T x) { return T(::yn(n, x)); }                                                        \
  GPUAD_MATH void __nv_sincos##S(T x, T *s, T *c) {                                                                    \
    *s = std::sin(x);                                                                                                  \
    *c = std::cos(x);                                                                                                  \
  }                                                                                                                    \
  extern "C" T __nv_sinpi##S(T x) {                                                                                    \
    T r = std::remainder(x, T(2));                                                                                     \
    if (std::fabs(r) > T(0.5))                                                                                         \
      r = std::copysign(T(1), r) - r;                                                                                  \
    return std::sin(T(M_PI) * r);                                                                                      \
  }                                                                                                                    \
  extern "C" T __nv_cospi##S(T x) {                                                                                    \
    T r = std::fabs(std::remainder(x, T(2)));                                                                          \
    if (r == T(0.5))                                                                                                   \
      return 0;                                                                                                        \
    return r < T(0.5) ? std::cos(T(M_PI) * r) : -std::cos(T(M_PI) * (T(1) - r));                                       \
  }                                                                                                                    \
  GPUAD_MATH void __nv_sincospi##S(T x, T *s, T *c) {                                                                  \
    *s = __nv_sinpi##S(x);                                                                                             \
    *c = __nv_cospi##S(x);                                                                                             \
  }                                                                                                                    \
  extern "C" T __nv_cyl_bessel_i0##S(T x) { return T(besselI(x, 0)); }                                                 \
  extern "C" T __nv_cyl_bessel_i1##S(T x) { return T(besselI(x, 1)); }                                                 \
  GPUAD_MATH T __nv_normcdf##S(T x) { return T(0.5) * std::erfc(-x * T(M_SQRT1_2)); }                                  \
  GPUAD_MATH T __nv_nan##S(const char *) { return T(__builtin_nan("")); }
GPUAD_BOTH(double, )
GPUAD_BOTH(float, f)

namespace {

/// Inverse error function: a starting value by Giles, made exact by Newton steps.
double inverseErf(double y) {
  if (std::fabs(y) >= 1)
    return std::fabs(y) == 1 ? std::copysign(INFINITY, y) : NAN;
  double w = -std::log1p(-y * y), a = 0.147, b = 2 / (M_PI * a) - w / 2;
  double x = std::copysign(std::sqrt(std::sqrt(b * b + w / a) - b), y);
  for (int i = 0; i < 4; ++i) {
    double error = std::fabs(y) < 0.5 ? std::erf(x) - y : std::copysign(1 - std::fabs(y) - std::erfc(std::fabs(x)), y);
    double slope = M_2_SQRTPI * std::exp(-x * x);
    if (slope == 0)
      break;
    x -= error / (slope + x * error);
  }
  return x;
}

double inverseErfc(double y) {
  if (y >= 0.5)
    return inverseErf(1 - y);
  if (y <= 0)
    return y == 0 ? INFINITY : NAN;
  double x = std::sqrt(-std::log(y * std::sqrt(M_PI)));
  for (int i = 0; i < 8; ++i) {
    double value = std::erfc(x), slope = -M_2_SQRTPI * std::exp(-x * x);
    double step = (value - y) / slope;
    x -= step / (1 + x * step);
  }
  return x;
}

/// exp(x*x) * erfc(x) without overflow: a continued fraction for large x.
double scaledErfc(double x) {
  if (x < 10)
    return std::exp(x * x) * std::erfc(x);
  double fraction = 0;
  for (int k = 60; k > 0; --k)
    fraction = k / 2.0 / (x + fraction);
  return 1 / std::sqrt(M_PI) / (x + fraction);
}

} // namespace

extern "C" {
double __nv_erfinv(double y) { return inverseErf(y); }
float __nv_erfinvf(float y) { return float(inverseErf(y)); }
double __nv_erfcinv(double y) { return y > 1 ? -inverseErfc(2 - y) : inverseErfc(y); }
float __nv_erfcinvf(float y) { return float(__nv_erfcinv(y)); }
double __nv_erfcx(double x) { return scaledErfc(x); }
float __nv_erfcxf(float x) { return float(scaledErfc(x)); }
double __nv_normcdfinv(double y) { return -M_SQRT2 * __nv_erfcinv(2 * y); }
float __nv_normcdfinvf(float y) { return float(__nv_normcdfinv(y)); }
}

// The fast variants are as exact as the others here.
GPUAD_MATH float __nv_fast_cosf(float x) { return ::cosf(x); }
GPUAD_MATH float __nv_fast_sinf(float x) { return ::sinf(x); }
GPUAD_MATH float __nv_fast_tanf(float x) { return ::tanf(x); }
GPUAD_MATH float __nv_fast_tanhf(float x) { return ::tanhf(x); }
GPUAD_MATH float __nv_fast_expf(float x) { return ::expf(x); }
GPUAD_MATH float __nv_fast_exp10f(float x) { return ::exp10f(x); }
GPUAD_MATH float __nv_fast_logf(float x) { return ::logf(x); }
GPUAD_MATH float __nv_fast_log2f(float x) { return ::log2f(x); }
GPUAD_MATH float __nv_fast_log10f(float x) { return ::log10f(x); }
GPUAD_MATH float __nv_fast_powf(float x, float y) { return ::powf(x, y); }
GPUAD_MATH float __nv_fast_fdividef(float x, float y) { return x / y; }
GPUAD_MATH void __nv_fast_sincosf(float x, float *s, float *c) { __nv_sincosf(x, s, c); }
