/// \file
/// Strict mode's part of the retarget pass.

#pragma once

#include "Lowering.h"

namespace gpuad::cpucc {

/// Puts a check before every access to memory that another thread could see. After the variables are lowered and before
/// the atomics are.
void addStrictChecks(Lowering &lowering);

} // namespace gpuad::cpucc
