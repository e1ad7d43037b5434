/// \file
/// First fit over a table of holes. Large freed ranges go back to the machine.

#include "Memory.h"
#include "Options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace gpuad::cpu {
namespace {

constexpr size_t alignment = 256; ///< what cudaMalloc promises
constexpr size_t giveBackFrom = 1 << 20;

size_t rounded(size_t bytes) {
  return std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
}

size_t machineBytes() {
  return size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
}

} // namespace

Memory &memory() {
  static auto *one = new Memory; // never destroyed: the program's own destructors may still free
  return *one;
}

Memory::Memory() {
  capacity = rounded(options().memoryBytes ? options().memoryBytes : machineBytes() / 2);
  void *range = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    std::fprintf(stderr, "gpuad: cannot reserve %zu bytes of device memory (GPUAD_CPU_MEMORY sets the size)\n",
                 capacity);
    std::exit(2);
  }
  arena = static_cast<char *>(range);
  reserved = capacity;
  holes[arena] = capacity;
}

void *Memory::place(size_t bytes) {
  for (auto hole = holes.begin(); hole != holes.end(); ++hole) {
    if (hole->second < bytes)
      continue;
    char *start = hole->first;
    size_t rest = hole->second - bytes;
    holes.erase(hole);
    if (rest)
      holes[start + bytes] = rest;
    return start;
  }
  return nullptr;
}

void *Memory::allocate(size_t bytes, MemoryKind kind) {
  if (bytes > capacity)
    return nullptr;
  if (delta)
    return allocateStrict(bytes, kind);
  void *start = place(rounded(bytes));
  if (!start)
    return nullptr;
  used += rounded(bytes);
  live[static_cast<char *>(start)] = {bytes, kind, ++serial};
  std::memset(start, 0xff, bytes); // reads as NaN: a forgotten initialisation shows
  return start;
}

bool Memory::release(void *pointer) {
  auto place = live.find(static_cast<char *>(pointer));
  if (place == live.end() || !contains(pointer))
    return false;
  char *start = place->first;
  size_t bytes = rounded(place->second.bytes);
  Allocation allocation = place->second;
  live.erase(place);
  used -= bytes;
  if (delta) {
    releaseStrict(start, allocation);
    return true;
  }
  if (bytes >= giveBackFrom)
    madvise(start, bytes, MADV_DONTNEED);
  auto after = holes.lower_bound(start);
  if (after != holes.end() && after->first == start + bytes) {
    bytes += after->second;
    after = holes.erase(after);
  }
  if (after != holes.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == start) {
      before->second += bytes;
      return true;
    }
  }
  holes[start] = bytes;
  return true;
}

void *Memory::allocatePinned(size_t bytes) {
  void *start = nullptr;
  if (posix_memalign(&start, 4096, std::max<size_t>(bytes, 1)) != 0)
    return nullptr;
  std::memset(start, 0xff, bytes);
  live[static_cast<char *>(start)] = {bytes, MemoryKind::pinned, ++serial};
  return start;
}

bool Memory::releasePinned(void *pointer) {
  auto place = live.find(static_cast<char *>(pointer));
  if (place == live.end() || place->second.kind != MemoryKind::pinned)
    return false;
  live.erase(place);
  std::free(pointer);
  return true;
}

bool Memory::registerHost(void *pointer, size_t bytes) {
  if (find(pointer))
    return false;
  live[static_cast<char *>(pointer)] = {bytes, MemoryKind::registered, ++serial};
  return true;
}

bool Memory::unregisterHost(void *pointer) {
  auto place = live.find(static_cast<char *>(pointer));
  if (place == live.end() || place->second.kind != MemoryKind::registered)
    return false;
  live.erase(place);
  return true;
}

const Allocation *Memory::find(const void *pointer, void **base) const {
  auto *byte = static_cast<char *>(const_cast<void *>(pointer));
  auto place = live.upper_bound(byte);
  if (place == live.begin())
    return nullptr;
  --place;
  if (byte >= place->first + std::max<size_t>(place->second.bytes, 1))
    return nullptr;
  if (base)
    *base = place->first;
  return &place->second;
}

void Memory::reset() {
  for (auto place = live.begin(); place != live.end();) {
    auto current = place++;
    if (contains(current->first))
      release(current->first);
    else if (current->second.kind == MemoryKind::pinned)
      releasePinned(current->first);
    else
      live.erase(current);
  }
}

} // namespace gpuad::cpu
