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

namespace gpuad::analysis {
using namespace ir;

namespace {
constexpr int64_t LanesOfWarp = 32;
constexpr ThreadDependence::Mask Threads = 7;

using Definitions = OrderedMap<Var, Expr>;

/// Occurrences of the thread's index: all, and those that no division hides.
struct Occurrences {
  unsigned all = 0, bare = 0;
};

void count(const Expr &e, const Definitions &definitions, bool isDivided, Occurrences &to) {
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto found = definitions.find(ref->var);
    return found == definitions.end() ? void() : count(found->second, definitions, isDivided, to);
  }
  if (auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get()); index && index->builtin == ThreadBuiltin::ThreadIdx) {
    ++to.all;
    to.bare += !isDivided;
  }
  auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
  bool divides = binary && (binary->op == BinaryOp::Div || binary->op == BinaryOp::Shr);
  for (const Expr &operand : children(e))
    count(operand, definitions, isDivided || (divides && operand == binary->lhs), to);
}

std::optional<int64_t> literal(const Expr &e) {
  auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(e).get());
  auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

class Finder {
public:
  Finder(const ValueFunction &function, const rules::RuleTable &rules)
      : dependence(function), lanes(function, dependence), rules(rules) {}
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
      bool same = loop->isVoted ? true
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
    : dependence(dependence) {
  define(function.body, definitions);
}

bool LaneAgreement::agree(const Expr &given) const {
  const Expr &e = stripImplicit(given);
  if (!(dependence.of(e) & Threads))
    return true;
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto defined = definitions.find(ref->var);
    return defined != definitions.end() && agree(defined->second);
  }
  if (auto *unary = llvm::dyn_cast<UnaryExpr>(e.get()))
    return agree(unary->operand);
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

/// threadIdx.x, of a block in one dimension.
bool LaneAgreement::isFirstDimension(const Expr &given) const {
  const Expr &e = stripImplicit(given);
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    auto defined = definitions.find(ref->var);
    return defined != definitions.end() && isFirstDimension(defined->second);
  }
  auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get());
  return index && index->builtin == ThreadBuiltin::ThreadIdx && index->dimension == 0 &&
         (dependence.dimensionsInUse() & ~ThreadDependence::ThreadX) == 0;
}

std::optional<SourceRange> exchangeOfPartWarps(const ValueFunction &function, const rules::RuleTable &rules) {
  Finder finder(function, rules);
  finder.visit(function.body, false);
  return finder.found;
}

bool holdsOnlyQuotients(const Expr &e, const Definitions &definitions) {
  Occurrences found;
  count(e, definitions, false, found);
  return found.all > 0 && found.bare == 0;
}

} // namespace gpuad::analysis
