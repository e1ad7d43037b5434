/// \file
/// Strict mode: the check before an access. This is where the time of strict programs goes, so what is usual (whole
/// words, initialised, touched by nobody else) is decided here, and the rest elsewhere.

#include "Races.h"
#include "Strict.h"

#include <cstring>

namespace gpuad::cpu {
namespace {

template <class Word> bool areInitialised(const uint8_t *states) {
  constexpr auto all = Word(0x0202020202020202u);
  static_assert(uint8_t(ByteState::initialised) == 2);
  Word have = 0;
  std::memcpy(&have, states, sizeof have);
  return have == all;
}

/// Words: how many units of four bytes.
template <int words, bool writes> bool isFine(const ShadowRegion &region, size_t offset, const Ordering::Now &now) {
  const uint8_t *states = region.states + offset;
  if (words == 1 ? !areInitialised<uint32_t>(states) : !areInitialised<uint64_t>(states))
    return false;
  if (words == 4 && !areInitialised<uint64_t>(states + 8))
    return false;
  RaceCell *cells = region.cells + offset / 4;
  for (int i = 0; i < words; ++i)
    if (!quick(cells[i], writes, region.blockLocal, now))
      return false;
  return true;
}

template <bool writes>
bool isFine(const ShadowRegion &region, size_t offset, uint32_t bytes, const Ordering::Now &now) {
  switch (bytes) {
  case 4:
    return isFine<1, writes>(region, offset, now);
  case 8:
    return isFine<2, writes>(region, offset, now);
  case 16:
    return isFine<4, writes>(region, offset, now);
  default:
    return false;
  }
}

} // namespace

/// Where to do the access if all is well; null if that takes more thought.
inline char *Strict::quickAccess(char *address, uint32_t bytes, uint32_t flags, uint32_t align) {
  if ((flags & ~uint32_t(gpuadAccessWrite)) || (reinterpret_cast<uintptr_t>(address) & ((align - 1) | 3)))
    return nullptr;
  const ShadowRegion *region = &heapRegion;
  auto offset = size_t(address - region->base);
  if (offset >= region->bytes) {
    if (!current)
      return nullptr;
    region = &current->shared;
    offset = size_t(address - region->base);
    if (offset >= region->bytes)
      return nullptr;
  }
  bool fine =
      flags ? isFine<true>(*region, offset, bytes, order.now()) : isFine<false>(*region, offset, bytes, order.now());
  return fine ? address + region->delta : nullptr;
}

} // namespace gpuad::cpu

using namespace gpuad::cpu;

extern "C" void *gpuad_access(char *address, uint32_t bytes, uint32_t flagsAndAlign, const GpuadSite *site) {
  uint32_t flags = flagsAndAlign & 255, align = flagsAndAlign >> gpuadAccessAlignShift;
  Strict &checks = strict();
  if (char *usable = checks.quickAccess(address, bytes, flags, align))
    return usable;
  return checks.access(address, bytes, flags, align, site);
}
