//===- PruneBarriers.cpp - barriers that separate nothing ----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/PruneBarriers.h"

#include "ir/Builder.h"
#include "ir/ValueForm.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace gpuad::transform {
using namespace ir;

namespace {
class Pruner {
public:
  Pruner(const Function &function, const rules::RuleTable &rules, const OrderedSet<Var> &sharedPointers)
      : rules(rules), taken(sharedPointers) {
    findTaken(function.body);
  }

  /// Removes barriers behind which nothing happened since the last one. `isClean`: at
  /// the start, nothing did; returned for the end.
  Stmt forward(const Stmt &s, bool &isClean);
  /// Removes barriers behind which nothing happens any more.
  Stmt backward(const Stmt &s, bool &isClean);

private:
  const rules::Rule *barrierIn(const Expr &e) const {
    auto *call = e ? llvm::dyn_cast<CallExpr>(stripImplicit(e).get()) : nullptr;
    const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
    bool waits = rule && (rule->kind == rules::RuleKind::Barrier || rule->kind == rules::RuleKind::Collective);
    return waits && rule->ofBlock ? rule : nullptr;
  }
  bool isBlockBarrier(const Stmt &s) const {
    auto *call = llvm::dyn_cast<DoStmt>(s.get());
    return call && barrierIn(call->call);
  }
  /// One of the launch stays: what other blocks do is not looked at here.
  bool isGridBarrier(const Stmt &s) const {
    auto *call = llvm::dyn_cast<DoStmt>(s.get());
    return call && rules.isBarrierOfGrid(call->call);
  }
  bool holdsGridBarrier(const Stmt &s) const {
    bool found = false;
    forEachStmt(s, [&](const Stmt &one) { found |= isGridBarrier(one); });
    return found;
  }
  /// A barrier whose result is wanted, or an exchange among all threads of the block: it stays.
  bool isVote(const Stmt &s) const {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
    return (decl && barrierIn(decl->init)) || (assign && barrierIn(assign->value));
  }
  static bool isClearing(const Stmt &s) {
    auto *call = llvm::dyn_cast<DoStmt>(s.get());
    auto *callee = call ? llvm::dyn_cast<CallExpr>(call->call.get()) : nullptr;
    return callee && llvm::StringRef(callee->callee.name).starts_with(ClearShared);
  }
  /// Shadows that are more than added into: taken from, or read where the primal adds.
  void findTaken(const Stmt &body) {
    OrderedSet<Var> addedInto, read;
    forEachStmt(body, [&](const Stmt &s) {
      auto *accum = llvm::dyn_cast<AccumStmt>(s.get());
      if (accum)
        addedInto.insert(rootVar(accum->place));
      for (const Expr &held : expressionsOf(s))
        if (!accum || held != accum->place)
          for (Var *var : variablesIn(held))
            read.insert(var);
    });
    for (Var *var : addedInto)
      if (var && isPointer(var->type) && read.count(var))
        taken.insert(var);
    forEachStmt(body, [&](const Stmt &s) {
      if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()))
        if (Var *root = rootVar(assign->place); root && isPointer(root->type))
          taken.insert(root);
      for (const Expr &held : expressionsOf(s))
        forEachExpr(held, [&](const Expr &e) {
          auto *call = llvm::dyn_cast<CallExpr>(e.get());
          if (call && !call->args.empty() && call->callee.name == "gpuad::take")
            if (Var *root = rootVar(stripAddress(call->args[0])))
              taken.insert(root);
        });
    });
  }
  static Expr stripAddress(const Expr &e) {
    auto *address = llvm::dyn_cast<AddrOfExpr>(e.get());
    return address ? address->place : e;
  }
  bool touches(const Stmt &s) const {
    bool found = false;
    forEachStmt(s, [&](const Stmt &one) {
      found |= one->kind == StmtKind::Text;
      if (one->kind == StmtKind::Decl)
        if (const Expr &init = llvm::cast<DeclStmt>(one.get())->init; !init)
          return;
      std::set<const ExprNode *> compared; // that two shadows are one array is asked of the pointers alone
      for (const Expr &held : expressionsOf(one))
        forEachExpr(held, [&](const Expr &e) {
          if (auto *binary = llvm::dyn_cast<BinaryExpr>(e.get());
              binary && (binary->op == BinaryOp::Eq || binary->op == BinaryOp::Ne) && isPointer(binary->lhs->type))
            for (const Expr &side : {binary->lhs, binary->rhs})
              compared.insert(side.get());
          if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()); ref && !compared.count(ref))
            found |= isShared(ref->var) || taken.count(ref->var) != 0;
        });
    });
    return found;
  }
  bool holdsBarrier(const Stmt &s) const {
    bool found = false;
    forEachStmt(s, [&](const Stmt &one) { found |= isBlockBarrier(one); });
    return found;
  }
  Stmt without(const Stmt &s) const;
  template <class Visit> Stmt throughParts(const Stmt &s, bool &isClean, Visit visit);

  const rules::RuleTable &rules;
  OrderedSet<Var> taken;
};

/// The statement without its barriers; null when nothing is left.
Stmt Pruner::without(const Stmt &s) const {
  if (isBlockBarrier(s))
    return nullptr;
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get())) {
    std::vector<Stmt> list;
    for (const Stmt &one : block->stmts)
      if (Stmt kept = without(one))
        list.push_back(kept);
    return makeBlock(list, s->range);
  }
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
    auto copy = std::make_shared<IfStmt>(*branch);
    copy->thenBody = without(branch->thenBody);
    if (!copy->thenBody)
      copy->thenBody = makeBlock({});
    copy->elseBody = branch->elseBody ? without(branch->elseBody) : nullptr;
    return copy;
  }
  if (auto *loop = llvm::dyn_cast<ForStmt>(s.get())) {
    auto copy = std::make_shared<ForStmt>(*loop);
    Stmt body = without(loop->body);
    copy->body = body ? body : makeBlock({});
    return copy;
  }
  if (auto *loop = llvm::dyn_cast<WhileStmt>(s.get())) {
    auto copy = std::make_shared<WhileStmt>(*loop);
    Stmt body = without(loop->body);
    copy->body = body ? body : makeBlock({});
    return copy;
  }
  return s;
}

/// Branches and loops, by what `visit` does with their bodies.
template <class Visit> Stmt Pruner::throughParts(const Stmt &s, bool &isClean, Visit visit) {
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
    auto copy = std::make_shared<IfStmt>(*branch);
    bool thenClean = isClean, elseClean = isClean;
    Stmt thenBody = visit(branch->thenBody, thenClean);
    copy->thenBody = thenBody ? thenBody : makeBlock({});
    if (branch->elseBody)
      copy->elseBody = visit(branch->elseBody, elseClean);
    isClean = thenClean && elseClean;
    return copy;
  }
  auto *counted = llvm::dyn_cast<ForStmt>(s.get());
  auto *open = llvm::dyn_cast<WhileStmt>(s.get());
  if (!counted && !open) {
    isClean = false;
    return s;
  }
  const Stmt &body = counted ? counted->body : open->body;
  bool start = isClean, end = start;
  Stmt made = visit(body, end);
  if (start && !end) { // the next iteration begins with what this one did
    start = end = false;
    made = visit(body, end);
  }
  isClean = isClean && end;
  if (!made)
    made = makeBlock({});
  if (counted) {
    auto copy = std::make_shared<ForStmt>(*counted);
    copy->body = made;
    return copy;
  }
  auto copy = std::make_shared<WhileStmt>(*open);
  copy->body = made;
  return copy;
}

Stmt Pruner::forward(const Stmt &s, bool &isClean) {
  if (isBlockBarrier(s)) {
    if (isClean && !isGridBarrier(s))
      return nullptr;
    isClean = true;
    return s;
  }
  if (isClearing(s) || isVote(s)) {
    isClean = true;
    return s;
  }
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get())) {
    std::vector<Stmt> list;
    bool isBehindGrid = false; // nothing happened since a barrier of the launch
    for (const Stmt &one : block->stmts) {
      if (isGridBarrier(one) && isBehindGrid)
        continue;
      isBehindGrid =
          isGridBarrier(one) || (isBehindGrid && !touches(one) && (isBlockBarrier(one) || !holdsBarrier(one)));
      // Barriers around nothing: one of them is enough, and it need not be inside.
      if (one->kind != StmtKind::Block && !isBlockBarrier(one) && holdsBarrier(one) && !touches(one) &&
          !holdsGridBarrier(one)) {
        list.push_back(without(one));
        Stmt barrier;
        forEachStmt(one, [&](const Stmt &inner) {
          if (isBlockBarrier(inner))
            barrier = inner;
        });
        if (!isClean)
          list.push_back(barrier);
        isClean = true;
        continue;
      }
      if (Stmt kept = forward(one, isClean))
        list.push_back(kept);
    }
    return makeBlock(list, s->range);
  }
  if (!touches(s) && !holdsBarrier(s))
    return s;
  return throughParts(s, isClean, [&](const Stmt &body, bool &clean) { return forward(body, clean); });
}

Stmt Pruner::backward(const Stmt &s, bool &isClean) {
  if (isBlockBarrier(s)) {
    if (isClean && !isGridBarrier(s))
      return nullptr;
    isClean = true;
    return s;
  }
  if (isClearing(s)) {
    isClean = false;
    return s;
  }
  if (isVote(s)) {
    isClean = !touches(s); // what is voted on is worked out in front of the barrier
    return s;
  }
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get())) {
    std::vector<Stmt> list;
    for (auto at = block->stmts.rbegin(); at != block->stmts.rend(); ++at)
      if (Stmt kept = backward(*at, isClean))
        list.insert(list.begin(), kept);
    return makeBlock(list, s->range);
  }
  if (!touches(s) && !holdsBarrier(s))
    return s;
  return throughParts(s, isClean, [&](const Stmt &body, bool &clean) { return backward(body, clean); });
}
} // namespace

void dropIdleVotes(Function &function, const rules::RuleTable &rules) {
  function.body = rewriteStmts(function.body, [&](const Stmt &s) -> Stmt {
    auto *call = llvm::dyn_cast<DoStmt>(s.get());
    auto *vote = call ? llvm::dyn_cast<CallExpr>(call->call.get()) : nullptr;
    const rules::Rule *rule = vote ? rules.find(vote->callee) : nullptr;
    bool isVote = rule && rule->kind == rules::RuleKind::Barrier && !rule->transpose.empty();
    return isVote ? rules.mirrorOf(*rule, s->range) : s;
  });
}

void pruneBarriers(Function &function, const rules::RuleTable &rules, const OrderedSet<Var> &sharedPointers) {
  Pruner pruner(function, rules, sharedPointers);
  bool isClean = true;
  if (Stmt body = pruner.forward(function.body, isClean))
    function.body = body;
  isClean = true;
  if (Stmt body = pruner.backward(function.body, isClean))
    function.body = body;
}

} // namespace gpuad::transform
