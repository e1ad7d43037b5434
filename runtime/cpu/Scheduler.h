/// \file
/// Runs a launch: blocks one after the other, the threads of a block on fibers that are reused as loops. A thread that
/// never waits costs one call. Where all threads of a block only poll memory, further blocks are started beside it, so
/// that grid-wide barriers and chains of blocks work.

#pragma once

#include "Abi.h"
#include "Fiber.h"
#include "Order.h"
#include "Watchdog.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuad::cpu {

struct Barrier {
  FiberList waiters;
  uint32_t arrived = 0;
  uint32_t expected = 0; ///< 0: all live threads
  uint32_t counted = 0, allTrue = 1, anyTrue = 0;
  std::vector<uint32_t> members; ///< strict: who arrived, if a number of threads is expected
};

/// Lanes that meet under one mask in one kind of operation.
struct WarpMeeting {
  uint32_t kind = 0, mask = 0, arrived = 0;
  uint64_t value[32];
  uint32_t b[32], c[32];
  Fiber *fiber[32];
};

struct Warp {
  uint32_t existing = 0; ///< lanes that exist
  uint32_t gone = 0;     ///< lanes whose thread has ended
  std::vector<WarpMeeting *> meetings;
  FiberList activeMask; ///< callers of __activemask, until the warp can do nothing else
};

constexpr uint32_t barrierCount = 16;
constexpr size_t dynamicSharedLimit = 232448; ///< the most that any chip gives a block
constexpr size_t reservedSharedBytes = 1024;

/// The beginning of GpuadThread.
struct ThreadId {
  uint32_t x, y, z, linear;
};

struct Block {
  uint64_t number = 0; ///< linear, in launch order of the grid
  uint32_t index[3] = {0, 0, 0};
  uint32_t next = 0; ///< threads started so far, in thread order
  uint32_t live = 0; ///< threads not yet ended
  FiberList ready, polling;
  Barrier barriers[barrierCount];
  std::vector<Warp> warps;
  std::vector<char> savedShared;    ///< contents of shared memory while another block runs
  std::vector<uint8_t> savedStates; ///< strict: what is initialised there
  bool isSaved = false;
  uint32_t waitingAtBarriers = 0;
  BlockOrder order;        ///< strict
  uint64_t pollRounds = 0; ///< times in a row that all it could do was poll
};

struct LaunchRequest {
  const GpuadKernel *kernel = nullptr;
  const GpuadImage *image = nullptr;
  void **arguments = nullptr;
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  size_t dynamicShared = 0;
  bool cooperative = false;
};

/// How a launch ended: an error as cudaError_t and what to tell the user.
struct LaunchResult {
  int error = 0;
  std::string message;
};

class Scheduler {
public:
  Scheduler();
  LaunchResult run(const LaunchRequest &request);

  /// True while device code runs.
  bool isRunning() const { return running; }
  bool isDeviceThread() const { return running && current != &main; }

  // What device code calls, always for the running thread.
  uint32_t barrier(const GpuadSite *site, uint32_t id, uint32_t count, uint32_t kind, uint32_t value);
  void barrierArrive(uint32_t id, uint32_t count);
  GpuadWarpResult warp(const GpuadSite *site, uint32_t kind, uint32_t mask, uint64_t value, uint32_t b, uint32_t c);
  uint32_t activeMask(const GpuadSite *site);
  void giveWay(const GpuadSite *site);
  [[noreturn]] void exitThread();
  /// Ends the launch from device code (or from a signal handler that was left).
  [[noreturn]] void fail(int error, std::string message);
  /// "kernel k, block (0,0,0), thread (3,0,0)" for the running thread.
  std::string whereAmI() const;
  void watchdogExpired() { watchdog.expire(); }

  const LaunchRequest &request() const { return *launch; }
  bool isShared(const void *address) const;
  bool isLocal(const void *address) const;
  void markUnwritten(const char *address, size_t bytes, bool isUnwritten) {
    FiberPool::mark(current, address, bytes, isUnwritten);
  }
  const FiberPool &fibers() const { return pool; }
  const Fiber *currentFiber() const { return current; }
  const Block &currentBlock() const { return *active; }
  Block &currentBlock() { return *active; }
  uint64_t blocksInGrid() const { return blockCount; }

private:
  static void fiberMain(boost::context::detail::transfer_t transfer);
  void threads();
  void switchTo(Fiber *fiber);
  void wait(Waiting why, const GpuadSite *site, uint32_t id);
  Fiber *pick();
  void restoreIds();
  void startThread(Fiber *fiber, uint32_t thread);
  void endThread();
  void releaseWaiters(Warp &warp);

  void prepareLaunch();
  Block *startBlock();
  void finishBlock(Block *block);
  void runBlocks();
  void activate(Block *block);
  void fillShared();
  bool releaseActiveMasks(Block &block);
  void stalled(Block *block);
  Block *anotherBlock(Block *block);
  void chooseOrder();

  uint32_t arriveAt(Barrier &barrier, const GpuadSite *site, uint32_t id, uint32_t kind);
  bool releaseIfComplete(Barrier &barrier);
  void noteOrder(Barrier &barrier);
  WarpMeeting *meetingFor(Warp &warp, uint32_t kind, uint32_t mask);
  void completeMeeting(Warp &warp, WarpMeeting *meeting, uint32_t skipLane);
  void ready(Fiber *fiber) {
    fiber->waiting = Waiting::no;
    active->ready.push(fiber);
  }

  FiberPool pool;
  Fiber main;
  Fiber *current = &main;
  Block *active = nullptr;
  const LaunchRequest *launch = nullptr;
  LaunchResult result;
  bool running = false;
  Watchdog watchdog;
  bool isStrict = false; ///< this launch is checked
  uint32_t threadCount = 0;
  uint64_t blockCount = 0, nextBlock = 0;
  uint64_t stride = 1, offset = 0; ///< block order: number = (i * stride + offset) mod blockCount
  std::vector<uint32_t> order;     ///< thread order in a block
  std::vector<ThreadId> ids;
  uint32_t idShape[3] = {0, 0, 0};
  std::vector<std::unique_ptr<Block>> live, spare;
  std::vector<std::unique_ptr<WarpMeeting>> meetingStore;
  std::vector<WarpMeeting *> spareMeetings;
  uint64_t launches = 0;
  double pollingSince = 0;
  void *gridWorkspace = nullptr; ///< what cooperative groups use for grid.sync()

  friend class WaitReport;
};

/// The one there is. Never destroyed, since device code may run in the program's last destructors.
extern Scheduler *const theScheduler;
inline Scheduler &scheduler() {
  return *theScheduler;
}

/// Turns signals of device code into errors of the launch.
void catchDeviceFaults();
/// Lets a signal handler end in a function on the stack of the running GPU thread, whatever that was doing.
void continueAt(void *context, void (*where)());

} // namespace gpuad::cpu
