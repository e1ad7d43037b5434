/// \file
/// PTX instructions that are functions: gpuad_ptx_ and the mnemonic, without the words approx, full, rn and ftz.

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

#define GPUAD_PTX extern "C" __attribute__((always_inline))

namespace {

using Half = _Float16;
using Bfloat = __bf16;
template <class T> T from(uint16_t bits) { return __builtin_bit_cast(T, bits); }
template <class T> uint16_t bits(T value) { return __builtin_bit_cast(uint16_t, value); }

/// Applies a function of float to a 16-bit type, and to a pair of them.
template <class T, class F> uint16_t one(uint16_t x, F f) { return bits(T(f(float(from<T>(x))))); }
template <class T, class F> uint32_t two(uint32_t x, F f) {
  return one<T>(uint16_t(x), f) | uint32_t(one<T>(uint16_t(x >> 16), f)) << 16;
}

/// Rounds a value to a narrower type in a direction: the nearest result, moved by one step where it is on the wrong
/// side. Works for every binary type, since neighbours are neighbours as integers.
template <class T, class Wide> uint16_t directed(Wide x, int direction) {
  T nearest = T(x);
  uint16_t word = bits(nearest);
  Wide back = Wide(nearest);
  if (x != x || back == x)
    return word;
  bool up = direction == FE_UPWARD || (direction == FE_TOWARDZERO && x < 0);
  if (up ? back > x : back < x)
    return word;
  bool awayFromZero = up == !(word >> 15);
  if ((word & 0x7fff) == 0)
    return uint16_t(up ? 1 : 0x8001);
  return uint16_t(awayFromZero ? word + 1 : word - 1);
}

} // namespace

// ---- elementary functions
#define GPUAD_ELEMENTARY(NAME, EXPRESSION)                                                                             \
  GPUAD_PTX float gpuad_ptx_##NAME##_f32(float x) { return EXPRESSION; }                                               \
  GPUAD_PTX uint16_t gpuad_ptx_##NAME##_f16(uint16_t v) {                                                              \
    return one<Half>(v, [](float x) { return EXPRESSION; });                                                           \
  }                                                                                                                    \
  GPUAD_PTX uint32_t gpuad_ptx_##NAME##_f16x2(uint32_t v) {                                                            \
    return two<Half>(v, [](float x) { return EXPRESSION; });                                                           \
  }                                                                                                                    \
  GPUAD_PTX uint16_t gpuad_ptx_##NAME##_bf16(uint16_t v) {                                                             \
    return one<Bfloat>(v, [](float x) { return EXPRESSION; });                                                         \
  }                                                                                                                    \
  GPUAD_PTX uint32_t gpuad_ptx_##NAME##_bf16x2(uint32_t v) {                                                           \
    return two<Bfloat>(v, [](float x) { return EXPRESSION; });                                                         \
  }
GPUAD_ELEMENTARY(ex2, ::exp2f(x))
GPUAD_ELEMENTARY(lg2, ::log2f(x))
GPUAD_ELEMENTARY(sin, ::sinf(x))
GPUAD_ELEMENTARY(cos, ::cosf(x))
GPUAD_ELEMENTARY(tanh, ::tanhf(x))
GPUAD_ELEMENTARY(rsqrt, 1 / ::sqrtf(x))
GPUAD_ELEMENTARY(sqrt, ::sqrtf(x))
GPUAD_ELEMENTARY(rcp, 1 / x)
GPUAD_PTX double gpuad_ptx_rsqrt_f64(double x) { return 1 / std::sqrt(x); }

// ---- bits
GPUAD_PTX uint32_t gpuad_ptx_brev_b32(uint32_t x) { return __builtin_bitreverse32(x); }
GPUAD_PTX uint64_t gpuad_ptx_brev_b64(uint64_t x) { return __builtin_bitreverse64(x); }
GPUAD_PTX uint32_t gpuad_ptx_popc_b32(uint32_t x) { return uint32_t(__builtin_popcount(x)); }
GPUAD_PTX uint32_t gpuad_ptx_popc_b64(uint64_t x) { return uint32_t(__builtin_popcountll(x)); }
GPUAD_PTX uint32_t gpuad_ptx_clz_b32(uint32_t x) { return x ? uint32_t(__builtin_clz(x)) : 32; }
GPUAD_PTX uint32_t gpuad_ptx_clz_b64(uint64_t x) { return x ? uint32_t(__builtin_clzll(x)) : 64; }
GPUAD_PTX uint32_t gpuad_ptx_bfind_u32(uint32_t x) { return x ? 31 - uint32_t(__builtin_clz(x)) : ~0u; }
GPUAD_PTX uint32_t gpuad_ptx_bfind_u64(uint64_t x) { return x ? 63 - uint32_t(__builtin_clzll(x)) : ~0u; }
GPUAD_PTX uint32_t gpuad_ptx_bfind_s32(int32_t x) { return gpuad_ptx_bfind_u32(uint32_t(x < 0 ? ~x : x)); }
GPUAD_PTX uint32_t gpuad_ptx_bfind_s64(int64_t x) { return gpuad_ptx_bfind_u64(uint64_t(x < 0 ? ~x : x)); }
GPUAD_PTX uint32_t gpuad_ptx_bfind_shiftamt_u32(uint32_t x) { return x ? uint32_t(__builtin_clz(x)) : ~0u; }

#define GPUAD_BITFIELD(BITS)                                                                                           \
  GPUAD_PTX uint##BITS##_t gpuad_ptx_bfe_u##BITS(uint##BITS##_t x, uint32_t at, uint32_t length) {                     \
    at &= 255, length &= 255;                                                                                          \
    if (at >= BITS || !length)                                                                                         \
      return 0;                                                                                                        \
    x >>= at;                                                                                                          \
    return length >= BITS ? x : x & ((uint##BITS##_t(1) << length) - 1);                                               \
  }                                                                                                                    \
  GPUAD_PTX int##BITS##_t gpuad_ptx_bfe_s##BITS(int##BITS##_t x, uint32_t at, uint32_t length) {                       \
    at &= 255, length &= 255;                                                                                          \
    if (!length)                                                                                                       \
      return 0;                                                                                                        \
    uint32_t top = at + length > BITS ? BITS : at + length;                                                            \
    if (at >= BITS)                                                                                                    \
      return x < 0 ? -1 : 0;                                                                                           \
    return int##BITS##_t(uint##BITS##_t(x) << (BITS - top)) >> (BITS - top + at);                                      \
  }                                                                                                                    \
  GPUAD_PTX uint##BITS##_t gpuad_ptx_bfi_b##BITS(uint##BITS##_t x, uint##BITS##_t into, uint32_t at,                   \
                                                 uint32_t length) {                                                    \
    at &= 255, length &= 255;                                                                                          \
    if (at >= BITS || !length)                                                                                         \
      return into;                                                                                                     \
    uint##BITS##_t mask = length >= BITS ? ~uint##BITS##_t(0) : (uint##BITS##_t(1) << length) - 1;                     \
    return (into & ~(mask << at)) | (x & mask) << at;                                                                  \
  }
GPUAD_BITFIELD(32)
GPUAD_BITFIELD(64)

GPUAD_PTX uint32_t gpuad_ptx_shf_l_wrap_b32(uint32_t low, uint32_t high, uint32_t n) {
  n &= 31;
  return n ? high << n | low >> (32 - n) : high;
}
GPUAD_PTX uint32_t gpuad_ptx_shf_r_wrap_b32(uint32_t low, uint32_t high, uint32_t n) {
  n &= 31;
  return n ? high << (32 - n) | low >> n : low;
}
GPUAD_PTX uint32_t gpuad_ptx_shf_l_clamp_b32(uint32_t low, uint32_t high, uint32_t n) {
  return n >= 32 ? low : gpuad_ptx_shf_l_wrap_b32(low, high, n);
}
GPUAD_PTX uint32_t gpuad_ptx_shf_r_clamp_b32(uint32_t low, uint32_t high, uint32_t n) {
  return n >= 32 ? high : gpuad_ptx_shf_r_wrap_b32(low, high, n);
}
GPUAD_PTX uint32_t gpuad_ptx_lop3_b32(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (uint32_t row = 0; row < 8; ++row)
    if (table >> row & 1)
      result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}
extern "C" unsigned __nv_byte_perm(unsigned x, unsigned y, unsigned selector);
extern "C" uint32_t gpuad_ptx_prmt_b32(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t bytes = uint64_t(b) << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t choice = selector >> (4 * i) & 15;
    auto byte = uint32_t(bytes >> (8 * (choice & 7)) & 255);
    if (choice & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// ---- integers
GPUAD_PTX uint32_t gpuad_ptx_sad_s32(int32_t a, int32_t b, uint32_t c) {
  return c + (a > b ? uint32_t(a) - uint32_t(b) : uint32_t(b) - uint32_t(a));
}
GPUAD_PTX uint32_t gpuad_ptx_sad_u32(uint32_t a, uint32_t b, uint32_t c) { return c + (a > b ? a - b : b - a); }
GPUAD_PTX int32_t gpuad_ptx_mul24_lo_s32(int32_t a, int32_t b) {
  return int32_t(uint32_t(a << 8 >> 8) * uint32_t(b << 8 >> 8));
}
GPUAD_PTX uint32_t gpuad_ptx_mul24_lo_u32(uint32_t a, uint32_t b) { return (a & 0xffffff) * (b & 0xffffff); }

#define GPUAD_DOT(A, B, AT, BT, RT)                                                                                    \
  GPUAD_PTX RT gpuad_ptx_dp4a_##A##_##B(uint32_t a, uint32_t b, RT c) {                                                \
    for (int i = 0; i < 32; i += 8)                                                                                    \
      c += RT(AT(a >> i)) * RT(BT(b >> i));                                                                            \
    return c;                                                                                                          \
  }
GPUAD_DOT(s32, s32, int8_t, int8_t, uint32_t)
GPUAD_DOT(u32, u32, uint8_t, uint8_t, uint32_t)
GPUAD_DOT(s32, u32, int8_t, uint8_t, uint32_t)
GPUAD_DOT(u32, s32, uint8_t, int8_t, uint32_t)
#define GPUAD_DOT2(WHICH, SHIFT, A, AT, BT)                                                                            \
  GPUAD_PTX uint32_t gpuad_ptx_dp2a_##WHICH##_##A(uint32_t a, uint32_t b, uint32_t c) {                                \
    c += uint32_t(AT(a)) * uint32_t(BT(b >> SHIFT));                                                                   \
    return c + uint32_t(AT(a >> 16)) * uint32_t(BT(b >> (SHIFT + 8)));                                                 \
  }
GPUAD_DOT2(lo, 0, s32_s32, int16_t, int8_t)
GPUAD_DOT2(hi, 16, s32_s32, int16_t, int8_t)
GPUAD_DOT2(lo, 0, u32_u32, uint16_t, uint8_t)
GPUAD_DOT2(hi, 16, u32_u32, uint16_t, uint8_t)

// ---- tests
#define GPUAD_TESTS(SUFFIX, T)                                                                                         \
  GPUAD_PTX bool gpuad_ptx_testp_finite_##SUFFIX(T x) { return std::isfinite(x); }                                     \
  GPUAD_PTX bool gpuad_ptx_testp_infinite_##SUFFIX(T x) { return std::isinf(x); }                                      \
  GPUAD_PTX bool gpuad_ptx_testp_number_##SUFFIX(T x) { return !std::isnan(x); }                                       \
  GPUAD_PTX bool gpuad_ptx_testp_notanumber_##SUFFIX(T x) { return std::isnan(x); }                                    \
  GPUAD_PTX bool gpuad_ptx_testp_normal_##SUFFIX(T x) { return std::isnormal(x); }                                     \
  GPUAD_PTX bool gpuad_ptx_testp_subnormal_##SUFFIX(T x) { return std::fpclassify(x) == FP_SUBNORMAL; }
GPUAD_TESTS(f32, float)
GPUAD_TESTS(f64, double)

// ---- directed rounding, under the names of libdevice
#define GPUAD_DIRECTED(MODE, NV)                                                                                       \
  extern "C" float __nv_fadd_##NV(float, float);                                                                       \
  extern "C" float __nv_fsub_##NV(float, float);                                                                       \
  extern "C" float __nv_fmul_##NV(float, float);                                                                       \
  extern "C" float __nv_fdiv_##NV(float, float);                                                                       \
  extern "C" float __nv_frcp_##NV(float);                                                                              \
  extern "C" float __nv_fsqrt_##NV(float);                                                                             \
  extern "C" float __nv_fmaf_##NV(float, float, float);                                                                \
  extern "C" double __nv_dadd_##NV(double, double);                                                                    \
  extern "C" double __nv_dmul_##NV(double, double);                                                                    \
  extern "C" double __nv_fma_##NV(double, double, double);                                                             \
  extern "C" float __nv_double2float_##NV(double);                                                                     \
  GPUAD_PTX float gpuad_ptx_add_##MODE##_f32(float a, float b) { return __nv_fadd_##NV(a, b); }                        \
  GPUAD_PTX float gpuad_ptx_sub_##MODE##_f32(float a, float b) { return __nv_fsub_##NV(a, b); }                        \
  GPUAD_PTX float gpuad_ptx_mul_##MODE##_f32(float a, float b) { return __nv_fmul_##NV(a, b); }                        \
  GPUAD_PTX float gpuad_ptx_div_##MODE##_f32(float a, float b) { return __nv_fdiv_##NV(a, b); }                        \
  GPUAD_PTX float gpuad_ptx_rcp_##MODE##_f32(float a) { return __nv_frcp_##NV(a); }                                    \
  GPUAD_PTX float gpuad_ptx_sqrt_##MODE##_f32(float a) { return __nv_fsqrt_##NV(a); }                                  \
  GPUAD_PTX float gpuad_ptx_fma_##MODE##_f32(float a, float b, float c) { return __nv_fmaf_##NV(a, b, c); }            \
  GPUAD_PTX double gpuad_ptx_add_##MODE##_f64(double a, double b) { return __nv_dadd_##NV(a, b); }                     \
  GPUAD_PTX double gpuad_ptx_mul_##MODE##_f64(double a, double b) { return __nv_dmul_##NV(a, b); }                     \
  GPUAD_PTX double gpuad_ptx_fma_##MODE##_f64(double a, double b, double c) { return __nv_fma_##NV(a, b, c); }         \
  GPUAD_PTX float gpuad_ptx_cvt_##MODE##_f32_f64(double a) { return __nv_double2float_##NV(a); }
GPUAD_DIRECTED(rz, rz)
GPUAD_DIRECTED(rp, ru)
GPUAD_DIRECTED(rm, rd)

#define GPUAD_NARROW(MODE, DIRECTION)                                                                                  \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_f16_f32(float x) { return directed<Half>(x, DIRECTION); }                  \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_f16_f64(double x) { return directed<Half>(x, DIRECTION); }                 \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_bf16_f32(float x) { return directed<Bfloat>(x, DIRECTION); }               \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_f16_s32(int32_t x) { return directed<Half>(double(x), DIRECTION); }        \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_f16_u32(uint32_t x) { return directed<Half>(double(x), DIRECTION); }       \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_f16_s16(int16_t x) { return directed<Half>(double(x), DIRECTION); }        \
  GPUAD_PTX uint16_t gpuad_ptx_cvt_##MODE##_f16_u16(uint16_t x) { return directed<Half>(double(x), DIRECTION); }       \
  GPUAD_PTX float gpuad_ptx_cvt_##MODE##_f32_s32(int32_t x) { return float(directedFloat(double(x), DIRECTION)); }     \
  GPUAD_PTX float gpuad_ptx_cvt_##MODE##_f32_u32(uint32_t x) { return float(directedFloat(double(x), DIRECTION)); }
namespace {
float directedFloat(double x, int direction) {
  float nearest = float(x);
  double back = nearest;
  if (back == x)
    return nearest;
  bool up = direction == FE_UPWARD || (direction == FE_TOWARDZERO && x < 0);
  if (up ? back > x : back < x)
    return nearest;
  return std::nextafter(nearest, up ? INFINITY : -INFINITY);
}
} // namespace
GPUAD_NARROW(rz, FE_TOWARDZERO)
GPUAD_NARROW(rp, FE_UPWARD)
GPUAD_NARROW(rm, FE_DOWNWARD)
GPUAD_PTX uint32_t gpuad_ptx_cvt_rz_bf16x2_f32(float high, float low) {
  return directed<Bfloat>(low, FE_TOWARDZERO) | uint32_t(directed<Bfloat>(high, FE_TOWARDZERO)) << 16;
}
GPUAD_PTX uint32_t gpuad_ptx_cvt_rz_f16x2_f32(float high, float low) {
  return directed<Half>(low, FE_TOWARDZERO) | uint32_t(directed<Half>(high, FE_TOWARDZERO)) << 16;
}
GPUAD_PTX uint32_t gpuad_ptx_cvt_rna_tf32_f32(float x) {
  return (__builtin_bit_cast(uint32_t, x) + 0x1000u) & 0xffffe000u;
}

// ---- asynchronous copies to shared memory, done at once. Shared addresses are full addresses here, cut to 32 bits by
// the instruction's user; so they come through the library only with 64 bits.
GPUAD_PTX void gpuad_ptx_cp_async_ca_shared_global(char *to, const char *from, uint32_t bytes) {
  __builtin_memcpy(to, from, bytes);
}
GPUAD_PTX void gpuad_ptx_cp_async_cg_shared_global(char *to, const char *from, uint32_t bytes) {
  __builtin_memcpy(to, from, bytes);
}
