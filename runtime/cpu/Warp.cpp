/// \file
/// Operations of a warp. Lanes meet under their mask; the last to come works out what each of them gets.

#include "Scheduler.h"
#include "Strict.h"

#include <algorithm>

namespace gpuad::cpu {
namespace {

/// Where a shuffle reads from, as the PTX manual defines it: c holds the segment mask and the clamp value.
uint32_t sourceLane(uint32_t kind, uint32_t lane, uint32_t b, uint32_t c, uint32_t *inRange) {
  int segment = int(c >> 8 & 31), clamp = int(c & 31), own = int(lane), step = int(b & 31);
  int last = (own & segment) | (clamp & ~segment), first = own & segment;
  int from = own;
  bool good = false;
  switch (kind) {
  case gpuadShuffleUp:
    from = own - step;
    good = from >= last;
    break;
  case gpuadShuffleDown:
    from = own + step;
    good = from <= last;
    break;
  case gpuadShuffleXor:
    from = own ^ step;
    good = from <= last;
    break;
  default:
    from = first | (step & ~segment);
    good = from <= last;
    break;
  }
  *inRange = good;
  return uint32_t(good ? from : own);
}

template <class Operation> uint64_t reduce(const WarpMeeting &meeting, Operation operation) {
  uint64_t sum = 0;
  bool first = true;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (!(meeting.arrived >> lane & 1))
      continue;
    sum = first ? meeting.value[lane] : operation(uint32_t(sum), uint32_t(meeting.value[lane]));
    first = false;
  }
  return uint32_t(sum);
}

uint64_t reduction(const WarpMeeting &meeting) {
  switch (meeting.kind) {
  case gpuadReduceAdd:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return a + b; });
  case gpuadReduceMin:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return uint32_t(std::min(int32_t(a), int32_t(b))); });
  case gpuadReduceMax:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return uint32_t(std::max(int32_t(a), int32_t(b))); });
  case gpuadReduceUnsignedMin:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return std::min(a, b); });
  case gpuadReduceUnsignedMax:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return std::max(a, b); });
  case gpuadReduceAnd:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return a & b; });
  case gpuadReduceOr:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return a | b; });
  default:
    return reduce(meeting, [](uint32_t a, uint32_t b) { return a ^ b; });
  }
}

/// Lanes that arrived with the value of this lane.
uint32_t sameValue(const WarpMeeting &meeting, uint32_t lane) {
  uint32_t mask = 0;
  for (uint32_t other = 0; other < 32; ++other)
    if ((meeting.arrived >> other & 1) && meeting.value[other] == meeting.value[lane])
      mask |= 1u << other;
  return mask;
}

/// Lanes that arrived with a true predicate.
uint32_t ballot(const WarpMeeting &meeting) {
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if ((meeting.arrived >> lane & 1) && meeting.value[lane])
      mask |= 1u << lane;
  return mask;
}

GpuadWarpResult shuffled(const WarpMeeting &meeting, uint32_t lane) {
  uint32_t inRange = 0;
  uint32_t from = sourceLane(meeting.kind, lane, meeting.b[lane], meeting.c[lane], &inRange);
  // The value of a lane that takes no part is undefined on a GPU: a NaN shows where it is used.
  uint64_t value = meeting.arrived >> from & 1 ? meeting.value[from] : ~uint64_t(0);
  return {value, inRange};
}

/// What a lane gets from an operation that gives all lanes the same.
GpuadWarpResult common(const WarpMeeting &meeting) {
  uint32_t yes = meeting.kind <= gpuadVoteBallot ? ballot(meeting) : 0;
  switch (meeting.kind) {
  case gpuadVoteAll:
    return {yes == meeting.arrived, 0};
  case gpuadVoteAny:
    return {yes != 0, 0};
  case gpuadVoteUniform:
    return {yes == meeting.arrived || yes == 0, 0};
  case gpuadVoteBallot:
    return {yes, 0};
  case gpuadMatchAll: {
    bool all = sameValue(meeting, uint32_t(__builtin_ctz(meeting.arrived))) == meeting.arrived;
    return {all ? meeting.arrived : 0, all};
  }
  case gpuadWarpSync:
    return {};
  default:
    return {reduction(meeting), 0};
  }
}

} // namespace

WarpMeeting *Scheduler::meetingFor(Warp &warp, uint32_t kind, uint32_t mask) {
  for (WarpMeeting *meeting : warp.meetings)
    if (meeting->mask == mask && meeting->kind == kind)
      return meeting;
  if (spareMeetings.empty()) {
    meetingStore.push_back(std::make_unique<WarpMeeting>());
    spareMeetings.push_back(meetingStore.back().get());
  }
  WarpMeeting *meeting = spareMeetings.back();
  spareMeetings.pop_back();
  meeting->kind = kind;
  meeting->mask = mask;
  meeting->arrived = 0;
  warp.meetings.push_back(meeting);
  return meeting;
}

void Scheduler::completeMeeting(Warp &warp, WarpMeeting *meeting, uint32_t skipLane) {
  active->pollRounds = 0;
  if (isStrict && meeting->kind == gpuadWarpSync) {
    // Lanes that have ended count as arrived, if the mask names them.
    strict().order.warpSync(*active, uint32_t(&warp - active->warps.data()), meeting->mask,
                            (warp.existing & ~meeting->mask) == 0);
  }
  bool isShuffle = meeting->kind <= gpuadShuffleXor;
  GpuadWarpResult all = isShuffle || meeting->kind == gpuadMatchAny ? GpuadWarpResult() : common(*meeting);
  for (uint32_t rest = meeting->arrived; rest; rest &= rest - 1) {
    auto lane = uint32_t(__builtin_ctz(rest));
    Fiber *fiber = meeting->fiber[lane];
    if (isShuffle)
      fiber->result = shuffled(*meeting, lane);
    else
      fiber->result = meeting->kind == gpuadMatchAny ? GpuadWarpResult{sameValue(*meeting, lane), 0} : all;
    if (lane != skipLane)
      ready(fiber);
  }
  warp.meetings.erase(std::find(warp.meetings.begin(), warp.meetings.end(), meeting));
  spareMeetings.push_back(meeting);
}

GpuadWarpResult Scheduler::warp(const GpuadSite *site, uint32_t kind, uint32_t mask, uint64_t value, uint32_t b,
                                uint32_t c) {
  Fiber *self = current;
  Warp &warp = active->warps[self->thread / 32];
  uint32_t own = 1u << self->lane;
  if (!(mask & own))
    strict().notInMask(site, mask);
  mask = (mask & warp.existing) | own;
  WarpMeeting *meeting = meetingFor(warp, kind, mask);
  meeting->arrived |= own;
  meeting->value[self->lane] = value;
  meeting->b[self->lane] = b;
  meeting->c[self->lane] = c;
  meeting->fiber[self->lane] = self;
  if ((mask & ~(meeting->arrived | warp.gone)) == 0)
    completeMeeting(warp, meeting, self->lane);
  else
    wait(Waiting::warp, site, mask);
  return self->result;
}

uint32_t Scheduler::activeMask(const GpuadSite *site) {
  // Which lanes run together is the hardware's choice. The usual expectation is all that come this way, so wait until
  // no lane of the block can do anything else.
  Warp &warp = active->warps[current->thread / 32];
  Fiber *self = current;
  warp.activeMask.push(self);
  wait(Waiting::activeMask, site, 0);
  return uint32_t(self->result.value);
}

bool Scheduler::releaseActiveMasks(Block &block) {
  bool any = false;
  for (Warp &warp : block.warps) {
    uint32_t mask = 0;
    FiberList rest, chosen;
    const GpuadSite *site = warp.activeMask.head ? warp.activeMask.head->site : nullptr;
    while (Fiber *fiber = warp.activeMask.pop()) {
      if (fiber->site == site)
        mask |= 1u << fiber->lane;
      (fiber->site == site ? chosen : rest).push(fiber);
    }
    while (Fiber *fiber = chosen.pop()) {
      fiber->result = {mask, 0};
      ready(fiber);
      any = true;
    }
    warp.activeMask = rest;
  }
  return any;
}

} // namespace gpuad::cpu
