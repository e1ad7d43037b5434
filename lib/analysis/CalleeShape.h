//===- CalleeShape.h - what a function does to its caller ----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Whether a device function can be run a second time by an adjoint of its own, in the
/// reverse sweep of its callers: it gives results, writes objects that are passed to
/// it, reads memory, and does nothing else. And how large it is.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_CALLEESHAPE_H
#define GPUAD_ANALYSIS_CALLEESHAPE_H

#include "ir/Function.h"
#include "rules/RuleTable.h"

#include <map>
#include <set>

namespace gpuad::analysis {

/// What a function does with the memory that a parameter leads to.
struct ParamShape {
  bool isWritten = false;
  /// It is one value: what a reference names, or a pointer that is only dereferenced.
  bool isObject = false;
};

struct CalleeShape {
  /// Runs to the same results whenever it is called with the same arguments and memory,
  /// and its types and names can be spelled outside.
  bool isSelfContained = true;
  bool isRecursive = false;
  bool readsConstants = false; ///< floating-point `__constant__` memory
  unsigned ownSize = 0;        ///< statements and operations of the body itself
  unsigned size = 0;           ///< with all callees put in place
  std::vector<ParamShape> params;
  ir::OrderedMap<const ir::Function, unsigned> sites; ///< functions of the module that it calls, and how often
};

/// Made on demand and kept.
class CalleeShapes {
public:
  explicit CalleeShapes(const rules::RuleTable &rules) : rules(rules) {}
  const CalleeShape &of(const ir::Function &function);

private:
  const rules::RuleTable &rules;
  ir::OrderedMap<const ir::Function, CalleeShape> known;
  ir::OrderedSet<const ir::Function> underway;
};

/// A number, or a struct of such: no pointers, arrays or unions inside.
bool isPlainValue(const ir::Type &type);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_CALLEESHAPE_H
