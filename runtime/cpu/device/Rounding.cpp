/// \file
/// Arithmetic and conversions with a rounding direction in their name (rn, rz, ru, rd), and integer helpers.

#include <cfenv>
#include <climits>
#include <cmath>
#include <cstdint>

#define GPUAD_MATH extern "C" __attribute__((always_inline))

namespace {

/// Keeps the compiler from moving arithmetic across a change of the rounding direction.
template <class T> T hidden(T value) {
  __asm__ volatile("" : "+x"(value));
  return value;
}
inline long double hidden(long double value) {
  __asm__ volatile("" : "+t"(value));
  return value;
}

template <class Body> auto rounded(int direction, Body body) {
  int old = std::fegetround();
  std::fesetround(direction);
  auto result = hidden(body());
  std::fesetround(old);
  return result;
}

/// Conversion to an integer type: clamped, and 0 for NaN, as a GPU does it.
template <class To, class From> To clamped(From x) {
  if (x != x)
    return 0;
  constexpr From half = From(1ull << (sizeof(To) * 8 - 1));
  constexpr From low = std::is_signed_v<To> ? -half : From(0), high = std::is_signed_v<To> ? half : 2 * half;
  if (x <= low)
    return std::is_signed_v<To> ? To(To(1) << (sizeof(To) * 8 - 1)) : To(0);
  if (x >= high)
    return To(~To(0)) < 0 ? To(~(To(1) << (sizeof(To) * 8 - 1))) : To(~To(0));
  return To(x);
}

} // namespace

// ---- arithmetic; P is libdevice's prefix, T the type
#define GPUAD_ROUND_OPERATIONS(P, T, MODE, DIRECTION, SQRT, FMA)                                                       \
  extern "C" T __nv_##P##add_##MODE(T x, T y) {                                                                        \
    return rounded(DIRECTION, [&] { return hidden(x) + hidden(y); });                                                  \
  }                                                                                                                    \
  extern "C" T __nv_##P##sub_##MODE(T x, T y) {                                                                        \
    return rounded(DIRECTION, [&] { return hidden(x) - hidden(y); });                                                  \
  }                                                                                                                    \
  extern "C" T __nv_##P##mul_##MODE(T x, T y) {                                                                        \
    return rounded(DIRECTION, [&] { return hidden(x) * hidden(y); });                                                  \
  }                                                                                                                    \
  extern "C" T __nv_##P##div_##MODE(T x, T y) {                                                                        \
    return rounded(DIRECTION, [&] { return hidden(x) / hidden(y); });                                                  \
  }                                                                                                                    \
  extern "C" T __nv_##P##rcp_##MODE(T x) {                                                                             \
    return rounded(DIRECTION, [&] { return T(1) / hidden(x); });                                                       \
  }                                                                                                                    \
  extern "C" T __nv_##P##sqrt_##MODE(T x) {                                                                            \
    return rounded(DIRECTION, [&] { return SQRT(hidden(x)); });                                                        \
  }                                                                                                                    \
  extern "C" T FMA##_##MODE(T x, T y, T z) {                                                                           \
    return rounded(DIRECTION, [&] { return std::fma(hidden(x), hidden(y), hidden(z)); });                              \
  }
#define GPUAD_ROUND_BOTH(MODE, DIRECTION)                                                                              \
  GPUAD_ROUND_OPERATIONS(d, double, MODE, DIRECTION, ::sqrt, __nv_fma)                                                 \
  GPUAD_ROUND_OPERATIONS(f, float, MODE, DIRECTION, ::sqrtf, __nv_fmaf)                                                \
  extern "C" float __nv_fmaf_ieee_##MODE(float x, float y, float z) { return __nv_fmaf_##MODE(x, y, z); }              \
  extern "C" float __nv_double2float_##MODE(double x) {                                                                \
    return rounded(DIRECTION, [&] { return float(hidden(x)); });                                                       \
  }
GPUAD_ROUND_BOTH(rz, FE_TOWARDZERO)
GPUAD_ROUND_BOTH(ru, FE_UPWARD)
GPUAD_ROUND_BOTH(rd, FE_DOWNWARD)

// To nearest is what the host does anyway.
#define GPUAD_NEAREST(P, T, FMA)                                                                                       \
  GPUAD_MATH T __nv_##P##add_rn(T x, T y) { return x + y; }                                                            \
  GPUAD_MATH T __nv_##P##sub_rn(T x, T y) { return x - y; }                                                            \
  GPUAD_MATH T __nv_##P##mul_rn(T x, T y) { return x * y; }                                                            \
  GPUAD_MATH T __nv_##P##div_rn(T x, T y) { return x / y; }                                                            \
  GPUAD_MATH T __nv_##P##rcp_rn(T x) { return T(1) / x; }                                                              \
  GPUAD_MATH T __nv_##P##sqrt_rn(T x) { return std::sqrt(x); }                                                         \
  GPUAD_MATH T FMA##_rn(T x, T y, T z) { return std::fma(x, y, z); }
GPUAD_NEAREST(d, double, __nv_fma)
GPUAD_NEAREST(f, float, __nv_fmaf)
GPUAD_MATH float __nv_fmaf_ieee_rn(float x, float y, float z) { return std::fma(x, y, z); }
GPUAD_MATH float __nv_double2float_rn(double x) { return float(x); }
GPUAD_MATH float __nv_frsqrt_rn(float x) { return float(1 / std::sqrt(double(x))); }
GPUAD_MATH double __nv_rcp64h(double x) { return 1 / x; }

// ---- conversions
#define GPUAD_TO_INTEGERS(F, T, MODE, ROUND)                                                                           \
  GPUAD_MATH int __nv_##F##2int_##MODE(T x) { return clamped<int>(ROUND(x)); }                                         \
  GPUAD_MATH unsigned __nv_##F##2uint_##MODE(T x) { return clamped<unsigned>(ROUND(x)); }                              \
  GPUAD_MATH long long __nv_##F##2ll_##MODE(T x) { return clamped<long long>(ROUND(x)); }                              \
  GPUAD_MATH unsigned long long __nv_##F##2ull_##MODE(T x) { return clamped<unsigned long long>(ROUND(x)); }
#define GPUAD_TO_INTEGERS_BOTH(MODE, ROUND)                                                                            \
  GPUAD_TO_INTEGERS(double, double, MODE, ::ROUND)                                                                     \
  GPUAD_TO_INTEGERS(float, float, MODE, ::ROUND##f)
GPUAD_TO_INTEGERS_BOTH(rn, rint)
GPUAD_TO_INTEGERS_BOTH(rz, trunc)
GPUAD_TO_INTEGERS_BOTH(ru, ceil)
GPUAD_TO_INTEGERS_BOTH(rd, floor)

#define GPUAD_FROM_INTEGERS(MODE, DIRECTION)                                                                           \
  extern "C" float __nv_int2float_##MODE(int x) {                                                                      \
    return rounded(DIRECTION, [&] { return float(hidden(double(x))); });                                               \
  }                                                                                                                    \
  extern "C" float __nv_uint2float_##MODE(unsigned x) {                                                                \
    return rounded(DIRECTION, [&] { return float(hidden(double(x))); });                                               \
  }                                                                                                                    \
  extern "C" float __nv_ll2float_##MODE(long long x) {                                                                 \
    return rounded(DIRECTION, [&] { return float(hidden((long double)(x))); });                                        \
  }                                                                                                                    \
  extern "C" float __nv_ull2float_##MODE(unsigned long long x) {                                                       \
    return rounded(DIRECTION, [&] { return float(hidden((long double)(x))); });                                        \
  }                                                                                                                    \
  extern "C" double __nv_ll2double_##MODE(long long x) {                                                               \
    return rounded(DIRECTION, [&] { return double(hidden((long double)(x))); });                                       \
  }                                                                                                                    \
  extern "C" double __nv_ull2double_##MODE(unsigned long long x) {                                                     \
    return rounded(DIRECTION, [&] { return double(hidden((long double)(x))); });                                       \
  }
GPUAD_FROM_INTEGERS(rz, FE_TOWARDZERO)
GPUAD_FROM_INTEGERS(ru, FE_UPWARD)
GPUAD_FROM_INTEGERS(rd, FE_DOWNWARD)
GPUAD_MATH float __nv_int2float_rn(int x) { return float(x); }
GPUAD_MATH float __nv_uint2float_rn(unsigned x) { return float(x); }
GPUAD_MATH float __nv_ll2float_rn(long long x) { return float(x); }
GPUAD_MATH float __nv_ull2float_rn(unsigned long long x) { return float(x); }
GPUAD_MATH double __nv_ll2double_rn(long long x) { return double(x); }
GPUAD_MATH double __nv_ull2double_rn(unsigned long long x) { return double(x); }
GPUAD_MATH double __nv_int2double_rn(int x) { return x; }
GPUAD_MATH double __nv_uint2double_rn(unsigned x) { return x; }
GPUAD_MATH float __nv_half2float(uint16_t x) { return float(__builtin_bit_cast(_Float16, x)); }
GPUAD_MATH uint16_t __nv_float2half_rn(float x) { return __builtin_bit_cast(uint16_t, _Float16(x)); }
GPUAD_MATH float __nv_saturatef(float x) { return x != x ? 0 : x < 0 ? 0 : x > 1 ? 1 : x; }

// ---- bits
#define GPUAD_CAST(NAME, TO, FROM)                                                                                     \
  GPUAD_MATH TO __nv_##NAME(FROM x) { return __builtin_bit_cast(TO, x); }
GPUAD_CAST(int_as_float, float, int)
GPUAD_CAST(uint_as_float, float, unsigned)
GPUAD_CAST(float_as_int, int, float)
GPUAD_CAST(float_as_uint, unsigned, float)
GPUAD_CAST(longlong_as_double, double, long long)
GPUAD_CAST(double_as_longlong, long long, double)
GPUAD_MATH int __nv_double2hiint(double x) { return int(__builtin_bit_cast(uint64_t, x) >> 32); }
GPUAD_MATH int __nv_double2loint(double x) { return int(__builtin_bit_cast(uint64_t, x)); }
GPUAD_MATH double __nv_hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, uint64_t(uint32_t(high)) << 32 | uint32_t(low));
}
GPUAD_MATH int __nv_finitef(float x) { return std::isfinite(x); }
GPUAD_MATH int __nv_isfinited(double x) { return std::isfinite(x); }
GPUAD_MATH int __nv_isinff(float x) { return std::isinf(x); }
GPUAD_MATH int __nv_isinfd(double x) { return std::isinf(x); }
GPUAD_MATH int __nv_isnanf(float x) { return std::isnan(x); }
GPUAD_MATH int __nv_isnand(double x) { return std::isnan(x); }
GPUAD_MATH int __nv_signbitf(float x) { return std::signbit(x); }
GPUAD_MATH int __nv_signbitd(double x) { return std::signbit(x); }

// ---- integers
GPUAD_MATH int __nv_abs(int x) { return x < 0 ? int(0u - unsigned(x)) : x; }
GPUAD_MATH long long __nv_llabs(long long x) { return x < 0 ? (long long)(0ull - (unsigned long long)x) : x; }
#define GPUAD_MIN_MAX(PREFIX, T)                                                                                       \
  GPUAD_MATH T __nv_##PREFIX##min(T x, T y) { return x < y ? x : y; }                                                  \
  GPUAD_MATH T __nv_##PREFIX##max(T x, T y) { return x > y ? x : y; }
GPUAD_MIN_MAX(, int)
GPUAD_MIN_MAX(u, unsigned)
GPUAD_MIN_MAX(ll, long long)
GPUAD_MIN_MAX(ull, unsigned long long)
GPUAD_MATH int __nv_brev(int x) { return int(__builtin_bitreverse32(unsigned(x))); }
GPUAD_MATH long long __nv_brevll(long long x) { return (long long)(__builtin_bitreverse64((unsigned long long)x)); }
GPUAD_MATH int __nv_clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
GPUAD_MATH int __nv_clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
GPUAD_MATH int __nv_ffs(int x) { return __builtin_ffs(x); }
GPUAD_MATH int __nv_ffsll(long long x) { return __builtin_ffsll(x); }
GPUAD_MATH int __nv_popc(int x) { return __builtin_popcount(unsigned(x)); }
GPUAD_MATH int __nv_popcll(long long x) { return __builtin_popcountll((unsigned long long)x); }
GPUAD_MATH int __nv_mulhi(int x, int y) { return int((long long)x * y >> 32); }
GPUAD_MATH unsigned __nv_umulhi(unsigned x, unsigned y) { return unsigned((unsigned long long)x * y >> 32); }
GPUAD_MATH long long __nv_mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
GPUAD_MATH unsigned long long __nv_umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
GPUAD_MATH int __nv_mul24(int x, int y) { return int(unsigned(x << 8 >> 8) * unsigned(y << 8 >> 8)); }
GPUAD_MATH unsigned __nv_umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
GPUAD_MATH unsigned __nv_sad(int x, int y, unsigned z) {
  return z + (x > y ? unsigned(x) - unsigned(y) : unsigned(y) - unsigned(x));
}
GPUAD_MATH unsigned __nv_usad(unsigned x, unsigned y, unsigned z) { return z + (x > y ? x - y : y - x); }
GPUAD_MATH int __nv_hadd(int x, int y) { return int(((long long)x + y) >> 1); }
GPUAD_MATH int __nv_rhadd(int x, int y) { return int(((long long)x + y + 1) >> 1); }
GPUAD_MATH unsigned __nv_uhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y) >> 1); }
GPUAD_MATH unsigned __nv_urhadd(unsigned x, unsigned y) { return unsigned(((unsigned long long)x + y + 1) >> 1); }

/// Four bytes chosen from eight; the fourth bit of a selector replicates the sign.
extern "C" unsigned __nv_byte_perm(unsigned x, unsigned y, unsigned selector) {
  uint64_t bytes = uint64_t(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned choice = selector >> (4 * i) & 15;
    auto byte = unsigned(bytes >> (8 * (choice & 7)) & 255);
    if (choice & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
