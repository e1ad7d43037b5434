#include "WaitReport.h"
#include "Options.h"
#include "Report.h"

#include <cstdio>
#include <map>

namespace gpuad::cpu {

std::string siteName(const GpuadSite *site) {
  if (!site)
    return "an unknown place";
  std::string name = site->what;
  if (site->line)
    return name + " at " + site->file + ":" + std::to_string(site->line);
  return name + " in " + site->function;
}

std::string WaitReport::threadName(uint32_t thread) const {
  const ThreadId &id = scheduler.ids[thread];
  char text[64];
  std::snprintf(text, sizeof text, "(%u,%u,%u)", id.x, id.y, id.z);
  return text;
}

std::string WaitReport::blockName(const Block &block) const {
  char text[96];
  std::snprintf(text, sizeof text, "block (%u,%u,%u)", block.index[0], block.index[1], block.index[2]);
  return text;
}

/// Waiters of the barriers, grouped by the place where they wait.
void WaitReport::barriers(const Block &block, std::string &text) const {
  for (uint32_t id = 0; id < barrierCount; ++id) {
    const Barrier &barrier = block.barriers[id];
    if (!barrier.arrived)
      continue;
    std::map<const GpuadSite *, std::pair<uint32_t, uint32_t>> places;
    for (Fiber *f = barrier.waiters.head; f; f = f->next) {
      auto [place, isNew] = places.insert({f->site, {0, f->thread}});
      ++place->second.first;
    }
    uint32_t expected = barrier.expected ? barrier.expected : block.live;
    for (auto &[site, count] : places)
      text += "  " + std::to_string(count.first) + " of " + std::to_string(expected) + " threads wait in " +
              siteName(site) + ", first thread " + threadName(count.second) + "\n";
  }
}

/// What keeps a thread that others wait for.
void WaitReport::laneState(const Block &block, uint32_t thread, std::string &text) const {
  for (Fiber *f : scheduler.pool.fibers()) {
    if (!f->busy || f->thread != thread || f->waiting == Waiting::no)
      continue;
    text += "    thread " + threadName(thread) + " waits in " + siteName(f->site) + "\n";
    return;
  }
  (void)block;
}

void WaitReport::meetings(const Block &block, std::string &text) const {
  for (size_t w = 0; w < block.warps.size(); ++w)
    for (const WarpMeeting *meeting : block.warps[w].meetings) {
      uint32_t missing = meeting->mask & ~meeting->arrived & ~block.warps[w].gone;
      uint32_t first = uint32_t(__builtin_ctz(meeting->arrived));
      char lanes[64];
      std::snprintf(lanes, sizeof lanes, "lanes 0x%08x for lanes 0x%08x", meeting->arrived, missing);
      text += "  warp " + std::to_string(w) + ": " + lanes + " in " + siteName(meeting->fiber[first]->site) + "\n";
      uint32_t shown = 0;
      for (uint32_t lane = 0; lane < 32 && shown < 4; ++lane)
        if (missing >> lane & 1) {
          laneState(block, uint32_t(32 * w + lane), text);
          ++shown;
        }
    }
}

void WaitReport::pollers(const Block &block, std::string &text) const {
  std::map<const GpuadSite *, std::pair<uint32_t, uint32_t>> places;
  for (const FiberList *list : {&block.ready, &block.polling})
    for (Fiber *f = list->head; f; f = f->next)
      if (f->waiting == Waiting::poll)
        ++places.insert({f->site, {0, f->thread}}).first->second.first;
  for (auto &[site, count] : places)
    text += "  " + std::to_string(count.first) + " threads poll memory by " + siteName(site) + ", first thread " +
            threadName(count.second) + "\n";
}

std::string WaitReport::deadlock() const {
  const Block &block = *scheduler.active;
  std::string text = "kernel " + std::string(scheduler.launch->kernel->name) + ", " + blockName(block) +
                     ": its threads wait for one another\n";
  barriers(block, text);
  meetings(block, text);
  return text;
}

void WaitReport::blocks(std::string &text) const {
  size_t shown = 0;
  for (auto &block : scheduler.live) {
    if (++shown > 4) {
      text += " and " + std::to_string(scheduler.live.size() - 4) + " more blocks\n";
      break;
    }
    text += " " + blockName(*block) + ":\n";
    pollers(*block, text);
    barriers(*block, text);
    meetings(*block, text);
  }
  uint64_t waiting = scheduler.blockCount - scheduler.nextBlock;
  if (waiting)
    text += " " + std::to_string(waiting) + " blocks have not started\n";
}

std::string WaitReport::polling() const {
  std::string text = "kernel " + std::string(scheduler.launch->kernel->name) +
                     ": all that can run wait for memory that nobody changes\n";
  blocks(text);
  return text;
}

std::string WaitReport::timeout() const {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", options().launchSeconds);
  std::string text = "kernel " + std::string(scheduler.launch->kernel->name) + ": has not ended after " + seconds +
                     " seconds (GPUAD_CPU_TIMEOUT)\n";
  if (scheduler.isDeviceThread())
    text += " " + blockName(*scheduler.active) + ": thread " + threadName(scheduler.current->thread) + " runs\n";
  blocks(text);
  return text;
}

} // namespace gpuad::cpu
