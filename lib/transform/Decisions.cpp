//===- Decisions.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Decisions.h"

#include "analysis/Rounding.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RecordPlan.h"
#include "transform/Undo.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <utility>

namespace gpuad::transform {
using namespace ir;

namespace {
/// What is around a region.
struct Around {
  LoopItem *loop = nullptr; ///< the innermost one
  bool runsOnce = false;    ///< its forward sweep is the only run before its reverse
  bool isInArm = false;     ///< a branch inside the loop is around it, too
};

class Finder {
public:
  Finder(ValueFunction &function, const RecordPlan &plan, UndoPlan *undo, Decisions &decisions)
      : function(function), plan(plan), undo(undo), decisions(decisions), rounding(function, decisions.decided) {}
  bool run();
  bool runOnPlaces();

private:
  bool visit(Region &region, const Around &around);
  bool visitBranch(Region &region, size_t &at, const Around &around);
  bool visitLoop(Region &region, size_t &at, const Around &around);
  void decideLoop(Region &region, size_t &at, const Around &around);
  /// A value that was met, and where it stands.
  struct Known {
    const ValueItem *item = nullptr;
    Around around;
  };
  Expr decide(Region &region, size_t &at, const Expr &e, const char *name, const Around &around);
  const Known *knownOf(const Expr &e) const;
  void add(const Known &one);
  bool mustDecide(const Expr &e) const;
  Decisions::Place place(const Around &around, const Type &type);
  void findFrames(const Region &region);
  void decidePlace(Region &region, size_t &at, const Around &around);

  ValueFunction &function;
  const RecordPlan &plan;
  UndoPlan *undo;
  Decisions &decisions;
  analysis::Rounding rounding;
  OrderedMap<Var, Known> known;
  bool hasAdded = false, decidesPlaces = false;
};

bool Finder::run() {
  decisions.values.clear();
  decisions.counts.clear();
  decisions.frames.clear();
  decisions.opened.clear();
  decisions.holders.clear();
  visit(function.body, {nullptr, true});
  findFrames(function.body);
  return hasAdded;
}

/// Indices of stores: when nothing else is missing, so that only those are found whose values differ.
bool Finder::runOnPlaces() {
  decidesPlaces = true;
  return run();
}

unsigned bitsOf(const Type &type) {
  return isBool(type) ? 1 : type->bits;
}

Decisions::Place Finder::place(const Around &around, const Type &type) {
  if (!around.loop)
    return {};
  unsigned &bits = decisions.frames[around.loop];
  if (around.isInArm || bits != 0)
    decisions.opened.insert(around.loop);
  return {around.loop, std::exchange(bits, bits + bitsOf(type))};
}

/// Whether the region has what must come out the same each time.
bool Finder::visit(Region &region, const Around &around) {
  bool matters = false;
  for (size_t at = 0; at < region.items.size(); ++at) {
    if (auto *value = llvm::dyn_cast<ValueItem>(region.items[at].get()))
      known[value->var] = {value, around};
    if (auto *store = llvm::dyn_cast<StoreItem>(region.items[at].get()); store && undo && undo->covers(*store)) {
      if (decidesPlaces)
        decidePlace(region, at, around);
      matters = true;
    }
    if (region.items[at]->kind == ItemKind::Branch)
      matters |= visitBranch(region, at, around);
    if (region.items[at]->kind == ItemKind::Loop)
      matters |= visitLoop(region, at, around);
  }
  return matters;
}

/// The value of e, worked out once and kept: where e stands for a value of its own, at its
/// place, else in front of the item at `at`.
Expr Finder::decide(Region &region, size_t &at, const Expr &e, const char *name, const Around &around) {
  if (const Known *known = knownOf(e)) {
    add(*known);
    return e;
  }
  auto made = std::make_unique<ValueItem>();
  made->range = region.items[at]->range;
  made->var = function.owner->makeVar(name, withConst(e->type, false));
  made->expr = e;
  known[made->var] = {made.get(), around};
  add(known[made->var]);
  Expr value = makeRef(made->var);
  region.items.insert(region.items.begin() + static_cast<std::ptrdiff_t>(at++), std::move(made));
  return value;
}

const Finder::Known *Finder::knownOf(const Expr &e) const {
  auto *ref = llvm::dyn_cast<RefExpr>(e.get());
  auto found = ref ? known.find(ref->var) : known.end();
  return found == known.end() ? nullptr : &found->second;
}

void Finder::add(const Known &one) {
  hasAdded |= decisions.decided.insert(one.item->var).second;
  if (!one.around.runsOnce && !decisions.values.count(one.item))
    decisions.values[one.item] = place(one.around, one.item->var->type);
}

/// A conversion between integers.
bool convertsInteger(const Expr &e) {
  auto *cast = llvm::dyn_cast<CastExpr>(e.get());
  return cast && isInteger(cast->type) && isInteger(cast->operand->type);
}

/// Integers that decide where the item at `at` stores.
void Finder::decidePlace(Region &region, size_t &at, const Around &around) {
  std::function<Expr(const Expr &)> decided = [&](const Expr &e) -> Expr {
    bool isNumber = e->kind == ExprKind::Binary || e->kind == ExprKind::Unary || convertsInteger(e);
    if (!isNumber)
      return mustDecide(e) ? decide(region, at, e, "index", around) : e;
    std::vector<Expr> parts = children(e);
    for (Expr &part : parts)
      part = decided(part);
    return withChildren(e, parts);
  };
  std::function<Expr(const Expr &)> place = [&](const Expr &e) -> Expr {
    bool isIndex = e->kind == ExprKind::Index;
    if (!isIndex && e->kind != ExprKind::Member)
      return e;
    std::vector<Expr> parts = children(e);
    parts[0] = place(parts[0]);
    if (isIndex)
      parts[1] = decided(parts[1]);
    return withChildren(e, parts);
  };
  Expr made = place(llvm::cast<StoreItem>(*region.items[at]).place);
  llvm::cast<StoreItem>(*region.items[at]).place = made;
}

/// Whether it was decided before, or has to be.
bool Finder::mustDecide(const Expr &e) const {
  auto *ref = llvm::dyn_cast<RefExpr>(e.get());
  return rounding.mayDiffer(e) || (ref && decisions.decided.count(ref->var));
}

void conjuncts(const Expr &e, std::vector<Expr> &to) {
  auto *both = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!both || both->op != BinaryOp::LogicalAnd) {
    to.push_back(e);
    return;
  }
  conjuncts(both->lhs, to);
  conjuncts(both->rhs, to);
}

/// Parts of the condition that come out the same stay in sight of proofs about threads.
bool Finder::visitBranch(Region &region, size_t &at, const Around &around) {
  auto &branch = llvm::cast<BranchItem>(*region.items[at]);
  bool matters = false;
  for (Region *arm : {&branch.thenRegion, &branch.elseRegion})
    matters |= visit(*arm, {around.loop, around.runsOnce && plan.voteChain.count(arm), true});
  if (!matters)
    return false;
  std::vector<Expr> all;
  conjuncts(branch.condition, all);
  Expr same, differs;
  for (const Expr &one : all) {
    bool isKnown = knownOf(one) != nullptr;
    if (isKnown && mustDecide(one))
      decide(region, at, one, "", around);
    if (!isKnown && rounding.mayDiffer(one))
      differs = branch.condition;
    else
      same = same ? logicalAnd(same, one) : one;
  }
  if (differs) {
    Expr guard = decide(region, at, differs, "guard", around);
    branch.condition = same ? logicalAnd(same, guard) : guard;
  }
  return true;
}

bool Finder::visitLoop(Region &region, size_t &at, const Around &around) {
  auto &loop = llvm::cast<LoopItem>(*region.items[at]);
  bool matters = visit(loop.body, {&loop, false});
  matters |= plan.isMeasured() && plan.inStack.count(&loop) != 0;
  if (matters)
    decideLoop(region, at, around);
  return matters;
}

void Finder::decideLoop(Region &region, size_t &at, const Around &around) {
  auto &loop = llvm::cast<LoopItem>(*region.items[at]);
  if (!loop.isCounted) {
    if (!decisions.decided.count(loop.trips) && !rounding.mayDiffer(loop))
      return;
    if (!around.runsOnce)
      decisions.counts[&loop] = place(around, loop.trips->type);
    hasAdded |= decisions.decided.insert(loop.trips).second;
    return;
  }
  for (Expr *bound : {&loop.begin, &loop.end, &loop.step})
    if (*bound && mustDecide(*bound))
      *bound = decide(region, at, *bound, "bound", around);
}

/// Loops with frames in them, and those that cannot tell from the iteration where its frame begins.
void Finder::findFrames(const Region &region) {
  for (const auto &item : region.items) {
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      findFrames(branch->thenRegion);
      findFrames(branch->elseRegion);
    }
    auto *loop = llvm::dyn_cast<LoopItem>(item.get());
    if (!loop)
      continue;
    findFrames(loop->body);
    bool hasInner = llvm::any_of(loop->body.items, [&](const auto &one) { return decisions.hasFrames(*one); });
    if (hasInner && !decisions.origins.count(loop))
      decisions.origins[loop] = function.owner->makeVar("origin", intType());
    if (hasInner)
      decisions.opened.insert(loop); // those of inner loops come before the last decision
    if (hasInner || decisions.frames.count(loop))
      decisions.holders.insert(loop);
  }
}
} // namespace

bool Decisions::isIn(const Item &item) const {
  auto inside = [&](const Region &region) {
    return llvm::any_of(region.items, [&](const auto &one) { return isIn(*one); });
  };
  if (auto *value = llvm::dyn_cast<ValueItem>(&item))
    return values.count(value) != 0;
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return inside(branch->thenRegion) || inside(branch->elseRegion);
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  return loop && (counts.count(loop) || holders.count(loop));
}

bool Decisions::hasFrames(const Item &item) const {
  auto inside = [&](const Region &region) {
    return llvm::any_of(region.items, [&](const auto &one) { return hasFrames(*one); });
  };
  if (auto *branch = llvm::dyn_cast<BranchItem>(&item))
    return inside(branch->thenRegion) || inside(branch->elseRegion);
  auto *loop = llvm::dyn_cast<LoopItem>(&item);
  return loop && holders.count(loop) != 0;
}

bool addDecisions(ValueFunction &function, const RecordPlan &plan, UndoPlan *undo, Decisions &decisions) {
  return Finder(function, plan, undo, decisions).run() || Finder(function, plan, undo, decisions).runOnPlaces();
}

std::optional<uint64_t> mostBits(const Region &region, const Decisions &decisions) {
  uint64_t most = 0;
  for (const auto &item : region.items) {
    if (!decisions.hasFrames(*item))
      continue;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      auto thenMost = mostBits(branch->thenRegion, decisions), elseMost = mostBits(branch->elseRegion, decisions);
      if (!thenMost || !elseMost)
        return std::nullopt;
      most += std::max(*thenMost, *elseMost);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      auto inner = mostBits(loop->body, decisions);
      auto own = decisions.frames.find(loop);
      if (!inner || loop->staticTrips == 0)
        return std::nullopt;
      most += loop->staticTrips * (*inner + (own == decisions.frames.end() ? 0 : own->second));
    }
    if (most > Decisions::MostLocalBits)
      return std::nullopt;
  }
  return most;
}

} // namespace gpuad::transform
