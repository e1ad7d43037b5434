//===- WarpsApart.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/WarpsApart.h"

#include "analysis/ThreadDependence.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace gpuad::analysis {
using namespace ir;

namespace {
constexpr int64_t LanesOfWarp = 32;
constexpr ThreadDependence::Mask Threads = ThreadDependence::Threads;

using Definitions = OrderedMap<Var, Expr>;

/// Occurrences of the thread's index: all, and those that no division hides; the ranks
/// of tiles and within tiles, which together are the whole index.
struct Occurrences {
  unsigned all = 0, bare = 0, lanes = 0, tiles = 0;
};

std::optional<int64_t> literal(const Expr &e) {
  auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(e).get());
  auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

class Counter {
public:
  Counter(const Definitions &definitions, const ThreadDependence &dependence)
      : definitions(definitions), dependence(dependence) {}
  Occurrences found;

  void count(const Expr &e, bool isDivided = false);

private:
  void countIn(Var *var, bool isDivided);

  const Definitions &definitions;
  const ThreadDependence &dependence;
  OrderedSet<Var> seen[2]; ///< variables that come from themselves; looked at once bare, once divided
};

void Counter::countIn(Var *var, bool isDivided) {
  if (auto known = definitions.find(var); known != definitions.end())
    return count(known->second, isDivided);
  const std::vector<Expr> *sources = dependence.sourcesOf(var);
  if (!sources || !seen[isDivided].insert(var).second)
    return;
  for (const Expr &source : *sources)
    if (source)
      count(source, isDivided);
}

void Counter::count(const Expr &e, bool isDivided) {
  if (auto place = dependence.placeBy(e)) {
    bool isLane = *place == rules::ThreadPlace::Lane, isTile = *place == rules::ThreadPlace::Tile;
    bool isThread = *place == rules::ThreadPlace::Thread || *place == rules::ThreadPlace::Unknown;
    found.lanes += isLane && !isDivided;
    found.tiles += isTile && !isDivided;
    found.bare += isThread && !isDivided;
    found.all += isLane || isTile || isThread;
    return;
  }
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
    return countIn(ref->var, isDivided);
  if (auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get()); index && index->builtin == ThreadBuiltin::ThreadIdx) {
    ++found.all;
    found.bare += !isDivided;
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  bool divides = binary && ((binary->op == BinaryOp::Div && literal(binary->rhs) != 1) ||
                            (binary->op == BinaryOp::Shr && literal(binary->rhs) != 0));
  for (const Expr &operand : children(e))
    count(operand, isDivided || (divides && operand == binary->lhs));
}

/// How many threads the tile has that a call asks: thread_block_tile<32>::f(); 1 where
/// its type does not say.
int64_t tileSize(const CallExpr &call) {
  int64_t size = 1;
  llvm::StringRef type = call.args.empty() ? llvm::StringRef() : llvm::StringRef(call.args[0]->type->spelling);
  bool isKnown = !type.split('<').second.consumeInteger(10, size);
  return isKnown && size > 0 ? size : 1;
}

class Finder {
public:
  Finder(const ValueFunction &function, const rules::RuleTable &rules)
      : dependence(function, rules), lanes(function, dependence), rules(rules) {}
  std::optional<SourceRange> found;

  void visit(const Region &region, bool isApart) {
    for (const auto &item : region.items)
      visit(*item, isApart);
  }

private:
  bool exchanges(const Expr &e) const {
    bool any = false;
    forEachExpr(e, [&](const Expr &one) {
      auto *call = llvm::dyn_cast<CallExpr>(one.get());
      const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
      any |= rule && rule->kind == rules::RuleKind::Collective;
    });
    return any;
  }
  void visit(const Item &item, bool isApart) {
    if (auto *value = llvm::dyn_cast<ValueItem>(&item); value && isApart && !found && exchanges(value->expr))
      found = value->range;
    if (auto *branch = llvm::dyn_cast<BranchItem>(&item)) {
      bool apart = isApart || !lanes.agree(branch->condition);
      visit(branch->thenRegion, apart);
      visit(branch->elseRegion, apart);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(&item)) {
      bool same = loop->isVoted     ? true
                  : loop->isCounted ? lanes.agree(loop->begin) && lanes.agree(loop->end) && lanes.agree(loop->step)
                                    : lanes.agree(loop->condition);
      visit(loop->conditionRegion, isApart || !same);
      visit(loop->body, isApart || !same);
    }
  }

  ThreadDependence dependence;
  LaneAgreement lanes;
  const rules::RuleTable &rules;
};
} // namespace

static void define(const Region &region, Definitions &definitions) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
      definitions[value->var] = value->expr;
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      define(branch->thenRegion, definitions);
      define(branch->elseRegion, definitions);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get())) {
      define(loop->conditionRegion, definitions);
      define(loop->body, definitions);
    }
  }
}

LaneAgreement::LaneAgreement(const ValueFunction &function, const ThreadDependence &dependence)
    : body(function.body), dependence(dependence) {
  define(function.body, definitions);
}

bool LaneAgreement::meetAt(const Item &item, const Region &region) const {
  return llvm::any_of(region.items, [&](const auto &one) {
    if (one.get() == &item)
      return true;
    if (auto *branch = llvm::dyn_cast<BranchItem>(one.get()))
      return agree(branch->condition) && (meetAt(item, branch->thenRegion) || meetAt(item, branch->elseRegion));
    auto *loop = llvm::dyn_cast<LoopItem>(one.get());
    if (!loop || !meetAt(item, loop->body))
      return false;
    return loop->isCounted ? agree(loop->begin) && agree(loop->end) && agree(loop->step) : agree(loop->condition);
  });
}

bool LaneAgreement::agree(const Expr &given) const {
  const Expr &e = stripImplicit(given);
  if (!(dependence.of(e) & Threads))
    return true;
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto defined = definitions.find(ref->var);
    return defined != definitions.end() && agree(defined->second);
  }
  if (dependence.placeBy(e) == rules::ThreadPlace::Tile)
    return tileSize(*llvm::cast<CallExpr>(e.get())) % LanesOfWarp == 0;
  auto *call = llvm::dyn_cast<CallExpr>(e.get());
  bool isPure = call && !call->callee.function && dependence.isPure(*call);
  if (isPure || e->kind == ExprKind::Unary || e->kind == ExprKind::Cast || e->kind == ExprKind::Select)
    return llvm::all_of(children(e), [this](const Expr &one) { return agree(one); });
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  if (!binary)
    return false;
  std::optional<int64_t> by = literal(binary->rhs);
  bool isWarp = binary->op == BinaryOp::Div && by && *by > 0 && *by % LanesOfWarp == 0;
  isWarp |= binary->op == BinaryOp::Shr && by && *by >= 5;
  if (isWarp && isFirstDimension(binary->lhs))
    return true;
  if (binary->op == BinaryOp::Lt && by && *by % LanesOfWarp == 0 && isFirstDimension(binary->lhs))
    return true;
  return agree(binary->lhs) && agree(binary->rhs);
}

/// The rank of the thread in its block: threadIdx.x, of a block in one dimension.
bool LaneAgreement::isFirstDimension(const Expr &given) const {
  const Expr &e = stripImplicit(given);
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto defined = definitions.find(ref->var);
    return defined != definitions.end() && isFirstDimension(defined->second);
  }
  if (dependence.placeBy(e) == rules::ThreadPlace::Thread)
    return true;
  auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get());
  return index && index->builtin == ThreadBuiltin::ThreadIdx && index->dimension == 0 &&
         (dependence.dimensionsInUse() & ~ThreadDependence::ThreadX) == 0;
}

std::optional<SourceRange> exchangeOfPartWarps(const ValueFunction &function, const rules::RuleTable &rules) {
  Finder finder(function, rules);
  finder.visit(function.body, false);
  return finder.found;
}

bool isSharedByThreads(const Expr &place, const std::vector<Expr> &guards, const Definitions &definitions,
                       const ThreadDependence &dependence) {
  Counter counter(definitions, dependence);
  counter.count(place);
  if (counter.found.all == 0)
    return false;
  for (const Expr &guard : guards)
    counter.count(guard);
  return counter.found.bare == 0 && (counter.found.lanes == 0 || counter.found.tiles == 0);
}

} // namespace gpuad::analysis
