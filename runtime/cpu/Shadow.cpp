#include "Shadow.h"

#include <cstring>
#include <sys/mman.h>

namespace gpuad::cpu {

static void *reserve(size_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool ShadowRegion::map(char *start, size_t size, ByteState initial, bool isBlockLocal) {
  states = static_cast<uint8_t *>(reserve(size + 8));
  cells = static_cast<RaceCell *>(reserve((size / 4 + 2) * sizeof(RaceCell)));
  if (!states || !cells)
    return false;
  base = start;
  bytes = size;
  blockLocal = isBlockLocal;
  if (initial != ByteState::outside)
    std::memset(states, int(initial), size);
  return true;
}

void ShadowRegion::forgetTouches() {
  if (cells)
    madvise(cells, (bytes / 4 + 2) * sizeof(RaceCell), MADV_DONTNEED);
}

void ShadowRegion::set(const void *address, size_t size, ByteState value) {
  std::memset(state(address), int(value), size);
}

void ShadowRegion::copy(const void *to, ShadowRegion *fromRegion, const void *from, size_t size) {
  if (fromRegion)
    std::memmove(state(to), fromRegion->state(from), size);
  else
    set(to, size, ByteState::initialised);
}

} // namespace gpuad::cpu
