/// \file
/// What the environment asks of a program: GPUAD_CPU_* variables, each read once.

#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuad::cpu {

enum class Order { ascending, descending, shuffled };

struct Options {
  size_t stackBytes = 256 << 10; ///< GPUAD_CPU_STACK=bytes: stack of one GPU thread
  size_t memoryBytes = 0;        ///< GPUAD_CPU_MEMORY=bytes: size of device memory; 0: half of the machine's
  double spinSeconds = 10;       ///< GPUAD_CPU_SPIN=seconds: how long all threads may poll before that is an error
  double launchSeconds = 0;      ///< GPUAD_CPU_TIMEOUT=seconds a launch may take; 0: no limit
  bool strict = true;            ///< GPUAD_CPU_STRICT=0 switches the checks of a strict program off
  uint32_t off = 0;              ///< GPUAD_CPU_OFF=check,...: checks of strict mode that are off (Checks.def)
  bool jsonReports = false;      ///< GPUAD_CPU_REPORT=json
  uint64_t failAt = 0;           ///< GPUAD_CPU_FAIL=N:ERROR: the Nth call of the runtime API fails
  int failWith = 0;
};

const Options &options();

/// In which order blocks and threads run. Read at the first launch, so that a program may still choose in main.
struct RunOrder {
  Order order = Order::ascending; ///< GPUAD_CPU_ORDER=ascending|descending|shuffle:SEED
  uint64_t seed = 1;
};
const RunOrder &runOrder();

} // namespace gpuad::cpu
