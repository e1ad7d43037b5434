//===- FinalValues.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/FinalValues.h"

#include "ir/Builder.h"
#include "ir/Walk.h"

namespace gpuad::analysis {
using namespace ir;

void FinalValues::enter(const LoopItem &loop) {
  for (const Carried &carried : loop.carried) {
    running.insert(carried.var);
    if (auto &made = finals[carried.var]; !made) {
      made = std::make_unique<Var>();
      made->name = carried.var->name + "_final";
      made->type = carried.var->type;
      dependence.rename(carried.var, made.get());
    }
  }
}

void FinalValues::leave(const LoopItem &loop) {
  for (const Carried &carried : loop.carried)
    running.erase(carried.var);
}

Expr FinalValues::here(const Expr &e) {
  if (!e || finals.empty())
    return e;
  return substitute(e, [&](Var *var) -> Expr {
    auto found = running.count(var) ? finals.end() : finals.find(var);
    return found == finals.end() ? nullptr : makeRef(found->second.get());
  });
}

} // namespace gpuad::analysis
