//===- picks.cuh - largest and smallest numbers -*- CUDA -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of the numbers that threads offer, and of the one that is there, one is picked: by a
/// loop that tries to exchange them, or by the hardware's maximum of integers on the bits.
/// An equal number changes nothing.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_RUNTIME_PICKS_CUH
#define GPUAD_RUNTIME_PICKS_CUH

#if defined(GPUAD_TRANSLATING)
#pragma clang system_header // known by rules, not differentiated
#endif

#include "accumulate.cuh"

#include <type_traits>

namespace gpuad {

namespace detail {

/// Replaces a number by what `pick` makes of it, in one step; returns what it was.
template <class T, class Pick> __device__ inline T atomic_pick(T *place, const Pick &pick) {
  using bits = decltype(bits_of(T()));
  bits *words = reinterpret_cast<bits *>(place);
  bits there = atomicAdd(words, bits(0)), assumed;
  do {
    assumed = there;
    bits next = bits_of(pick(number_of(assumed)));
    if (next == assumed)
      break;
    there = atomicCAS(words, assumed, next);
  } while (there != assumed);
  return number_of(there);
}

/// The same for integers, and for numbers whose bits are taken for integers `I`.
template <class I, class T, class Pick> __device__ inline T pick_bits(T *place, T value, const Pick &pick) {
  static_assert(sizeof(I) == sizeof(T), "the bits of a number");
  I there = pick(reinterpret_cast<I *>(place), static_cast<I>(bits_of(value)));
  return number_of(static_cast<decltype(bits_of(T()))>(there));
}

template <class T> struct integers_of;
template <> struct integers_of<float> {
  using with_sign = int;
  using without = unsigned;
};
template <> struct integers_of<double> {
  using with_sign = long long;
  using without = unsigned long long;
};

/// What is there now; other threads may be changing it.
template <class T> __device__ inline T number_there(T *place) {
  using bits = decltype(bits_of(T()));
  return number_of(atomicAdd(reinterpret_cast<bits *>(place), bits(0)));
}
__device__ inline int number_there(int *place) {
  return atomicAdd(place, 0);
}
__device__ inline unsigned number_there(unsigned *place) {
  return atomicAdd(place, 0u);
}
__device__ inline unsigned long long number_there(unsigned long long *place) {
  return atomicAdd(place, 0ull);
}
__device__ inline long long number_there(long long *place) {
  return static_cast<long long>(number_there(reinterpret_cast<unsigned long long *>(place)));
}

/// A NaN that no arithmetic makes. In the place of a tangent it says that a thread is about
/// to set the number and its tangent.
__device__ inline unsigned being_set(float) {
  return 0x7fb1a5edu;
}
__device__ inline unsigned long long being_set(double) {
  return 0x7ff5b1a5edc0ffeeull;
}

/// Has a thread offer its number while no other does; its tangent stands there afterwards,
/// where `offer` says that its number was picked.
template <class T, class Offer>
__device__ inline void set_with_tangent(T *tangent, typename same<T>::type own, const Offer &offer) {
  using bits = decltype(bits_of(T()));
  bits *there = reinterpret_cast<bits *>(tangent);
  for (;;) {
    bits before = atomicExch(there, being_set(T()));
    if (before != being_set(T())) { // lanes that are still waiting must not hold up the one that is not
      __threadfence();
      bool is_picked = offer();
      __threadfence();
      atomicExch(there, is_picked ? bits_of(own) : before);
      return;
    }
  }
}

} // namespace detail

/// The largest, or smallest, of what is there and what threads offer. A number wins over NaN.
/// Returns what was there.
template <class T> __device__ inline T atomic_max(T *place, typename detail::same<T>::type value) {
  return detail::atomic_pick(place, [value](T there) { return there >= value || value != value ? there : value; });
}

template <class T> __device__ inline T atomic_min(T *place, typename detail::same<T>::type value) {
  return detail::atomic_pick(place, [value](T there) { return there <= value || value != value ? there : value; });
}

/// Puts a number there; returns what was there.
template <class T> __device__ inline T atomic_exchange(T *place, typename detail::same<T>::type value) {
  using bits = decltype(detail::bits_of(T()));
  return detail::number_of(atomicExch(reinterpret_cast<bits *>(place), detail::bits_of(value)));
}

/// The largest and smallest by the bits: what the hardware does in one instruction, and what
/// is the order of numbers where all have one sign.
template <class T> __device__ inline T signed_max(T *place, typename detail::same<T>::type value) {
  using whole = typename detail::integers_of<T>::with_sign;
  return detail::pick_bits<whole>(place, value, [](whole *bits, whole own) { return atomicMax(bits, own); });
}

template <class T> __device__ inline T signed_min(T *place, typename detail::same<T>::type value) {
  using whole = typename detail::integers_of<T>::with_sign;
  return detail::pick_bits<whole>(place, value, [](whole *bits, whole own) { return atomicMin(bits, own); });
}

template <class T> __device__ inline T unsigned_max(T *place, typename detail::same<T>::type value) {
  using whole = typename detail::integers_of<T>::without;
  return detail::pick_bits<whole>(place, value, [](whole *bits, whole own) { return atomicMax(bits, own); });
}

template <class T> __device__ inline T unsigned_min(T *place, typename detail::same<T>::type value) {
  using whole = typename detail::integers_of<T>::without;
  return detail::pick_bits<whole>(place, value, [](whole *bits, whole own) { return atomicMin(bits, own); });
}

/// The same of all numbers: the bits of those with a sign have the other order.
template <class T>
__device__ inline T max_by_sign(T *place, typename detail::same<T>::type value, bool is_without_sign) {
  return is_without_sign ? signed_max(place, value) : unsigned_min(place, value);
}

template <class T>
__device__ inline T min_by_sign(T *place, typename detail::same<T>::type value, bool is_without_sign) {
  return is_without_sign ? signed_min(place, value) : unsigned_max(place, value);
}

// Both together with the tangent of the number that is picked. `place` may be one of bits. Of
// equal numbers the first that came stays, and with it its tangent.

template <class B, class T>
__device__ inline B max_with_tangent(B *place, T *tangent, typename detail::same<B>::type value,
                                     typename detail::same<T>::type value_dot) {
  B there = detail::number_there(place);
  auto is_picked = [&] { return !(there >= value) && value == value; };
  if (is_picked())
    detail::set_with_tangent(tangent, value_dot, [&] {
      if constexpr (std::is_floating_point_v<B>)
        there = atomic_max(place, value);
      else
        there = atomicMax(place, value);
      return is_picked();
    });
  return there;
}

template <class B, class T>
__device__ inline B min_with_tangent(B *place, T *tangent, typename detail::same<B>::type value,
                                     typename detail::same<T>::type value_dot) {
  B there = detail::number_there(place);
  auto is_picked = [&] { return !(there <= value) && value == value; };
  if (is_picked())
    detail::set_with_tangent(tangent, value_dot, [&] {
      if constexpr (std::is_floating_point_v<B>)
        there = atomic_min(place, value);
      else
        there = atomicMin(place, value);
      return is_picked();
    });
  return there;
}

template <class T>
__device__ inline T signed_max_with_tangent(T *place, T *tangent, typename detail::same<T>::type value,
                                            typename detail::same<T>::type value_dot) {
  using whole = typename detail::integers_of<T>::with_sign;
  return detail::pick_bits<whole>(
      place, value, [&](whole *bits, whole own) { return max_with_tangent(bits, tangent, own, value_dot); });
}

template <class T>
__device__ inline T signed_min_with_tangent(T *place, T *tangent, typename detail::same<T>::type value,
                                            typename detail::same<T>::type value_dot) {
  using whole = typename detail::integers_of<T>::with_sign;
  return detail::pick_bits<whole>(
      place, value, [&](whole *bits, whole own) { return min_with_tangent(bits, tangent, own, value_dot); });
}

template <class T>
__device__ inline T unsigned_max_with_tangent(T *place, T *tangent, typename detail::same<T>::type value,
                                              typename detail::same<T>::type value_dot) {
  using whole = typename detail::integers_of<T>::without;
  return detail::pick_bits<whole>(
      place, value, [&](whole *bits, whole own) { return max_with_tangent(bits, tangent, own, value_dot); });
}

template <class T>
__device__ inline T unsigned_min_with_tangent(T *place, T *tangent, typename detail::same<T>::type value,
                                              typename detail::same<T>::type value_dot) {
  using whole = typename detail::integers_of<T>::without;
  return detail::pick_bits<whole>(
      place, value, [&](whole *bits, whole own) { return min_with_tangent(bits, tangent, own, value_dot); });
}

template <class T>
__device__ inline T max_by_sign_with_tangent(T *place, T *tangent, typename detail::same<T>::type value,
                                             typename detail::same<T>::type value_dot, bool is_without_sign) {
  return is_without_sign ? signed_max_with_tangent(place, tangent, value, value_dot)
                         : unsigned_min_with_tangent(place, tangent, value, value_dot);
}

template <class T>
__device__ inline T min_by_sign_with_tangent(T *place, T *tangent, typename detail::same<T>::type value,
                                             typename detail::same<T>::type value_dot, bool is_without_sign) {
  return is_without_sign ? signed_min_with_tangent(place, tangent, value, value_dot)
                         : unsigned_max_with_tangent(place, tangent, value, value_dot);
}

} // namespace gpuad

#endif // GPUAD_RUNTIME_PICKS_CUH
