//===- StructureExits.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/StructureExits.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {

/// Which exits a statement may take out of itself.
struct Exits {
  bool returns = false, breaks = false, continues = false;
  bool any() const { return returns || breaks || continues; }
  Exits &operator|=(const Exits &other) {
    returns |= other.returns;
    breaks |= other.breaks;
    continues |= other.continues;
    return *this;
  }
};

Exits exitsOf(const Stmt &s) {
  Exits found;
  if (!s)
    return found;
  switch (s->kind) {
  case StmtKind::Return:
    found.returns = true;
    return found;
  case StmtKind::Break:
    found.breaks = true;
    return found;
  case StmtKind::Continue:
    found.continues = true;
    return found;
  default:
    break;
  }
  for (const Stmt &nested : nestedStmts(s))
    found |= exitsOf(nested);
  if (s->kind == StmtKind::For || s->kind == StmtKind::While)
    found.breaks = found.continues = false;
  if (s->kind == StmtKind::Switch)
    found.breaks = false;
  return found;
}

/// Whether control never comes out at the end of s.
bool alwaysExits(const Stmt &s) {
  if (!s)
    return false;
  if (s->kind == StmtKind::Return || s->kind == StmtKind::Break || s->kind == StmtKind::Continue)
    return true;
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
    return !block->stmts.empty() && alwaysExits(block->stmts.back());
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get()))
    return branch->elseBody && alwaysExits(branch->thenBody) && alwaysExits(branch->elseBody);
  return false;
}

std::vector<Stmt> listOf(const Stmt &s) {
  if (!s)
    return {};
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
    return block->stmts;
  return {s};
}

/// The threads that do not come to its body have left.
Stmt forExit(const Stmt &branch) {
  auto copy = std::make_shared<IfStmt>(*llvm::cast<IfStmt>(branch.get()));
  copy->isForExit = true;
  return copy;
}

class Structurer {
public:
  Structurer(Function &owner, Var *result) : owner(owner), result(result) {}

  /// The list without exits. `flag`, when set by then, tells that an exit was taken.
  std::vector<Stmt> list(const std::vector<Stmt> &stmts);

  Var *returned = nullptr; ///< made when a return needs a flag

private:
  enum class Kind { Loop, Switch, Guard };
  /// What an exit passes on its way out: a loop, a switch, or the guard of a list
  /// whose rest is skipped once an exit was taken.
  struct Enclosing {
    Kind kind = Kind::Loop;
    Var *left = nullptr;    ///< it is being left
    Var *skipped = nullptr; ///< Loop: the rest of this iteration is skipped
  };

  std::vector<Stmt> one(const Stmt &s);
  std::vector<Stmt> exitOf(const Stmt &s);
  std::vector<Stmt> branchWithRest(const IfStmt &branch, const std::vector<Stmt> &rest);
  std::vector<Stmt> loop(const Stmt &s);
  std::vector<Stmt> switchOf(const SwitchStmt &s);
  Expr stillRunning(const Exits &exits);
  void append(std::vector<Stmt> &to, std::vector<Stmt> from) { to.insert(to.end(), from.begin(), from.end()); }
  Var *flag(const char *name) { return owner.makeVar(name, boolType()); }
  Stmt raise(Var *var) { return makeAssign(makeRef(var), boolLit(true)); }

  Function &owner;
  Var *result;
  std::vector<Enclosing> enclosing;
};

std::vector<Stmt> Structurer::list(const std::vector<Stmt> &stmts) {
  std::vector<Stmt> done;
  for (size_t i = 0; i < stmts.size(); ++i) {
    const Stmt &s = stmts[i];
    Exits exits = exitsOf(s);
    if (!exits.any()) {
      append(done, one(s));
      continue;
    }
    std::vector<Stmt> rest(stmts.begin() + i + 1, stmts.end());
    if (auto *block = llvm::dyn_cast<BlockStmt>(s.get())) {
      // Splice the block, so that its exits see what follows.
      std::vector<Stmt> spliced = block->stmts;
      append(spliced, rest);
      append(done, list(spliced));
      return done;
    }
    if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
      append(done, branchWithRest(*branch, rest));
      return done;
    }
    if (alwaysExits(s)) { // what follows is never reached
      append(done, exitOf(s));
      return done;
    }
    append(done, one(s)); // a loop or switch that may be left by return or continue
    if (rest.empty())
      return done;
    std::vector<Stmt> tail = list(rest);
    if (!tail.empty())
      done.push_back(forExit(makeIf(stillRunning(exits), makeBlock(tail))));
    return done;
  }
  return done;
}

/// The statements that take an exit: set what must be set, and fall out at the end
/// of the structured nest.
std::vector<Stmt> Structurer::exitOf(const Stmt &s) {
  std::vector<Stmt> done;
  auto leave = [&](const Enclosing &around) {
    if (around.left)
      done.push_back(raise(around.left));
  };
  if (auto *leaving = llvm::dyn_cast<ReturnStmt>(s.get())) {
    if (leaving->value && result)
      done.push_back(makeAssign(makeRef(result), leaving->value, s->range));
    if (llvm::any_of(enclosing, [](const Enclosing &around) { return around.kind != Kind::Guard; })) {
      if (!returned)
        returned = flag("returned");
      done.push_back(raise(returned));
    }
    llvm::for_each(enclosing, leave);
    return done;
  }
  bool isBreak = s->kind == StmtKind::Break;
  for (const Enclosing &around : llvm::reverse(enclosing)) {
    if (around.kind == Kind::Loop && !isBreak) {
      if (around.skipped)
        done.push_back(raise(around.skipped));
      break;
    }
    leave(around);
    if (around.kind != Kind::Guard && isBreak)
      break;
  }
  return done;
}

/// An if that may exit, with all that follows it. The rest goes into the branches
/// that fall through; where that would double it, a flag guards it instead.
std::vector<Stmt> Structurer::branchWithRest(const IfStmt &branch, const std::vector<Stmt> &rest) {
  bool thenExits = alwaysExits(branch.thenBody), elseExits = branch.elseBody && alwaysExits(branch.elseBody);
  std::vector<Stmt> thenList = listOf(branch.thenBody), elseList = listOf(branch.elseBody);
  if (thenExits || elseExits) {
    append(thenExits ? elseList : thenList, thenExits && elseExits ? std::vector<Stmt>{} : rest);
    std::vector<Stmt> thenDone = list(thenList), elseDone = list(elseList);
    if (thenDone.empty() && elseDone.empty())
      return {};
    if (thenDone.empty())
      return {forExit(makeIf(logicalNot(branch.condition), makeBlock(elseDone), nullptr, branch.range))};
    return {forExit(
        makeIf(branch.condition, makeBlock(thenDone), elseDone.empty() ? nullptr : makeBlock(elseDone), branch.range))};
  }
  // Exits deeper inside: a flag for what follows.
  if (rest.empty()) {
    std::vector<Stmt> thenDone = list(thenList), elseDone = list(elseList);
    return {
        makeIf(branch.condition, makeBlock(thenDone), elseDone.empty() ? nullptr : makeBlock(elseDone), branch.range)};
  }
  Var *skip = flag("done");
  enclosing.push_back({Kind::Guard, skip, nullptr});
  std::vector<Stmt> thenDone = list(thenList), elseDone = list(elseList);
  enclosing.pop_back();
  std::vector<Stmt> done{makeDecl(skip, boolLit(false))};
  done.push_back(
      makeIf(branch.condition, makeBlock(thenDone), elseDone.empty() ? nullptr : makeBlock(elseDone), branch.range));
  std::vector<Stmt> tail = list(rest);
  if (!tail.empty())
    done.push_back(forExit(makeIf(logicalNot(makeRef(skip)), makeBlock(tail))));
  return done;
}

Expr Structurer::stillRunning(const Exits &exits) {
  Expr condition;
  if (exits.returns && returned)
    condition = logicalNot(makeRef(returned));
  if (exits.continues)
    for (const Enclosing &around : llvm::reverse(enclosing))
      if (around.skipped) {
        condition = logicalAnd(condition, logicalNot(makeRef(around.skipped)));
        break;
      }
  return condition ? condition : boolLit(true);
}

std::vector<Stmt> Structurer::loop(const Stmt &s) {
  auto *counted = llvm::dyn_cast<ForStmt>(s.get());
  auto *open = llvm::dyn_cast<WhileStmt>(s.get());
  const Stmt &body = counted ? counted->body : open->body;
  Exits exits = exitsOf(body);
  std::vector<Stmt> done;
  Enclosing info;
  if (exits.breaks || exits.returns) {
    info.left = flag("left");
    done.push_back(makeDecl(info.left, boolLit(false)));
  }
  std::vector<Stmt> bodyDone;
  if (exits.continues) { // only needed where nesting does not say it; dead otherwise
    info.skipped = flag("skipped");
    bodyDone.push_back(makeDecl(info.skipped, boolLit(false)));
  }
  enclosing.push_back(info);
  append(bodyDone, list(listOf(body)));
  enclosing.pop_back();
  auto running = [&](const Expr &condition) {
    return info.left ? logicalAnd(logicalNot(makeRef(info.left)), condition) : condition;
  };
  // The increment runs once too often after an exit; nobody sees that unless the
  // variable outlives the loop.
  bool outlives = counted && info.left && (counted->init.empty() || counted->init[0]->kind != StmtKind::Decl);
  if (outlives && !counted->increment.empty()) {
    bodyDone.push_back(makeIf(logicalNot(makeRef(info.left)), makeBlock(counted->increment)));
    done.push_back(makeFor(counted->init, running(counted->condition), {}, makeBlock(bodyDone), counted->pragma,
                           s->range, counted->checkpoints));
  } else if (counted)
    done.push_back(makeFor(counted->init, running(counted->condition), counted->increment, makeBlock(bodyDone),
                           counted->pragma, s->range, counted->checkpoints));
  else
    done.push_back(makeWhile(running(open->condition), makeBlock(bodyDone), open->isDo, s->range));
  return done;
}

std::vector<Stmt> Structurer::switchOf(const SwitchStmt &s) {
  std::vector<Stmt> done;
  Enclosing info;
  info.kind = Kind::Switch;
  bool needsFlag = false;
  for (const SwitchCase &one : s.cases) {
    Exits exits = exitsOf(one.body);
    needsFlag |= exits.breaks || exits.continues;
  }
  if (needsFlag) {
    info.left = flag("left");
    done.push_back(makeDecl(info.left, boolLit(false)));
  }
  enclosing.push_back(info);
  std::vector<SwitchCase> cases;
  for (size_t k = 0; k < s.cases.size(); ++k) {
    SwitchCase fresh = s.cases[k];
    std::vector<Stmt> body = listOf(fresh.body);
    // An exit on the way leaves out the case that this one falls into as well.
    for (size_t next = k + 1; fresh.fallsThrough && exitsOf(s.cases[k].body).any() && next < s.cases.size(); ++next) {
      append(body, listOf(s.cases[next].body));
      fresh.fallsThrough = s.cases[next].fallsThrough;
    }
    fresh.body = makeBlock(list(body));
    cases.push_back(fresh);
  }
  enclosing.pop_back();
  done.push_back(makeSwitch(s.value, cases, s.range));
  return done;
}

std::vector<Stmt> Structurer::one(const Stmt &s) {
  if (s->kind == StmtKind::For || s->kind == StmtKind::While)
    return loop(s);
  if (auto *choice = llvm::dyn_cast<SwitchStmt>(s.get()))
    return switchOf(*choice);
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
    return {makeBlock(list(block->stmts), s->range)};
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
    Stmt elseBody = branch->elseBody ? makeBlock(list(listOf(branch->elseBody))) : nullptr;
    return {makeIf(branch->condition, makeBlock(list(listOf(branch->thenBody))), elseBody, s->range)};
  }
  return {s};
}

} // namespace

Stmt structureExits(const Function &function, Function &owner, Var *&result) {
  Type returned = withConst(stripReference(function.returnType), false);
  result = isVoid(returned) ? nullptr : owner.makeVar("result", returned);
  Structurer structurer(owner, result);
  std::vector<Stmt> body = structurer.list(listOf(function.body));
  std::vector<Stmt> all;
  if (result)
    all.push_back(makeDecl(result));
  if (structurer.returned)
    all.push_back(makeDecl(structurer.returned, boolLit(false)));
  all.insert(all.end(), body.begin(), body.end());
  return makeBlock(all, function.body->range);
}

} // namespace gpuad::transform
