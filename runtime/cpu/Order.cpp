/// \file
/// Segments of threads: where they begin, and which of them come before the running thread.

#include "Order.h"
#include "Scheduler.h"
#include "SyncLog.h"

#include <algorithm>

namespace gpuad::cpu {

/// Segments that may be used before everything has to be forgotten.
constexpr Segment lastSegment = 0xf0000000;

Ordering::Ordering() = default;
Ordering::~Ordering() = default;

bool Ordering::startLaunch() {
  bool wraps = next > lastSegment;
  if (wraps)
    next = 1;
  segments.clear();
  places.clear();
  logs.clear();
  current = {};
  current.launch = next;
  return !wraps;
}

void Ordering::startBlock(Block &block) {
  BlockOrder &order = block.order;
  order.points.clear();
  order.threads.clear();
  order.release = {};
  order.fenced = order.isSpecial = false;
  order.warps.resize(block.warps.size());
  for (WarpOrder &warp : order.warps)
    warp.segment = 0, warp.hasLanes = false;
  order.clock = current.launch;
  order.segment = fresh(block.number, order.clock);
  enterBlock(block, order.segment);
}

/// Others ran in between: only numbers from now on are known to be the block's own.
void Ordering::resumeBlock(Block &block) {
  enterBlock(block, next);
}

void Ordering::enterBlock(Block &block, Segment from) {
  current.own = from;
  current.block = block.order.segment;
  current.ownCount = current.block > from ? current.block - from : 0;
}

ThreadOrder &Ordering::threadOrder(Block &block, uint32_t thread) {
  BlockOrder &order = block.order;
  order.isSpecial = true;
  if (order.threads.size() <= thread)
    order.threads.resize(block.warps.size() * 32);
  return order.threads[thread];
}

Segment Ordering::specialSegment(const BlockOrder &block, uint32_t thread) {
  Segment segment = std::max(block.segment, block.warps[thread / 32].segment);
  if (thread >= block.threads.size())
    return segment;
  const ThreadOrder &own = block.threads[thread];
  current.clock = std::max(block.clock, own.clock);
  return std::max(segment, own.segment);
}

/// All threads of the block meet: what one of them knows, all know.
void Ordering::barrier(Block &block) {
  BlockOrder &order = block.order;
  for (ThreadOrder &thread : order.threads) {
    addPoints(order.points, thread.points);
    order.clock = std::max(order.clock, thread.clock);
    if (!thread.points.empty() || thread.segment)
      thread = {};
  }
  if (order.isSpecial)
    for (WarpOrder &warp : order.warps)
      warp.segment = 0, warp.hasLanes = false;
  order.isSpecial = false;
  order.segment = fresh(block.number, order.clock);
  if (order.fenced)
    order.release = {true, order.segment, {{block.number, everyThread, order.segment}}, order.points};
  order.fenced = false;
  current.block = order.segment;
  current.ownCount = current.block > current.own ? current.block - current.own : 0;
  setThread(order, gpuad_thread.linear);
}

/// Some threads of the block meet, by a barrier with a count.
void Ordering::groupBarrier(Block &block, const std::vector<uint32_t> &threads) {
  SyncLog &log = newLog();
  Segment begun = fresh(block.number, block.order.clock);
  for (uint32_t thread : threads) {
    ThreadOrder &order = threadOrder(block, thread);
    log.clock = std::max({log.clock, order.clock, block.order.clock});
    log.add({block.number, thread, begun}, log.clock);
    for (const SyncPoint &point : order.points)
      log.includes.push_back({log.length(), point});
    if (Segment warp = block.order.warps[thread / 32].segment)
      log.add({block.number, warpFlag | thread / 32, warp}, log.clock);
  }
  for (uint32_t thread : threads) {
    ThreadOrder &order = threadOrder(block, thread);
    order.segment = begun;
    order.clock = log.clock;
    addPoints(order.points, {{&log, log.length()}});
  }
  setThread(block.order, gpuad_thread.linear);
}

/// Lanes of a warp meet.
void Ordering::warpSync(Block &block, uint32_t warp, uint32_t lanes, bool isWhole) {
  BlockOrder &order = block.order;
  WarpOrder &own = order.warps[warp];
  order.isSpecial = true;
  Segment begun = fresh(block.number, order.clock);
  if (!order.threads.empty()) { // what one lane learned, all know
    std::vector<SyncPoint> points;
    Segment clock = 0;
    for (uint32_t lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        addPoints(points, order.threads[32 * warp + lane].points);
        clock = std::max(clock, order.threads[32 * warp + lane].clock);
      }
    for (uint32_t lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        order.threads[32 * warp + lane].points = points;
        order.threads[32 * warp + lane].clock = clock;
      }
  }
  if (isWhole) {
    own.segment = begun;
    own.hasLanes = false;
  } else {
    if (!own.lanes)
      own.lanes = std::make_unique<LaneLimits>();
    if (!own.hasLanes)
      *own.lanes = {};
    own.hasLanes = true;
    std::array<Segment, 32> known = {};
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t other = 0; other < 32 && (lanes >> lane & 1); ++other)
        known[other] = std::max(known[other], lanes >> other & 1 ? begun : (*own.lanes)[lane][other]);
    for (uint32_t lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        (*own.lanes)[lane] = known;
        threadOrder(block, 32 * warp + lane).segment = begun;
      }
  }
  setThread(order, gpuad_thread.linear);
}

bool Ordering::isBeforeInBlock(uint64_t word) const {
  const BlockOrder &block = scheduler().currentBlock().order;
  Segment segment = touch::segment(word);
  uint32_t thread = touch::thread(word), self = touch::thread(current.word);
  uint64_t kind = touch::kind(word);
  if ((kind == touch::oneThread && thread == self) || segment < block.segment)
    return true;
  if (!block.isSpecial)
    return false;
  const WarpOrder &warp = block.warps[self / 32];
  if (kind != touch::oneBlock && thread / 32 == self / 32) {
    if (segment < warp.segment)
      return true;
    if (kind == touch::oneThread && warp.hasLanes && segment < (*warp.lanes)[self % 32][thread % 32])
      return true;
  }
  uint64_t number = scheduler().currentBlock().number;
  if (kind == touch::oneThread)
    return knows(number, thread, segment);
  // Of several threads only the last is known; then the fences that they knew of must be older than ours.
  return self < block.threads.size() && !block.threads[self].points.empty() &&
         segments[segment - current.launch].clock < current.clock;
}

bool Ordering::isBefore(uint64_t word, bool blockLocal) const {
  Segment segment = touch::segment(word);
  if (segment < current.launch)
    return true;
  if (touch::kind(word) == touch::manyBlocks)
    return segment < current.clock && knowsAllBlocks();
  uint64_t block = segments[segment - current.launch].block;
  if (block == scheduler().currentBlock().number)
    return isBeforeInBlock(word);
  uint64_t kind = touch::kind(word);
  uint32_t thread = touch::thread(word);
  return blockLocal || knows(block,
                             kind == touch::oneThread ? thread
                             : kind == touch::oneWarp ? warpFlag | thread / 32
                                                      : everyThread,
                             segment);
}

uint64_t Ordering::merged(uint64_t word, bool blockLocal) const {
  if (isBefore(word, blockLocal))
    return current.word;
  Segment segment = touch::segment(word), own = touch::segment(current.word);
  uint32_t thread = touch::thread(word), self = touch::thread(current.word);
  if (touch::kind(word) == touch::manyBlocks)
    return touch::make(std::max(segment, current.clock), 0, touch::manyBlocks);
  const Info &info = segments[segment - current.launch];
  if (info.block != scheduler().currentBlock().number)
    return touch::make(std::max(info.clock, current.clock), 0, touch::manyBlocks);
  uint64_t kind = std::max(touch::kind(word), uint64_t(thread / 32 == self / 32 ? touch::oneWarp : touch::oneBlock));
  return touch::make(std::max(segment, own), self, kind);
}

} // namespace gpuad::cpu
