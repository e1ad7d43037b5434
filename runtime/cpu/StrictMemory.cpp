/// \file
/// Device memory in strict mode. It is mapped twice: the pointers that the program gets lead to a view without any
/// access, so that host code which follows one faults at once, and the checks of device code lead on to the memory
/// itself. Launches need no change of protections. Addresses are never used again, and gaps separate allocations.

#include "Memory.h"
#include "Strict.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/mman.h>

namespace gpuad::cpu {
namespace {
constexpr size_t gap = 256, page = 4096;
constexpr size_t lifetimes = 16; ///< how much more address space than memory there is

/// The callers outside of this library.
void noteCallers(Allocation &allocation) {
  Dl_info own = {}, info = {};
  dladdr(reinterpret_cast<void *>(&noteCallers), &own);
  void *frames[16] = {};
  int n = backtrace(frames, 16), to = 0;
  for (int i = 0; i < n && to < 4; ++i)
    if (dladdr(frames[i], &info) && info.dli_fbase != own.dli_fbase)
      allocation.callers[to++] = frames[i];
}
} // namespace

void Memory::makeStrict() {
  if (delta)
    return;
  munmap(arena, capacity);
  reserved = capacity * lifetimes;
  file = memfd_create("gpuad-device-memory", MFD_CLOEXEC);
  void *view = MAP_FAILED, *real = MAP_FAILED;
  if (file >= 0 && ftruncate64(file, off64_t(reserved)) == 0) {
    view = mmap(nullptr, reserved, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
    real = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  }
  arena = static_cast<char *>(view);
  if (view == MAP_FAILED || real == MAP_FAILED || !strict().heap().map(arena, reserved, ByteState::outside, false)) {
    std::fprintf(stderr,
                 "gpuad: cannot reserve addresses for strict mode (GPUAD_CPU_MEMORY makes the memory smaller)\n");
    std::exit(2);
  }
  delta = static_cast<char *>(real) - arena;
  strict().heap().delta = delta;
  frontier = arena + gap;
  holes.clear();
}

void *Memory::allocateStrict(size_t bytes, MemoryKind kind) {
  size_t room = (bytes + 255) / 256 * 256 + gap;
  if (used + room > capacity || size_t(arena + reserved - frontier) < room)
    return nullptr;
  char *start = frontier;
  frontier += room;
  used += std::max<size_t>(256, room - gap);
  Allocation &allocation = live[start] = {bytes, kind, ++serial};
  noteCallers(allocation);
  std::memset(start + delta, 0xff, bytes);
  strict().heap().set(start, bytes, ByteState::uninitialised);
  return start;
}

void Memory::releaseStrict(char *start, const Allocation &allocation) {
  strict().heap().set(start, allocation.bytes, ByteState::freed);
  dead[start] = allocation;
  // Whole pages go back to the machine.
  char *first = arena + (size_t(start - arena) + page - 1) / page * page;
  char *last = arena + size_t(start + allocation.bytes - arena) / page * page;
  if (last > first)
    fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, first - arena, last - first);
}

const Allocation *Memory::nearest(const void *address, long *distance) const {
  auto *byte = static_cast<char *>(const_cast<void *>(address));
  const Allocation *best = nullptr;
  for (auto *table : {&live, &dead}) {
    auto place = table->upper_bound(byte);
    if (place == table->begin())
      continue;
    --place;
    long away = byte - place->first;
    if (!best || away < *distance) {
      best = &place->second;
      *distance = away;
    }
  }
  return best && *distance < (1 << 20) ? best : nullptr;
}

/// The first caller whose place in the source is known and that is not a wrapper of the toolkit's headers.
std::string Allocation::place() const {
  for (void *caller : callers) {
    Dl_info info = {};
    if (!caller || !dladdr(caller, &info) || !info.dli_fname)
      continue;
    char command[512];
    auto offset = static_cast<char *>(caller) - static_cast<char *>(info.dli_fbase) - 1;
    std::snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%lx 2>/dev/null", info.dli_fname,
                  (unsigned long)offset);
    FILE *pipe = popen(command, "r");
    char line[512] = "";
    std::string found;
    while (pipe && std::fgets(line, sizeof line, pipe)) {
      line[std::strcspn(line, " \n")] = 0;
      if (found.empty() && line[0] != '?' && !std::strstr(line, "cuda_runtime"))
        found = line;
    }
    if (pipe)
      pclose(pipe);
    if (!found.empty())
      return ", allocated at " + found;
  }
  return "";
}

} // namespace gpuad::cpu
