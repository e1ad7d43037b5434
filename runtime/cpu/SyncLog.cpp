/// \file
/// Release and acquire: what fences and atomics order, in a block and across blocks.

#include "SyncLog.h"
#include "Scheduler.h"

#include <algorithm>
#include <utility>

namespace gpuad::cpu {

void SyncLog::add(const Before &before, Segment at) {
  clock = std::max(clock, at);
  std::vector<Entry> &entries = limits[key(before.block, before.who)];
  if (!entries.empty() && entries.back().limit >= before.limit)
    return;
  entries.push_back({length(), before.limit});
  blocks.insert({before.block, length()});
  states.push_back({clock, uint32_t(blocks.size())});
}

bool SyncLog::holds(uint32_t length, uint64_t block, uint32_t who, Segment segment) const {
  auto place = limits.find(key(block, who));
  if (place == limits.end())
    return false;
  const std::vector<Entry> &entries = place->second;
  auto end = std::partition_point(entries.begin(), entries.end(), [&](const Entry &e) { return e.position < length; });
  return end != entries.begin() && segment < std::prev(end)->limit;
}

void addPoints(std::vector<SyncPoint> &to, const std::vector<SyncPoint> &from) {
  for (const SyncPoint &point : from) {
    auto place = std::find_if(to.begin(), to.end(), [&](const SyncPoint &p) { return p.log == point.log; });
    if (place == to.end())
      to.push_back(point);
    else
      place->length = std::max(place->length, point.length);
  }
}

namespace {

/// Visits all that is reachable from points, until the visitor says true.
template <class F> bool anyPoint(const std::vector<SyncPoint> &first, const std::vector<SyncPoint> &second, F visit) {
  std::vector<SyncPoint> stack(first);
  stack.insert(stack.end(), second.begin(), second.end());
  std::unordered_map<const SyncLog *, uint32_t> seen;
  while (!stack.empty()) {
    SyncPoint point = stack.back();
    stack.pop_back();
    uint32_t &length = seen[point.log];
    if (point.length <= length)
      continue;
    length = point.length;
    if (visit(*point.log, point.length))
      return true;
    for (const SyncLog::Include &include : point.log->includes)
      if (include.length <= point.length)
        stack.push_back(include.point);
  }
  return false;
}

const std::vector<SyncPoint> &ownPoints() {
  static const std::vector<SyncPoint> none;
  const BlockOrder &block = scheduler().currentBlock().order;
  uint32_t thread = gpuad_thread.linear;
  return thread < block.threads.size() ? block.threads[thread].points : none;
}

} // namespace

bool Ordering::knows(uint64_t block, uint32_t who, Segment segment) const {
  if (places.empty() && logs.empty())
    return false;
  return anyPoint(ownPoints(), scheduler().currentBlock().order.points, [&](const SyncLog &log, uint32_t length) {
    if (log.holds(length, block, everyThread, segment))
      return true;
    if (who == everyThread)
      return false;
    uint32_t warp = who & warpFlag ? who : warpFlag | who / 32;
    return log.holds(length, block, warp, segment) || (who != warp && log.holds(length, block, who, segment));
  });
}

bool Ordering::knowsAllBlocks() const {
  uint64_t all = scheduler().blocksInGrid(), own = scheduler().currentBlock().number;
  return anyPoint(ownPoints(), scheduler().currentBlock().order.points, [&](const SyncLog &log, uint32_t length) {
    return length && log.states[length - 1].blocks + !log.names(length, own) >= all;
  });
}

SyncLog &Ordering::newLog() {
  logs.push_back(std::make_unique<SyncLog>());
  return *logs.back();
}

/// Release: what came before is made ready for whoever meets the thread at an atomic.
void Ordering::fence() {
  Block &block = scheduler().currentBlock();
  uint32_t thread = gpuad_thread.linear;
  ThreadOrder &own = threadOrder(block, thread);
  const WarpOrder &warp = block.order.warps[thread / 32];
  block.order.fenced = true;
  own.segment = fresh(block.number, std::max(own.clock, block.order.clock));
  own.release = {true, own.segment, {{block.number, everyThread, block.order.segment}}, block.order.points};
  if (warp.segment)
    own.release.before.push_back({block.number, warpFlag | thread / 32, warp.segment});
  for (uint32_t lane = 0; lane < 32 && warp.hasLanes; ++lane)
    if (Segment limit = (*warp.lanes)[thread % 32][lane])
      own.release.before.push_back({block.number, thread / 32 * 32 + lane, limit});
  own.release.before.push_back({block.number, thread, own.segment});
  addPoints(own.release.points, own.points);
  setThread(block.order, thread);
}

bool Ordering::acquire(SyncLog &log, ThreadOrder &thread) {
  const std::vector<SyncPoint> &common = scheduler().currentBlock().order.points;
  for (const auto *points : {&std::as_const(thread.points), &common})
    for (const SyncPoint &point : *points)
      if (point.log == &log && point.length == log.length())
        return false;
  addPoints(thread.points, {{&log, log.length()}});
  thread.clock = std::max(thread.clock, log.clock);
  return true;
}

void Ordering::release(SyncLog &log, const Release &ready) {
  if (!ready.exists)
    return;
  for (const Before &before : ready.before)
    log.add(before, ready.clock);
  for (const SyncPoint &point : ready.points) {
    if (point.log == &log)
      continue;
    bool isKnown = std::any_of(log.includes.begin(), log.includes.end(), [&](const SyncLog::Include &i) {
      return i.point.log == point.log && i.point.length >= point.length;
    });
    if (!isKnown)
      log.includes.push_back({log.length(), point});
  }
}

void Ordering::synchronise(const void *address, bool writes) {
  Block &block = scheduler().currentBlock();
  uint32_t thread = gpuad_thread.linear;
  if (places.empty() && !block.order.isSpecial && !block.order.release.exists)
    return;
  auto place = places.find(address);
  bool learned = false;
  if (place != places.end())
    learned = acquire(*place->second, threadOrder(block, thread));
  bool hands = writes && (block.order.release.exists ||
                          (thread < block.order.threads.size() && block.order.threads[thread].release.exists));
  if (hands) {
    SyncLog &log = place == places.end() ? *(places[address] = &newLog()) : *place->second;
    ThreadOrder &own = threadOrder(block, thread);
    uint32_t before = log.length();
    release(log, block.order.release);
    release(log, own.release);
    bool hadAll = std::any_of(own.points.begin(), own.points.end(),
                              [&](const SyncPoint &p) { return p.log == &log && p.length == before; });
    if (hadAll) // its own words are no news
      addPoints(own.points, {{&log, log.length()}});
  }
  if (learned) {
    ThreadOrder &own = threadOrder(block, thread);
    own.segment = fresh(block.number, std::max(own.clock, block.order.clock));
    setThread(block.order, thread);
  }
}

} // namespace gpuad::cpu
