//===- AdjointCall.cpp - reversing kept calls ----------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Forward, a kept call is the user's own call. In reverse it is a call of the callee's
/// adjoint, which runs the callee again and adds to the adjoints of its arguments. So
/// the memory that it reads has to hold then what it held at the call; where that is not
/// so, the call is given up, and the callee put in its place.
///
//===----------------------------------------------------------------------===//

#include "transform/AdjointBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

/// &tile[0] is tile; a whole array is passed as it is.
static Expr asPassed(const Expr &address) {
  auto *of = llvm::dyn_cast<AddrOfExpr>(address.get());
  if (of && isArray(of->place->type))
    return of->place;
  auto *access = of ? llvm::dyn_cast<IndexExpr>(of->place.get()) : nullptr;
  return access && isZeroLit(access->index) ? access->base : address;
}

void AdjointBuilder::forwardCall(const CallItem &item, bool isFirstRun) {
  auto copy = std::make_shared<CallExpr>(*llvm::cast<CallExpr>(item.call.get()));
  for (unsigned i = 0; i < item.args.size(); ++i) {
    const CallArgument &arg = item.args[i];
    if (arg.isMemory) {
      copy->args[i] = asPassed(arg.value);
      continue;
    }
    if (arg.object)
      emit(makeDecl(arg.object, arg.value, item.range));
    Expr passed = arg.object ? makeRef(arg.object) : arg.value;
    copy->args[i] = isPointer(item.callee->params[i]->type) ? makeAddrOf(passed) : passed;
  }
  Stmt call = item.result ? makeDecl(item.result, copy, item.range) : makeDo(copy, item.range);
  if (!isFirstRun && !runsOnSameArrays(item))
    hazardousCalls.push_back({call, &item});
  emit(call);
}

/// Whether the arrays that a call reads hold the same when its region is run again.
bool AdjointBuilder::runsOnSameArrays(const CallItem &item) const {
  return stableCalls.count(&item) != 0 || llvm::all_of(arraysReadBy(item), [&](Var *array) {
           return freshArrays.count(array) != 0 || llvm::is_contained(restored, array);
         });
}

/// What of the callee carries a derivative at this call.
CalleePattern AdjointBuilder::patternOf(const CallItem &item) const {
  CalleePattern pattern;
  pattern.kind = owner.isKernel() ? FunctionKind::Device : owner.kind;
  pattern.result = item.result && activity.isActive(item.result);
  for (unsigned i = 0; i < item.args.size(); ++i) {
    const CallArgument &arg = item.args[i];
    ArgumentPattern one;
    one.isMemory = arg.isMemory;
    one.isIn = activity.isActiveArgument(item, i);
    one.isOut = arg.isWritten && activity.isActive(arg.object);
    if (const Shadow *shadow = one.isIn && arg.isMemory ? shadowOf(arg.value) : nullptr) {
      one.space = shadow->space;
      one.mayBeNull = shadow->want != nullptr;
    }
    pattern.args.push_back(one);
  }
  return pattern;
}

/// The shadow of memory that a call reads; null where it was not passed.
Expr AdjointBuilder::shadowAddress(const Expr &address) {
  const Shadow *shadow = shadowOf(address);
  Expr pointer = asPassed(shadowPlace(address));
  if (!shadow || !shadow->want)
    return pointer;
  if (pointer->kind == ExprKind::Ref)
    return pointer;
  return makeSelect(wantedAt(address), pointer, makeLit("nullptr", int64_t(0), pointer->type), pointer->type);
}

/// The address of what a call adds to for the value of an argument. Where that is no
/// variable it is one for this call, from which `later` passes on.
Expr AdjointBuilder::barAddress(const Expr &value, const std::string &name, Contributions &later) {
  auto *ref = llvm::dyn_cast<RefExpr>(value.get());
  if (ref && (declared.count(ref->var) || definedIn[ref->var] == current) && !aliasedSeeds.count(ref->var)) {
    if (!declared.count(ref->var))
      declareBar(ref->var);
    return makeAddrOf(makeRef(barOf(ref->var)));
  }
  Var *bar = owner.makeVar(name + "_bar", withConst(value->type, false));
  emit(makeDecl(bar, zeroOf(bar->type)));
  passOn(value, makeRef(bar), later);
  return makeAddrOf(makeRef(bar));
}

/// The seed of a value made of parts goes to the parts.
void AdjointBuilder::passOn(const Expr &value, const Expr &seed, Contributions &later) {
  auto *init = llvm::dyn_cast<InitExpr>(value.get());
  if (!init) {
    if (activity.isActive(value))
      later.push_back({value, seed});
    return;
  }
  for (unsigned i = 0; i < init->elements.size(); ++i)
    if (activity.isActive(init->elements[i]))
      passOn(init->elements[i], makeMember(seed, i), later);
}

void AdjointBuilder::reverseCall(const CallItem &item) {
  CalleePattern pattern = patternOf(item);
  bool hasSeed =
      llvm::any_of(valuesOf(item), [&](Var *value) { return activity.isActive(value) && declared.count(value); });
  bool goesBack = llvm::any_of(pattern.args, [](const ArgumentPattern &arg) { return arg.isIn; });
  if (!hasSeed || !goesBack)
    return;
  if (item.callee->writtenAdjoint.function)
    return reverseWritten(item, pattern);
  const CalleeAdjoint *adjoint = callees.find(*item.callee, pattern);
  if (!adjoint) {
    refusedCalls.insert(&item);
    return;
  }
  Contributions later;
  std::vector<Expr> args;
  for (unsigned i = 0; i < item.args.size(); ++i) {
    const CallArgument &arg = item.args[i];
    const ArgumentPattern &one = pattern.args[i];
    std::string name = item.callee->params[i]->name;
    if (adjoint->takesValue[i])
      args.push_back(arg.isMemory ? asPassed(arg.value) : arg.value ? arg.value : zeroOf(arg.object->type));
    if (arg.isMemory) {
      if (one.isIn)
        args.push_back(shadowAddress(arg.value));
    } else if (one.isOut) {
      if (!declared.count(arg.object))
        declareBar(arg.object);
      Expr bar = makeRef(barOf(arg.object));
      args.push_back(one.isIn ? makeAddrOf(bar) : bar);
      if (one.isIn) // left is the adjoint of what the object held before
        passOn(arg.value, bar, later);
    } else if (one.isIn) {
      args.push_back(barAddress(arg.value, name, later));
    }
  }
  if (pattern.result) {
    if (!declared.count(item.result))
      declareBar(item.result);
    args.push_back(makeRef(barOf(item.result)));
  }
  Callee callee;
  callee.function = adjoint->function.get();
  callee.name = callee.spelling = adjoint->function->name;
  emitReverseCall(item, callee, adjoint->function->params, std::move(args), later);
}

/// The call itself, and what it gives to the values that were passed.
void AdjointBuilder::emitReverseCall(const CallItem &item, Callee callee, const std::vector<Var *> &params,
                                     std::vector<Expr> args, const Contributions &later) {
  for (const Var *param : params)
    callee.parameterTypes.push_back(param->type);
  Stmt call = makeDo(makeCall(callee, std::move(args), voidType(), item.range), item.range);
  if (!findsSameArrays(item))
    hazardousCalls.push_back({call, &item});
  emit(call);
  for (const auto &[leaf, amount] : later)
    contribute(leaf, amount);
}

Expr AdjointBuilder::temporaryAddress(const std::string &name, const Expr &value) {
  Var *made = owner.makeVar(name, withConst(value->type, false));
  emit(makeDecl(made, value));
  return makeAddrOf(makeRef(made));
}

/// A call of the adjoint that the user wrote: each argument as it was, followed by its shadow
/// where the function has one. Shadows of values and objects that nobody wants are variables
/// of this call; of memory they are null.
void AdjointBuilder::reverseWritten(const CallItem &item, const CalleePattern &pattern) {
  const Function &written = *item.callee->writtenAdjoint.function;
  Contributions later;
  std::vector<Expr> args;
  for (unsigned i = 0; i < item.args.size(); ++i) {
    const CallArgument &arg = item.args[i];
    const ArgumentPattern &one = pattern.args[i];
    const Var &param = *item.callee->params[i];
    bool isShadowed = item.callee->writtenAdjoint.shadowed[i];
    if ((one.isIn || one.isOut) && !isShadowed) {
      failed = true;
      diag::report(sink, diag::Id::WrittenDerivative, item.range, written.name, item.callee->qualifiedName(),
                   "a derivative flows through '" + param.name + "' here, which has no shadow in it");
    }
    if (arg.isMemory) {
      args.push_back(asPassed(arg.value));
      if (isShadowed)
        args.push_back(one.isIn ? shadowAddress(arg.value) : makeLit("nullptr", int64_t(0), arg.value->type));
      continue;
    }
    Expr value = arg.value ? arg.value : zeroOf(arg.object->type);
    if (isPointer(param.type) || arg.isWritten) {
      Expr address = temporaryAddress(param.name, value);
      args.push_back(isPointer(param.type) ? address : makeDeref(address));
    } else {
      args.push_back(value);
    }
    if (!isShadowed)
      continue;
    if (one.isOut) {
      if (!declared.count(arg.object))
        declareBar(arg.object);
      Expr bar = makeRef(barOf(arg.object));
      args.push_back(makeAddrOf(bar));
      if (one.isIn) // left is the adjoint of what the object held before
        passOn(arg.value, bar, later);
    } else {
      args.push_back(one.isIn ? barAddress(arg.value, param.name, later)
                              : temporaryAddress(param.name + "_bar", zeroOf(withConst(value->type, false))));
    }
  }
  if (holdsFloating(item.callee->returnType)) {
    if (pattern.result && !declared.count(item.result))
      declareBar(item.result);
    args.push_back(pattern.result ? makeRef(barOf(item.result)) : zeroOf(item.callee->returnType));
  }
  Callee callee;
  callee.name = callee.spelling = written.qualifiedName();
  emitReverseCall(item, callee, written.params, std::move(args), later);
}

/// Whether the arrays that a call reads are at the end of its region what they were at
/// the call, and that region has been run on the same arrays.
bool AdjointBuilder::findsSameArrays(const CallItem &item) const {
  std::vector<Var *> arrays = arraysReadBy(item);
  if (arrays.empty())
    return true;
  std::function<bool(const Region &, bool)> stores = [&](const Region &region, bool isBehind) {
    for (const auto &one : region.items) {
      if (auto *store = llvm::dyn_cast<StoreItem>(one.get()); store && isBehind)
        if (llvm::is_contained(arrays, rootVar(store->place)))
          return true;
      if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()); branch && isBehind)
        if (stores(branch->thenRegion, true) || stores(branch->elseRegion, true))
          return true;
      if (auto *loop = llvm::dyn_cast<LoopItem>(one.get()); loop && isBehind)
        if (stores(loop->body, true) || stores(loop->conditionRegion, true))
          return true;
      isBehind |= one.get() == &item;
    }
    return false;
  };
  if (stores(*current, false))
    return false;
  return current == &function.body || stableCalls.count(&item) != 0 || llvm::all_of(arrays, [&](Var *array) {
           auto defined = definedIn.find(array);
           return (defined != definedIn.end() && defined->second == current) || llvm::is_contained(restored, array);
         });
}

} // namespace gpuad::transform
