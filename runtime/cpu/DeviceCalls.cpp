/// \file
/// The entry points of device code into the runtime: waiting, ending, memory, assertions.

#include "Images.h"
#include "Memory.h"
#include "Scheduler.h"

#include <cstdio>
#include <cstring>
#include <ctime>

#include <driver_types.h>

using namespace gpuad::cpu;

extern "C" {

uint32_t gpuad_barrier(const GpuadSite *site, uint32_t id, uint32_t count, uint32_t kind, uint32_t value) {
  return scheduler().barrier(site, id, count, kind, value);
}
void gpuad_barrier_arrive(const GpuadSite *, uint32_t id, uint32_t count) {
  scheduler().barrierArrive(id, count);
}

GpuadWarpResult gpuad_warp(const GpuadSite *site, uint32_t kind, uint32_t mask, uint64_t value, uint32_t b,
                           uint32_t c) {
  return scheduler().warp(site, kind, mask, value, b, c);
}
uint32_t gpuad_active_mask(const GpuadSite *site) {
  return scheduler().activeMask(site);
}
void gpuad_give_way(const GpuadSite *site) {
  scheduler().giveWay(site);
}
void gpuad_exit_thread() {
  scheduler().exitThread();
}

void gpuad_trap(const char *why) {
  scheduler().fail(cudaErrorLaunchFailure, scheduler().whereAmI() + ": " + why);
}

uint32_t gpuad_is_space(const void *address, uint32_t space) {
  Scheduler &s = scheduler();
  bool isShared = s.isShared(address), isLocal = s.isLocal(address);
  switch (space) {
  case gpuadShared:
    return isShared;
  case gpuadConstant: {
    const GpuadVariable *variable = images().variableAt(address);
    return variable && variable->space == gpuadConstant;
  }
  case gpuadGlobal:
    return !isShared && !isLocal;
  default:
    return isLocal;
  }
}

uint64_t gpuad_nanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return uint64_t(t.tv_sec) * 1000000000u + uint64_t(t.tv_nsec);
}

void *gpuad_malloc(size_t bytes) {
  return bytes ? memory().allocate(bytes, MemoryKind::deviceHeap) : nullptr;
}

void gpuad_free(void *pointer) {
  if (pointer && !memory().release(pointer))
    scheduler().fail(cudaErrorIllegalAddress, scheduler().whereAmI() + ": free of what is not allocated");
}

void gpuad_assert_failed(const char *message, const char *file, uint32_t line, const char *function, size_t) {
  std::fflush(stdout);
  const GpuadThread &t = gpuad_thread;
  char where[128];
  std::snprintf(where, sizeof where, "block: [%u,%u,%u], thread: [%u,%u,%u]", t.blockIdx[0], t.blockIdx[1],
                t.blockIdx[2], t.threadIdx[0], t.threadIdx[1], t.threadIdx[2]);
  scheduler().fail(cudaErrorAssert, std::string(file) + ":" + std::to_string(line) + ": " + function + ": " + where +
                                        " Assertion `" + message + "` failed.");
}

} // extern "C"

std::string Scheduler::whereAmI() const {
  if (!isDeviceThread())
    return "outside of a kernel";
  const GpuadThread &t = gpuad_thread;
  char text[160];
  std::snprintf(text, sizeof text, ", block (%u,%u,%u), thread (%u,%u,%u)", t.blockIdx[0], t.blockIdx[1], t.blockIdx[2],
                t.threadIdx[0], t.threadIdx[1], t.threadIdx[2]);
  return "kernel " + std::string(launch->kernel->name) + text;
}
