/// \file
/// Strict mode: where an access goes, and whether what lies there may be touched.

#include "Strict.h"
#include "Images.h"
#include "Memory.h"
#include "Options.h"
#include "Report.h"
#include "Scheduler.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <driver_types.h>

namespace gpuad::cpu {

Strict *const theStrict = new Strict;

void Strict::enable() {
  on = options().strict;
}

void Strict::addImage(const GpuadImage &image) {
  auto shadow = std::make_unique<ImageShadow>();
  shadow->image = &image;
  shadow->shared.map(image.shared, size_t(image.sharedEnd - image.shared), ByteState::outside, true);
  char *low = nullptr, *high = nullptr;
  for (auto *v = image.variables; v != image.variablesEnd; ++v) {
    auto *start = static_cast<char *>(v->address);
    if (v->space == gpuadShared)
      continue;
    low = low ? std::min(low, start) : start;
    high = std::max(high, start + v->bytes);
  }
  if (low) {
    shadow->variables.map(low, size_t(high - low), ByteState::outside, false);
    for (auto *v = image.variables; v != image.variablesEnd; ++v)
      if (v->space != gpuadShared)
        shadow->variables.set(v->address, v->bytes,
                              v->space == gpuadConstant ? ByteState::constant : ByteState::initialised);
  }
  images.push_back(std::move(shadow));
  if (!dynamicShared.bytes) {
    dynamicShared.map(gpuad_dynamic_shared, dynamicSharedLimit, ByteState::outside, true);
    reservedShared.map(gpuad_reserved_shared, reservedSharedBytes, ByteState::initialised, true);
  }
}

void Strict::startLaunch(const GpuadImage &image) {
  if (!order.startLaunch()) {
    for (ShadowRegion *region : {&heapRegion, &dynamicShared, &reservedShared})
      region->forgetTouches();
    for (auto &shadow : images)
      shadow->shared.forgetTouches(), shadow->variables.forgetTouches();
  }
  firstSplit += uint32_t(splits.size());
  splits.clear();
  current = nullptr;
  for (auto &shadow : images)
    if (shadow->image == &image)
      current = shadow.get();
}

/// The shared memory of a new block: nothing is initialised, and nothing lies behind its end.
void Strict::startBlock() {
  const LaunchRequest &request = scheduler().request();
  auto define = [&](const GpuadVariable &v) { current->shared.set(v.address, v.bytes, ByteState::uninitialised); };
  if (request.kernel->flags & gpuadKernelReachesUnknown) {
    for (auto *v = request.image->variables; v != request.image->variablesEnd; ++v)
      if (v->space == gpuadShared)
        define(*v);
  } else {
    for (const GpuadVariable *const *v = request.kernel->shared; *v; ++v)
      define(**v);
  }
  static size_t before = 0;
  if (before > request.dynamicShared)
    dynamicShared.set(gpuad_dynamic_shared + request.dynamicShared, before - request.dynamicShared, ByteState::outside);
  if (request.dynamicShared)
    dynamicShared.set(gpuad_dynamic_shared, request.dynamicShared, ByteState::uninitialised);
  before = request.dynamicShared;
}

/// Another block takes its turn: its shared memory has its own history.
void Strict::saveShared(std::vector<uint8_t> &states) {
  size_t dynamic = scheduler().request().dynamicShared;
  states.resize(current->shared.bytes + dynamic);
  std::memcpy(states.data(), current->shared.state(current->shared.base), current->shared.bytes);
  std::memcpy(states.data() + current->shared.bytes, dynamicShared.state(dynamicShared.base), dynamic);
}

void Strict::restoreShared(const std::vector<uint8_t> &states) {
  std::memcpy(current->shared.state(current->shared.base), states.data(), current->shared.bytes);
  std::memcpy(dynamicShared.state(dynamicShared.base), states.data() + current->shared.bytes,
              states.size() - current->shared.bytes);
}

ShadowRegion *Strict::regionOf(const char *address) {
  if (heapRegion.contains(address))
    return &heapRegion;
  if (current && current->shared.contains(address))
    return &current->shared;
  if (dynamicShared.contains(address))
    return &dynamicShared;
  for (auto &shadow : images)
    if (shadow->variables.contains(address))
      return &shadow->variables;
  return reservedShared.contains(address) ? &reservedShared : nullptr;
}

char *Strict::usable(ShadowRegion *region, char *address) const {
  return region == &heapRegion ? memory().accessible(address) : address;
}

void *Strict::access(char *address, uint32_t bytes, uint32_t flags, uint32_t align, const GpuadSite *site) {
  if (!on)
    return address;
  if (reinterpret_cast<uintptr_t>(address) & (align - 1))
    reportFault(cudaErrorMisalignedAddress, "misaligned", "an address that is no multiple of " + std::to_string(align),
                address, bytes, site);
  ShadowRegion *region = regionOf(address);
  if (!region)
    return outsideRegions(address, bytes, flags, site);
  checkState(*region, address, bytes, flags, site);
  if (flags & (gpuadAccessAtomic | gpuadAccessVolatile))
    order.synchronise(address, flags & (gpuadAccessAtomic | gpuadAccessWrite));
  checkRaces(*region, address, bytes, flags, site);
  return usable(region, address);
}

void *Strict::range(char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site) {
  if (!on || !bytes)
    return address;
  ShadowRegion *region = regionOf(address);
  if (!region)
    return outsideRegions(address, uint32_t(std::min<uint64_t>(bytes, ~0u)), flags, site);
  if (!region->contains(address + bytes - 1))
    badAddress(address, bytes, uint8_t(ByteState::outside), flags, site);
  checkState(*region, address, bytes, flags, site);
  if (flags & gpuadAccessWrite)
    region->set(address, bytes, ByteState::initialised);
  checkRaces(*region, address, bytes, flags, site);
  return usable(region, address);
}

/// Stacks, host memory, and what is nothing at all.
void *Strict::outsideRegions(char *address, uint32_t bytes, uint32_t flags, const GpuadSite *site) {
  const Scheduler &s = scheduler();
  if (s.isLocal(address)) {
    if (flags & gpuadAccessAtomic)
      reportFault(cudaErrorInvalidAddressSpace, "private-atomic", "an atomic operation on a thread's own local memory",
                  address, bytes, site);
    return address;
  }
  bool isGuard = false;
  if (s.fibers().ownerOf(address, &isGuard))
    reportFault(cudaErrorIllegalAddress, "foreign-stack", "the local memory of another thread", address, bytes, site);
  const Allocation *found = memory().find(address);
  if (found && found->kind != MemoryKind::device)
    return address; // pinned or registered
  if (!(flags & (gpuadAccessWrite | gpuadAccessAtomic)) && gpuad::cpu::images().isConstantData(address))
    return address;
  reportFault(cudaErrorIllegalAddress, "host-pointer",
              reinterpret_cast<uintptr_t>(address) < 4096 ? "a null pointer" : "memory of the host", address, bytes,
              site);
}

void Strict::checkState(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site) {
  constexpr uint64_t allInitialised = 0x0202020202020202u;
  uint8_t *states = region.state(address);
  bool writes = flags & gpuadAccessWrite, carries = flags & gpuadAccessCarries;
  if (bytes <= 8) { // the usual case in one comparison
    uint64_t have = 0, want = 0;
    std::memcpy(&have, states, bytes);
    std::memcpy(&want, &allInitialised, bytes);
    if (have == want && !carries)
      return;
  }
  bool isUninitialised = false;
  for (uint64_t i = 0; i < bytes; ++i) {
    auto state = ByteState(states[i]);
    if (state == ByteState::outside || state == ByteState::freed)
      badAddress(address + i, bytes, states[i], flags, site);
    isUninitialised |= state == ByteState::uninitialised;
    if (writes && state == ByteState::constant)
      reportFault(cudaErrorIllegalAddress, "constant-write", "constant memory is written", address, uint32_t(bytes),
                  site);
  }
  if (writes) {
    if (carries && bytes <= 8 && carried)
      std::memcpy(states, &carried, bytes);
    else
      std::memset(states, int(ByteState::initialised), bytes);
    return;
  }
  if (carries && bytes <= 8)
    std::memcpy(&carried, states, bytes);
  if (isUninitialised && !carries) {
    if (told.insert(site).second)
      report("uninitialised", "a read of memory that was never written", address, uint32_t(bytes), site);
  }
}

void Strict::badAddress(const char *address, uint64_t bytes, uint8_t state, uint32_t flags, const GpuadSite *site) {
  (void)flags;
  bool isFreed = state == uint8_t(ByteState::freed);
  reportFault(cudaErrorIllegalAddress, isFreed ? "use-after-free" : "out-of-bounds",
              isFreed ? "memory that was freed" : "an address outside of every allocation", address, uint32_t(bytes),
              site);
}

void Strict::outOfBounds(const GpuadSite *site) {
  reportFault(cudaErrorIllegalAddress, "out-of-bounds", "an element outside of a local array or a variable", nullptr, 0,
              site);
}

void Strict::divergentBarrier(const GpuadSite *here, const GpuadSite *there) {
  if (on && told.insert(here).second)
    report("divergent-barrier", "threads of one block wait at different barriers; others are in " + siteName(there),
           nullptr, 0, here);
}

void Strict::notInMask(const GpuadSite *site, uint32_t mask) {
  if (on && told.insert(site).second)
    report("not-in-mask", "a lane that its own mask leaves out", reinterpret_cast<void *>(uintptr_t(mask)), 0, site);
}

void Strict::reportLeaks() {
  if (on && options().leaks)
    memory().eachLive([](const void *address, const Allocation &allocation) {
      report("leak",
             "allocation " + std::to_string(allocation.serial) + " of " + std::to_string(allocation.bytes) +
                 " bytes was never freed" + allocation.place(),
             address, 0, nullptr);
    });
}

} // namespace gpuad::cpu

using namespace gpuad::cpu;

extern "C" {
void *gpuad_access_range(void *address, uint64_t bytes, uint32_t flags, const GpuadSite *site) {
  return strict().range(static_cast<char *>(address), bytes, flags, site);
}
void gpuad_out_of_bounds(const GpuadSite *site) {
  strict().outOfBounds(site);
}
void gpuad_fence() {
  if (strict().isOn())
    strict().order.fence();
}
}
