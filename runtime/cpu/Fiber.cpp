/// \file
/// Stacks of fibers: mapped on demand, with a guard page, never returned before the program ends.

#include "Fiber.h"
#include "Options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace gpuad::cpu {

namespace {
size_t pageBytes() {
  static const size_t size = size_t(sysconf(_SC_PAGESIZE));
  return size;
}
} // namespace

void FiberPool::arm(Fiber *fiber) {
  fiber->busy = false;
  fiber->waiting = Waiting::no;
  if (fiber->unwritten) // the thread ended amid its functions
    madvise(fiber->unwritten, fiber->stackBytes, MADV_DONTNEED);
  fiber->context = boost::context::detail::make_fcontext(fiber->stack + fiber->stackBytes, fiber->stackBytes, body);
}

Fiber *FiberPool::take() {
  if (Fiber *fiber = idle.pop())
    return fiber;
  size_t page = pageBytes();
  size_t bytes = (options().stackBytes + page - 1) / page * page;
  void *memory = mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr,
                 "gpuad: no memory for the stacks of %zu waiting GPU threads (GPUAD_CPU_STACK makes them "
                 "smaller)\n",
                 all.size());
    std::abort();
  }
  mprotect(memory, page, PROT_NONE);
  auto *fiber = new Fiber;
  fiber->stack = static_cast<char *>(memory) + page;
  fiber->stackBytes = bytes;
  arm(fiber);
  all.push_back(fiber);
  return fiber;
}

void FiberPool::mark(Fiber *fiber, const char *address, size_t bytes, bool isUnwritten) {
  if (!fiber->owns(address))
    return;
  if (!fiber->unwritten) {
    void *marks =
        mmap(nullptr, fiber->stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (marks == MAP_FAILED)
      return;
    fiber->unwritten = static_cast<uint8_t *>(marks);
  }
  std::memset(fiber->unwritten + (address - fiber->stack), isUnwritten, bytes);
}

void FiberPool::discardBusy() {
  idle = {};
  for (Fiber *fiber : all) {
    arm(fiber);
    idle.push(fiber);
  }
}

Fiber *FiberPool::ownerOf(const void *address, bool *isGuard) const {
  for (Fiber *fiber : all) {
    auto *byte = static_cast<const char *>(address);
    *isGuard = byte >= fiber->stack - pageBytes() && byte < fiber->stack;
    if (*isGuard || fiber->owns(address))
      return fiber;
  }
  return nullptr;
}

} // namespace gpuad::cpu
