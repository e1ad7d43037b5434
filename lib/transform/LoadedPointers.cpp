//===- LoadedPointers.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/LoadedPointers.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Places.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <vector>

namespace gpuad::transform {
using namespace ir;

namespace {
bool reachesNumbers(const Type &pointer) {
  return isPointer(pointer) && holdsFloating(elementOf(pointer));
}

/// Pointer fields of a struct that reach floating-point data, as paths. A star at the end says that the pointer stands
/// in memory or in an array, so that there may be many of them; behind a pointer to pointers there is one more.
void pointerFields(const Type &type, const std::string &path, bool isLoaded, std::vector<std::string> &found) {
  for (const Field &field : type->record->fields) {
    std::string name = path + "." + field.name;
    bool isMany = isLoaded || isArray(field.type);
    Type inner = isArray(field.type) ? innermost(field.type) : field.type;
    if (isRecord(inner))
      pointerFields(inner, name, isMany, found);
    else if (reachesNumbers(inner))
      found.push_back(name + (isMany ? "*" : ""));
    else if (isPointer(inner) && reachesNumbers(elementOf(inner)))
      found.push_back(name + (isMany ? "**" : "*"));
  }
}

struct Access {
  Expr place;
  SourceRange range;
  unsigned order = 0;
  std::vector<const LoopItem *> loops;
};

/// The element behind its pointer, without which pointer it is.
Expr behindAny(const Expr &place, const Expr &pointer) {
  return withChildren(place, [&] {
    std::vector<Expr> parts = children(place);
    parts[0] = parts[0] == pointer ? makeLit("nullptr", int64_t(0), pointer->type) : behindAny(parts[0], pointer);
    return parts;
  }());
}

class Survey {
public:
  std::vector<Access> loads, stores;

  void visit(const Region &region) {
    for (const auto &item : region.items) {
      ++order;
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get())) {
        definitions[value->var] = value->expr;
        read(value->expr, value->range);
      }
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
        read(store->value, store->range);
        write(store->place, store->range);
      }
      if (auto *call = llvm::dyn_cast<CallItem>(item.get()))
        for (const CallArgument &arg : call->args)
          if (arg.isMemory && pointerOf(arg.value)) {
            read(arg.value, call->range);
            write(arg.value, call->range);
          }
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        read(branch->condition, branch->range);
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
        loops.push_back(loop);
        visit(loop->conditionRegion);
        visit(loop->body);
        loops.pop_back();
      }
    }
  }

  /// The pointer over parameters and the block's own index; null: the block cannot tell it when it begins.
  Expr atEntry(const Expr &pointer) const {
    if (auto *access = llvm::dyn_cast<IndexExpr>(pointer.get())) {
      Expr base = atEntry(access->base), index = numberAtEntry(access->index);
      return base && index ? withChildren(pointer, {base, index}) : nullptr;
    }
    if (auto *star = llvm::dyn_cast<DerefExpr>(pointer.get())) {
      Expr base = atEntry(star->pointer);
      return base ? withChildren(pointer, {base}) : nullptr;
    }
    if (auto *member = llvm::dyn_cast<MemberExpr>(pointer.get())) {
      Expr base = atEntry(member->base);
      return base ? withChildren(pointer, {base}) : nullptr;
    }
    if (auto *cast = llvm::dyn_cast<CastExpr>(pointer.get()))
      return atEntry(cast->operand);
    return pointer->kind == ExprKind::Ref ? numberAtEntry(pointer) : nullptr;
  }

private:
  Expr numberAtEntry(const Expr &e) const {
    switch (e->kind) {
    case ExprKind::Ref: {
      Var *var = llvm::cast<RefExpr>(e.get())->var;
      if (auto found = definitions.find(var); found != definitions.end())
        return numberAtEntry(found->second);
      return var->storage == Storage::Parameter || var->storage == Storage::ConstexprGlobal ? e : nullptr;
    }
    case ExprKind::ThreadIndex:
      return llvm::cast<ThreadIndexExpr>(e.get())->builtin == ThreadBuiltin::ThreadIdx ? nullptr : e;
    case ExprKind::Lit:
      return e;
    case ExprKind::Binary:
    case ExprKind::Unary:
    case ExprKind::Cast: {
      std::vector<Expr> operands;
      for (const Expr &operand : children(e)) {
        operands.push_back(numberAtEntry(operand));
        if (!operands.back())
          return nullptr;
      }
      return withChildren(e, operands);
    }
    default:
      return nullptr;
    }
  }
  void read(const Expr &e, const SourceRange &range) {
    forEachLoad(e, [&](const Expr &place) {
      if (pointerOf(place))
        loads.push_back({place, range, order, loops});
    });
  }
  void write(const Expr &place, const SourceRange &range) {
    if (pointerOf(place))
      stores.push_back({place, range, order, loops});
  }

  unsigned order = 0;
  std::vector<const LoopItem *> loops;
  OrderedMap<Var, Expr> definitions;
};

bool isOfCaller(const MemoryBase &object) {
  return object.first && !isOwnArray(object.first) && object.first->storage != Storage::Local;
}

/// Whether the load comes behind the store, at the same element of what may be one array.
bool mayMeet(const Access &load, const Access &store) {
  Expr loaded = behindAny(load.place, pointerOf(load.place));
  Expr stored = behindAny(store.place, pointerOf(store.place));
  for (const LoopItem *loop : load.loops)
    if (llvm::is_contained(store.loops, loop) && !(equal(loaded, stored) && differsByIteration(loaded, *loop)))
      return true;
  return store.order < load.order;
}
} // namespace

std::vector<std::string> pointersIn(const Type &type) {
  std::vector<std::string> found;
  bool isBehind = isPointer(type) || isReference(type);
  Type inner = isBehind ? innermost(elementOf(type)) : type;
  if (isRecord(inner))
    pointerFields(inner, "", isBehind, found);
  else if (isBehind && reachesNumbers(inner))
    found.push_back("*");
  return found;
}

/// Numbers that lie deeper than shadows go: whoever reads them takes them for constants.
static const Access *tooDeep(const std::vector<Access> &accesses) {
  for (const Access &one : accesses) {
    MemoryBase object = memoryBase(one.place);
    if (isBehindLoaded(object) && holdsFloating(one.place->type) && object.first->storage == Storage::Parameter &&
        !llvm::is_contained(pointersIn(object.first->type), object.second))
      return &one;
  }
  return nullptr;
}

/// Whether the contract leaves it open that the two pointers lead to one array. Of parameters that are pointers the
/// launcher asks.
static bool mayBeEqual(const MemoryBase &a, const MemoryBase &b, const Expr &first, const Expr &second) {
  bool isField = !a.second.empty() || !b.second.empty();
  return a != b && isField && isBehindLoaded(a) == isBehindLoaded(b) && isOfCaller(a) && isOfCaller(b) &&
         !first->type->isRestrict && !second->type->isRestrict;
}

static void note(ValueFunction &function, ApartPointers pair) {
  for (ApartPointers &one : function.apart) {
    bool isSame = one.read == pair.read && one.written == pair.written && !one.loaded == !pair.loaded &&
                  (!one.loaded || (equal(one.loaded, pair.loaded) && equal(one.stored, pair.stored)));
    if (isSame) {
      one.afterStore |= pair.afterStore;
      return;
    }
  }
  function.apart.push_back(std::move(pair));
}

bool checkLoadedPointers(ValueFunction &function, DiagnosticSink &sink) {
  Survey survey;
  survey.visit(function.body);
  for (const std::vector<Access> *accesses : {&survey.loads, &survey.stores})
    if (const Access *one = tooDeep(*accesses)) {
      diag::report(sink, diag::Id::NotInReverse, one->range,
                   "memory of '" + memoryBase(one->place).first->name + "' behind so many pointers");
      return false;
    }
  for (const Access &load : survey.loads)
    for (const Access &store : survey.stores) {
      MemoryBase read = memoryBase(load.place), written = memoryBase(store.place);
      Expr loaded = pointerOf(load.place), stored = pointerOf(store.place);
      if (!mayBeEqual(read, written, loaded, stored) || !sameType(load.place->type, store.place->type))
        continue;
      ApartPointers pair{survey.atEntry(loaded), survey.atEntry(stored), read, written, mayMeet(load, store)};
      bool isKnown = function.primal->isKernel() && pair.loaded && pair.stored;
      if (!isKnown)
        pair.loaded = pair.stored = nullptr;
      if (isKnown || !pair.afterStore) {
        note(function, pair);
        continue;
      }
      if (!isBehindLoaded(read))
        continue; // of a device function
      diag::report(sink, diag::Id::NotInReverse, load.range,
                   "a load behind a pointer of '" + (read.first ? read.first->name : "memory") +
                       "' after a store behind one of '" + (written.first ? written.first->name : "memory") +
                       "', which may be equal,");
      return false;
    }
  return true;
}

} // namespace gpuad::transform
