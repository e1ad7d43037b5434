/// \file
/// Ends launches that take longer than GPUAD_CPU_TIMEOUT says.

#pragma once

#include <ctime>

namespace gpuad::cpu {

class Watchdog {
public:
  /// Begins to watch the launch that the calling thread makes, if the environment asks for it.
  void start();
  void stop();
  /// The time is over, and the running thread could not be stopped where it was.
  bool isExpired() const { return expired; }
  void expire() { expired = true; }

private:
  timer_t timer = {};
  bool running = false;
  volatile bool expired = false;
};

} // namespace gpuad::cpu
