/// \file
/// Blocks: their order, their shared memory, and what to do when all threads of one wait.

#include "Memory.h"
#include "Options.h"
#include "Scheduler.h"
#include "Strict.h"
#include "WaitReport.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <numeric>
#include <random>

#include <driver_types.h>

alignas(1024) char gpuad_dynamic_shared[gpuad::cpu::dynamicSharedLimit];
alignas(1024) char gpuad_reserved_shared[gpuad::cpu::reservedSharedBytes];
GpuadThread gpuad_thread;

namespace gpuad::cpu {
namespace {

/// Times in a row that a block only polls before another one is tried.
constexpr uint64_t patience = 3;
/// Waiting threads that may exist at a time; the kernel allows 65,530 mappings, and a stack takes two.
constexpr uint64_t mostThreads = 24576;

constexpr size_t workspaceBytes = 4096;

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

uint64_t product(const uint32_t (&v)[3]) {
  return uint64_t(v[0]) * v[1] * v[2];
}

} // namespace

/// Order of threads and blocks. Blocks are permuted by an affine map, so that no table of them is needed.
void Scheduler::chooseOrder() {
  const RunOrder &wanted = runOrder();
  order.clear();
  stride = 1;
  offset = 0;
  if (wanted.order == Order::ascending)
    return;
  order.resize(threadCount);
  std::iota(order.begin(), order.end(), 0);
  if (wanted.order == Order::descending) {
    std::reverse(order.begin(), order.end());
    stride = blockCount - 1; // -i mod n, and one more
    offset = blockCount - 1;
    if (blockCount == 1)
      stride = 0;
    return;
  }
  std::mt19937_64 random(wanted.seed * 0x9e3779b97f4a7c15u + launches);
  std::shuffle(order.begin(), order.end(), random);
  offset = random() % blockCount;
  do
    stride = random() % blockCount;
  while (std::gcd(stride, blockCount) != 1);
}

void Scheduler::prepareLaunch() {
  threadCount = uint32_t(product(launch->block));
  blockCount = product(launch->grid);
  nextBlock = 0;
  result = {};
  ++launches;
  if (std::memcmp(idShape, launch->block, sizeof idShape) != 0) {
    std::memcpy(idShape, launch->block, sizeof idShape);
    ids.clear();
    for (uint32_t z = 0; z < idShape[2]; ++z)
      for (uint32_t y = 0; y < idShape[1]; ++y)
        for (uint32_t x = 0; x < idShape[0]; ++x)
          ids.push_back({x, y, z, uint32_t(ids.size())});
  }
  chooseOrder();
  std::memcpy(gpuad_thread.blockDim, launch->block, sizeof launch->block);
  std::memcpy(gpuad_thread.gridDim, launch->grid, sizeof launch->grid);
  gpuad_thread.dynamicSharedBytes = uint32_t(launch->dynamicShared);
  gpuad_thread.gridId = launches;
  gpuad_thread.envreg[1] = gpuad_thread.envreg[2] = 0;
  if (launch->cooperative) {
    // What cooperative groups expect at the grid workspace: a size, then the counter of the grid barrier.
    gridWorkspace = memory().allocate(workspaceBytes, MemoryKind::deviceHeap);
    std::memset(memory().accessible(gridWorkspace), 0, workspaceBytes);
    if (strict().isOn())
      strict().heap().set(gridWorkspace, workspaceBytes, ByteState::initialised);
    auto address = reinterpret_cast<uint64_t>(gridWorkspace);
    gpuad_thread.envreg[1] = uint32_t(address >> 32);
    gpuad_thread.envreg[2] = uint32_t(address);
  }
  isStrict = strict().isOn();
  if (isStrict)
    strict().startLaunch(*launch->image);
}

LaunchResult Scheduler::run(const LaunchRequest &request) {
  launch = &request;
  catchDeviceFaults();
  prepareLaunch();
  running = true;
  watchdog.start();
  runBlocks();
  watchdog.stop();
  running = false;
  if (result.error) {
    pool.discardBusy();
    for (auto &block : live)
      for (Warp &warp : block->warps)
        for (WarpMeeting *meeting : warp.meetings)
          spareMeetings.push_back(meeting);
    live.clear();
    spare.clear();
    active = nullptr;
  }
  if (gridWorkspace)
    memory().release(gridWorkspace);
  gridWorkspace = nullptr;
  launch = nullptr;
  return result;
}

Block *Scheduler::startBlock() {
  uint64_t number =
      blockCount == 1 ? 0 : uint64_t((unsigned __int128)(nextBlock)*stride % blockCount + offset) % blockCount;
  ++nextBlock;
  if (spare.empty())
    spare.push_back(std::make_unique<Block>());
  live.push_back(std::move(spare.back()));
  spare.pop_back();
  Block *block = live.back().get();
  block->number = number;
  block->index[0] = uint32_t(number % launch->grid[0]);
  block->index[1] = uint32_t(number / launch->grid[0] % launch->grid[1]);
  block->index[2] = uint32_t(number / launch->grid[0] / launch->grid[1]);
  block->next = 0;
  block->live = threadCount;
  block->pollRounds = 0;
  block->waitingAtBarriers = 0;
  block->isSaved = false;
  block->warps.resize((threadCount + 31) / 32);
  for (size_t i = 0; i < block->warps.size(); ++i) {
    uint32_t lanes = std::min<uint32_t>(32, threadCount - 32 * uint32_t(i));
    block->warps[i].existing = lanes == 32 ? ~0u : (1u << lanes) - 1;
    block->warps[i].gone = 0;
  }
  return block;
}

void Scheduler::finishBlock(Block *block) {
  // A barrier may be left half full by threads that only arrived; the next block starts afresh.
  for (Barrier &barrier : block->barriers)
    barrier = {};
  auto place = std::find_if(live.begin(), live.end(), [&](auto &b) { return b.get() == block; });
  spare.push_back(std::move(*place));
  live.erase(place);
  active = nullptr;
}

/// Shared memory starts as NaN, since on a GPU it holds whatever the block before left there.
void Scheduler::fillShared() {
  if (launch->kernel->flags & gpuadKernelReachesUnknown)
    std::memset(launch->image->shared, 0xff, size_t(launch->image->sharedEnd - launch->image->shared));
  else
    for (const GpuadVariable *const *v = launch->kernel->shared; *v; ++v)
      std::memset((*v)->address, 0xff, (*v)->bytes);
  std::memset(gpuad_dynamic_shared, 0xff, launch->dynamicShared);
}

/// Makes a block the running one: its ids and the contents of its shared memory.
void Scheduler::activate(Block *block) {
  size_t statics = size_t(launch->image->sharedEnd - launch->image->shared);
  if (active && active != block) {
    active->savedShared.resize(statics + launch->dynamicShared);
    std::memcpy(active->savedShared.data(), launch->image->shared, statics);
    std::memcpy(active->savedShared.data() + statics, gpuad_dynamic_shared, launch->dynamicShared);
    active->isSaved = true;
    if (isStrict)
      strict().saveShared(active->savedStates);
  }
  if (block->isSaved) {
    std::memcpy(launch->image->shared, block->savedShared.data(), statics);
    std::memcpy(gpuad_dynamic_shared, block->savedShared.data() + statics, launch->dynamicShared);
    block->isSaved = false;
    if (isStrict) {
      strict().restoreShared(block->savedStates);
      strict().order.resumeBlock(*block);
    }
  } else if (block->next == 0) {
    fillShared();
    if (isStrict) {
      strict().startBlock();
      strict().order.startBlock(*block);
    }
  }
  active = block;
  std::memcpy(gpuad_thread.blockIdx, block->index, sizeof block->index);
}

/// Another block that may get on while this one polls, or null.
Block *Scheduler::anotherBlock(Block *block) {
  bool mayStart = nextBlock < blockCount && (launch->cooperative || live.size() * threadCount < mostThreads);
  auto place = std::find_if(live.begin(), live.end(), [&](auto &b) { return b.get() == block; });
  bool isLast = place + 1 == live.end();
  if (mayStart && (launch->cooperative || isLast))
    return startBlock();
  Block *other = (isLast ? live.front() : *(place + 1)).get();
  return other == block ? nullptr : other;
}

/// No thread of the running block can get on by itself.
void Scheduler::stalled(Block *block) {
  if (block->polling.empty()) {
    result = {cudaErrorLaunchTimeout, WaitReport(*this).deadlock()};
    return;
  }
  block->ready.append(block->polling);
  if (block->pollRounds++ == 0)
    pollingSince = now();
  if (block->pollRounds < patience)
    return;
  if (Block *other = anotherBlock(block))
    activate(other);
  if (block->pollRounds % 64 == 0 && now() - pollingSince > options().spinSeconds)
    result = {cudaErrorLaunchTimeout, WaitReport(*this).polling()};
}

void Scheduler::runBlocks() {
  while (!result.error) {
    if (!active) {
      if (live.empty() && nextBlock == blockCount)
        return;
      activate(live.empty() ? startBlock() : live.front().get());
    }
    Block *block = active;
    if (watchdog.isExpired()) {
      result = {cudaErrorLaunchTimeout, WaitReport(*this).timeout()};
      return;
    }
    Fiber *fiber = pick();
    if (fiber != &main) {
      switchTo(fiber);
      current = &main;
      continue;
    }
    if (block->live == 0)
      finishBlock(block);
    else if (!releaseActiveMasks(*block))
      stalled(block);
  }
}

} // namespace gpuad::cpu
