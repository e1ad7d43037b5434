/// \file
/// Strict mode: races. Two accesses by different threads are ordered if they belong to different launches, to one block
/// with a barrier between them, or to one warp with a __syncwarp between them, or if the block of the second has learned
/// of the first by a fence and an atomic. This does not depend on the order in which threads happened to run, so one run
/// finds every race on the path it took.

#include "Report.h"
#include "Scheduler.h"
#include "Strict.h"

#include <algorithm>

namespace gpuad::cpu {
namespace {

// where = launch (24 bits) | block (36) | bytes of the cell (4)
constexpr uint64_t blockMask = (uint64_t(1) << 36) - 1, manyBlocks = blockMask;
uint64_t launchOf(uint64_t where) { return where >> 40; }
uint64_t blockOf(uint64_t where) { return where >> 4 & blockMask; }

// when = thread (10 bits) | epoch of the block (26) | epoch of the warp (26) | kind (2)
constexpr uint32_t epochMask = (1u << 26) - 1;
enum : uint64_t { oneThread = 0, oneWarp = 1, oneBlock = 2, atomicWriter = 1 };
uint32_t threadOf(uint64_t when) { return uint32_t(when & 1023); }
uint32_t epochOf(uint64_t when) { return uint32_t(when >> 10) & epochMask; }
uint32_t warpEpochOf(uint64_t when) { return uint32_t(when >> 36) & epochMask; }
uint64_t kindOf(uint64_t when) { return when >> 62; }
uint64_t makeWhen(uint32_t thread, uint32_t epoch, uint32_t warpEpoch, uint64_t kind) {
  return thread | uint64_t(epoch & epochMask) << 10 | uint64_t(warpEpoch & epochMask) << 36 | kind << 62;
}

} // namespace

Strict::Now Strict::now() const {
  const Block &block = scheduler().currentBlock();
  uint32_t thread = gpuad_thread.linear;
  return {(launch & 0xffffff) << 40 | (block.number & blockMask) << 4, block.number & blockMask, thread,
          block.epoch & epochMask, block.warps[thread / 32].epoch & epochMask};
}

bool Strict::isOrdered(uint64_t where, uint64_t when, bool blockLocal, const Now &n) const {
  if (launchOf(where) != launchOf(n.where))
    return true;
  if (blockOf(where) != n.block) {
    if (blockLocal)
      return true;
    const Knowledge &known = scheduler().currentBlock().known;
    auto place = known.find(blockOf(where));
    return place != known.end() && place->second >= epochOf(when);
  }
  uint32_t thread = threadOf(when);
  return thread == n.thread || epochOf(when) != n.epoch ||
         (thread / 32 == n.thread / 32 && warpEpochOf(when) != n.warpEpoch);
}

/// The readers of a cell are summed up: one thread, one warp, one block, or several blocks.
bool Strict::areReadersOrdered(const RaceCell &cell, bool blockLocal, const Now &n) const {
  if (launchOf(cell.readerWhere) != launchOf(n.where))
    return true;
  if (blockOf(cell.readerWhere) == manyBlocks) {
    const Knowledge &known = scheduler().currentBlock().known;
    if (known.size() + 1 < scheduler().blocksInGrid())
      return false;
    return std::all_of(known.begin(), known.end(),
                       [&](auto &k) { return k.first == n.block || k.second >= epochOf(cell.readerWhen); });
  }
  if (blockOf(cell.readerWhere) != n.block || kindOf(cell.readerWhen) == oneThread)
    return isOrdered(cell.readerWhere, cell.readerWhen, blockLocal, n);
  if (epochOf(cell.readerWhen) != n.epoch)
    return true;
  return kindOf(cell.readerWhen) == oneWarp && threadOf(cell.readerWhen) / 32 == n.thread / 32 &&
         warpEpochOf(cell.readerWhen) != n.warpEpoch;
}

void Strict::noteReader(RaceCell &cell, uint64_t mask, bool blockLocal, const Now &n) const {
  uint64_t where = cell.readerWhere, when = cell.readerWhen;
  if (launchOf(where) == launchOf(n.where) && where) {
    if (blockOf(where) != n.block && !blockLocal) {
      uint32_t latest = std::max(epochOf(when), n.epoch);
      cell.readerWhere = (n.where & ~(blockMask << 4)) | manyBlocks << 4 | (where & 15) | mask;
      cell.readerWhen = makeWhen(n.thread, latest, 0, oneBlock);
      return;
    }
    if (blockOf(where) == n.block && epochOf(when) == n.epoch) {
      bool sameWarp = threadOf(when) / 32 == n.thread / 32;
      uint64_t kind = threadOf(when) == n.thread ? kindOf(when) : sameWarp ? std::max<uint64_t>(kindOf(when), oneWarp) : oneBlock;
      cell.readerWhere = where | mask;
      cell.readerWhen = makeWhen(n.thread, n.epoch, n.warpEpoch, kind);
      return;
    }
  }
  cell.readerWhere = n.where | mask;
  cell.readerWhen = makeWhen(n.thread, n.epoch, n.warpEpoch, oneThread);
}

void Strict::raceAt(ShadowRegion &region, RaceCell &cell, uint64_t mask, uint32_t flags, const Now &n,
                    const char *address, const GpuadSite *site) {
  bool isAtomic = flags & (gpuadAccessAtomic | gpuadAccessVolatile), writes = flags & (gpuadAccessWrite | gpuadAccessAtomic);
  bool bothAtomic = isAtomic && kindOf(cell.writerWhen) == atomicWriter;
  bool blockLocal = region.blockLocal;
  if ((cell.writerWhere & mask) && !bothAtomic && !isOrdered(cell.writerWhere, cell.writerWhen, blockLocal, n))
    reportRace(address, writes ? "written by two threads" : "read while another thread writes it", cell.writerWhere,
               cell.writerWhen, site);
  if (!writes) {
    if (!isAtomic) // a volatile load may race with an atomic
      noteReader(cell, mask, blockLocal, n);
    return;
  }
  if ((cell.readerWhere & mask) && !areReadersOrdered(cell, blockLocal, n))
    reportRace(address, "written while another thread reads it", cell.readerWhere, cell.readerWhen, site);
  bool sameWriter = cell.writerWhere >> 4 == n.where >> 4 && threadOf(cell.writerWhen) == n.thread;
  cell.writerWhere = n.where | mask | (sameWriter ? cell.writerWhere & 15 : 0);
  cell.writerWhen = makeWhen(n.thread, n.epoch, n.warpEpoch, isAtomic ? atomicWriter : 0);
}

void Strict::checkRaces(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site) {
  const Now n = now();
  RaceCell *cell = region.cell(address);
  uint64_t inside = uint64_t(address - region.base) & 3;
  for (uint64_t done = 0; done < bytes; ++cell) {
    uint64_t here = std::min<uint64_t>(4 - inside, bytes - done);
    uint64_t mask = ((uint64_t(1) << here) - 1) << inside;
    raceAt(region, *cell, mask, flags, n, address + done, site);
    done += here;
    inside = 0;
  }
}

void Strict::reportRace(const char *address, const char *what, uint64_t where, uint64_t when, const GpuadSite *site) {
  if (!told.insert(site).second)
    return;
  std::string other = blockOf(where) == manyBlocks
                          ? "threads of several blocks"
                          : "thread " + std::to_string(threadOf(when)) + " of block " + std::to_string(blockOf(where));
  report("race", std::string("memory ") + what + ": " + other + ", with nothing to order the two", address, 0, site);
}

void Strict::fence() {
  if (!on)
    return;
  // Within a block, a fence is taken for a barrier: locks order threads by fences, and which lock it was is not tracked.
  scheduler().currentBlock().fenced = true;
  ++scheduler().currentBlock().epoch;
}

/// An atomic or volatile access hands on what blocks know: what came before a fence is known to whoever reads here later.
void Strict::synchronise(const char *address, bool writes) {
  Block &block = scheduler().currentBlock();
  if (!block.fenced && releases.empty())
    return;
  auto place = releases.find(address);
  if (place != releases.end())
    for (auto &[other, epoch] : place->second) {
      uint32_t &known = block.known[other];
      known = std::max(known, epoch);
    }
  if (!writes || !block.fenced)
    return;
  Knowledge &there = releases[address];
  for (auto &[other, epoch] : block.known) {
    uint32_t &known = there[other];
    known = std::max(known, epoch);
  }
  there[block.number & blockMask] = block.epoch & epochMask;
}

} // namespace gpuad::cpu
