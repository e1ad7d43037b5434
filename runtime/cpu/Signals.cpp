/// \file
/// Faults of device code: a signal raised on the stack of a GPU thread ends the launch with the error that a GPU gives.
/// Signals of host code go where they would have gone.

#include "Memory.h"
#include "Report.h"
#include "Scheduler.h"
#include "Strict.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>

#include <driver_types.h>

namespace gpuad::cpu {
namespace {

struct sigaction previous[64];

/// What the handler found, told after it was left.
struct Fault {
  int error = 0;
  char text[160] = "";
} fault;

[[noreturn]] void leaveHandler() {
  scheduler().fail(fault.error, scheduler().whereAmI() + ": " + fault.text);
}

void describe(int signal, const siginfo_t *info) {
  bool isGuard = false;
  Fiber *owner = scheduler().fibers().ownerOf(info->si_addr, &isGuard);
  if (signal == SIGSEGV && owner && isGuard) {
    fault.error = cudaErrorLaunchFailure;
    std::snprintf(fault.text, sizeof fault.text, "stack overflow (GPUAD_CPU_STACK makes the stacks of threads larger)");
  } else if (signal == SIGSEGV || signal == SIGBUS) {
    fault.error = cudaErrorIllegalAddress;
    std::snprintf(fault.text, sizeof fault.text, "invalid address %p", info->si_addr);
  } else if (signal == SIGILL) {
    fault.error = cudaErrorLaunchFailure;
    std::snprintf(fault.text, sizeof fault.text, "trap");
  } else {
    fault.error = cudaErrorLaunchFailure;
    std::snprintf(fault.text, sizeof fault.text, "integer division by zero");
  }
}

void handle(int signal, siginfo_t *info, void *context) {
  if (!scheduler().isDeviceThread()) {
    if (strict().isOn() && memory().contains(info->si_addr))
      report(Check::devicePointer, "host code follows a pointer to device memory", info->si_addr, 0, nullptr);
    sigaction(signal, &previous[signal], nullptr); // the instruction runs again and faults for the old handler
    return;
  }
  describe(signal, info);
  continueAt(context, &leaveHandler);
}

/// A stack for handlers, since a fault may be that the stack is full. Each thread needs its own.
void giveHandlersStack() {
  static thread_local bool done = false;
  if (done)
    return;
  done = true;
  stack_t stack = {}, old = {};
  sigaltstack(nullptr, &old);
  if (!(old.ss_flags & SS_DISABLE))
    return;
  stack.ss_size = 64 << 10;
  stack.ss_sp = mmap(nullptr, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sigaltstack(&stack, nullptr);
}

} // namespace

void continueAt(void *context, void (*where)()) {
  // High on the stack of the thread: what is there is not needed any more.
  auto *machine = static_cast<ucontext_t *>(context);
  const Fiber *fiber = scheduler().currentFiber();
  auto top = reinterpret_cast<uintptr_t>(fiber->stack + fiber->stackBytes - 4096) & ~uintptr_t(15);
  machine->uc_mcontext.gregs[REG_RSP] = greg_t(top - 8);
  machine->uc_mcontext.gregs[REG_RIP] = greg_t(reinterpret_cast<uintptr_t>(where));
}

/// Called before each launch.
void catchDeviceFaults() {
  giveHandlersStack();
  static bool done = false;
  if (done)
    return;
  done = true;
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    sigaction(signal, &action, &previous[signal]);
}

} // namespace gpuad::cpu
