//===- HoistVote.cpp - where a block votes -------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RecordPlan.h"

namespace gpuad::transform {
using namespace ir;

namespace {
bool isVote(const Stmt &s) {
  auto *call = llvm::dyn_cast<DoStmt>(s.get());
  auto *marker = call ? llvm::dyn_cast<CallExpr>(call->call.get()) : nullptr;
  return marker && marker->callee.name == VoteMarker;
}

bool holdsVote(const Stmt &s) {
  bool found = false;
  if (s)
    forEachStmt(s, [&](const Stmt &one) { found |= isVote(one); });
  return found;
}

/// What comes before the vote and what comes after it.
struct Parts {
  std::vector<Stmt> hoisted, before, after;
};

OrderedSet<Var> mentionedIn(const std::vector<Stmt> &list) {
  OrderedSet<Var> found;
  for (const Stmt &s : list)
    forEachExprIn(s, [&](const Expr &e) {
      if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
        found.insert(ref->var);
    });
  return found;
}

/// A list in braces is no expression that can be assigned to an array.
void assignElements(const Expr &place, const InitExpr &list, std::vector<Stmt> &to) {
  for (size_t i = 0; i < list.elements.size(); ++i) {
    Expr element = makeIndex(place, intLit(static_cast<int64_t>(i)));
    if (auto *inner = llvm::dyn_cast<InitExpr>(list.elements[i].get()); inner && isArray(element->type))
      assignElements(element, *inner, to);
    else
      to.push_back(makeAssign(element, list.elements[i]));
  }
}

/// Declarations of `before` that `after` uses move in front of the branch.
void shareDeclarations(Parts &parts) {
  OrderedSet<Var> used = mentionedIn(parts.after);
  std::vector<Stmt> before;
  for (const Stmt &s : parts.before) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    if (!decl || !used.count(decl->var)) {
      before.push_back(s);
      continue;
    }
    decl->var->type = withConst(decl->var->type, false);
    auto *list = decl->init && isArray(decl->var->type) ? llvm::dyn_cast<InitExpr>(decl->init.get()) : nullptr;
    parts.hoisted.push_back(makeDecl(decl->var, list ? zeroOf(decl->var->type) : nullptr));
    if (list)
      assignElements(makeRef(decl->var), *list, before);
    else if (decl->init)
      before.push_back(makeAssign(makeRef(decl->var), decl->init, s->range));
  }
  parts.before = std::move(before);
}

Parts split(const Stmt &s);

Parts splitList(const std::vector<Stmt> &list) {
  Parts parts;
  bool isAfter = false;
  for (const Stmt &s : list) {
    if (isAfter) {
      parts.after.push_back(s);
    } else if (!holdsVote(s)) {
      parts.before.push_back(s);
    } else {
      Parts inner = split(s);
      parts.before.insert(parts.before.end(), inner.hoisted.begin(), inner.hoisted.end());
      parts.before.insert(parts.before.end(), inner.before.begin(), inner.before.end());
      parts.after = inner.after;
      isAfter = true;
    }
  }
  return parts;
}

Parts split(const Stmt &s) {
  if (isVote(s))
    return {};
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
    return splitList(block->stmts);
  auto *branch = llvm::cast<IfStmt>(s.get()); // votes lie in nothing else
  Parts arms[2], whole;
  const Stmt bodies[2] = {branch->thenBody, branch->elseBody};
  for (int i = 0; i < 2; ++i) {
    if (!bodies[i])
      continue;
    if (holdsVote(bodies[i]))
      arms[i] = split(bodies[i]);
    else
      arms[i].after = {bodies[i]};
    shareDeclarations(arms[i]);
    whole.hoisted.insert(whole.hoisted.end(), arms[i].hoisted.begin(), arms[i].hoisted.end());
  }
  auto joined = [&](const std::vector<Stmt> &thenList, const std::vector<Stmt> &elseList) -> std::vector<Stmt> {
    if (thenList.empty() && elseList.empty())
      return {};
    if (thenList.empty())
      return {makeIf(logicalNot(branch->condition), makeBlock(elseList), nullptr, s->range)};
    return {makeIf(branch->condition, makeBlock(thenList), elseList.empty() ? nullptr : makeBlock(elseList), s->range)};
  };
  whole.before = joined(arms[0].before, arms[1].before);
  whole.after = joined(arms[0].after, arms[1].after);
  return whole;
}
} // namespace

Stmt hoistVote(const Stmt &body, const Stmt &vote, bool mayStop) {
  if (!holdsVote(body))
    return body;
  Parts parts = split(body);
  if (mayStop) {
    shareDeclarations(parts);
    parts.before = {makeWhile(boolLit(false), makeBlock(parts.before), true)};
  }
  std::vector<Stmt> list = parts.hoisted;
  list.insert(list.end(), parts.before.begin(), parts.before.end());
  list.push_back(vote);
  list.insert(list.end(), parts.after.begin(), parts.after.end());
  return makeBlock(list);
}

} // namespace gpuad::transform
