//===- Simplify.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Simplify.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/Counting.h"
#include "transform/DeadCode.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Folding stops where an expression would get hard to read.
constexpr unsigned LongestFolded = 6;

struct Facts {
  OrderedMap<Var, unsigned> uses;
  OrderedMap<Var, unsigned> writes; ///< assignments and updates; a declaration is none
  OrderedMap<Var, unsigned> declarations;
};

unsigned sizeOf(const Expr &e) {
  unsigned size = e->kind == ExprKind::Binary || e->kind == ExprKind::Call || e->kind == ExprKind::Select ||
                  e->kind == ExprKind::Index;
  for (const Expr &operand : children(e))
    size += sizeOf(operand);
  return size;
}

Facts factsOf(const Stmt &body) {
  Facts facts;
  // A loop variable is constant inside an iteration: its increment is no write.
  OrderedSet<const StmtNode> increments;
  forEachStmt(body, [&](const Stmt &s) {
    if (auto *loop = llvm::dyn_cast<ForStmt>(s.get()); loop && !loop->init.empty())
      if (loop->init[0]->kind == StmtKind::Decl)
        for (const Stmt &one : loop->increment)
          increments.insert(one.get());
    if (increments.count(s.get()))
      return;
    auto written = [&](const Expr &place) {
      if (Var *root = rootVar(place))
        ++facts.writes[root];
    };
    if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()))
      written(assign->place);
    if (auto *accum = llvm::dyn_cast<AccumStmt>(s.get()))
      written(accum->place);
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()))
      ++facts.declarations[decl->var];
    for (const Expr &held : expressionsOf(s))
      forEachExpr(held, [&](const Expr &e) {
        if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
          ++facts.uses[ref->var];
        if (auto *address = llvm::dyn_cast<AddrOfExpr>(e.get()))
          written(address->place);
        if (auto *call = llvm::dyn_cast<CallExpr>(e.get()))
          for (const Expr &place : writtenArguments(*call))
            written(place);
      });
    if (auto *text = llvm::dyn_cast<TextStmt>(s.get()))
      for (Var *var : text->mentions) {
        ++facts.uses[var];
        ++facts.writes[var];
      }
  });
  return facts;
}

class Simplifier {
public:
  Simplifier(Function &function, llvm::function_ref<bool(const CallExpr &)> hasEffect)
      : function(function), hasEffect(hasEffect) {}
  bool round();

private:
  std::vector<Stmt> list(std::vector<Stmt> stmts);
  bool foldInto(std::vector<Stmt> &stmts, size_t at);
  Stmt underFlag(const Stmt &s);
  bool assignDirectly(std::vector<Stmt> &stmts, size_t at);
  bool startFromSum(std::vector<Stmt> &stmts, size_t at);
  /// How often the variable declared at `at` is used in its scope; none where an inner
  /// scope declares it again.
  std::optional<unsigned> usesInScope(const std::vector<Stmt> &stmts, size_t at, Var *var) {
    if (facts.declarations[var] == 1)
      return facts.uses[var];
    unsigned count = 0;
    bool again = false;
    for (size_t i = at + 1; i < stmts.size(); ++i) {
      count += usesIn(stmts[i], var);
      forEachStmt(stmts[i], [&](const Stmt &one) {
        auto *decl = llvm::dyn_cast<DeclStmt>(one.get());
        again |= decl && decl->var == var;
      });
    }
    return again ? std::nullopt : std::optional<unsigned>(count);
  }
  bool isPure(const Expr &e) {
    bool pure = true;
    forEachExpr(e, [&](const Expr &one) {
      if (auto *call = llvm::dyn_cast<CallExpr>(one.get()))
        pure &= !hasEffect(*call);
      pure &= one->kind != ExprKind::Text;
    });
    return pure;
  }
  /// Whether e gives the same value wherever it stands: no memory, no variable that
  /// is written after its declaration.
  bool isTimeless(const Expr &e) {
    bool timeless = true;
    forEachExpr(e, [&](const Expr &one) {
      if (one->kind == ExprKind::Index || one->kind == ExprKind::Deref)
        timeless = false;
      if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
        timeless &= facts.writes[ref->var] == 0 && facts.declarations[ref->var] <= 1;
    });
    return timeless;
  }
  unsigned usesIn(const Stmt &s, Var *var) {
    unsigned count = 0;
    forEachExprIn(s, [&](const Expr &e) {
      if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
        count += ref->var == var;
    });
    return count;
  }
  /// Whether s writes the variable that the copy reads.
  static bool writes(const Stmt &s, const Expr &copy) {
    bool found = false;
    forEachStmt(s, [&](const Stmt &one) {
      Expr place;
      if (auto *assign = llvm::dyn_cast<AssignStmt>(one.get()))
        place = assign->place;
      if (auto *accum = llvm::dyn_cast<AccumStmt>(one.get()))
        place = accum->place;
      found |= place && rootVar(place) == rootVar(copy);
      found |= one->kind == StmtKind::For || one->kind == StmtKind::While;
    });
    return found;
  }
  Stmt replace(const Stmt &s, Var *var, const Expr &by) {
    return rewriteHeldExprs(s, [&](const Expr &e) {
      Expr made = substitute(e, [&](Var *one) { return one == var ? by : nullptr; });
      return isWhole(by, 0) ? withoutZero(made, by) : made;
    });
  }
  /// 0 + e, where that zero has just been put in.
  static Expr withoutZero(const Expr &e, const Expr &zero) {
    return rewriteExpr(e, [&](const Expr &one) -> Expr {
      auto *sum = llvm::dyn_cast<BinaryExpr>(one.get());
      bool addsZero = sum && sum->op == BinaryOp::Add && sum->lhs == zero && sameType(sum->type, sum->rhs->type);
      return addsZero ? sum->rhs : one;
    });
  }

  Function &function;
  llvm::function_ref<bool(const CallExpr &)> hasEffect;
  Facts facts;
  bool changed = false;
};

/// Whether the value could be moved behind s: s writes nothing that it may read.
bool isHarmless(const Stmt &s) {
  return s->kind == StmtKind::Decl || s->kind == StmtKind::Comment;
}

/// Folds the declaration at `at` into what uses it.
bool Simplifier::foldInto(std::vector<Stmt> &stmts, size_t at) {
  auto *decl = llvm::dyn_cast<DeclStmt>(stmts[at].get());
  if (!decl || !decl->init || isReference(decl->var->type) || isArray(decl->var->type) || facts.writes[decl->var] != 0)
    return false;
  Var *var = decl->var;
  std::optional<unsigned> all = usesInScope(stmts, at, var);
  if (!all)
    return false;
  Expr value = decl->init;
  bool timeless = isTimeless(value);
  bool isCopy = value->kind == ExprKind::Lit || value->kind == ExprKind::Ref;
  // A conversion that the declaration makes must not be lost.
  if (!sameType(var->type, value->type)) {
    if (!isCopy || value->kind == ExprKind::Ref)
      return false;
    if (isFloating(var->type) != isFloating(value->type))
      return false;
  }
  if (*all == 1 && at + 1 < stmts.size()) { // T v = e; T w = v;
    auto *next = llvm::dyn_cast<DeclStmt>(stmts[at + 1].get());
    auto *from = next && next->init ? llvm::dyn_cast<RefExpr>(next->init.get()) : nullptr;
    if (from && from->var == var && sameType(next->var->type, var->type)) {
      stmts[at + 1] = makeDecl(next->var, value, stmts[at]->range);
      stmts.erase(stmts.begin() + at);
      return changed = true;
    }
  }
  if (!isPure(value))
    return false;
  bool everywhere = isCopy && timeless && var->isTemporary;
  if (!everywhere && (*all != 1 || !var->isTemporary))
    return false;
  if (everywhere) {
    for (size_t i = at + 1; i < stmts.size(); ++i)
      stmts[i] = replace(stmts[i], var, value);
    if (auto *copied = llvm::dyn_cast<RefExpr>(value.get()))
      facts.uses[copied->var] += *all;
    stmts.erase(stmts.begin() + at);
    return changed = true;
  }
  for (size_t i = at + 1; i < stmts.size(); ++i) {
    unsigned uses = usesIn(stmts[i], var);
    if (uses == 0) {
      if (!timeless && !isHarmless(stmts[i]))
        return false;
      continue;
    }
    bool isLoop = stmts[i]->kind == StmtKind::For || stmts[i]->kind == StmtKind::While;
    bool nested =
        stmts[i]->kind == StmtKind::If || stmts[i]->kind == StmtKind::Block || stmts[i]->kind == StmtKind::Switch;
    if (isLoop || (nested && !timeless && !(isCopy && !writes(stmts[i], value))))
      return false;
    unsigned size = 0;
    if (!nested)
      for (const Expr &held : expressionsOf(stmts[i]))
        size += sizeOf(held);
    if (size + sizeOf(value) > LongestFolded && !isCopy)
      return false;
    stmts[i] = replace(stmts[i], var, value);
    stmts.erase(stmts.begin() + at);
    return changed = true;
  }
  return false;
}

/// `T v = e; ... m = v;` with no other use of v and m untouched in between: m = e.
bool Simplifier::assignDirectly(std::vector<Stmt> &stmts, size_t at) {
  auto *decl = llvm::dyn_cast<DeclStmt>(stmts[at].get());
  if (!decl || !decl->init || facts.writes[decl->var] != 0 || isReference(decl->var->type) ||
      usesInScope(stmts, at, decl->var) != 1u)
    return false;
  for (size_t i = at + 1; i < stmts.size(); ++i) {
    auto *assign = llvm::dyn_cast<AssignStmt>(stmts[i].get());
    auto *from = assign ? llvm::dyn_cast<RefExpr>(assign->value.get()) : nullptr;
    auto *to = assign ? llvm::dyn_cast<RefExpr>(assign->place.get()) : nullptr;
    if (from && to && from->var == decl->var && sameType(to->var->type, decl->var->type)) {
      stmts[at] = makeAssign(assign->place, decl->init, stmts[at]->range);
      stmts.erase(stmts.begin() + i);
      return changed = true;
    }
    if (!to) { // find m first: it is the target of the only use
      if (usesIn(stmts[i], decl->var) != 0)
        return false;
    }
    Var *target = nullptr;
    for (size_t k = i; k < stmts.size() && !target; ++k)
      if (auto *later = llvm::dyn_cast<AssignStmt>(stmts[k].get()))
        if (auto *value = llvm::dyn_cast<RefExpr>(later->value.get()); value && value->var == decl->var)
          if (auto *place = llvm::dyn_cast<RefExpr>(later->place.get()))
            target = place->var;
    if (!target || usesIn(stmts[i], target) != 0)
      return false;
    bool declares = false;
    forEachStmt(stmts[i], [&](const Stmt &one) {
      if (auto *inner = llvm::dyn_cast<DeclStmt>(one.get()))
        declares |= inner->var == target;
    });
    if (declares)
      return false;
  }
  return false;
}

/// `v = 0; ... v += e;` with v untouched in between: v = e.
bool Simplifier::startFromSum(std::vector<Stmt> &stmts, size_t at) {
  auto *decl = llvm::dyn_cast<DeclStmt>(stmts[at].get());
  auto *assign = llvm::dyn_cast<AssignStmt>(stmts[at].get());
  const Expr zero = decl ? decl->init : assign ? assign->value : nullptr;
  auto *target = assign ? llvm::dyn_cast<RefExpr>(assign->place.get()) : nullptr;
  Var *var = decl ? decl->var : target ? target->var : nullptr;
  if (!var || !zero || !isZeroLit(zero) || !isFloating(var->type))
    return false;
  for (size_t i = at + 1; i < stmts.size(); ++i) {
    auto *sum = llvm::dyn_cast<AccumStmt>(stmts[i].get());
    auto *place = sum ? llvm::dyn_cast<RefExpr>(sum->place.get()) : nullptr;
    bool isTheSum = place && place->var == var && sum->how == AccumHow::Plain && usesIn(stmts[i], var) == 1;
    if (!isTheSum && usesIn(stmts[i], var) == 0 &&
        (stmts[i]->kind == StmtKind::Decl || stmts[i]->kind == StmtKind::Accum || stmts[i]->kind == StmtKind::Assign ||
         stmts[i]->kind == StmtKind::If))
      continue;
    if (!isTheSum)
      return false;
    stmts[i] =
        decl ? makeDecl(var, sum->value, stmts[at]->range) : makeAssign(sum->place, sum->value, stmts[at]->range);
    stmts.erase(stmts.begin() + at);
    return changed = true;
  }
  return false;
}

/// Inside `if (want) { ... }` a choice by `want` is made already.
Stmt Simplifier::underFlag(const Stmt &s) {
  auto *branch = llvm::dyn_cast<IfStmt>(s.get());
  auto *flag = branch ? llvm::dyn_cast<RefExpr>(branch->condition.get()) : nullptr;
  if (!flag || !isTimeless(branch->condition))
    return s;
  auto copy = std::make_shared<IfStmt>(*branch);
  copy->thenBody = rewriteHeldExprs(branch->thenBody, [&](const Expr &held) {
    return rewriteExpr(held, [&](const Expr &e) -> Expr {
      auto *choice = llvm::dyn_cast<SelectExpr>(e.get());
      return choice && equal(choice->condition, branch->condition) ? choice->thenValue : e;
    });
  });
  if (copy->thenBody == branch->thenBody)
    return s;
  changed = true;
  return copy;
}

std::vector<Stmt> Simplifier::list(std::vector<Stmt> stmts) {
  for (size_t i = 0; i < stmts.size();)
    if (!foldInto(stmts, i) && !assignDirectly(stmts, i) && !startFromSum(stmts, i))
      ++i;
  for (Stmt &s : stmts)
    s = underFlag(s);
  // Neighbouring ifs of one flag.
  std::vector<Stmt> joined;
  for (const Stmt &s : stmts) {
    auto *here = llvm::dyn_cast<IfStmt>(s.get());
    auto *before = joined.empty() ? nullptr : llvm::dyn_cast<IfStmt>(joined.back().get());
    bool joins = here && before && !here->elseBody && !before->elseBody && here->condition->kind == ExprKind::Ref &&
                 equal(here->condition, before->condition) && isTimeless(here->condition);
    if (joins) {
      std::vector<Stmt> flat;
      for (const Stmt &body : {before->thenBody, here->thenBody})
        if (auto *block = llvm::dyn_cast<BlockStmt>(body.get()))
          flat.insert(flat.end(), block->stmts.begin(), block->stmts.end());
        else
          flat.push_back(body);
      joined.back() = makeIf(here->condition, makeBlock(flat), nullptr, before->range);
      changed = true;
      continue;
    }
    joined.push_back(s);
  }
  return joined;
}

bool Simplifier::round() {
  changed = false;
  facts = factsOf(function.body);
  // Facts go stale by what a round changes: it only ever removes uses, and each
  // fold is checked against counts that can be too high, never too low.
  function.body = rewriteLists(function.body, [&](std::vector<Stmt> stmts) { return list(std::move(stmts)); });
  return changed;
}
} // namespace

/// if (a) { if (b) { ... } } is one question.
static Stmt asOneCondition(const Stmt &s) {
  auto *outer = llvm::dyn_cast<IfStmt>(s.get());
  if (!outer || outer->elseBody || outer->isConstexpr)
    return s;
  Stmt only = outer->thenBody;
  if (auto *block = llvm::dyn_cast<BlockStmt>(only.get()))
    only = block->stmts.size() == 1 ? block->stmts.front() : nullptr;
  auto *inner = only ? llvm::dyn_cast<IfStmt>(only.get()) : nullptr;
  if (!inner || inner->elseBody || inner->isConstexpr)
    return s;
  return makeIf(logicalAnd(outer->condition, inner->condition), inner->thenBody, nullptr, outer->range);
}

void simplify(Function &function, llvm::function_ref<bool(const CallExpr &)> hasEffect) {
  Simplifier simplifier(function, hasEffect);
  while (simplifier.round())
    ;
  // Last, since conditions of one flag alone are recognised before.
  function.body = rewriteLists(function.body, [](std::vector<Stmt> stmts) {
    for (Stmt &s : stmts)
      s = asOneCondition(s);
    return stmts;
  });
}

} // namespace gpuad::transform
