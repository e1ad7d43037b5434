/// \file
/// What retargeted device code and the CPU runtime agree on: the state of the running thread, the tables that a device
/// image carries, and the calls from device code into the scheduler. The retarget pass writes these layouts as LLVM
/// types (tool/gpuad-cpucc/ImageTables.cpp), the device library and the runtime include this file.

#pragma once

#include <cstddef>
#include <cstdint>

/// A place in device code where a thread can wait. Its address identifies it: two barriers are never one.
struct GpuadSite {
  const char *what;
  const char *file;
  const char *function;
  uint32_t line;
  uint32_t reserved;
};

/// The running GPU thread. Device code reads it for threadIdx and friends; the scheduler writes it at each switch.
struct GpuadThread {
  uint32_t threadIdx[3];
  uint32_t linear; ///< index of the thread in its block
  uint32_t blockIdx[3];
  int32_t pollBudget; ///< polls (failed exchanges, volatile loads) left until the thread gives way
  uint32_t blockDim[3];
  uint32_t dynamicSharedBytes;
  uint32_t gridDim[3];
  uint32_t reserved;
  uint64_t gridId;
  uint32_t envreg[4]; ///< envreg1 and 2 give cooperative groups the address of its grid workspace
};

/// Address spaces of the variables that an image lists.
enum GpuadSpace : uint32_t { gpuadGlobal = 1, gpuadShared = 3, gpuadConstant = 4, gpuadLocal = 5 };

struct GpuadVariable {
  const char *name;
  void *address;
  uint64_t bytes;
  uint32_t space;
  uint32_t alignment;
};

struct GpuadKernel {
  const char *name;
  void (*entry)(void **arguments);
  const uint32_t *parameterBytes;     ///< one size a parameter
  const GpuadVariable *const *shared; ///< the static shared variables it reaches, null-terminated
  uint32_t parameterCount;
  uint32_t flags;
  uint32_t maxThreads; ///< of __launch_bounds__, 0 if none
  uint32_t registers;  ///< that nvcc gives a thread, 0 if not known
};

/// A kernel calls what this image does not define, or calls through a pointer: all shared variables may be its own.
constexpr uint32_t gpuadKernelReachesUnknown = 1;

/// What a device image exports, as symbol gpuad_image.
struct GpuadImage {
  const GpuadKernel *kernels, *kernelsEnd;
  const GpuadVariable *variables, *variablesEnd;
  char *shared, *sharedEnd; ///< the section of all static shared variables
  uint64_t flags;
};
constexpr uint64_t gpuadImageStrict = 1;

/// Operations of a warp; the numbers are those the device library passes.
enum GpuadWarpKind : uint32_t {
  gpuadShuffleIndex,
  gpuadShuffleUp,
  gpuadShuffleDown,
  gpuadShuffleXor,
  gpuadVoteAll,
  gpuadVoteAny,
  gpuadVoteUniform,
  gpuadVoteBallot,
  gpuadMatchAny,
  gpuadMatchAll,
  gpuadReduceAdd,
  gpuadReduceMin,
  gpuadReduceMax,
  gpuadReduceUnsignedMin,
  gpuadReduceUnsignedMax,
  gpuadReduceAnd,
  gpuadReduceOr,
  gpuadReduceXor,
  gpuadWarpSync
};

/// What one lane gets from a warp operation.
struct GpuadWarpResult {
  uint64_t value;
  uint32_t predicate;
};

enum GpuadBarrierKind : uint32_t { gpuadBarrierPlain, gpuadBarrierCount, gpuadBarrierAnd, gpuadBarrierOr };

/// What an access to memory is, in strict mode: flags, and the alignment that the compiler counts on.
enum GpuadAccess : uint32_t {
  gpuadAccessWrite = 1,
  gpuadAccessAtomic = 2,
  gpuadAccessVolatile = 4,
  gpuadAccessCarries = 8, ///< copies what may be uninitialised: the state goes along
  gpuadAccessGuess = 16,  ///< a plain read whose value a compare-and-swap of the same place then checks
  gpuadAccessSaves = 32,  ///< gpuad::save: what is read may be put back
};
constexpr uint32_t gpuadAccessAlignShift = 8;

extern "C" {
extern GpuadThread gpuad_thread;
extern char gpuad_dynamic_shared[];
/// What cooperative groups keeps for tiles of several warps.
extern char gpuad_reserved_shared[];

uint32_t gpuad_barrier(const GpuadSite *site, uint32_t id, uint32_t count, uint32_t kind, uint32_t value);
void gpuad_barrier_arrive(const GpuadSite *site, uint32_t id, uint32_t count);
GpuadWarpResult gpuad_warp(const GpuadSite *site, uint32_t kind, uint32_t mask, uint64_t value, uint32_t b, uint32_t c);
uint32_t gpuad_active_mask(const GpuadSite *site);
/// The thread waits for memory to change: let others run.
void gpuad_give_way(const GpuadSite *site);
uint32_t gpuad_is_space(const void *address, uint32_t space);
[[noreturn]] void gpuad_exit_thread();
[[noreturn]] void gpuad_trap(const char *why);
/// Strict mode: checks an access and gives the address at which to do it.
void *gpuad_access(char *address, uint32_t bytes, uint32_t flagsAndAlign, const GpuadSite *site);
void *gpuad_access_range(void *address, uint64_t bytes, uint32_t flags, const GpuadSite *site);
/// Returns if the check is off.
void gpuad_out_of_bounds(const GpuadSite *site);
void gpuad_overflow(const GpuadSite *site);
void gpuad_fence();
/// Strict mode: memory of the running function that nobody has written yet, and the end of that function.
void gpuad_local_begin(char *address, uint64_t bytes);
void gpuad_local_end(char *address, uint64_t bytes);
void gpuad_local_use(uint32_t isUnwritten, const GpuadSite *site);
/// gpuad::restore has put back what gpuad::save had read.
void gpuad_restored(char *address, uint64_t bytes);
}
