//===- AtomicPicks.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AtomicPicks.h"

#include "ir/Builder.h"

namespace gpuad::transform {
using namespace ir;

Expr pointerToNumbers(const Expr &e, unsigned bits) {
  if (auto *cast = llvm::dyn_cast<CastExpr>(e.get())) {
    const Type &from = cast->operand->type;
    if (!isPointer(from))
      return nullptr;
    bool isFound = isFloating(elementOf(from)) && elementOf(from)->bits == bits;
    return isFound ? cast->operand : pointerToNumbers(cast->operand, bits);
  }
  if (auto *sum = llvm::dyn_cast<BinaryExpr>(e.get()); sum && isPointer(sum->lhs->type)) {
    Expr base = pointerToNumbers(sum->lhs, bits);
    return base ? makeBinary(sum->op, base, sum->rhs, base->type, e->range) : nullptr;
  }
  auto *address = llvm::dyn_cast<AddrOfExpr>(e.get());
  auto *access = address ? llvm::dyn_cast<IndexExpr>(address->place.get()) : nullptr;
  Expr base = access && isPointer(access->base->type) ? pointerToNumbers(access->base, bits) : nullptr;
  return base ? makeAddrOf(makeIndex(base, access->index), e->range) : nullptr;
}

std::optional<AtomicPick> atomicPick(const CallExpr &call, const rules::RuleTable &rules) {
  const rules::Rule *rule = call.callee.function ? nullptr : rules.find(call.callee);
  bool picks = rule && rule->kind == rules::RuleKind::Atomic && call.args.size() >= 2 &&
               (rule->atomicOp == rules::AtomicOp::Min || rule->atomicOp == rules::AtomicOp::Max);
  if (!picks || !isPointer(call.args[0]->type))
    return std::nullopt;
  return isFloating(elementOf(call.args[0]->type)) ? std::optional<AtomicPick>({call.args[0], call.args[1]})
                                                   : std::nullopt;
}

} // namespace gpuad::transform
