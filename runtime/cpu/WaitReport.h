/// \file
/// Says who waits for whom when a launch cannot go on.

#pragma once

#include "Scheduler.h"

#include <string>

namespace gpuad::cpu {

class WaitReport {
public:
  explicit WaitReport(const Scheduler &scheduler) : scheduler(scheduler) {}
  /// All threads of the running block wait for one another.
  std::string deadlock() const;
  /// All that can run poll memory which nobody changes.
  std::string polling() const;
  /// The launch takes too long: what all its threads do.
  std::string timeout() const;

private:
  void blocks(std::string &text) const;
  std::string threadName(uint32_t thread) const;
  std::string blockName(const Block &block) const;
  void barriers(const Block &block, std::string &text) const;
  void meetings(const Block &block, std::string &text) const;
  void pollers(const Block &block, std::string &text) const;
  void laneState(const Block &block, uint32_t thread, std::string &text) const;

  const Scheduler &scheduler;
};

} // namespace gpuad::cpu
