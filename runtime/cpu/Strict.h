/// \file
/// Strict mode: checks every access of device code to memory, and tells what is wrong with it.

#pragma once

#include "Abi.h"
#include "Shadow.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gpuad::cpu {

struct Block;

/// What blocks know of one another by fences and atomics: the barrier epoch up to which another block's accesses came
/// before.
using Knowledge = std::unordered_map<uint64_t, uint32_t>;

class Strict {
public:
  /// Switches the checks on: the program holds a strict image and the environment does not say otherwise.
  void enable();
  bool isOn() const { return on; }

  ShadowRegion &heap() { return heapRegion; }
  /// Shared memory and the variables of an image.
  void addImage(const GpuadImage &image);
  void startLaunch(const GpuadImage &image, uint64_t launchNumber);
  void startBlock();
  void saveShared(std::vector<uint8_t> &states);
  void restoreShared(const std::vector<uint8_t> &states);
  void fence();

  void *access(char *address, uint32_t bytes, uint32_t flags, uint32_t align, const GpuadSite *site);
  void *range(char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  [[noreturn]] void outOfBounds(const GpuadSite *site);
  void divergentBarrier(const GpuadSite *here, const GpuadSite *there);
  void notInMask(const GpuadSite *site, uint32_t mask);
  /// Device memory that is still allocated when the program ends.
  void reportLeaks();

private:
  struct Now {
    uint64_t where, block;
    uint32_t thread, epoch, warpEpoch;
  };
  ShadowRegion *regionOf(const char *address);
  char *usable(ShadowRegion *region, char *address) const;
  void *outsideRegions(char *address, uint32_t bytes, uint32_t flags, const GpuadSite *site);
  void checkState(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  [[noreturn]] void badAddress(const char *address, uint64_t bytes, uint8_t state, uint32_t flags,
                               const GpuadSite *site);
  void checkRaces(ShadowRegion &region, char *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
  void raceAt(ShadowRegion &region, RaceCell &cell, uint64_t mask, uint32_t flags, const Now &now, const char *address,
              const GpuadSite *site);
  bool isOrdered(uint64_t where, uint64_t when, bool blockLocal, const Now &now) const;
  bool areReadersOrdered(const RaceCell &cell, bool blockLocal, const Now &now) const;
  void noteReader(RaceCell &cell, uint64_t mask, bool blockLocal, const Now &now) const;
  void reportRace(const char *address, const char *what, uint64_t where, uint64_t when, const GpuadSite *site);
  void synchronise(const char *address, bool writes);
  Now now() const;

  bool on = false;
  ShadowRegion heapRegion, dynamicShared, reservedShared;
  struct ImageShadow {
    const GpuadImage *image;
    ShadowRegion shared, variables;
  };
  std::vector<std::unique_ptr<ImageShadow>> images;
  ImageShadow *current = nullptr;
  uint64_t launch = 0;
  uint64_t carried = 0; ///< states of the last load that carries
  std::unordered_map<const char *, Knowledge> releases;
  std::unordered_set<const GpuadSite *> told;
};

extern Strict *const theStrict;
inline Strict &strict() { return *theStrict; }

} // namespace gpuad::cpu
