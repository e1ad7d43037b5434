//===- SharedEpochs.h - who touches shared memory between barriers -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Between two barriers (an epoch) the primal is free of races: an element of a shared
/// array that one thread stores to is touched by that thread alone. So the reverse of a
/// load from it may add without an atomic. The same holds for loads that are the only
/// ones of their epoch from the array, when no two threads come to the same element.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_SHAREDEPOCHS_H
#define GPUAD_ANALYSIS_SHAREDEPOCHS_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

namespace gpuad::analysis {

class SharedEpochs {
public:
  SharedEpochs(const ir::ValueFunction &function, const rules::RuleTable &rules);
  /// Whether one thread alone touches, in its epoch, the element that is loaded from
  /// this place.
  bool isOwned(const ir::Expr &place) const;

private:
  std::vector<ir::Expr> owned; ///< places of which every load is
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_SHAREDEPOCHS_H
