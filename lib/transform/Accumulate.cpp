//===- Accumulate.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Accumulate.h"

#include "ir/Builder.h"
#include "ir/ValueForm.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"

namespace gpuad::transform {
using namespace ir;

namespace {
bool leadsToPrivate(const Expr &pointer);

/// Whether the place is in a local variable itself, however it is seen.
bool isPrivate(const Expr &place) {
  if (auto *ref = llvm::dyn_cast<RefExpr>(place.get()))
    return ref->var->storage == Storage::Local && !isReference(ref->var->type) && !isPointer(ref->var->type);
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return isPrivate(member->base);
  if (auto *access = llvm::dyn_cast<IndexExpr>(place.get()))
    return isArray(access->base->type) ? isPrivate(access->base) : leadsToPrivate(access->base);
  if (auto *deref = llvm::dyn_cast<DerefExpr>(place.get()))
    return leadsToPrivate(deref->pointer);
  return false;
}

/// Of a pointer that is made from the address of a variable on the spot: reinterpret_cast<double *>(&m[0])
bool leadsToPrivate(const Expr &pointer) {
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get()))
    return isPrivate(address->place);
  if (auto *cast = llvm::dyn_cast<CastExpr>(pointer.get()))
    return isArray(cast->operand->type) ? isPrivate(cast->operand) : leadsToPrivate(cast->operand);
  auto *sum = llvm::dyn_cast<BinaryExpr>(pointer.get());
  return sum && leadsToPrivate(isPointer(sum->lhs->type) ? sum->lhs : sum->rhs);
}
} // namespace

void decideAccumulation(Function &function, const OrderedMap<Var, Ownership> &owned,
                        const OrderedMap<Var, std::string> &whyNot, const OrderedMap<Var, MemorySpace> &spaces) {
  auto spaceOf = [&](Var *root) {
    if (isShared(root))
      return MemorySpace::Shared;
    auto known = spaces.find(root);
    if (known != spaces.end())
      return known->second;
    return function.isKernel() ? MemorySpace::Global : MemorySpace::Generic;
  };
  function.body = rewriteStmts(function.body, [&](const Stmt &s) -> Stmt {
    auto *accum = llvm::dyn_cast<AccumStmt>(s.get());
    if (!accum || accum->how != AccumHow::Undecided)
      return s;
    auto decided = std::make_shared<AccumStmt>(*accum);
    Var *root = rootVar(accum->place);
    auto proof = owned.find(root);
    if (isPrivate(accum->place) || function.kind == FunctionKind::Host) {
      decided->how = AccumHow::Plain;
    } else if (proof != owned.end()) {
      decided->apart = proof->second.apart ? makeRef(proof->second.apart) : nullptr;
      decided->how = decided->apart ? AccumHow::PlainIfApart : AccumHow::Plain;
      decided->note = proof->second.proof;
    } else {
      switch (spaceOf(root)) {
      case MemorySpace::Private:
        decided->how = AccumHow::Plain;
        break;
      case MemorySpace::Shared:
        decided->how = AccumHow::SharedAtomic;
        decided->note = "atomic: other threads may add here before the next barrier";
        break;
      case MemorySpace::Global:
        decided->how = AccumHow::GlobalAtomic;
        if (auto why = whyNot.find(root); why != whyNot.end())
          decided->note = "atomic: " + why->second;
        break;
      case MemorySpace::Generic:
        decided->how = AccumHow::AnySpace;
        decided->note = "plain in local memory, atomic elsewhere: the pointer may lead to either";
        break;
      }
    }
    return decided;
  });
}

} // namespace gpuad::transform
