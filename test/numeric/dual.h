// Kernels on dual numbers: the primal's own text, compiled once more with other types in place of float and double,
// gives the right tangent of a kernel without anything of gpuad. A program asks for it with one line before the
// harness:
//
//   #include "sums_grad.cu"
//   #define GPUAD_DUAL_SOURCE "sums.cu"
//   #include "harness.h"
//
// Both precisions are computed in double. Derivatives here are written from the definitions of the functions, and share
// nothing with the rules of gpuad.
#ifndef GPUAD_TEST_DUAL_H
#define GPUAD_TEST_DUAL_H

#include <cmath>
#include <cuda_runtime.h>
#include <type_traits>

#define GPUAD_DUAL __host__ __device__ inline

namespace dual_numbers {

template <class S> struct number;
template <class T> struct is_number : std::false_type {};
template <class S> struct is_number<number<S>> : std::true_type {};
template <class T> constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <class T> constexpr bool is_wide = std::is_same_v<T, double> || std::is_same_v<T, number<double>>;

/// A value with the derivative along one direction; S says what it stands for.
template <class S> struct number {
  double value, dot;

  number() = default;
  __host__ __device__ constexpr number(double v, double d) : value(v), dot(d) {}
  template <class A, std::enable_if_t<is_plain<A>, int> = 0>
  __host__ __device__ constexpr number(A a) : value(double(a)), dot(0) {}
  template <class R, std::enable_if_t<!std::is_same_v<R, S>, int> = 0>
  __host__ __device__ constexpr number(number<R> other) : value(other.value), dot(other.dot) {}
  template <class A, std::enable_if_t<std::is_arithmetic_v<A>, int> = 0>
  __host__ __device__ explicit constexpr operator A() const {
    return A(value);
  }

  template <class B> __host__ __device__ number &operator+=(B b) { return *this = *this + b; }
  template <class B> __host__ __device__ number &operator-=(B b) { return *this = *this - b; }
  template <class B> __host__ __device__ number &operator*=(B b) { return *this = *this * b; }
  template <class B> __host__ __device__ number &operator/=(B b) { return *this = *this / b; }
};
using f32 = number<float>;
using f64 = number<double>;

template <class A, class B>
using common = std::enable_if_t<(is_number<A>::value || is_number<B>::value) && (is_number<A>::value || is_plain<A>) &&
                                    (is_number<B>::value || is_plain<B>),
                                number<std::conditional_t<is_wide<A> || is_wide<B>, double, float>>>;

/// An infinite slope where nothing moves.
GPUAD_DUAL double along(double slope, double dot) {
  return dot == 0 ? 0 : slope * dot;
}

template <class S> GPUAD_DUAL number<S> operator+(number<S> a) {
  return a;
}
template <class S> GPUAD_DUAL number<S> operator-(number<S> a) {
  return {-a.value, -a.dot};
}
template <class A, class B> GPUAD_DUAL common<A, B> operator+(A a, B b) {
  f64 x(a), y(b);
  return {x.value + y.value, x.dot + y.dot};
}
template <class A, class B> GPUAD_DUAL common<A, B> operator-(A a, B b) {
  f64 x(a), y(b);
  return {x.value - y.value, x.dot - y.dot};
}
template <class A, class B> GPUAD_DUAL common<A, B> operator*(A a, B b) {
  f64 x(a), y(b);
  return {x.value * y.value, x.dot * y.value + x.value * y.dot};
}
template <class A, class B> GPUAD_DUAL common<A, B> operator/(A a, B b) {
  f64 x(a), y(b);
  double q = x.value / y.value;
  return {q, along(1 / y.value, x.dot) - along(q / y.value, y.dot)};
}
#define GPUAD_DUAL_COMPARE(OP)                                                                                         \
  template <class A, class B, class = common<A, B>> GPUAD_DUAL bool operator OP(A a, B b) {                            \
    return f64(a).value OP f64(b).value;                                                                               \
  }
GPUAD_DUAL_COMPARE(<)
GPUAD_DUAL_COMPARE(<=)
GPUAD_DUAL_COMPARE(>)
GPUAD_DUAL_COMPARE(>=)
GPUAD_DUAL_COMPARE(==)
GPUAD_DUAL_COMPARE(!=)
#undef GPUAD_DUAL_COMPARE

#define GPUAD_DUAL_UNARY(NAME, VALUE, SLOPE)                                                                           \
  template <class S> GPUAD_DUAL number<S> NAME(number<S> a) {                                                          \
    double x = a.value, r = VALUE;                                                                                     \
    (void)r;                                                                                                           \
    return {r, along(SLOPE, a.dot)};                                                                                   \
  }
#define GPUAD_DUAL_BOTH(NAME, VALUE, SLOPE)                                                                            \
  GPUAD_DUAL_UNARY(NAME, VALUE, SLOPE)                                                                                 \
  GPUAD_DUAL_UNARY(NAME##f, VALUE, SLOPE)
constexpr double pi = 3.14159265358979323846;
GPUAD_DUAL_BOTH(sqrt, ::sqrt(x), 1 / (2 * r))
GPUAD_DUAL_BOTH(rsqrt, 1 / ::sqrt(x), -r / (2 * x))
GPUAD_DUAL_BOTH(cbrt, ::cbrt(x), r / (3 * x))
GPUAD_DUAL_BOTH(exp, ::exp(x), r)
GPUAD_DUAL_BOTH(exp2, ::exp2(x), r * ::log(2.0))
GPUAD_DUAL_BOTH(exp10, ::pow(10.0, x), r * ::log(10.0))
GPUAD_DUAL_BOTH(expm1, ::expm1(x), ::exp(x))
GPUAD_DUAL_BOTH(log, ::log(x), 1 / x)
GPUAD_DUAL_BOTH(log2, ::log2(x), 1 / (x * ::log(2.0)))
GPUAD_DUAL_BOTH(log10, ::log10(x), 1 / (x * ::log(10.0)))
GPUAD_DUAL_BOTH(log1p, ::log1p(x), 1 / (1 + x))
GPUAD_DUAL_BOTH(sin, ::sin(x), ::cos(x))
GPUAD_DUAL_BOTH(cos, ::cos(x), -::sin(x))
GPUAD_DUAL_BOTH(tan, ::tan(x), 1 / (::cos(x) * ::cos(x)))
GPUAD_DUAL_BOTH(sinpi, ::sin(pi *x), pi * ::cos(pi *x))
GPUAD_DUAL_BOTH(cospi, ::cos(pi *x), -pi * ::sin(pi *x))
GPUAD_DUAL_BOTH(asin, ::asin(x), 1 / ::sqrt((1 - x) * (1 + x)))
GPUAD_DUAL_BOTH(acos, ::acos(x), -1 / ::sqrt((1 - x) * (1 + x)))
GPUAD_DUAL_BOTH(atan, ::atan(x), 1 / (1 + x * x))
GPUAD_DUAL_BOTH(sinh, ::sinh(x), ::cosh(x))
GPUAD_DUAL_BOTH(cosh, ::cosh(x), ::sinh(x))
GPUAD_DUAL_BOTH(tanh, ::tanh(x), 1 / (::cosh(x) * ::cosh(x)))
GPUAD_DUAL_BOTH(asinh, ::asinh(x), 1 / ::sqrt(x * x + 1))
GPUAD_DUAL_BOTH(acosh, ::acosh(x), 1 / ::sqrt(x * x - 1))
GPUAD_DUAL_BOTH(atanh, ::atanh(x), 1 / ((1 - x) * (1 + x)))
GPUAD_DUAL_BOTH(erf, ::erf(x), 2 / ::sqrt(pi) * ::exp(-x * x))
GPUAD_DUAL_BOTH(erfc, ::erfc(x), -2 / ::sqrt(pi) * ::exp(-x * x))
GPUAD_DUAL_BOTH(fabs, ::fabs(x), x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0)
GPUAD_DUAL_UNARY(abs, ::fabs(x), x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0)
GPUAD_DUAL_BOTH(floor, ::floor(x), 0.0)
GPUAD_DUAL_BOTH(ceil, ::ceil(x), 0.0)
GPUAD_DUAL_BOTH(trunc, ::trunc(x), 0.0)
GPUAD_DUAL_BOTH(round, ::round(x), 0.0)
GPUAD_DUAL_BOTH(rint, ::rint(x), 0.0)
GPUAD_DUAL_UNARY(__expf, ::exp(x), r)
GPUAD_DUAL_UNARY(__logf, ::log(x), 1 / x)
GPUAD_DUAL_UNARY(__sinf, ::sin(x), ::cos(x))
GPUAD_DUAL_UNARY(__cosf, ::cos(x), -::sin(x))
#undef GPUAD_DUAL_UNARY
#undef GPUAD_DUAL_BOTH

/// By `a` and by `b`, at x and y with the result r.
#define GPUAD_DUAL_BINARY(NAME, VALUE, BY_A, BY_B)                                                                     \
  template <class A, class B> GPUAD_DUAL common<A, B> NAME(A a, B b) {                                                 \
    double x = f64(a).value, y = f64(b).value, r = VALUE;                                                              \
    (void)r;                                                                                                           \
    return {r, along(BY_A, f64(a).dot) + along(BY_B, f64(b).dot)};                                                     \
  }
#define GPUAD_DUAL_BOTH(NAME, VALUE, BY_A, BY_B)                                                                       \
  GPUAD_DUAL_BINARY(NAME, VALUE, BY_A, BY_B)                                                                           \
  GPUAD_DUAL_BINARY(NAME##f, VALUE, BY_A, BY_B)
GPUAD_DUAL_BOTH(pow, ::pow(x, y), y == 0 ? 0 : y * ::pow(x, y - 1), x > 0 ? r * ::log(x) : 0)
GPUAD_DUAL_BOTH(atan2, ::atan2(x, y), y / (x * x + y * y), -x / (x * x + y * y))
GPUAD_DUAL_BOTH(hypot, ::hypot(x, y), r == 0 ? 0 : x / r, r == 0 ? 0 : y / r)
GPUAD_DUAL_BOTH(fmax, x >= y ? x : y, x >= y ? 1.0 : 0.0, x >= y ? 0.0 : 1.0)
GPUAD_DUAL_BOTH(fmin, x <= y ? x : y, x <= y ? 1.0 : 0.0, x <= y ? 0.0 : 1.0)
GPUAD_DUAL_BINARY(max, x >= y ? x : y, x >= y ? 1.0 : 0.0, x >= y ? 0.0 : 1.0)
GPUAD_DUAL_BINARY(min, x <= y ? x : y, x <= y ? 1.0 : 0.0, x <= y ? 0.0 : 1.0)
GPUAD_DUAL_BOTH(fdim, x > y ? x - y : 0.0, x > y ? 1.0 : 0.0, x > y ? -1.0 : 0.0)
GPUAD_DUAL_BOTH(fmod, ::fmod(x, y), 1.0, -::trunc(x / y))
GPUAD_DUAL_BOTH(copysign, ::copysign(x, y), r == x ? 1.0 : -1.0, 0.0)
GPUAD_DUAL_BINARY(__fdividef, x / y, 1 / y, -x / (y * y))
GPUAD_DUAL_BINARY(__powf, ::pow(x, y), y == 0 ? 0 : y * ::pow(x, y - 1), x > 0 ? r * ::log(x) : 0)
#undef GPUAD_DUAL_BINARY
#undef GPUAD_DUAL_BOTH

template <class A, class B, class C> GPUAD_DUAL common<common<A, B>, C> fma(A a, B b, C c) {
  return a * b + c;
}
template <class A, class B, class C> GPUAD_DUAL common<common<A, B>, C> fmaf(A a, B b, C c) {
  return a * b + c;
}
template <class A, class B, class C> GPUAD_DUAL common<common<A, B>, C> __fmaf_rn(A a, B b, C c) {
  return a * b + c;
}
template <class S> GPUAD_DUAL number<S> rnorm3df(number<S> x, number<S> y, number<S> z) {
  return rsqrt(x * x + y * y + z * z);
}
template <class S> GPUAD_DUAL int __float2int_rd(number<S> x) {
  return int(::floor(x.value));
}
template <class S> GPUAD_DUAL void sincos(number<S> x, number<S> *s, number<S> *c) {
  *s = sin(x), *c = cos(x);
}
template <class S> GPUAD_DUAL void sincosf(number<S> x, number<S> *s, number<S> *c) {
  *s = sin(x), *c = cos(x);
}
template <class S> GPUAD_DUAL void __sincosf(number<S> x, number<S> *s, number<S> *c) {
  *s = sin(x), *c = cos(x);
}
template <class S> GPUAD_DUAL void sincospif(number<S> x, number<S> *s, number<S> *c) {
  *s = sinpi(x), *c = cospi(x);
}
template <class S> GPUAD_DUAL number<S> remquo(number<S> x, number<S> y, int *quotient) {
  double rest = ::remquo(x.value, y.value, quotient);
  return {rest, x.dot - ::rint(x.value / y.value) * y.dot};
}
template <class S> GPUAD_DUAL number<S> modf(number<S> x, number<S> *whole) {
  *whole = {::trunc(x.value), 0};
  return {x.value - ::trunc(x.value), x.dot};
}
template <class S> GPUAD_DUAL number<S> modff(number<S> x, number<S> *whole) {
  return modf(x, whole);
}
template <class S> GPUAD_DUAL number<S> frexp(number<S> x, int *exponent) {
  double mantissa = ::frexp(x.value, exponent);
  return {mantissa, ::ldexp(x.dot, -*exponent)};
}
template <class S> GPUAD_DUAL number<S> ldexp(number<S> x, int exponent) {
  return {::ldexp(x.value, exponent), ::ldexp(x.dot, exponent)};
}
template <class S> GPUAD_DUAL number<S> scalbn(number<S> x, int exponent) {
  return ldexp(x, exponent);
}
template <class S> GPUAD_DUAL number<S> logb(number<S> x) {
  return {::logb(x.value), 0};
}
template <class S> GPUAD_DUAL bool isnan(number<S> x) {
  return x.value != x.value;
}
template <class S> GPUAD_DUAL bool isfinite(number<S> x) {
  return x.value - x.value == 0;
}

/// Loads and exchanges act on both parts alike.
template <class S> __device__ inline number<S> __ldg(const number<S> *p) {
  return *p;
}
template <class S> __device__ inline number<S> __ldcs(const number<S> *p) {
  return *p;
}
template <class S> __device__ inline void __stcs(number<S> *p, number<S> v) {
  *p = v;
}
template <class S> __device__ inline number<S> atomicAdd(number<S> *p, number<S> x) {
  S before = ::atomicAdd(&p->value, x.value);
  return {before, ::atomicAdd(&p->dot, x.dot)};
}
template <class S> __device__ inline void atomicAdd_block(number<S> *p, number<S> x) {
  atomicAdd(p, x);
}
template <class S> __device__ inline void atomicAdd_system(number<S> *p, number<S> x) {
  atomicAdd(p, x);
}
#define GPUAD_DUAL_SHUFFLE(NAME, LANE)                                                                                 \
  template <class S> __device__ inline number<S> NAME(unsigned mask, number<S> x, LANE lane, int width = warpSize) {   \
    return {::NAME(mask, x.value, lane, width), ::NAME(mask, x.dot, lane, width)};                                     \
  }
GPUAD_DUAL_SHUFFLE(__shfl_sync, int)
GPUAD_DUAL_SHUFFLE(__shfl_up_sync, unsigned)
GPUAD_DUAL_SHUFFLE(__shfl_down_sync, unsigned)
GPUAD_DUAL_SHUFFLE(__shfl_xor_sync, int)
#undef GPUAD_DUAL_SHUFFLE

template <class N> struct vec2 {
  N x, y;
};
template <class N> struct vec3 {
  N x, y, z;
};
template <class N> struct vec4 {
  N x, y, z, w;
};
template <class N> GPUAD_DUAL vec2<N> make2(N x, N y) {
  return {x, y};
}
template <class N> GPUAD_DUAL vec3<N> make3(N x, N y, N z) {
  return {x, y, z};
}
template <class N> GPUAD_DUAL vec4<N> make4(N x, N y, N z, N w) {
  return {x, y, z, w};
}

} // namespace dual_numbers

namespace std {
using dual_numbers::abs;
using dual_numbers::cos;
using dual_numbers::exp;
using dual_numbers::fabs;
using dual_numbers::ldexp;
using dual_numbers::log;
using dual_numbers::pow;
using dual_numbers::remquo;
using dual_numbers::sin;
using dual_numbers::sqrt;
} // namespace std

#undef GPUAD_DUAL

#ifdef GPUAD_DUAL_SOURCE
#define float dual_numbers::f32
#define double dual_numbers::f64
#define float2 dual_numbers::vec2<dual_numbers::f32>
#define float3 dual_numbers::vec3<dual_numbers::f32>
#define float4 dual_numbers::vec4<dual_numbers::f32>
#define double2 dual_numbers::vec2<dual_numbers::f64>
#define double3 dual_numbers::vec3<dual_numbers::f64>
#define double4 dual_numbers::vec4<dual_numbers::f64>
#define make_float2 dual_numbers::make2<dual_numbers::f32>
#define make_float3 dual_numbers::make3<dual_numbers::f32>
#define make_float4 dual_numbers::make4<dual_numbers::f32>
#define make_double2 dual_numbers::make2<dual_numbers::f64>
#define make_double3 dual_numbers::make3<dual_numbers::f64>
#define make_double4 dual_numbers::make4<dual_numbers::f64>
namespace dual {
#include GPUAD_DUAL_SOURCE
}
#undef float
#undef double
#undef float2
#undef float3
#undef float4
#undef double2
#undef double3
#undef double4
#undef make_float2
#undef make_float3
#undef make_float4
#undef make_double2
#undef make_double3
#undef make_double4
#define GPUAD_DUAL_OF(KERNEL) dual::KERNEL
#else
#define GPUAD_DUAL_OF(KERNEL) nullptr
#endif

#endif
