//===- CalleeAdjoints.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/CalleeAdjoints.h"

#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/MakeAdjoint.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::transform {
using namespace ir;

/// The functions that a body calls.
static OrderedSet<const Function> calledIn(const Function &function) {
  OrderedSet<const Function> found;
  if (function.body)
    forEachExprIn(function.body, [&](const Expr &e) {
      if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && call->callee.function)
        found.insert(call->callee.function);
    });
  return found;
}

/// "pour_adjoint", with what tells it from others: "pour_adjoint_by_h_from_shared".
std::string CalleeAdjoints::nameFor(const Function &callee, const CalleePattern &pattern) const {
  std::string name;
  for (char c : callee.className.substr(0, callee.className.find('<')))
    name += llvm::isAlnum(c) ? c : '_';
  name += (name.empty() ? "" : "_") + plainName(callee) + "_adjoint";
  std::string by;
  bool isEverything = true;
  std::set<MemorySpace> spaces;
  for (unsigned i = 0; i < pattern.args.size(); ++i) {
    const ArgumentPattern &arg = pattern.args[i];
    const Var &param = *callee.params[i];
    bool isInput = reachesFloating(param.type) && !(plan.shapeOf(callee).params[i].isWritten && !arg.isIn);
    isEverything &= arg.isIn || !isInput;
    if (arg.isIn)
      by += "_" + param.name;
    if (arg.isIn && arg.isMemory)
      spaces.insert(arg.space);
  }
  if (!isEverything)
    name += "_by" + by;
  if (spaces.count(MemorySpace::Shared))
    name += "_from_shared";
  if (spaces.count(MemorySpace::Private) && pattern.kind != FunctionKind::Host)
    name += "_from_local";
  if (pattern.kind == FunctionKind::Host && callee.kind == FunctionKind::HostDevice)
    name += "_on_host";
  return name;
}

const CalleeAdjoint *CalleeAdjoints::find(const Function &callee, const CalleePattern &pattern) {
  auto [place, isNew] = made.try_emplace(Key{&callee, pattern});
  CalleeAdjoint &adjoint = place->second;
  if (!isNew)
    return adjoint.hasFailed ? nullptr : &adjoint;
  Request request;
  request.mode = DerivativeMode::Adjoint;
  request.primal = const_cast<Function *>(&callee);
  request.name = nameFor(callee, pattern);
  adjoint.function->name = request.name;
  adjoint.takesValue.assign(callee.params.size(), true);
  CollectingSink sink;
  std::optional<Derivative> derivative = makeCalleeAdjoint(request, pattern, adjoint, rules, *this, sink);
  if (derivative) {
    derivative->isPublic = false;
    finish(*derivative, sink);
  }
  if (derivative && sink.errorCount() == 0) {
    *adjoint.function = std::move(*derivative->function);
    derivative->function.reset();
    adjoint.derivative = std::move(derivative);
    return &adjoint;
  }
  // Others that were made meanwhile and call this one have none either.
  adjoint.hasFailed = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[key, other] : made)
      if (!other.hasFailed && llvm::any_of(calledIn(*other.function), [&](const Function *called) {
            return llvm::any_of(
                made, [&](const auto &one) { return one.second.hasFailed && one.second.function.get() == called; });
          }))
        changed = other.hasFailed = true;
  }
  return nullptr;
}

std::set<std::string> CalleeAdjoints::primalsCalledIn(const Function &function) const {
  std::set<std::string> names;
  OrderedSet<const Function> called = calledIn(function);
  for (const auto &[key, adjoint] : made)
    if (called.count(adjoint.function.get()))
      names.insert(key.first->qualifiedName());
  return names;
}

std::vector<Derivative> CalleeAdjoints::takeUsed(const std::vector<Derivative> &callers) {
  std::vector<Derivative> used;
  OrderedSet<const Function> wanted;
  std::vector<const Function *> work;
  for (const Derivative &caller : callers)
    work.push_back(caller.function.get());
  while (!work.empty()) {
    const Function *function = work.back();
    work.pop_back();
    for (const Function *called : calledIn(*function))
      if (wanted.insert(called).second)
        work.push_back(called);
  }
  for (auto &[key, adjoint] : made)
    if (adjoint.derivative && wanted.count(adjoint.function.get())) {
      adjoint.derivative->function = std::move(adjoint.function);
      used.push_back(std::move(*adjoint.derivative));
    }
  return used;
}

} // namespace gpuad::transform
