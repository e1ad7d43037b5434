//===- LinearIndex.h - an index as a sum of terms --------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// scale * (terms) + offset, where the terms are values that are not looked into:
/// 6 * i + 4 * perm[j] + 1 is 2 * (3 * i + 2 * perm[j]) + 1. Values that are named
/// are replaced by what they are made of, so an index that is spelled out and one
/// that has a name come to the same.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_LINEARINDEX_H
#define GPUAD_ANALYSIS_LINEARINDEX_H

#include "ir/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace gpuad::analysis {

/// Without conversions of integers that keep every value apart.
const ir::Expr &stripWidening(const ir::Expr &e);

struct LinearIndex {
  std::vector<std::pair<ir::Expr, int64_t>> terms; ///< factors without a common divisor, the first one positive
  int64_t scale = 0, offset = 0;

  bool isConstant() const { return terms.empty(); }
  bool hasTermsOf(const LinearIndex &other) const;
};

/// `definition` gives the expression of a value that is computed once from other
/// values, or null. Nothing where constants are too large.
std::optional<LinearIndex> linearIndex(const ir::Expr &index, llvm::function_ref<ir::Expr(ir::Var *)> definition);

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_LINEARINDEX_H
