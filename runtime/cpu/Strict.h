/// \file
/// Strict mode: checks every access of device code to memory, and tells what is wrong with it.

#pragma once

#include "Abi.h"
#include "Order.h"
#include "Report.h"
#include "Shadow.h"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gpuad::cpu {

class Strict {
public:
  /// Switches the checks on: the program holds a strict image and the environment does not say otherwise.
  void enable();
  bool isOn() const { return on; }

  ShadowRegion &heap() { return heapRegion; }
  /// Shared memory and the variables of an image.
  void addImage(const GpuadImage &image);
  void startLaunch(const GpuadImage &image);
  void startBlock();
  void saveShared(std::vector<uint8_t> &states);
  void restoreShared(const std::vector<uint8_t> &states);
  Ordering order;

  char *quickAccess(char *address, uint32_t bytes, uint32_t flags, uint32_t align);
  void *access(char *address, uint32_t bytes, uint32_t flags, uint32_t align, const GpuadSite *site);
  void *range(char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  void outOfBounds(const GpuadSite *site);
  void overflow(const GpuadSite *site);
  void localUse(const GpuadSite *site);
  void restored(char *address, uint64_t bytes);
  void divergentBarrier(const GpuadSite *here, const GpuadSite *there);
  void notInMask(const GpuadSite *site, uint32_t mask);
  /// Decides about the last write of the running thread: before another access, another thread, or the end.
  void settle() {
    if (!suspects.empty())
      settleSuspects();
  }
  /// Device memory that is still allocated when the program ends.
  void reportLeaks();

private:
  ShadowRegion *regionOf(const char *address);
  char *usable(ShadowRegion *region, char *address) const;
  void checkLocal(char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  void carry(uint8_t *states, uint64_t bytes, uint32_t flags, const char *address);
  void *outsideRegions(char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  void checkState(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  void badAddress(const char *address, uint64_t bytes, uint8_t state, const GpuadSite *site);
  void checkRaces(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  void slowRace(RaceCell &cell, uint64_t mask, uint32_t flags, bool blockLocal, const char *address,
                const GpuadSite *site);
  void raceAt(uint64_t &writer, uint64_t &reader, uint64_t mask, uint32_t flags, bool blockLocal, const char *address,
              unsigned bytes, const GpuadSite *site);
  void raceAtByte(ByteHistory &byte, uint32_t flags, bool blockLocal, const char *address, const GpuadSite *site);
  bool isKeptBelowAtomics(uint64_t writer, uint32_t flags, bool blockLocal) const;
  bool conflicts(uint64_t word, uint64_t mask, bool blockLocal) const;
  void noteTouch(uint64_t &word, uint64_t mask, bool blockLocal);
  void split(RaceCell &cell);
  ByteHistory *splitBytes(const RaceCell &cell);
  void suspectWrite(const char *address, unsigned bytes, uint64_t other, const GpuadSite *site);
  void settleSuspects();
  void reportRace(Check check, const char *address, const char *what, uint64_t other, const GpuadSite *site);

  bool on = false;
  ShadowRegion heapRegion, dynamicShared, reservedShared;
  struct ImageShadow {
    const GpuadImage *image;
    ShadowRegion shared, variables;
  };
  std::vector<std::unique_ptr<ImageShadow>> images;
  ImageShadow *current = nullptr;
  std::vector<uint8_t> carried;                  ///< states of the source of a copy, if something there is unwritten
  std::unordered_set<const char *> saved;        ///< bytes that were saved before they were written
  std::deque<std::array<ByteHistory, 4>> splits; ///< cells whose bytes differ, in this launch
  uint32_t firstSplit = 0;
  std::unordered_set<const GpuadSite *> told, toldSameValue;
  /// Writes that another thread's are not ordered with, and what was there: it may be the same value.
  struct Suspect {
    const char *address;
    unsigned bytes;
    std::array<char, 4> before;
    uint64_t other;
    const GpuadSite *site;
  };
  std::vector<Suspect> suspects;
};

extern Strict *const theStrict;
inline Strict &strict() {
  return *theStrict;
}

} // namespace gpuad::cpu
