//===- InlineAccessors.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/InlineAccessors.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

namespace gpuad::transform {
using namespace ir;

namespace {
constexpr unsigned DeepestNest = 16; ///< accessors that call accessors

/// The place that the callee returns, or null when it does more than that.
Expr returnedPlace(const Function &callee) {
  if (!isReference(callee.returnType) && !isPointer(callee.returnType))
    return nullptr;
  auto *block = llvm::dyn_cast_or_null<BlockStmt>(callee.body.get());
  if (!block || block->stmts.size() != 1)
    return nullptr;
  auto *leave = llvm::dyn_cast<ReturnStmt>(block->stmts[0].get());
  return leave ? leave->value : nullptr;
}

Expr inlined(const Expr &e, unsigned depth) {
  return rewriteExpr(e, [&](const Expr &one) -> Expr {
    auto *call = llvm::dyn_cast<CallExpr>(one.get());
    if (!call || !call->callee.function || depth == 0)
      return one;
    Expr place = returnedPlace(*call->callee.function);
    if (!place || call->args.size() < call->callee.function->params.size())
      return one;
    const std::vector<Var *> &params = call->callee.function->params;
    Expr bound = substitute(place, [&](Var *var) -> Expr {
      for (size_t i = 0; i < params.size(); ++i)
        if (params[i] == var)
          return isReference(var->type) ? stripImplicit(call->args[i]) : call->args[i];
      return nullptr;
    });
    return inlined(bound, depth - 1);
  });
}
} // namespace

Stmt inlineAccessors(const Stmt &body) {
  return rewriteHeldExprs(body, [](const Expr &e) { return inlined(e, DeepestNest); });
}

} // namespace gpuad::transform
