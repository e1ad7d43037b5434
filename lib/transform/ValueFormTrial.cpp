//===- ValueFormTrial.cpp - what a loop assigns --------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One iteration of a loop is run on trial, to learn which variables and which memory it
/// changes. The trial must not see the first iteration's values: with cur and prev equal in
/// front of the loop, `prev = cur; cur = f(cur);` would leave prev as it was.
///
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/ValueFormBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// A value of its own for each thing that a variable holds in front of the loop.
class StandIns {
public:
  explicit StandIns(Function &owner) : owner(owner) {}

  void replace(Binding &binding, Var *surface) {
    for (Binding &part : binding.parts)
      replace(part, surface);
    if (!binding.value || isReference(surface->type))
      return;
    if (isPointer(binding.value->type) && binding.value->kind != ExprKind::Lit)
      binding.value = eachAddress(binding.value, [&](const Expr &one) { return addressFor(one, surface); });
    else if (!isMemoryType(binding.value->type))
      binding.value = valueFor(binding.value, surface);
  }

  /// With what they stand for, those of some variables.
  Expr shown(const Expr &e, llvm::function_ref<bool(Var *)> isShown) const {
    return substitute(e, [&](Var *var) -> Expr {
      auto found = entries.find(var);
      return found != entries.end() && isShown(found->second.surface) ? found->second.value : nullptr;
    });
  }
  Expr shown(const Expr &e) const {
    return shown(e, [](Var *) { return true; });
  }

private:
  struct Entry {
    Var *surface = nullptr;
    Expr value;
  };

  Expr valueFor(const Expr &value, Var *surface) {
    Var *var = owner.makeVar("before", withConst(value->type, false));
    entries[var] = {surface, value};
    return makeRef(var);
  }
  /// In the same array.
  Expr addressFor(const Expr &pointer, Var *surface) {
    auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get());
    auto *access = address ? llvm::dyn_cast<IndexExpr>(address->place.get()) : nullptr;
    if (access)
      return movedAddress(pointer, makeIndex(access->base, valueFor(access->index, surface)));
    Type element = elementOf(pointer->type);
    bool isSimple = pointer->kind == ExprKind::Ref && (isScalar(element) || isRecord(element));
    return isSimple ? makeAddrOf(makeIndex(pointer, valueFor(intLit(0), surface))) : pointer;
  }

  Function &owner;
  OrderedMap<Var, Entry> entries;
};

bool sameValue(const Expr &a, const Expr &b) {
  return a == b || (a && b && equal(a, b));
}
} // namespace

void ValueFormBuilder::compareBindings(const Binding &before, const Binding &after, Change change,
                                       LoopChanges &changes) {
  bool same = sameValue(before.value, after.value);
  if (after.isSplit() || (holdsPointers(change.type) && !same)) {
    Binding split = before, parts = after;
    if (!split.isSplit())
      splitBinding(split, change.type);
    if (!parts.isSplit())
      splitBinding(parts, change.type);
    for (unsigned i = 0; i < parts.parts.size(); ++i) {
      Change part = change;
      const Field &field = change.type->record->fields[i];
      part.path.push_back(i);
      part.type = field.type;
      part.name += "_" + field.name;
      compareBindings(split.parts[i], parts.parts[i], part, changes);
    }
    return;
  }
  if (same && !before.isSplit())
    return;
  change.before = before.value;
  change.after = after.value;
  changes.variables.push_back(change);
}

/// What takes over the value of a variable that does not change, and held it before, does
/// not change either.
template <class Change> static void dropUnchanged(std::vector<Change> &variables, const StandIns &standIns) {
  for (size_t count = variables.size() + 1; variables.size() < count;) {
    count = variables.size();
    OrderedSet<Var> changed;
    for (const Change &one : variables)
      changed.insert(one.surface);
    std::erase_if(variables, [&](const Change &one) {
      if (!one.before || !one.after)
        return false;
      Expr after = standIns.shown(one.after, [&](Var *surface) { return changed.count(surface) == 0; });
      return equal(after, standIns.shown(one.before));
    });
  }
}

/// Runs one iteration on trial, into a region that is thrown away, to learn what
/// the loop assigns.
ValueFormBuilder::LoopChanges ValueFormBuilder::changesOf(const LoopSource &source) {
  Environment savedEnvironment = environment;
  MemoryState savedMemory = memory;
  auto savedArrays = arrays;
  bool savedFailed = failed;
  StandIns standIns(owner);
  for (auto &[surface, binding] : environment) {
    if (!binding.isSplit() && binding.value && holdsPointers(surface->type))
      splitBinding(binding, surface->type);
    standIns.replace(binding, surface);
  }
  Environment before = environment;
  memory = MemoryState{};
  LoopChanges changes;
  Region scratch;
  ++speculating;
  in(scratch, [&] {
    if (source.condition)
      eval(source.condition);
    block(source.body);
    for (const auto &[surface, binding] : before)
      if (!sameValue(environment[surface].value, binding.value))
        changes.inBody.insert(surface);
    for (const Stmt &one : source.increment)
      statement(one);
  });
  --speculating;
  for (auto &[surface, binding] : before) {
    Change change;
    change.surface = surface;
    change.type = stripReference(surface->type);
    change.name = surface->name;
    compareBindings(binding, environment[surface], change, changes);
  }
  dropUnchanged(changes.variables, standIns);
  for (Change &change : changes.variables)
    change.after = change.after ? standIns.shown(change.after) : nullptr;
  for (auto &[base, places] : memory.stored)
    if (!places.empty())
      changes.storedBases.insert(base);
  changes.storedBases.insert(memory.storedAnywhere.begin(), memory.storedAnywhere.end());
  environment = std::move(savedEnvironment);
  memory = std::move(savedMemory);
  arrays = std::move(savedArrays);
  failed = savedFailed;
  return changes;
}

} // namespace gpuad::transform
