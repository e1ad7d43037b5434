/// \file
/// A fiber: a stack on which GPU threads run, one after the other until one of them waits.

#pragma once

#include "Abi.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <vector>

namespace gpuad::cpu {

struct Block;

enum class Waiting : uint8_t { no, barrier, warp, activeMask, poll };

struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  Fiber *next = nullptr; ///< in the list that the fiber is in: ready, waiting, or idle
  const GpuadSite *site = nullptr;
  uint32_t thread = 0; ///< linear index in the block of the GPU thread it runs
  uint32_t lane = 0;
  Waiting waiting = Waiting::no;
  bool busy = false; ///< it runs a GPU thread, or one waits on it
  uint32_t id = 0;   ///< number of the barrier, or mask of the warp operation, that it waits for
  GpuadWarpResult result = {};
  char *stack = nullptr; ///< lowest usable byte
  size_t stackBytes = 0;
  uint8_t *unwritten = nullptr; ///< strict: marks for the bytes of the stack; null while there are none

  bool owns(const void *address) const {
    auto *byte = static_cast<const char *>(address);
    return byte >= stack && byte < stack + stackBytes;
  }
};

/// First in, first out.
struct FiberList {
  Fiber *head = nullptr, *tail = nullptr;

  bool empty() const { return !head; }
  void push(Fiber *f) {
    f->next = nullptr;
    (tail ? tail->next : head) = f;
    tail = f;
  }
  Fiber *pop() {
    Fiber *f = head;
    if (f && !(head = f->next))
      tail = nullptr;
    return f;
  }
  void append(FiberList &other) {
    if (other.empty())
      return;
    (tail ? tail->next : head) = other.head;
    tail = other.tail;
    other = {};
  }
};

using FiberBody = void (*)(boost::context::detail::transfer_t);

/// All fibers that exist; they are kept for the next launch.
class FiberPool {
public:
  explicit FiberPool(FiberBody body) : body(body) {}
  /// An idle fiber, ready to be switched to.
  Fiber *take();
  /// Marks locals as unwritten, or takes the marks away.
  static void mark(Fiber *fiber, const char *address, size_t bytes, bool isUnwritten);
  void give(Fiber *fiber) { idle.push(fiber); }
  /// Takes back a fiber whose thread ended in the middle of its stack.
  void retire(Fiber *fiber) {
    arm(fiber);
    give(fiber);
  }
  /// Forgets what busy fibers were doing: their threads end here.
  void discardBusy();
  /// The fiber whose stack, or the guard page below it, holds the address.
  Fiber *ownerOf(const void *address, bool *isGuard) const;

  const std::vector<Fiber *> &fibers() const { return all; }

private:
  void arm(Fiber *fiber);

  FiberBody body;
  FiberList idle;
  std::vector<Fiber *> all;
};

} // namespace gpuad::cpu
