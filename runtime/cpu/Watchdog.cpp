#include "Watchdog.h"
#include "Images.h"
#include "Options.h"
#include "Scheduler.h"
#include "WaitReport.h"

#include <cmath>
#include <csignal>
#include <ucontext.h>
#include <unistd.h>

#include <driver_types.h>

namespace gpuad::cpu {
namespace {

int watchSignal() {
  return SIGRTMAX - 3;
}

[[noreturn]] void endLaunch() {
  scheduler().fail(cudaErrorLaunchTimeout, WaitReport(scheduler()).timeout());
}

/// A thread can be stopped only in device code itself: the runtime or the C library may hold locks. So try again soon.
void handle(int, siginfo_t *, void *context) {
  Scheduler &s = scheduler();
  if (!s.isRunning())
    return;
  s.watchdogExpired();
  auto *machine = static_cast<ucontext_t *>(context);
  if (s.isDeviceThread() && images().isConstantData(reinterpret_cast<void *>(machine->uc_mcontext.gregs[REG_RIP])))
    continueAt(context, &endLaunch);
}

void setTimer(timer_t timer, double seconds) {
  constexpr long retry = 1000000; // nanoseconds
  itimerspec when = {};
  when.it_value.tv_sec = time_t(seconds);
  when.it_value.tv_nsec = long((seconds - std::floor(seconds)) * 1e9);
  when.it_interval.tv_nsec = seconds > 0 ? retry : 0;
  timer_settime(timer, 0, &when, nullptr);
}

} // namespace

void Watchdog::start() {
  expired = false;
  double seconds = options().launchSeconds;
  if (seconds <= 0)
    return;
  static bool isHandled = false;
  if (!isHandled) {
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(watchSignal(), &action, nullptr);
    isHandled = true;
  }
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = watchSignal();
  event._sigev_un._tid = gettid();
  running = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  if (running)
    setTimer(timer, seconds);
}

void Watchdog::stop() {
  if (!running)
    return;
  timer_delete(timer);
  running = false;
}

} // namespace gpuad::cpu
