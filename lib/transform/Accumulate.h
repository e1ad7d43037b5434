//===- Accumulate.h - how each adjoint update adds -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides `how` for every Accum, in one place: plain where the place is private to
/// the thread or owned by one thread, through the space test where a pointer's
/// memory space is unknown, else atomic in device scope.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ACCUMULATE_H
#define GPUAD_TRANSFORM_ACCUMULATE_H

#include "ir/Function.h"
#include "transform/CalleeAdjoints.h"

#include <map>

namespace gpuad::transform {

/// Why one thread owns each element of a shadow.
struct Ownership {
  std::string proof;
  ir::Var *apart = nullptr; ///< a condition that it holds under; null: always
};

/// `owned`: shadow parameters whose elements one thread owns.
/// `whyNot`: for the others, why they are not; a comment says so.
/// `spaces`: where the pointers of shadows point to, as far as it is known.
void decideAccumulation(ir::Function &function, const ir::OrderedMap<ir::Var, Ownership> &owned,
                        const ir::OrderedMap<ir::Var, std::string> &whyNot,
                        const ir::OrderedMap<ir::Var, MemorySpace> &spaces);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ACCUMULATE_H
