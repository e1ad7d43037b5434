//===- PutBack.h - shared arrays that change from one iteration to the next -===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. A tile of which an iteration loads only a part anew holds elements of earlier iterations.
/// Where the reverse sweep loads from it, each store keeps what was there, and the reverse of the store puts that
/// back. So the reverse of an item finds the array as it was behind the item, and what is run again stores what the
/// primal stored: a load finds the right element, if no store to the array lies behind it in what is run again.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_PUTBACK_H
#define GPUAD_TRANSFORM_PUTBACK_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

#include <vector>

namespace gpuad::transform {

/// Puts a value in front of every store to the array that holds what the place held. None: the stores cannot be
/// put back, since several threads may store to one element.
std::vector<const ir::ValueItem *> keepOldElements(ir::ValueFunction &function, ir::Var *array,
                                                   const rules::RuleTable &rules);

/// Whether the region stores to the array behind the item, in what the region holds.
bool storesBehind(const ir::Region &region, const ir::Item &item, const ir::Var *array);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_PUTBACK_H
