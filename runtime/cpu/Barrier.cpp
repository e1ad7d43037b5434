/// \file
/// Barriers of a block: all live threads, or a number of them, with or without a reduction.

#include "Scheduler.h"
#include "Strict.h"

namespace gpuad::cpu {

bool Scheduler::releaseIfComplete(Barrier &barrier) {
  uint32_t expected = barrier.expected ? barrier.expected : active->live;
  if (!barrier.arrived || barrier.arrived < expected)
    return false;
  active->pollRounds = 0;
  if (isStrict)
    noteOrder(barrier);
  while (Fiber *fiber = barrier.waiters.pop()) {
    --active->waitingAtBarriers;
    fiber->result = {barrier.counted, uint32_t(barrier.allTrue | barrier.anyTrue << 1)};
    ready(fiber);
  }
  barrier.arrived = 0;
  barrier.expected = 0;
  barrier.counted = 0;
  barrier.allTrue = 1;
  barrier.anyTrue = 0;
  return true;
}

/// Strict: who meets whom.
void Scheduler::noteOrder(Barrier &barrier) {
  if (barrier.expected && barrier.members.size() < active->live)
    strict().order.groupBarrier(*active, barrier.members);
  else
    strict().order.barrier(*active);
  barrier.members.clear();
}

uint32_t Scheduler::barrier(const GpuadSite *site, uint32_t id, uint32_t count, uint32_t kind, uint32_t value) {
  Barrier &barrier = active->barriers[id % barrierCount];
  Fiber *self = current;
  if (barrier.waiters.head && barrier.waiters.head->site != site)
    strict().divergentBarrier(site, barrier.waiters.head->site);
  barrier.expected = count;
  ++barrier.arrived;
  if (isStrict && count)
    barrier.members.push_back(current->thread);
  bool truth = value != 0;
  barrier.counted += truth;
  barrier.allTrue &= truth;
  barrier.anyTrue |= truth;
  GpuadWarpResult mine = {barrier.counted, uint32_t(barrier.allTrue | barrier.anyTrue << 1)};
  if (!releaseIfComplete(barrier)) {
    ++active->waitingAtBarriers;
    barrier.waiters.push(self);
    wait(Waiting::barrier, site, id);
    mine = self->result;
  }
  switch (kind) {
  case gpuadBarrierCount:
    return uint32_t(mine.value);
  case gpuadBarrierAnd:
    return mine.predicate & 1;
  case gpuadBarrierOr:
    return mine.predicate >> 1;
  default:
    return 0;
  }
}

void Scheduler::barrierArrive(uint32_t id, uint32_t count) {
  Barrier &barrier = active->barriers[id % barrierCount];
  barrier.expected = count;
  ++barrier.arrived;
  if (isStrict && count)
    barrier.members.push_back(current->thread);
  releaseIfComplete(barrier);
}

} // namespace gpuad::cpu
