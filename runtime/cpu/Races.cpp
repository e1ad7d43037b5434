/// \file
/// Strict mode: races. Two accesses of one place race if one of them writes, not both are atomic, and nothing orders
/// them (Order.h). This does not depend on the order in which threads happened to run, so one run finds every race on
/// the path it took.

#include "Races.h"
#include "Report.h"
#include "Scheduler.h"
#include "Strict.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gpuad::cpu {
namespace {

constexpr uint32_t noRecord = gpuadAccessAtomic | gpuadAccessVolatile | gpuadAccessGuess;

bool isSplit(const RaceCell &cell) {
  return touch::segment(cell.writer) == touch::splitMark;
}

/// Bytes of a cell that had one history get one each, where accesses of several threads do not agree on the bytes.
bool disagrees(uint64_t word, uint64_t mask, bool blockLocal, const Ordering::Now &now) {
  return touch::bytes(word) != mask && word && !isOld(word, blockLocal, now) && !isOwn(word, now.word);
}

uint64_t withBytes(uint64_t word, uint64_t bytes) {
  return (word & ~touch::allBytes) | bytes << touch::maskShift;
}

} // namespace

ByteHistory *Strict::splitBytes(const RaceCell &cell) {
  auto index = uint32_t(cell.writer);
  if (index - firstSplit >= splits.size()) // of an earlier launch
    return nullptr;
  return splits[index - firstSplit].data();
}

void Strict::split(RaceCell &cell) {
  std::array<ByteHistory, 4> bytes = {};
  for (unsigned i = 0; i < 4; ++i) {
    if (touch::bytes(cell.writer) >> i & 1)
      bytes[i].writer = cell.writer | touch::allBytes;
    if (touch::bytes(cell.reader) >> i & 1)
      bytes[i].reader = cell.reader | touch::allBytes;
  }
  uint64_t word = uint64_t(touch::splitMark) << 32 | (firstSplit + splits.size());
  cell = {word, word};
  splits.push_back(bytes);
}

/// A plain write on top of which atomics come: both have to be remembered, since the next atomic need not come after
/// it.
bool Strict::isKeptBelowAtomics(uint64_t writer, uint32_t flags, bool blockLocal) const {
  const Ordering::Now &now = order.now();
  return (flags & (gpuadAccessAtomic | gpuadAccessWrite)) && (flags & noRecord) && writer && !touch::isAtomic(writer) &&
         touch::segment(writer) >= now.launch && !(blockLocal && isOld(writer, true, now));
}

bool Strict::conflicts(uint64_t word, uint64_t mask, bool blockLocal) const {
  return word && touch::bytes(word) & mask && !isOld(word, blockLocal, order.now()) &&
         !order.isBefore(word, blockLocal);
}

/// One place, all of whose bytes have the same history.
void Strict::raceAt(uint64_t &writer, uint64_t &reader, uint64_t mask, uint32_t flags, bool blockLocal,
                    const char *address, unsigned bytes, const GpuadSite *site) {
  const Ordering::Now &now = order.now();
  bool writes = flags & (gpuadAccessWrite | gpuadAccessAtomic), isAtomic = flags & noRecord;
  if (!(isAtomic && touch::isAtomic(writer)) && conflicts(writer, mask, blockLocal)) {
    if (writes && !isAtomic && !touch::isAtomic(writer))
      suspectWrite(address, bytes, writer, site);
    else
      reportRace(Check::race, address, writes ? "written by two threads" : "read while another thread writes it",
                 writer, site);
  }
  if (!writes) {
    if (!isAtomic) // an atomic load may race with an atomic
      noteTouch(reader, mask, blockLocal);
    return;
  }
  if (conflicts(reader, mask, blockLocal))
    reportRace(Check::race, address, "written while another thread reads it", reader, site);
  if (isAtomic) { // other atomics may come that are not ordered with this one, so that what was before still counts
    if (!touch::isAtomic(writer))
      writer = 0;
    noteTouch(writer, mask, blockLocal);
    writer |= touch::atomicFlag;
    return;
  }
  uint64_t kept = isOwn(writer, now.word) ? touch::bytes(writer) : 0, rest = touch::bytes(reader) & ~mask;
  writer = withBytes(now.word, kept | mask);
  reader = rest ? withBytes(reader, rest) : 0;
}

/// A byte with its own history.
void Strict::raceAtByte(ByteHistory &byte, uint32_t flags, bool blockLocal, const char *address,
                        const GpuadSite *site) {
  bool writes = flags & (gpuadAccessWrite | gpuadAccessAtomic), isAtomic = flags & noRecord;
  if (conflicts(byte.below, 15, blockLocal))
    reportRace(Check::race, address, writes ? "written by two threads" : "read while another thread writes it",
               byte.below, site);
  if (isKeptBelowAtomics(byte.writer, flags, blockLocal)) {
    if (conflicts(byte.writer, 15, blockLocal))
      reportRace(Check::race, address, "written by two threads", byte.writer, site);
    byte.below = byte.writer;
    byte.writer = 0;
  }
  raceAt(byte.writer, byte.reader, 15, flags, blockLocal, address, 1, site);
  if (writes && !isAtomic)
    byte.below = 0;
}

/// Adds the running thread to those who touched a place.
void Strict::noteTouch(uint64_t &word, uint64_t mask, bool blockLocal) {
  const Ordering::Now &now = order.now();
  bool wasOwn = isOwn(word, now.word);
  uint64_t kept = wasOwn ? touch::bytes(word) : 0;
  if (word == 0 || wasOwn || isOld(word, blockLocal, now))
    word = withBytes(now.word, kept | mask);
  else
    word = withBytes(order.merged(word, blockLocal), mask);
}

void Strict::slowRace(RaceCell &cell, uint64_t mask, uint32_t flags, bool blockLocal, const char *address,
                      const GpuadSite *site) {
  const Ordering::Now &now = order.now();
  if (isSplit(cell) && !splitBytes(cell))
    cell = {};
  if (!isSplit(cell) &&
      (disagrees(cell.writer, mask, blockLocal, now) || disagrees(cell.reader, mask, blockLocal, now) ||
       isKeptBelowAtomics(cell.writer, flags, blockLocal)))
    split(cell);
  if (!isSplit(cell))
    return raceAt(cell.writer, cell.reader, mask, flags, blockLocal, address, unsigned(std::popcount(mask)), site);
  ByteHistory *bytes = splitBytes(cell);
  for (unsigned i = 0, first = unsigned(std::countr_zero(mask)); i < 4; ++i)
    if (mask >> i & 1)
      raceAtByte(bytes[i], flags, blockLocal, address + (i - first), site);
}

void Strict::checkRaces(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site) {
  if (isOff(Check::race))
    return;
  RaceCell *cell = region.cell(address);
  uint64_t inside = uint64_t(address - region.base) & 3;
  bool blockLocal = region.blockLocal, isPlain = !(flags & noRecord);
  for (uint64_t done = 0; done < bytes; ++cell) {
    uint64_t here = std::min<uint64_t>(4 - inside, bytes - done);
    if (!(isPlain && here == 4 && quick(*cell, flags & gpuadAccessWrite, blockLocal, order.now())))
      slowRace(*cell, ((uint64_t(1) << here) - 1) << inside, flags, blockLocal, address + done, site);
    done += here;
    inside = 0;
  }
}

/// Whether the value that the thread is about to write is the one that is there already shows when it has written.
void Strict::suspectWrite(const char *address, unsigned bytes, uint64_t other, const GpuadSite *site) {
  Suspect one{address, bytes, {}, other, site};
  std::memcpy(one.before.data(), usable(regionOf(address), const_cast<char *>(address)), bytes);
  suspects.push_back(one);
}

void Strict::settleSuspects() {
  std::vector<Suspect> all;
  all.swap(suspects);
  auto changed = std::find_if(all.begin(), all.end(), [&](const Suspect &one) {
    const char *there = usable(regionOf(one.address), const_cast<char *>(one.address));
    return std::memcmp(one.before.data(), there, one.bytes) != 0;
  });
  if (changed != all.end())
    reportRace(Check::race, changed->address, "written by two threads", changed->other, changed->site);
  else
    reportRace(Check::sameValue, all[0].address, "written by two threads, with the same value", all[0].other,
               all[0].site);
}

void Strict::reportRace(Check check, const char *address, const char *what, uint64_t other, const GpuadSite *site) {
  if (isOff(check) || !(check == Check::race ? told : toldSameValue).insert(site).second)
    return;
  std::string name = "threads of several blocks";
  if (touch::kind(other) != touch::manyBlocks)
    name = "thread " + std::to_string(touch::thread(other)) + " of block " +
           std::to_string(order.blockOf(touch::segment(other)));
  report(check, std::string("memory ") + what + ": " + name + ", with nothing to order the two", address, 0, site);
}

} // namespace gpuad::cpu
