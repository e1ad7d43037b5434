//===- WarpsApart.h - exchanges that part of a warp reaches ----- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Threads that returned early do not take part in what lanes of their warp exchange
/// later, which is fine while they are gone. In an adjoint they may have to come to a
/// barrier at its end; lanes that wait there while others wait for them in an exchange
/// wait for ever.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_WARPSAPART_H
#define GPUAD_ANALYSIS_WARPSAPART_H

#include "analysis/ThreadDependence.h"
#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

#include <optional>

namespace gpuad::analysis {

/// Which values all lanes of a warp agree on.
class LaneAgreement {
public:
  LaneAgreement(const ir::ValueFunction &function, const ThreadDependence &dependence);
  bool agree(const ir::Expr &e) const;
  /// Whether they come to an item of the function together, or not at all.
  bool meetAt(const ir::Item &item) const { return meetAt(item, body); }

private:
  bool meetAt(const ir::Item &item, const ir::Region &region) const;
  bool isFirstDimension(const ir::Expr &e) const;

  const ir::Region &body;
  const ThreadDependence &dependence;
  ir::OrderedMap<ir::Var, ir::Expr> definitions;
};

/// The first exchange among lanes under a condition that may differ within a warp; none
/// where every warp comes to each of them as a whole, or not at all.
std::optional<SourceRange> exchangeOfPartWarps(const ir::ValueFunction &function, const rules::RuleTable &rules);

/// Whether several threads come to the place, whose index tells a part of theirs alone:
/// a quotient, the rank of a tile or within one; and no guard tells the rest.
bool isSharedByThreads(const ir::Expr &place, const std::vector<ir::Expr> &guards,
                       const ir::OrderedMap<ir::Var, ir::Expr> &definitions, const ThreadDependence &dependence);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_WARPSAPART_H
