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
  settle();
  if (reinterpret_cast<uintptr_t>(address) & (align - 1))
    reportFault(cudaErrorMisalignedAddress, Check::misaligned,
                "an address that is no multiple of " + std::to_string(align), address, bytes, site);
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
  settle();
  ShadowRegion *region = regionOf(address);
  if (!region)
    return outsideRegions(address, bytes, flags, site);
  if (!region->contains(address + bytes - 1))
    badAddress(address, bytes, uint8_t(ByteState::outside), site);
  checkState(*region, address, bytes, flags, site);
  checkRaces(*region, address, bytes, flags, site);
  return usable(region, address);
}

/// Stacks, host memory, and what is nothing at all.
void *Strict::outsideRegions(char *address, uint64_t size, uint32_t flags, const GpuadSite *site) {
  const Scheduler &s = scheduler();
  auto bytes = uint32_t(std::min<uint64_t>(size, ~0u));
  if (s.isLocal(address)) {
    checkLocal(address, size, flags, site);
    if (flags & gpuadAccessAtomic)
      reportFault(cudaErrorInvalidAddressSpace, Check::privateAtomic,
                  "an atomic operation on a thread's own local memory", address, bytes, site);
    return address;
  }
  bool isGuard = false;
  if (s.fibers().ownerOf(address, &isGuard))
    reportFault(cudaErrorIllegalAddress, Check::foreignStack, "the local memory of another thread", address, bytes,
                site);
  const Allocation *found = memory().find(address);
  if (found && found->kind != MemoryKind::device)
    return address; // pinned or registered
  if (!(flags & (gpuadAccessWrite | gpuadAccessAtomic)) && gpuad::cpu::images().isConstantData(address))
    return address;
  reportFault(cudaErrorIllegalAddress, Check::hostPointer,
              reinterpret_cast<uintptr_t>(address) < 4096 ? "a null pointer" : "memory of the host", address, bytes,
              site);
  return address;
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
    if (state == ByteState::outside || state == ByteState::freed) {
      badAddress(address + i, bytes, states[i], site);
      return; // the check is off
    }
    isUninitialised |= state == ByteState::uninitialised;
    if (writes && state == ByteState::constant)
      reportFault(cudaErrorIllegalAddress, Check::constantWrite, "constant memory is written", address, uint32_t(bytes),
                  site);
  }
  if (carries || writes)
    carry(states, bytes, flags, address);
  else if (isUninitialised && told.insert(site).second)
    report(Check::uninitialised, "a read of memory that was never written", address, uint32_t(bytes), site);
}

/// A copy: the state goes along. Any other write makes memory initialised.
void Strict::carry(uint8_t *states, uint64_t bytes, uint32_t flags, const char *address) {
  auto unwritten = uint8_t(ByteState::uninitialised);
  if (flags & gpuadAccessWrite) {
    std::memset(states, int(ByteState::initialised), bytes);
    for (size_t i = 0; i < carried.size() && i < bytes && (flags & gpuadAccessCarries); ++i)
      if (carried[i])
        states[i] = unwritten;
    return;
  }
  carried.clear();
  if (!std::memchr(states, unwritten, bytes))
    return;
  for (uint64_t i = 0; i < bytes; ++i) {
    carried.push_back(states[i] == unwritten);
    if ((flags & gpuadAccessSaves) && carried[i])
      saved.insert(address + i);
  }
}

/// Unwritten memory holds 0xff. Where it was saved and is put back, it is unwritten again. A number may have some such
/// bytes: it is unwritten if all are.
void Strict::restored(char *address, uint64_t bytes) {
  ShadowRegion *region = on ? regionOf(address) : nullptr;
  if (!region || saved.empty())
    return;
  auto *contents = reinterpret_cast<const unsigned char *>(address + region->delta);
  if (std::count(contents, contents + bytes, 0xff) != ptrdiff_t(bytes))
    return;
  for (uint64_t i = 0; i < bytes; ++i)
    if (saved.count(address + i))
      *region->state(address + i) = uint8_t(ByteState::uninitialised);
}

/// A thread's own stack.
void Strict::checkLocal(char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site) {
  const Fiber *fiber = scheduler().currentFiber();
  if (!(flags & gpuadAccessWrite))
    carried.clear();
  if (!fiber->unwritten)
    return;
  uint8_t *marks = fiber->unwritten + (address - fiber->stack);
  if (flags & gpuadAccessWrite) {
    std::memset(marks, 0, bytes);
    for (size_t i = 0; i < carried.size() && i < bytes && (flags & gpuadAccessCarries); ++i)
      marks[i] = carried[i];
  } else if (flags & gpuadAccessCarries) {
    carried.assign(marks, marks + bytes);
  } else if (!std::memchr(marks, 0, bytes)) {
    localUse(site);
  }
}

void Strict::localUse(const GpuadSite *site) {
  if (on && told.insert(site).second)
    report(Check::uninitialised, "a local variable that was never written", nullptr, 0, site);
}

void Strict::badAddress(const char *address, uint64_t bytes, uint8_t state, const GpuadSite *site) {
  bool isFreed = state == uint8_t(ByteState::freed);
  reportFault(cudaErrorIllegalAddress, isFreed ? Check::useAfterFree : Check::outOfBounds,
              isFreed ? "memory that was freed" : "an address outside of every allocation", address, uint32_t(bytes),
              site);
}

void Strict::outOfBounds(const GpuadSite *site) {
  if (!on)
    return;
  reportFault(cudaErrorIllegalAddress, Check::outOfBounds, "an element outside of a local array or a variable", nullptr,
              0, site);
}

void Strict::overflow(const GpuadSite *site) {
  if (on && told.insert(site).second)
    report(Check::overflow, "a result outside of the range of its type, which is undefined", nullptr, 0, site);
}

void Strict::divergentBarrier(const GpuadSite *here, const GpuadSite *there) {
  if (on && told.insert(here).second)
    report(Check::divergentBarrier, "threads of one block wait at different barriers; others are in " + siteName(there),
           nullptr, 0, here);
}

void Strict::notInMask(const GpuadSite *site, uint32_t mask) {
  if (on && told.insert(site).second)
    report(Check::notInMask, "a lane that its own mask leaves out", reinterpret_cast<void *>(uintptr_t(mask)), 0, site);
}

void Strict::reportLeaks() {
  if (on)
    memory().eachLive([](const void *address, const Allocation &allocation) {
      report(Check::leak,
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
void gpuad_overflow(const GpuadSite *site) {
  strict().overflow(site);
}
void gpuad_local_begin(char *address, uint64_t bytes) {
  if (strict().isOn())
    scheduler().markUnwritten(address, bytes, true);
}
void gpuad_local_end(char *address, uint64_t bytes) {
  if (strict().isOn())
    scheduler().markUnwritten(address, bytes, false);
}
void gpuad_local_use(uint32_t isUnwritten, const GpuadSite *site) {
  if (isUnwritten)
    strict().localUse(site);
}
void gpuad_restored(char *address, uint64_t bytes) {
  strict().restored(address, bytes);
}
void gpuad_fence() {
  if (strict().isOn())
    strict().order.fence();
}
}
