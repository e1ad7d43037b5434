//===- Verify.h - invariants of the IR -------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every stage may rely on. A violation is a bug of gpuad, reported as
/// internal-error with the place; the translation then stops.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_VERIFY_H
#define GPUAD_IR_VERIFY_H

#include "ir/Module.h"

#include <string>
#include <vector>

namespace gpuad::ir {

/// Checks typing, that effects stand alone, that every variable belongs to the
/// function or module, and that no Accum is left undecided (`decided`). Returns
/// one line a violation.
std::vector<std::string> verify(const Function &function, bool decided = false);

} // namespace gpuad::ir

#endif // GPUAD_IR_VERIFY_H
