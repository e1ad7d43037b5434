/// \file
/// Device memory: one reserved range of addresses, and a table of what is allocated in it. Pinned and registered host
/// memory is in the same table, so that copies can be checked and attributes asked for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace gpuad::cpu {

enum class MemoryKind : uint8_t { device, pinned, registered, deviceHeap };

struct Allocation {
  size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  uint64_t serial = 0;   ///< counts allocations: "the third cudaMalloc"
  void *callers[4] = {}; ///< strict: return addresses of the call

  /// ", allocated at a.cu:12", as far as it is known.
  std::string place() const;
};

class Memory {
public:
  Memory();
  /// Null when there is no room. Contents are NaN.
  void *allocate(size_t bytes, MemoryKind kind);
  /// False when the pointer is not the start of a live allocation of device memory.
  bool release(void *pointer);

  void *allocatePinned(size_t bytes);
  bool releasePinned(void *pointer);
  bool registerHost(void *pointer, size_t bytes);
  bool unregisterHost(void *pointer);

  /// The live allocation that holds the address; null if none does.
  const Allocation *find(const void *pointer, void **base = nullptr) const;
  bool contains(const void *pointer) const {
    auto *byte = static_cast<const char *>(pointer);
    return byte >= arena && byte < arena + reserved;
  }

  /// Strict: the pointers handed out lead to a view that nobody may touch; this is where the memory itself is.
  char *accessible(const void *pointer) const {
    auto *byte = static_cast<char *>(const_cast<void *>(pointer));
    return contains(pointer) ? byte + delta : byte;
  }
  /// Makes the memory a strict one, before the first allocation.
  void makeStrict();
  /// The live or freed allocation at or below an address, and how far the address is from its start.
  const Allocation *nearest(const void *address, long *distance) const;
  template <class F> void eachLive(F f) const {
    for (auto &entry : live)
      if (entry.second.kind == MemoryKind::device)
        f(entry.first, entry.second);
  }

  size_t totalBytes() const { return capacity; }
  size_t freeBytes() const { return capacity - used; }
  /// Frees everything, as cudaDeviceReset does.
  void reset();

private:
  void *place(size_t bytes);

  void *allocateStrict(size_t bytes, MemoryKind kind);
  void releaseStrict(char *start, const Allocation &allocation);

  char *arena = nullptr;
  size_t capacity = 0, used = 0, reserved = 0;
  std::ptrdiff_t delta = 0;
  int file = -1;
  char *frontier = nullptr;       ///< strict: addresses below were handed out once and are not used again
  std::map<char *, size_t> holes; ///< free ranges
  std::map<char *, Allocation> live, dead;
  uint64_t serial = 0;
};

Memory &memory();

} // namespace gpuad::cpu
