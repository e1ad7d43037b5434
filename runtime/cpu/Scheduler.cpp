/// \file
/// Threads: starting, waiting, ending, and the switch from one to the next.

#include "Scheduler.h"
#include "Options.h"
#include "Strict.h"

#include <cstring>

namespace gpuad::cpu {

using boost::context::detail::jump_fcontext;
using boost::context::detail::transfer_t;

namespace {
/// Polls before a thread gives way: many at first, since most volatile loads are no polling.
constexpr int32_t firstPolls = 64, laterPolls = 8;
/// Takes the context of a fiber that will not be resumed.
Fiber nobody;
} // namespace

Scheduler::Scheduler() : pool(&Scheduler::fiberMain) {}

Scheduler *const theScheduler = new Scheduler;

void Scheduler::fiberMain(transfer_t transfer) {
  static_cast<Fiber *>(transfer.data)->context = transfer.fctx;
  scheduler().threads();
}

void Scheduler::threads() {
  for (;;) {
    Fiber *self = current;
    while (active->next < threadCount) {
      uint32_t position = active->next++;
      startThread(self, order.empty() ? position : order[position]);
      launch->kernel->entry(launch->arguments);
      endThread();
    }
    self->busy = false;
    pool.give(self);
    switchTo(pick());
  }
}

void Scheduler::startThread(Fiber *fiber, uint32_t thread) {
  fiber->thread = thread;
  fiber->lane = thread % 32;
  fiber->busy = true;
  std::memcpy(gpuad_thread.threadIdx, &ids[thread], sizeof(ThreadId));
  gpuad_thread.pollBudget = firstPolls;
  if (isStrict)
    strict().order.setThread(active->order, thread);
}

void Scheduler::restoreIds() {
  std::memcpy(gpuad_thread.threadIdx, &ids[current->thread], sizeof(ThreadId));
  if (isStrict)
    strict().order.setThread(active->order, current->thread);
}

void Scheduler::endThread() {
  if (isStrict)
    strict().settle();
  Warp &warp = active->warps[current->thread / 32];
  warp.gone |= 1u << current->lane;
  --active->live;
  active->pollRounds = 0;
  if (active->waitingAtBarriers || !warp.meetings.empty())
    releaseWaiters(warp);
}

/// Those who waited for the thread that ends need not any more.
void Scheduler::releaseWaiters(Warp &warp) {
  for (Barrier &barrier : active->barriers)
    releaseIfComplete(barrier);
  for (size_t i = 0; i < warp.meetings.size();) {
    WarpMeeting *meeting = warp.meetings[i];
    if ((meeting->mask & ~(meeting->arrived | warp.gone)) == 0)
      completeMeeting(warp, meeting, 32);
    else
      ++i;
  }
}

Fiber *Scheduler::pick() {
  if (Fiber *fiber = active->ready.pop())
    return fiber;
  if (active->next < threadCount)
    return pool.take();
  return &main;
}

void Scheduler::switchTo(Fiber *fiber) {
  Fiber *from = current;
  if (fiber == from)
    return;
  if (isStrict)
    strict().settle();
  current = fiber;
  transfer_t transfer = jump_fcontext(fiber->context, from);
  static_cast<Fiber *>(transfer.data)->context = transfer.fctx;
}

void Scheduler::wait(Waiting why, const GpuadSite *site, uint32_t id) {
  Fiber *self = current;
  self->waiting = why;
  self->site = site;
  self->id = id;
  switchTo(pick());
  restoreIds();
  gpuad_thread.pollBudget = why == Waiting::poll ? laterPolls : firstPolls;
}

void Scheduler::giveWay(const GpuadSite *site) {
  active->polling.push(current);
  wait(Waiting::poll, site, 0);
}

void Scheduler::exitThread() {
  endThread();
  Fiber *self = current;
  pool.retire(self);
  current = pick();
  jump_fcontext(current->context, &nobody);
  __builtin_unreachable();
}

void Scheduler::fail(int error, std::string message) {
  if (!result.error)
    result = {error, std::move(message)};
  current = &main;
  jump_fcontext(main.context, &nobody);
  __builtin_unreachable();
}

bool Scheduler::isShared(const void *address) const {
  auto *byte = static_cast<const char *>(address);
  return (byte >= launch->image->shared && byte < launch->image->sharedEnd) ||
         (byte >= gpuad_dynamic_shared && byte < gpuad_dynamic_shared + launch->dynamicShared);
}

bool Scheduler::isLocal(const void *address) const {
  return current->owns(address);
}

} // namespace gpuad::cpu
