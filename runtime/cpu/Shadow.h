/// \file
/// Strict mode's knowledge about memory: one state a byte, and for races one cell for four bytes.

#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuad::cpu {

enum class ByteState : uint8_t { outside, uninitialised, initialised, freed, constant };

/// Who touched four bytes last (Order.h has the format). Zero: nobody.
struct RaceCell {
  uint64_t writer, reader;
};
/// The same for one byte, with the plain write below atomics.
struct ByteHistory {
  uint64_t writer, reader, below;
};

/// A range of addresses with its shadow, mapped on demand.
class ShadowRegion {
public:
  bool map(char *start, size_t size, ByteState initial, bool isBlockLocal);
  bool contains(const void *address) const { return size_t(static_cast<const char *>(address) - base) < bytes; }
  void forgetTouches();
  uint8_t *state(const void *address) { return states + (static_cast<const char *>(address) - base); }
  RaceCell *cell(const void *address) { return cells + (static_cast<const char *>(address) - base) / 4; }
  void set(const void *address, size_t size, ByteState state);
  /// Initialised bytes of a copy stay so, the others do not become so.
  void copy(const void *to, ShadowRegion *fromRegion, const void *from, size_t size);

  char *base = nullptr;
  size_t bytes = 0;
  std::ptrdiff_t delta = 0; ///< from the addresses that the program has to the memory itself
  bool blockLocal = false;  ///< shared memory: other blocks that use the address mean another place
  uint8_t *states = nullptr;
  RaceCell *cells = nullptr;
};

} // namespace gpuad::cpu
