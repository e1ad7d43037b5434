/// \file
/// PTX video instructions: two halfwords or four bytes of a word at a time, with a third operand that is added where
/// the mnemonic says so. Each lane is computed in a wide integer and cut, or clamped where the mnemonic says sat.

#include <cstdint>
#include <type_traits>

namespace {

template <class Lane> Lane clampTo(int64_t value) {
  constexpr int64_t low = std::is_signed_v<Lane> ? -(int64_t(1) << (sizeof(Lane) * 8 - 1)) : 0;
  constexpr int64_t high = (int64_t(1) << (sizeof(Lane) * 8 - std::is_signed_v<Lane>)) - 1;
  return Lane(value < low ? low : value > high ? high : value);
}

template <class Lane, bool saturates, class F> uint32_t lanes(uint32_t a, uint32_t b, F f) {
  constexpr unsigned bits = sizeof(Lane) * 8;
  constexpr uint32_t mask = bits == 16 ? 0xffff : 0xff;
  uint32_t result = 0;
  for (unsigned i = 0; i < 32; i += bits) {
    int64_t value = f(int64_t(Lane(a >> i)), int64_t(Lane(b >> i)));
    Lane lane = saturates ? clampTo<Lane>(value) : Lane(value);
    result |= (uint32_t(lane) & mask) << i;
  }
  return result;
}

/// Sum over the lanes, for the accumulating forms.
template <class Lane, class F> uint32_t total(uint32_t a, uint32_t b, uint32_t c, F f) {
  for (unsigned i = 0; i < 32; i += sizeof(Lane) * 8)
    c += uint32_t(f(int64_t(Lane(a >> i)), int64_t(Lane(b >> i))));
  return c;
}

int64_t distance(int64_t x, int64_t y) { return x > y ? x - y : y - x; }

} // namespace

#define GPUAD_SIMD(NAME, WIDTH, S, LANE, EXPRESSION)                                                                   \
  extern "C" uint32_t gpuad_ptx_##NAME##WIDTH##_##S##_##S##_##S(uint32_t a, uint32_t b, uint32_t) {                    \
    return lanes<LANE, false>(a, b, [](int64_t x, int64_t y) { return EXPRESSION; });                                  \
  }                                                                                                                    \
  extern "C" uint32_t gpuad_ptx_##NAME##WIDTH##_##S##_##S##_##S##_sat(uint32_t a, uint32_t b, uint32_t) {              \
    return lanes<LANE, true>(a, b, [](int64_t x, int64_t y) { return EXPRESSION; });                                   \
  }                                                                                                                    \
  extern "C" uint32_t gpuad_ptx_##NAME##WIDTH##_##S##_##S##_##S##_add(uint32_t a, uint32_t b, uint32_t c) {            \
    return total<LANE>(a, b, c, [](int64_t x, int64_t y) { return EXPRESSION; });                                      \
  }
#define GPUAD_SIMD_ALL(NAME, EXPRESSION)                                                                               \
  GPUAD_SIMD(NAME, 2, s32, int16_t, EXPRESSION)                                                                        \
  GPUAD_SIMD(NAME, 2, u32, uint16_t, EXPRESSION)                                                                       \
  GPUAD_SIMD(NAME, 4, s32, int8_t, EXPRESSION)                                                                         \
  GPUAD_SIMD(NAME, 4, u32, uint8_t, EXPRESSION)
GPUAD_SIMD_ALL(vadd, x + y)
GPUAD_SIMD_ALL(vsub, x - y)
GPUAD_SIMD_ALL(vavrg, (x + y + 1) >> 1)
GPUAD_SIMD_ALL(vmin, x < y ? x : y)
GPUAD_SIMD_ALL(vmax, x > y ? x : y)
GPUAD_SIMD_ALL(vabsdiff, distance(x, y))

#define GPUAD_SIMD_SET(WIDTH, S, LANE, HOW, OPERATOR)                                                                  \
  extern "C" uint32_t gpuad_ptx_vset##WIDTH##_##S##_##S##_##HOW(uint32_t a, uint32_t b, uint32_t) {                    \
    return lanes<LANE, false>(a, b, [](int64_t x, int64_t y) { return int64_t(x OPERATOR y); });                       \
  }
#define GPUAD_SIMD_SET_ALL(HOW, OPERATOR)                                                                              \
  GPUAD_SIMD_SET(2, s32, int16_t, HOW, OPERATOR)                                                                       \
  GPUAD_SIMD_SET(2, u32, uint16_t, HOW, OPERATOR)                                                                      \
  GPUAD_SIMD_SET(4, s32, int8_t, HOW, OPERATOR)                                                                        \
  GPUAD_SIMD_SET(4, u32, uint8_t, HOW, OPERATOR)
GPUAD_SIMD_SET_ALL(eq, ==)
GPUAD_SIMD_SET_ALL(ne, !=)
GPUAD_SIMD_SET_ALL(lt, <)
GPUAD_SIMD_SET_ALL(le, <=)
GPUAD_SIMD_SET_ALL(gt, >)
GPUAD_SIMD_SET_ALL(ge, >=)
