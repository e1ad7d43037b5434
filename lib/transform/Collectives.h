//===- Collectives.h - what threads do together -----------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. Which items the threads of a block or a warp run together, and what of the code around
/// them a thread can run that is not to take part.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_COLLECTIVES_H
#define GPUAD_TRANSFORM_COLLECTIVES_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

namespace gpuad::transform {

/// Who comes together in a piece of code.
struct Meetings {
  bool block = false;   ///< all threads of the block
  bool warp = false;    ///< all lanes of a warp, by a mask that names all
  bool unknown = false; ///< all lanes of a warp, and what a lane would give that does not take part is not known
  bool any() const { return block || warp || unknown; }
  Meetings &operator|=(const Meetings &other) {
    block |= other.block;
    warp |= other.warp;
    unknown |= other.unknown;
    return *this;
  }
};

Meetings meetingsIn(const ir::Item &item, const rules::RuleTable &rules);
Meetings meetingsIn(const ir::Region &region, const rules::RuleTable &rules);

/// What stands at the mirrored place of a barrier, which is its own image unless it votes.
ir::Stmt mirrorOfBarrier(const ir::Item &item);

/// Whether the code in front of the region's first barrier, `ofBlock` or of any threads, both loads from and stores to
/// one shared array. Run again in reverse order, iterations of such a loop meet there: what one loads, the next one
/// stores to.
bool reusesSharedBeforeBarrier(const ir::Region &region, bool ofBlock);

/// The rule of an exchange or a vote; null: the item is none.
const rules::Rule *exchangeOf(const ir::Item &item, const rules::RuleTable &rules);

/// What of a region every thread can compute, whether the region is meant for it or not.
class Common {
public:
  Common(const ir::Region &region, const rules::RuleTable &rules) : rules(rules) { collect(region); }

  /// Whether the condition of a branch, or the bounds of a loop, are such.
  bool decides(const ir::Item &item);
  /// The items that all threads have to run for that.
  const ir::OrderedSet<const ir::Item> &items() const { return needed; }

private:
  struct Definition {
    const ir::Item *item = nullptr;
    const ir::Merge *merge = nullptr;
    const ir::Carried *carried = nullptr;
  };
  void collect(const ir::Region &region);
  bool has(const ir::Expr &e);
  bool has(ir::Var *var);
  bool derive(const Definition &definition);

  const rules::RuleTable &rules;
  ir::OrderedMap<ir::Var, Definition> definitions;
  ir::OrderedMap<ir::Var, bool> known;
  ir::OrderedSet<const ir::Item> needed;
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_COLLECTIVES_H
