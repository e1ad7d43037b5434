/// \file
/// What threads have handed on at one place in memory, in the order in which they did. Whoever reads the place later
/// knows all of it; how much that was is a length.

#pragma once

#include "Order.h"

namespace gpuad::cpu {

struct SyncLog {
  struct State {
    Segment clock;
    uint32_t blocks; ///< how many different ones are named so far
  };
  struct Include {
    uint32_t length; ///< of this log when it was added
    SyncPoint point;
  };
  std::vector<State> states; ///< one an entry
  std::vector<Include> includes;
  Segment clock = 0;

  uint32_t length() const { return uint32_t(states.size()); }
  void add(const Before &before, Segment at);
  bool holds(uint32_t length, uint64_t block, uint32_t who, Segment segment) const;
  bool names(uint32_t length, uint64_t block) const {
    auto place = blocks.find(block);
    return place != blocks.end() && place->second < length;
  }

private:
  struct Entry {
    uint32_t position;
    Segment limit;
  };
  static uint64_t key(uint64_t block, uint32_t who) { return block << 18 | who; }
  std::unordered_map<uint64_t, std::vector<Entry>> limits; ///< by block and who, both numbers growing
  std::unordered_map<uint64_t, uint32_t> blocks;           ///< position where a block is first named
};

/// Adds points that reach further than those that are there.
void addPoints(std::vector<SyncPoint> &to, const std::vector<SyncPoint> &from);

} // namespace gpuad::cpu
