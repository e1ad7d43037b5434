//===- ExclusiveArrays.h - arrays whose elements one thread owns ---------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// When may `x_bar[e] += v` stay plain? When no two threads reach one element. The
/// primal is assumed free of races, so a plain write Y[c * v + d] proves that v
/// differs between the threads that execute it (FormAD: Hückelheim and Hascoët,
/// "Automatic differentiation of parallel loops with formal methods", ICPP 2022);
/// then any array that is only accessed as X[a * v + b], with |a| greater than the
/// spread of b, inside the region of that write, belongs to its threads element by
/// element. Here v is any sum of terms (LinearIndex.h).
///
/// Without such a write, the index itself can tell the threads apart (ThreadForm.h), if
/// the launch has no dimension that the function does not look at.
///
/// A write proves nothing when its index, with the conditions around it, leaves out a
/// dimension of the launch (all those threads write the same value), nor when it
/// changes in a loop with barriers, which may hand elements from thread to thread.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_EXCLUSIVEARRAYS_H
#define GPUAD_ANALYSIS_EXCLUSIVEARRAYS_H

#include "ir/ValueForm.h"
#include "rules/RuleTable.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>
#include <string>

namespace gpuad::analysis {

struct ExclusiveProof {
  std::string words; ///< for the comment in the output
  /// It holds only where the launch has no more dimensions than these: bits of threadIdx.x, .y,
  /// .z, blockIdx.x, .y, .z. 0: in any launch.
  unsigned dimensions = 0;
  /// Arrays that other threads reach at the same index: were one of them this very
  /// array, the proof would not hold.
  std::vector<ir::MemoryBase> apartFrom;
};

struct ExclusiveArrays {
  std::map<ir::MemoryBase, ExclusiveProof, ir::InOrder> proofs;
  std::map<ir::MemoryBase, std::string, ir::InOrder> whyNot; ///< what no proof was found for, in words for the comment
};

ExclusiveArrays exclusiveArrays(const ir::ValueFunction &function, const rules::RuleTable &rules);

/// The memory of which every one of the given stores is one thread's own: no two threads come to
/// one element by them, nor by atomics. In another way they may not come there meanwhile, since it
/// would be a race.
struct OwnedMemory {
  std::set<ir::MemoryBase, ir::InOrder> bases;
  /// It holds only where threads and blocks differ in x alone; the function looks at nothing else.
  bool onlyInLine = false;
};
OwnedMemory ownedByStores(const ir::ValueFunction &function, const rules::RuleTable &rules,
                          llvm::function_ref<bool(const ir::StoreItem &)> isMeant);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_EXCLUSIVEARRAYS_H
