/// \file
/// Strict mode: the cases of an access that need no thought, which are nearly all.

#pragma once

#include "Order.h"
#include "Shadow.h"

namespace gpuad::cpu {

/// Whether a touch was by the running thread in its present segment, whatever bytes it was.
inline bool isOwn(uint64_t word, uint64_t own) {
  return ((word ^ own) & ~touch::allBytes & ~touch::atomicFlag) == 0;
}

/// Whether a touch needs no thought: it was long ago.
inline bool isOld(uint64_t word, bool blockLocal, const Ordering::Now &now) {
  Segment segment = touch::segment(word);
  return blockLocal ? segment < now.block : segment < now.launch || segment - now.own < now.ownCount;
}

/// The usual access: all four bytes, not atomic, nobody else near.
inline bool quick(RaceCell &cell, bool writes, bool blockLocal, const Ordering::Now &now) {
  uint64_t own = now.word;
  if (!isOld(cell.writer, blockLocal, now) && !isOwn(cell.writer, own))
    return false;
  uint64_t reader = cell.reader;
  if (reader == own && !writes)
    return true;
  if (isOld(reader, blockLocal, now) || isOwn(reader, own)) {
    if (writes)
      cell = {own, 0};
    else
      cell.reader = own;
    return true;
  }
  if (writes || (reader & touch::allBytes) != touch::allBytes)
    return false;
  // A place that many read.
  switch (touch::kind(reader)) {
  case touch::manyBlocks:
    return touch::segment(reader) >= now.clock;
  case touch::oneBlock:
    return touch::segment(reader) == touch::segment(own);
  case touch::oneWarp:
    return touch::segment(reader) == touch::segment(own) && touch::thread(reader) / 32 == touch::thread(own) / 32;
  default:
    return false;
  }
}

} // namespace gpuad::cpu
