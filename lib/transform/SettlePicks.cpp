//===- SettlePicks.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/SettlePicks.h"

#include "analysis/Rounding.h"
#include "ir/Builder.h"
#include "ir/Items.h"
#include "ir/Walk.h"
#include "transform/Collectives.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// An offer of which the barrier has not come yet.
struct Pending {
  StoreItem *store = nullptr;
  Expr place;            ///< as the code at this point names it
  bool isOfLoop = false; ///< an iteration alone can name it
  bool isSafe = false;   ///< every thread may load from there, whether it made the offer or not
};

/// The statement of a barrier of the block somewhere in the region; null: there is none.
Stmt barrierIn(const Region &region);

Stmt barrierIn(const Item &item) {
  if (isBarrierOfBlock(item))
    return mirrorOfBarrier(item);
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    Stmt found = barrierIn(branch->thenRegion);
    return found ? found : barrierIn(branch->elseRegion);
  }
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  return loop ? barrierIn(loop->body) : nullptr;
}

Stmt barrierIn(const Region &region) {
  for (const auto &item : region.items)
    if (Stmt found = barrierIn(*item))
      return found;
  return nullptr;
}

bool isStoreTo(const Item &item, const Var *array, bool countsOffers) {
  auto *store = llvm::dyn_cast<StoreItem>(&item);
  return store && rootVar(store->place) == array && (countsOffers || !store->picks);
}

bool storesTo(const Item &item, const Var *array, bool countsOffers) {
  bool found = isStoreTo(item, array, countsOffers);
  auto visit = [&](const Region &region) {
    forEachItem(region, [&](const Item &one) { found |= isStoreTo(one, array, countsOffers); });
  };
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
    visit(branch->thenRegion);
    visit(branch->elseRegion);
  }
  if (auto *loop = llvm::dyn_cast<LoopItem>(&item))
    visit(loop->body);
  return found;
}

/// Whether the region holds the item; `changes`: and something is stored to the array behind it, or around it in a
/// loop.
bool findIn(const Region &region, const Item &item, const Var *array, bool &changes) {
  bool found = false;
  for (const auto &one : region.items) {
    if (found) {
      changes |= storesTo(*one, array, false);
      continue;
    }
    found = one.get() == &item;
    if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()))
      found |= findIn(branch->thenRegion, item, array, changes) || findIn(branch->elseRegion, item, array, changes);
    if (auto *loop = llvm::dyn_cast<LoopItem>(one.get()); loop && findIn(loop->body, item, array, changes)) {
      found = true;
      changes |= storesTo(*loop, array, false);
    }
  }
  return found;
}

class Settler {
public:
  Settler(ValueFunction &function, OrderedSet<const ValueItem> &recorded, DiagnosticSink &sink)
      : function(function), owner(*function.owner), sink(sink), rounding(function), recorded(recorded) {
    forEachItem(function.body, [&](const Item &item) {
      auto *value = llvm::dyn_cast<ValueItem>(&item);
      if (value && value->load == LoadClass::None && !value->isVote)
        definitions[value->var] = value->expr;
    });
  }
  bool run() {
    std::vector<Pending> left;
    visit(function.body, left, nullptr);
    for (const Pending &pending : left)
      settleUnread(pending);
    return fine;
  }

private:
  void visit(Region &region, std::vector<Pending> &pending, const LoopItem *loop);
  void visitBranch(BranchItem &branch, std::vector<Pending> &pending);
  size_t visitLoop(Region &region, size_t at, std::vector<Pending> &pending);
  size_t settle(Region &region, size_t at, std::vector<Pending> &pending, const Stmt &barrier, bool isLast);
  bool knows(Region &region, size_t from, const Expr &place, Var *picked);
  bool isKnown(const Expr &place) const {
    return llvm::all_of(variablesIn(place), [&](Var *var) { return !definedInside.count(var) || inScope.count(var); });
  }
  Expr spelledOut(const Expr &index) const;
  bool makeSafe(Pending &pending) const;
  void settleUnread(const Pending &pending);
  void refuse(const Pending &pending, const std::string &why) {
    Var *root = rootVar(pending.store->place);
    diag::report(sink, diag::Id::AtomicPick, pending.store->range,
                 "whose number '" + root->name + "' holds is not known: " + why);
    fine = false;
  }
  void nameOutside(BranchItem &branch, Region &arm, Pending &pending);
  std::vector<std::unique_ptr<Item>> nameBehind(const LoopItem &loop, Pending &pending);

  bool isRepeated(const Expr &number) const;
  bool nameOffer(Region &region, size_t at, StoreItem &store);

  ValueFunction &function;
  Function &owner;
  DiagnosticSink &sink;
  analysis::Rounding rounding;
  OrderedSet<const ValueItem> &recorded;
  OrderedMap<Var, Expr> definitions;
  OrderedSet<Var> definedInside, inScope; ///< by items so far; of them, what code at this point can name
  bool fine = true;
};

/// Behind the load, the place holds what was picked until something is stored to the array. False: it was.
bool Settler::knows(Region &region, size_t from, const Expr &place, Var *picked) {
  for (size_t i = from; i < region.items.size(); ++i) {
    Item &item = *region.items[i];
    if (auto *value = llvm::dyn_cast<ValueItem>(&item);
        value && value->load == LoadClass::Array && equal(value->expr, place)) {
      value->expr = makeRef(picked);
      value->load = LoadClass::None;
    }
    auto *branch = llvm::dyn_cast<BranchItem>(&item);
    bool goesOn = branch || !storesTo(item, rootVar(place), true);
    if (branch) {
      bool inThen = knows(branch->thenRegion, 0, place, picked), inElse = knows(branch->elseRegion, 0, place, picked);
      goesOn = inThen && inElse;
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(&item); loop && goesOn) {
      knows(loop->conditionRegion, 0, place, picked);
      knows(loop->body, 0, place, picked);
    }
    if (!goesOn)
      return false;
  }
  return true;
}

/// Loads what was picked at `at`, for all that are pending; returns where to go on.
size_t Settler::settle(Region &region, size_t at, std::vector<Pending> &pending, const Stmt &barrier, bool isLast) {
  bool isChangedNext = false;
  std::vector<std::pair<Expr, Var *>> loaded;
  OrderedSet<Var> arrays;
  for (Pending &one : pending) {
    if (one.isOfLoop) { // what is there in the end is what will be there in reverse
      bool changes = false;
      findIn(function.body, *one.store, rootVar(one.store->place), changes);
      if (changes)
        refuse(one, "its place is found in a loop, and it is used again later; use another array for that");
      one.store->won = makeBinary(BinaryOp::Eq, one.store->value, one.store->place, boolType());
      continue;
    }
    auto known = llvm::find_if(loaded, [&](const auto &other) { return equal(other.first, one.place); });
    if (known == loaded.end()) {
      auto item = std::make_unique<ValueItem>();
      item->range = one.store->range;
      item->var = owner.makeVar(rootVar(one.place)->name + "_picked", withConst(one.place->type, false));
      item->expr = one.place;
      item->load = LoadClass::Array;
      known = loaded.insert(loaded.end(), {one.place, item->var});
      arrays.insert(rootVar(one.place));
      definedInside.insert(item->var);
      inScope.insert(item->var);
      region.items.insert(region.items.begin() + at++, std::move(item));
    }
    one.store->won = makeBinary(BinaryOp::Eq, one.store->value, makeRef(known->second), boolType());
  }
  pending.clear();
  for (const auto &[place, picked] : loaded)
    knows(region, at, place, picked);
  // Up to the next barrier another thread may store there.
  bool isClosed = false;
  for (size_t i = at; i < region.items.size() && !isClosed; ++i) {
    for (Var *array : arrays)
      isChangedNext |= storesTo(*region.items[i], array, true);
    isClosed = barrierIn(*region.items[i]) != nullptr;
  }
  if (arrays.empty() || !(isChangedNext || (!isClosed && !isLast)))
    return at;
  auto wait = std::make_unique<EffectItem>();
  wait->isOfBlock = true;
  wait->stmt = barrier;
  region.items.insert(region.items.begin() + at++, std::move(wait));
  return at;
}

/// The place with another index in each dimension where it is no literal.
static Expr withIndices(const Expr &place, llvm::function_ref<Expr(const IndexExpr &)> change) {
  if (auto *member = llvm::dyn_cast<MemberExpr>(place.get()))
    return makeMember(withIndices(member->base, change), member->field);
  auto *access = llvm::dyn_cast<IndexExpr>(place.get());
  if (!access)
    return place;
  return makeIndex(withIndices(access->base, change),
                   access->index->kind == ExprKind::Lit ? access->index : change(*access));
}

/// The place of an offer in an arm, for code behind the branch: the first element for threads that did not come there.
void Settler::nameOutside(BranchItem &branch, Region &arm, Pending &pending) {
  pending.place = withIndices(pending.place, [&](const IndexExpr &access) {
    const Expr &index = access.index;
    Expr inside = index;
    if (index->kind != ExprKind::Ref) {
      auto item = std::make_unique<ValueItem>();
      item->range = pending.store->range;
      item->var = owner.makeVar("place", withConst(index->type, false));
      item->expr = index;
      inside = makeRef(item->var);
      arm.items.push_back(std::move(item));
    }
    Var *outside = owner.makeVar("place", withConst(index->type, false));
    Expr other = zeroOf(outside->type);
    bool isThen = &arm == &branch.thenRegion;
    branch.merges.push_back({outside, isThen ? inside : other, isThen ? other : inside});
    return makeRef(outside);
  });
}

/// The same behind a loop, whose iterations offer to one place, if there are any.
std::vector<std::unique_ptr<Item>> Settler::nameBehind(const LoopItem &loop, Pending &pending) {
  std::vector<std::unique_ptr<Item>> made;
  pending.place = withIndices(pending.place, [&](const IndexExpr &access) -> Expr {
    const Expr &index = access.index;
    Expr runs = loop.isCounted ? makeBinary(loop.compare, loop.begin, loop.end, boolType())
                               : makeBinary(BinaryOp::Gt, makeRef(loop.trips), intLit(0), boolType());
    auto item = std::make_unique<ValueItem>();
    item->range = pending.store->range;
    item->var = owner.makeVar("place", withConst(index->type, false));
    item->expr = makeSelect(runs, index, zeroOf(item->var->type), item->var->type);
    Expr outside = makeRef(item->var);
    definedInside.insert(item->var);
    inScope.insert(item->var);
    made.push_back(std::move(item));
    return outside;
  });
  return made;
}

void Settler::visitBranch(BranchItem &branch, std::vector<Pending> &pending) {
  for (Region *arm : {&branch.thenRegion, &branch.elseRegion}) {
    std::vector<Pending> inside;
    OrderedSet<Var> outer = inScope;
    visit(*arm, inside, nullptr);
    inScope = std::move(outer);
    for (Pending &one : inside) {
      if (!one.isOfLoop && !makeSafe(one))
        nameOutside(branch, *arm, one);
      pending.push_back(one);
    }
  }
  for (const Merge &merge : branch.merges)
    definedInside.insert(merge.var), inScope.insert(merge.var);
}

/// An index without the names that an iteration has for parts of it.
Expr Settler::spelledOut(const Expr &index) const {
  return substitute(index, [&](Var *var) -> Expr {
    auto found = inScope.count(var) ? definitions.end() : definitions.find(var);
    return found == definitions.end() || found->second->kind == ExprKind::Call ? nullptr : spelledOut(found->second);
  });
}

static bool isArithmetic(const Expr &e) {
  bool holds = true;
  forEachExpr(e, [&](const Expr &one) {
    holds &= one->kind == ExprKind::Lit || one->kind == ExprKind::Ref || one->kind == ExprKind::ThreadIndex ||
             one->kind == ExprKind::Unary || one->kind == ExprKind::Binary || one->kind == ExprKind::Cast;
  });
  return holds;
}

/// Makes the place one that code behind the branch or loop can name, and that all threads may load from. False: there
/// is no such way, or it is not known how long the array is.
bool Settler::makeSafe(Pending &pending) const {
  if (pending.isSafe)
    return isKnown(pending.place);
  bool isSafe = true;
  Expr place = withIndices(pending.place, [&](const IndexExpr &access) -> Expr {
    Expr index = spelledOut(access.index);
    const Type &array = access.base->type;
    isSafe &= isArray(array) && array->extent && isArithmetic(index) && isKnown(index);
    if (!isSafe)
      return access.index;
    auto *rest = llvm::dyn_cast<BinaryExpr>(index.get());
    auto *divisor =
        rest && rest->op == BinaryOp::Rem ? llvm::dyn_cast<LitExpr>(stripImplicit(rest->rhs).get()) : nullptr;
    auto *count = divisor ? std::get_if<int64_t>(&divisor->value) : nullptr;
    if (count && *count > 0 && uint64_t(*count) <= *array->extent && !index->type->isSigned)
      return index;
    Expr isBelow = makeBinary(BinaryOp::Lt, index, intLit(int64_t(*array->extent)), boolType());
    Expr isInside =
        !index->type->isSigned ? isBelow : logicalAnd(makeBinary(BinaryOp::Ge, index, intLit(0), boolType()), isBelow);
    return makeSelect(isInside, index, zeroOf(index->type), index->type);
  });
  if (isSafe) {
    pending.place = place;
    pending.isSafe = true;
  }
  return isSafe;
}

/// Returns where the next item stands.
size_t Settler::visitLoop(Region &region, size_t at, std::vector<Pending> &pending) {
  auto &loop = *llvm::cast<LoopItem>(region.items[at].get());
  std::vector<Pending> inside;
  OrderedSet<Var> outer = inScope;
  for (Var *var : definedBy(loop))
    definedInside.insert(var);
  definedInside.insert(loop.iv);
  for (const Carried &carried : loop.carried)
    definedInside.insert(carried.var);
  visit(loop.body, inside, &loop);
  if (Stmt barrier =
          inside.empty() ? nullptr : barrierIn(loop.body)) { // offers behind the last barrier of an iteration
    auto wait = std::make_unique<EffectItem>();
    wait->isOfBlock = true;
    wait->stmt = barrier;
    loop.body.items.push_back(std::move(wait));
    settle(loop.body, loop.body.items.size(), inside, barrier, false);
  }
  inScope = std::move(outer);
  for (Var *var : definedBy(loop))
    inScope.insert(var);
  for (Pending &one : inside) {
    const bool isSafe = !one.isOfLoop && makeSafe(one);
    one.isOfLoop |= !isKnown(one.place);
    if (!one.isOfLoop && !isSafe)
      for (auto &item : nameBehind(loop, one))
        region.items.insert(region.items.begin() + ++at, std::move(item));
    pending.push_back(one);
  }
  return at;
}

/// Whether a number comes out the same, bit for bit, when it is worked out again: what was loaded, and one operation on
/// such numbers, of which nothing can be fused with another.
bool Settler::isRepeated(const Expr &number) const {
  if (!rounding.mayDiffer(number))
    return true;
  auto *ref = llvm::dyn_cast<RefExpr>(number.get());
  auto found = ref ? definitions.find(ref->var) : definitions.end();
  if (found != definitions.end())
    return isRepeated(found->second);
  auto *operation = llvm::dyn_cast<BinaryExpr>(number.get());
  return operation && !rounding.mayDiffer(operation->lhs) && !rounding.mayDiffer(operation->rhs);
}

/// In code that is run again, what is offered has a name under which it is recorded. Whether it has.
bool Settler::nameOffer(Region &region, size_t at, StoreItem &store) {
  if (&region == &function.body || isRepeated(store.value))
    return false;
  auto offered = std::make_unique<ValueItem>();
  offered->range = store.range;
  offered->var = owner.makeVar("offered", withConst(store.value->type, false));
  offered->expr = store.value;
  recorded.insert(offered.get());
  store.value = makeRef(offered->var);
  auto *update = llvm::cast<CallExpr>(store.update.get());
  std::vector<Expr> args = update->args;
  args[1] = store.value;
  store.update = makeCall(update->callee, std::move(args), update->type, update->range);
  region.items.insert(region.items.begin() + at, std::move(offered));
  return true;
}

void Settler::visit(Region &region, std::vector<Pending> &pending, const LoopItem *loop) {
  if (loop) {
    inScope.insert(loop->iv);
    for (const Carried &carried : loop->carried)
      inScope.insert(carried.var);
  }
  const bool isLast = &region == &function.body;
  for (size_t i = 0; i < region.items.size(); ++i) {
    Item &item = *region.items[i];
    Stmt barrier = barrierIn(item);
    if (barrier && !pending.empty() && !isBarrierOfBlock(item)) { // one that only part of the way comes to
      auto wait = std::make_unique<EffectItem>();
      wait->isOfBlock = true;
      wait->stmt = barrier;
      region.items.insert(region.items.begin() + i, std::move(wait));
      i = settle(region, i + 1, pending, barrier, isLast);
    }
    if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
      visitBranch(*branch, pending);
    else if (item.kind == ItemKind::Loop)
      i = visitLoop(region, i, pending);
    else if (auto *store = llvm::dyn_cast<StoreItem>(&item); store && store->picks && !store->won) {
      i += nameOffer(region, i, *store);
      pending.push_back({store, store->place});
    }
    for (Var *var : definedBy(item)) {
      definedInside.insert(var);
      inScope.insert(var);
    }
    if (isBarrierOfBlock(item) && !pending.empty())
      i = settle(region, i + 1, pending, barrier, isLast) - 1;
  }
}

/// No barrier comes behind the offer, so no thread may look at what the others offered.
void Settler::settleUnread(const Pending &pending) {
  bool isRead = false;
  const Var *array = rootVar(pending.store->place);
  forEachItem(function.body, [&](const Item &item) {
    auto *value = llvm::dyn_cast<ValueItem>(&item);
    isRead |= value && value->load == LoadClass::Array && rootVar(value->expr) == array;
  });
  if (isRead)
    return refuse(pending, "no barrier of the block follows");
  pending.store->won = boolLit(false);
}
} // namespace

bool settlePicks(ValueFunction &function, OrderedSet<const ValueItem> &recorded, DiagnosticSink &sink) {
  bool any = false;
  forEachItem(function.body, [&](const Item &item) {
    auto *store = llvm::dyn_cast<StoreItem>(&item);
    any |= store && store->picks;
  });
  return !any || Settler(function, recorded, sink).run();
}

} // namespace gpuad::transform
