//===- AdjointHows.cpp - which additions of an adjoint may be plain ------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ExclusiveArrays.h"
#include "analysis/ThreadDependence.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Accumulate.h"
#include "transform/AdjointMaker.h"
#include "transform/VectorSums.h"
#include "llvm/ADT/STLExtras.h"

#include <bit>

namespace gpuad::transform {
using namespace ir;

static std::string dimensionsInWords(unsigned dimensions) {
  unsigned count = std::max(std::popcount(dimensions & 7), std::popcount(dimensions >> 3));
  return count == 1 ? "one dimension" : count == 2 ? "two dimensions" : "three dimensions";
}

/// An array that other threads reach under the name of another parameter is owned where
/// the two differ, which the kernel tests once. False where it cannot.
bool AdjointMaker::own(const MemoryBase &object, Var *shadow, const analysis::ExclusiveProof &proof) {
  bool isAddedTo = false;
  forEachStmt(owner->body, [&](const Stmt &s) {
    if (auto *accum = llvm::dyn_cast<AccumStmt>(s.get()))
      isAddedTo |= accum->how == AccumHow::Undecided && rootVar(accum->place) == shadow;
  });
  if (!isAddedTo)
    return true;
  std::vector<Var *> others;
  for (const MemoryBase &other : proof.apartFrom)
    for (const Param &param : params) {
      if (param.own != other.first || (!param.shadow && param.views.empty()))
        continue; // nobody adds into its adjoint
      if (!object.second.empty() || !other.second.empty())
        return false;
      others.push_back(param.shadow);
    }
  Ownership owned{"plain: " + proof.words};
  Expr condition;
  if (proof.dimensions) {
    condition = makeRef(flatTest(proof.dimensions));
    owned.proof = "plain in a launch of " + dimensionsInWords(proof.dimensions) + ": " + proof.words;
  }
  if (!others.empty()) {
    std::string names;
    for (Var *other : others) {
      Expr differs = makeBinary(BinaryOp::Ne, makeRef(shadow), makeRef(other), boolType());
      condition = condition ? logicalAnd(condition, differs) : differs;
      names += (names.empty() ? "" : " and ") + other->name;
    }
    owned.proof = "plain where " + names + (others.size() > 1 ? " are" : " is") + " not the same array: " + proof.words;
  }
  if (!others.empty())
    owned.apart = declareTest("own_" + object.first->name, condition);
  else if (condition)
    owned.apart = flatTest(proof.dimensions);
  ownedShadows[shadow] = owned;
  return true;
}

/// A condition that holds for the whole launch, beside the `want_` tests.
Var *AdjointMaker::declareTest(const std::string &name, const Expr &condition) {
  Var *test = owner->makeVar(name, withConst(boolType(), true));
  std::vector<Stmt> list = llvm::cast<BlockStmt>(owner->body.get())->stmts;
  auto isTest = [](const Stmt &s) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    return decl && sameType(decl->var->type, boolType());
  };
  list.insert(llvm::find_if_not(list, isTest), makeDecl(test, condition));
  owner->body = makeBlock(std::move(list));
  return test;
}

/// Whether the launch has no other dimensions than these of threads and blocks.
Var *AdjointMaker::flatTest(unsigned dimensions) {
  if (flat)
    return flat;
  Expr condition;
  for (unsigned bit = 0; bit < 6; ++bit) {
    if (dimensions & (1u << bit))
      continue;
    ThreadBuiltin extent = bit < 3 ? ThreadBuiltin::BlockDim : ThreadBuiltin::GridDim;
    Expr isOne = makeBinary(BinaryOp::Eq, makeThreadIndex(extent, bit % 3), intLit(1), boolType());
    condition = condition ? logicalAnd(condition, isOne) : isOne;
  }
  Callee callee;
  callee.name = callee.spelling = "gpuad::one_dimensional";
  bool isLine = dimensions == (analysis::ThreadDependence::ThreadX | analysis::ThreadDependence::BlockX);
  return flat = declareTest("is_flat", isLine ? makeCall(callee, {}, boolType()) : condition);
}

/// Which additions may be plain.
void AdjointMaker::decideHows(const ValueFunction &function) {
  analysis::ExclusiveArrays arrays = analysis::exclusiveArrays(function, rules);
  OrderedMap<Var, std::string> whyNot;
  auto ownIfProven = [&](const MemoryBase &object, Var *shadow) {
    if (auto proof = arrays.proofs.find(object); proof != arrays.proofs.end()) {
      if (!own(object, shadow, proof->second))
        whyNot[shadow] = "another pointer may lead to the same array";
    } else if (auto why = arrays.whyNot.find(object); why != arrays.whyNot.end()) {
      whyNot[shadow] = why->second;
    }
  };
  for (const Global &global : globals)
    if (!global.sum)
      ownIfProven({global.own, ""}, global.shadow);
  OrderedMap<Var, MemorySpace> spaces;
  for (unsigned i = 0; i < params.size(); ++i) {
    const Param &param = params[i];
    if (param.shadow && !param.tables.empty())
      whyNot[param.shadow] = "two pointers in memory may lead to it";
    else if (param.shadow && isPointer(param.own->type))
      ownIfProven({param.own, ""}, param.shadow);
    if (param.shadow && (isPointer(param.own->type) || isReference(param.own->type)))
      spaces[param.shadow] = spaceOf(i);
    for (const ViewPointer &view : param.views)
      ownIfProven({param.own, view.path}, view.pointer);
  }
  for (Var *shadow : sharedPointers)
    spaces[shadow] = MemorySpace::Shared;
  decideAccumulation(*owner, primal.isKernel() ? ownedShadows : OrderedMap<Var, Ownership>{}, whyNot, spaces);
  joinVectorSums(*owner);
}

} // namespace gpuad::transform
