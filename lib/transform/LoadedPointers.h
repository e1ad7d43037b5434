//===- LoadedPointers.h - memory behind pointers in memory ----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pointers that stand in memory (rows[i]) or in a struct are equal or disjoint among
/// themselves. The derivative is made for disjoint ones, and each block asks whether they are.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_LOADEDPOINTERS_H
#define GPUAD_TRANSFORM_LOADEDPOINTERS_H

#include "ir/ValueForm.h"
#include "support/Diagnostics.h"

#include <string>
#include <vector>

namespace gpuad::transform {

/// Which pointers of a parameter, that is a struct or leads to one, have shadows: as paths, as
/// memoryBase names what they lead to; of a pointer to pointers, a star.
std::vector<std::string> pointersIn(const ir::Type &type);

/// Finds loads behind such a pointer that would see what was stored behind another one, were
/// the two equal, and notes the two as `apart`. Refuses those that a
/// kernel cannot tell when a block begins, and numbers that lie deeper than shadows go.
bool checkLoadedPointers(ir::ValueFunction &function, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_LOADEDPOINTERS_H
