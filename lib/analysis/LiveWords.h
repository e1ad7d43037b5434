//===- LiveWords.h - how many registers a function may take -----*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A guess at the registers that a kernel takes: the most local values that are alive at
/// one place, in words of 4 bytes. What the compiler makes of it, only the compiler knows.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_LIVEWORDS_H
#define GPUAD_ANALYSIS_LIVEWORDS_H

#include "ir/Function.h"

namespace gpuad::analysis {

uint64_t mostLiveWords(const ir::Function &function);

/// Whether a kernel without a bound on its blocks may take more registers than each thread
/// of the largest block can have: 64.
bool mayLackRegisters(const ir::Function &function);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_LIVEWORDS_H
