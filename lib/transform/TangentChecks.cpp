//===- TangentChecks.cpp - what forward mode refuses ---------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/ValueForm.h"
#include "ir/Walk.h"
#include "transform/Sums.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace gpuad::transform {
using namespace ir;
using rules::RuleKind;

/// Floating-point data in memory of another type has no tangent beside it.
void TangentBuilder::refuseOtherMemory(const CastExpr &cast) {
  Type from = stripImplicit(cast.operand)->type;
  bool toFloating = isPointer(cast.type) && reachesFloating(cast.type);
  if (!toFloating || reachesFloating(from) || !(isPointer(from) || isArray(from)))
    return;
  forEachExpr(cast.operand, [&](const Expr &e) {
    auto *ref = llvm::dyn_cast<RefExpr>(e.get());
    if (ref && !reachesFloating(stripReference(ref->var->type)) && activity.carries(ref->var) &&
        !isActiveVar(ref->var) && refused.insert(cast.range.offset).second)
      refuse(diag::Id::NotInForward, cast.range,
             "floating-point data in '" + ref->var->name + "', which is declared as '" + spell(ref->var->type) + "',");
  });
}

/// Numbers of which only the bits are seen. What a block carves out of shared memory may
/// really hold integers.
void TangentBuilder::refuseBits(const CastExpr &cast) {
  Var *root = rootVar(cast.operand);
  if (seesBits(cast) && root && !isShared(root) && activity.isVaried(root) && refused.insert(cast.range.offset).second)
    refuse(diag::Id::NumberBits, cast.range, root->name, spell(elementOf(cast.type)));
}

static bool isByte(const Type &type) {
  return isInteger(type) && type->bits == 8;
}

/// Shared and local arrays of bytes get a second one for the tangents of what is laid
/// into them; so does what an adjoint puts back from.
bool TangentBuilder::isActiveVar(Var *var) const {
  bool isOwn = var->storage == Storage::Shared || var->storage == Storage::DynamicShared ||
               (var->storage == Storage::Local && !var->isStaticLocal);
  bool isBytes = isOwn && isArray(var->type) && isByte(innermost(var->type));
  return activity.isActive(var) || ((isBytes || leadsToBytes(var)) && activity.carries(var)) || undone.count(var);
}

/// Whether a pointer to bytes leads to such arrays alone.
bool TangentBuilder::leadsToBytes(Var *var) const {
  if (var->storage != Storage::Local || !isPointer(var->type) || !isByte(elementOf(var->type)))
    return false;
  auto roots = activity.pointees().find(var);
  return roots != activity.pointees().end() && !roots->second.empty() &&
         llvm::all_of(roots->second, [&](Var *root) { return isArray(root->type) && isActiveVar(root); });
}

/// Numbers that are moved byte by byte lose their tangents.
void TangentBuilder::refuseBytes(const Expr &whole) {
  std::set<const ExprNode *> addressed;
  forEachExpr(whole, [&](const Expr &e) {
    if (auto *address = llvm::dyn_cast<AddrOfExpr>(e.get()))
      addressed.insert(address->place.get());
    bool isPlace = e->kind == ExprKind::Index || e->kind == ExprKind::Deref;
    Var *root = isPlace && isByte(e->type) ? rootVar(e) : nullptr;
    if (root && !addressed.count(e.get()) && !activity.isActive(root) && isActiveVar(root) &&
        refused.insert(e->range.offset).second)
      refuse(diag::Id::NotInForward, e->range, "single bytes of '" + root->name + "', which holds active numbers,");
  });
}

/// Text that names something active may do anything with it, whatever its own type is: a
/// lambda keeps a pointer and writes through it.
void TangentBuilder::refuseActiveText(const TextExpr &text) {
  if (llvm::any_of(text.mentions, [&](Var *var) { return activity.carries(var); }) &&
      refused.insert(text.range.offset).second)
    refuse(diag::Id::ActiveThroughOpaque, text.range, "code", text.text.substr(0, text.text.find('\n')));
}

/// What a derived class adds to an object, activity of the base class does not tell.
void TangentBuilder::refuseDowncast(const CastExpr &cast) {
  bool isPointers = isPointer(cast.operand->type) && isPointer(cast.type);
  const Type &from = isPointers ? elementOf(cast.operand->type) : cast.operand->type;
  const Type &to = isPointers ? elementOf(cast.type) : cast.type;
  bool isUp = isRecord(from) && isRecord(to) && firstFieldOf(to, from) && !sameType(from, to);
  if (isUp && reachesFloating(from) && !reachesFloating(to) && isActiveOwn(cast.operand) &&
      refused.insert(cast.range.offset).second)
    return refuse(diag::Id::NotInForward, cast.range,
                  "a base class that holds no number in place of the object that does");
  if (!isRecord(from) || !isRecord(to) || !firstFieldOf(from, to) || !reachesFloating(to))
    return;
  if (refused.insert(cast.range.offset).second)
    refuse(diag::Id::NotInForward, cast.range, "a cast to a derived class");
}

/// A function without a derivative is refused wherever it meets an active argument,
/// whatever its result is: bits of a number are an integer, and a number can be made of
/// them again.
void TangentBuilder::refuseForbidden(const CallExpr &call) {
  const rules::Rule *rule = analysis::definitionOf(call.callee) ? nullptr : rules.find(call.callee);
  if (!rule || rule->kind != RuleKind::Forbidden ||
      llvm::none_of(call.args, [&](const Expr &arg) { return isActiveOwn(arg); }))
    return;
  if (refused.insert(call.range.offset).second) // statements may be visited twice
    refuse(diag::Id::ForbiddenFunction, call.range, call.callee.name, rule->note);
}

} // namespace gpuad::transform
