//===- AdjointCallee.cpp - the signature of a shared adjoint -------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An adjoint that calls share differs from a requested one in how it takes arguments:
/// values are passed as values even where the function takes a reference, what it adds
/// to are variables of the caller's and never null, only what is active has a shadow,
/// and the seed of an object that the function merely sets is passed as a value.
///
///     void f(float a, const float* x, float& out, float& sum)
///     void f_adjoint(float a, float* a_bar, const float* x, float* x_bar,
///                    float out_bar, float sum, float* sum_bar)
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointMaker.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

/// A parameter name that the signature does not have yet.
std::string AdjointMaker::freshName(const std::string &base) const {
  auto isTaken = [&](const std::string &name) {
    auto has = [&](const Var *var) { return var->name == name; };
    return llvm::any_of(primal.params, has) || llvm::any_of(owner->params, has);
  };
  std::string name = base;
  for (unsigned number = 2; isTaken(name); ++number)
    name = base + "_" + std::to_string(number);
  return name;
}

void AdjointMaker::ownParameter(unsigned param, Param &made) {
  const Var &original = *primal.params[param];
  bool leadsOn = isPointer(original.type) || isReference(original.type);
  bool isValue = !leadsOn || !pattern->args[param].isMemory;
  Type type = leadsOn && isValue ? withConst(elementOf(original.type), false) : original.type;
  std::string name = original.name.empty() ? "unnamed" : original.name;
  made.own = owner->makeVar(name, type, Storage::Parameter);
}

/// The parameters that hold what a reference or pointer of the primal's leads to.
std::set<unsigned> AdjointMaker::boundObjects() const {
  std::set<unsigned> objects;
  for (unsigned i = 0; pattern && i < primal.params.size(); ++i) {
    const Type &type = primal.params[i]->type;
    if ((isPointer(type) || isReference(type)) && !pattern->args[i].isMemory)
      objects.insert(i);
  }
  return objects;
}

std::set<MemoryBase, InOrder> AdjointMaker::activeArguments() const {
  std::set<MemoryBase, InOrder> objects;
  for (unsigned i = 0; i < params.size(); ++i)
    if (pattern->args[i].isIn)
      objects.insert({params[i].own, ""});
  return objects;
}

void AdjointMaker::shadowArguments() {
  for (unsigned i = 0; i < params.size(); ++i) {
    Param &param = params[i];
    const ArgumentPattern &arg = pattern->args[i];
    owner->params.push_back(param.own);
    if (!arg.isIn && !arg.isOut)
      continue;
    Type held = withConst(param.own->type, false);
    if (arg.isMemory) {
      held = elementOf(held);
      held = withConst(isArray(held) ? elementOf(held) : held, false);
    }
    param.shadow =
        owner->makeVar(freshName(param.own->name + "_bar"), arg.isIn ? pointerTo(held) : held, Storage::Parameter);
    owner->params.push_back(param.shadow);
    if (arg.isMemory && arg.mayBeNull)
      param.want = owner->makeVar("want_" + param.own->name, withConst(boolType(), true));
    if (arg.isMemory || !arg.isIn)
      continue;
    param.sum = owner->makeVar(param.own->name + "_sum", held);
    if (arg.isOut)
      param.seed = owner->makeVar(param.own->name + "_seed", held);
  }
  if (pattern->result) {
    returnBar = owner->makeVar(freshName("return_bar"), withConst(primal.returnType, false), Storage::Parameter);
    owner->params.push_back(returnBar);
  }
  shared->function->params = owner->params; // for calls of itself
}

std::vector<Expr> AdjointMaker::resultsOf(const ValueFunction &function) const {
  std::vector<Expr> results;
  if (function.result && (pattern ? pattern->result : request.returnIsDependent))
    results.push_back(function.result);
  for (const BoundObject &object : function.objects)
    if (pattern->args[object.param].isOut)
      results.push_back(object.last);
  return results;
}

std::vector<std::pair<Expr, Expr>> AdjointMaker::seedsOf(const ValueFunction &function) const {
  std::vector<std::pair<Expr, Expr>> seeds;
  if (returnBar && function.result)
    seeds.push_back({function.result, makeRef(returnBar)});
  for (const BoundObject &object : function.objects)
    if (pattern->args[object.param].isOut) {
      const Param &param = params[object.param];
      seeds.push_back({object.last, makeRef(param.seed ? param.seed : param.shadow)});
    }
  return seeds;
}

/// What the adjoint does not read is not passed. One that calls itself has its signature
/// before it has a body.
void AdjointMaker::dropUnusedValues() {
  if (callees.calleePlan().shapeOf(primal).isRecursive)
    return;
  OrderedSet<Var> used;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
      used.insert(ref->var);
  });
  for (unsigned i = 0; i < params.size(); ++i) {
    shared->takesValue[i] = used.count(params[i].own) != 0;
    if (!shared->takesValue[i])
      std::erase(owner->params, params[i].own);
  }
}

void AdjointMaker::describeShared(Derivative &derivative) const {
  std::string ins, outs, places;
  auto list = [](std::string &text, const std::string &name) { text += (text.empty() ? "" : ", ") + name; };
  for (unsigned i = 0; i < params.size(); ++i) {
    const ArgumentPattern &arg = pattern->args[i];
    const std::string &name = params[i].own->name;
    if (arg.isIn)
      list(ins, name);
    if (arg.isOut)
      list(outs, name);
    if (arg.isIn && arg.isMemory && arg.space == MemorySpace::Shared)
      places += " " + name + " lies in shared memory.";
    if (arg.isIn && arg.isMemory && arg.space == MemorySpace::Private && pattern->kind != FunctionKind::Host)
      places += " " + name + " is the caller's own.";
  }
  if (pattern->result)
    list(outs, "return");
  derivative.comment =
      "Adjoint of " + primal.qualifiedName() + " for its callers: (" + outs + ") / (" + ins + ")." + places;
}

} // namespace gpuad::transform
