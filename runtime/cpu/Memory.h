/// \file
/// Device memory: one reserved range of addresses, and a table of what is allocated in it. Pinned and registered host
/// memory is in the same table, so that copies can be checked and attributes asked for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace gpuad::cpu {

enum class MemoryKind : uint8_t { device, pinned, registered, deviceHeap };

struct Allocation {
  size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  uint64_t serial = 0; ///< counts allocations: "the third cudaMalloc"
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
    return byte >= arena && byte < arena + capacity;
  }

  size_t totalBytes() const { return capacity; }
  size_t freeBytes() const { return capacity - used; }
  /// Frees everything, as cudaDeviceReset does.
  void reset();

private:
  void *place(size_t bytes);

  char *arena = nullptr;
  size_t capacity = 0, used = 0;
  std::map<char *, size_t> holes; ///< free ranges
  std::map<char *, Allocation> live;
  uint64_t serial = 0;
};

Memory &memory();

} // namespace gpuad::cpu
