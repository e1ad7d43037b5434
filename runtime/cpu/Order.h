/// \file
/// Strict mode: what comes before what. The life of a thread is cut into segments, at barriers, at __syncwarp, at
/// fences and where it learns of others by an atomic. Segments are numbered upwards over the whole program, so that
/// "before this barrier" is a comparison of numbers, and one number beside a place in memory tells when it was touched.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace gpuad::cpu {

struct Block;
using Segment = uint32_t;

/// Who touched a place and when: segment (32 bits) | nothing (8) | bytes of the cell (4) | kind (4) | thread (16).
namespace touch {
enum Kind : uint64_t { oneThread, oneWarp, oneBlock, manyBlocks, kindMask = 3, atomic = 4 };
constexpr unsigned kindShift = 16, maskShift = 20;
constexpr uint64_t allBytes = uint64_t(15) << maskShift, atomicFlag = uint64_t(atomic) << kindShift;
/// In place of a segment: the cell's bytes have histories of their own.
constexpr Segment splitMark = ~Segment(0);
inline Segment segment(uint64_t word) {
  return Segment(word >> 32);
}
inline uint64_t bytes(uint64_t word) {
  return word >> maskShift & 15;
}
inline uint64_t kind(uint64_t word) {
  return word >> kindShift & kindMask;
}
inline bool isAtomic(uint64_t word) {
  return word & atomicFlag;
}
inline uint32_t thread(uint64_t word) {
  return word & 0xffff;
}
inline uint64_t make(Segment segment, uint32_t thread, uint64_t kind = oneThread) {
  return uint64_t(segment) << 32 | allBytes | kind << kindShift | thread;
}
} // namespace touch

struct SyncLog;
/// As much of a log as somebody has read.
struct SyncPoint {
  SyncLog *log;
  uint32_t length;
};

/// The accesses of some threads of a block in all segments below a limit.
struct Before {
  uint64_t block;
  uint32_t who; ///< a thread, a warp, or everyThread
  Segment limit;
};
constexpr uint32_t everyThread = 0x20000, warpFlag = 0x10000;

/// What a fence made ready: later atomics of the thread hand it on.
struct Release {
  bool exists = false;
  Segment clock = 0;
  std::vector<Before> before;
  std::vector<SyncPoint> points;
};

struct ThreadOrder {
  Segment segment = 0, clock = 0;
  std::vector<SyncPoint> points; ///< what it learned since the last barrier
  Release release;
};

/// For each lane, up to which segment it knows of each other lane, by a __syncwarp of some lanes.
using LaneLimits = std::array<std::array<Segment, 32>, 32>;

struct WarpOrder {
  Segment segment = 0; ///< begun by the last __syncwarp of all lanes
  bool hasLanes = false;
  std::unique_ptr<LaneLimits> lanes;
};

struct BlockOrder {
  Segment segment = 0;           ///< begun by the last barrier
  Segment clock = 0;             ///< the latest fence that it knows of
  bool fenced = false;           ///< by some thread since that barrier
  bool isSpecial = false;        ///< some thread or warp has a segment of its own
  std::vector<SyncPoint> points; ///< what all threads know
  Release release;
  std::vector<ThreadOrder> threads;
  std::vector<WarpOrder> warps;
};

class Ordering {
public:
  Ordering();
  ~Ordering();
  /// The running thread, as the checks need it at each access.
  struct Now {
    uint64_t word = 0;             ///< its touch
    Segment launch = 1;            ///< below: earlier launches
    Segment own = 0, ownCount = 0; ///< these segments are of earlier barriers of the running block
    Segment block = 0;             ///< begun by the block's last barrier
    Segment clock = 0;
  };
  const Now &now() const { return current; }

  /// False when numbers ran out and all cells must be forgotten.
  bool startLaunch();
  void startBlock(Block &block);
  void resumeBlock(Block &block);
  /// Another thread runs now, or its segment is another one.
  void setThread(const BlockOrder &block, uint32_t thread) {
    Segment segment = block.segment;
    current.clock = block.clock;
    if (block.isSpecial)
      segment = specialSegment(block, thread);
    current.word = touch::make(segment, thread);
  }
  void barrier(Block &block);
  void groupBarrier(Block &block, const std::vector<uint32_t> &threads);
  void warpSync(Block &block, uint32_t warp, uint32_t lanes, bool isWhole);
  void fence();
  /// An atomic or volatile access: learns what others made ready there, and hands on what the thread made ready.
  void synchronise(const void *address, bool writes);

  /// Whether a touch came before all that the running thread does from now on.
  bool isBefore(uint64_t word, bool blockLocal) const;
  /// A touch and the running thread's in one word.
  uint64_t merged(uint64_t word, bool blockLocal) const;
  uint64_t blockOf(Segment segment) const { return segments[segment - current.launch].block; }

private:
  struct Info {
    uint64_t block;
    Segment clock;
  };
  Segment fresh(uint64_t block, Segment clock) {
    segments.push_back({block, clock});
    return next++;
  }
  Segment specialSegment(const BlockOrder &block, uint32_t thread);
  ThreadOrder &threadOrder(Block &block, uint32_t thread);
  void enterBlock(Block &block, Segment from);
  bool isBeforeInBlock(uint64_t word) const;
  bool knows(uint64_t block, uint32_t who, Segment segment) const;
  bool knowsAllBlocks() const;
  bool acquire(SyncLog &log, ThreadOrder &thread);
  void release(SyncLog &log, const Release &ready);
  SyncLog &newLog();

  Now current;
  Segment next = 1;
  std::vector<Info> segments; ///< of this launch
  std::unordered_map<const void *, SyncLog *> places;
  std::vector<std::unique_ptr<SyncLog>> logs;
};

} // namespace gpuad::cpu
