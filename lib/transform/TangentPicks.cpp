//===- TangentPicks.cpp - a number and its tangent, picked together ------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/TangentBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/AtomicPicks.h"

namespace gpuad::transform {
using namespace ir;

/// atomicMax(p, v): a number and its tangent are picked together. Null: the call does not
/// pick one of which there is a tangent, or it was refused.
Expr TangentBuilder::pickWithTangent(const Expr &e) {
  auto *call = e ? llvm::dyn_cast<CallExpr>(e.get()) : nullptr;
  std::optional<AtomicPick> pick = call ? atomicPick(*call, rules) : std::nullopt;
  Var *root = pick ? rootVar(pick->pointer) : nullptr;
  if (!root || !activity.isVaried(root))
    return nullptr;
  auto made = std::make_shared<CallExpr>(*llvm::cast<CallExpr>(own(e).get()));
  pick = atomicPick(*made, rules);
  const rules::Rule *rule = rules.find(call->callee);
  if (!isActiveOwn(pick->pointer)) // nobody asked for the tangent of what is there
    return nullptr;
  if (rule->tangent.empty()) {
    refuse(diag::Id::NotInForward, e->range, "'" + call->callee.name + "' on active values");
    return nullptr;
  }
  Expr number = prepareOwn(pick->number, false);
  if (!isCheap(number))
    number = temporary(number, "offered");
  made->args[1] = number;
  Expr present = presence(pick->pointer);
  Expr plain = present ? std::make_shared<CallExpr>(*made) : nullptr;
  made->callee.name = made->callee.spelling = rule->tangent;
  made->callee.parameterTypes.clear();
  std::vector<Expr> args{made->args[0], dotPointer(pick->pointer), number, dotOrZero(number, nullptr)};
  args.insert(args.end(), made->args.begin() + 2, made->args.end());
  made->args = std::move(args);
  return present ? makeSelect(present, Expr(made), plain, e->type) : Expr(made);
}

} // namespace gpuad::transform
