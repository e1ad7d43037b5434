//===- Counting.cpp - how often a loop runs-------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Counting.h"

#include "ir/Builder.h"

namespace gpuad::transform {
using namespace ir;

bool isWhole(const Expr &e, int64_t number) {
  auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(e).get());
  auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  return value && *value == number;
}

/// The number of the iteration, from 0, where the loop's own variables are in scope.
Expr iterationOf(const LoopItem &item) {
  if (!item.isCounted)
    return makeRef(item.trips);
  Expr iv = makeRef(item.iv);
  Expr done = item.stepIsNegative ? sub(item.begin, iv) : sub(iv, item.begin);
  return isWhole(item.step, 1) ? done : makeBinary(BinaryOp::Div, done, item.step, done->type);
}

Expr tripCount(const LoopItem &item) {
  return item.isCounted ? tripCount(item, item.begin, item.end) : makeRef(item.trips);
}

Expr tripCount(const LoopItem &item, const Expr &begin, const Expr &end) {
  Expr span = item.stepIsNegative ? sub(begin, end) : sub(end, begin);
  if (item.compare == BinaryOp::Le || item.compare == BinaryOp::Ge)
    span = add(span, intLit(1));
  Expr count = isWhole(item.step, 1)
                   ? span
                   : makeBinary(BinaryOp::Div, sub(add(span, item.step), intLit(1)), item.step, span->type);
  Expr runs = makeBinary(item.compare, begin, end, boolType());
  return makeSelect(runs, count, intLit(0), item.iv->type);
}

Type iterationType(const LoopItem &item) {
  if (!item.isCounted || item.iv->type->bits <= 32)
    return intType();
  return item.iv->type->isSigned ? withConst(item.iv->type, false) : scalarType(ScalarKind::Int, 64, true, "long long");
}

} // namespace gpuad::transform
