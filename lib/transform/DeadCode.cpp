//===- DeadCode.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/DeadCode.h"

#include "ir/Builder.h"
#include "ir/ValueForm.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"

#include <algorithm>
#include <set>

namespace gpuad::transform {
using namespace ir;

namespace {
using Live = OrderedSet<Var>;

/// Whether the place lies in a local variable itself, not behind a pointer. Shared
/// memory is as good: all threads run the same code, so what no later code of this one
/// reads, no later code of another one does.
bool isLocalPlace(const Expr &place) {
  switch (place->kind) {
  case ExprKind::Ref: {
    Var *var = llvm::cast<RefExpr>(place.get())->var;
    return (var->storage == Storage::Local || var->storage == Storage::Parameter || isShared(var)) &&
           !isReference(var->type) && !var->isStaticLocal;
  }
  case ExprKind::Member:
    return isLocalPlace(llvm::cast<MemberExpr>(place.get())->base);
  case ExprKind::Index: {
    auto *access = llvm::cast<IndexExpr>(place.get());
    return isArray(access->base->type) && isLocalPlace(access->base);
  }
  default:
    return false;
  }
}

class Pruner {
public:
  Pruner(Function &function, llvm::function_ref<CallEffect(const CallExpr &)> effectOf) : effectOf(effectOf) {
    findEscaping(function.body);
  }
  Stmt prune(const Stmt &s, Live &live);

private:
  /// A variable whose address is taken or that is used as a pointer can be read and
  /// written behind our back: its stores stay.
  void findEscaping(const Stmt &s);
  void findEscaping(const Expr &e, bool isPlace);
  void uses(const Expr &e, Live &live) {
    if (e)
      for (Var *var : variablesIn(e))
        live.insert(var);
  }
  /// Whether something that is `live` or seen elsewhere changes.
  bool isEffectful(const Expr &e, const Live &live) {
    bool found = false;
    if (e)
      forEachExpr(e, [&](const Expr &one) {
        if (auto *call = llvm::dyn_cast<CallExpr>(one.get())) {
          CallEffect effect = effectOf(*call);
          found |= effect == CallEffect::Any;
          if (effect == CallEffect::Arguments)
            for (const Expr &place : writtenArguments(*call))
              found |= !isLocalPlace(place) || !isDead(rootVar(place), live);
        }
        found |= one->kind == ExprKind::Text;
      });
    return found;
  }
  bool isDead(Var *var, const Live &live) { return !live.count(var) && !escaping.count(var) && !var->pinned; }
  Stmt pruneDecl(const Stmt &s, Live &live);
  Stmt pruneToEffect(const Expr &value, const SourceRange &range, Live &live);
  Stmt pruneWrite(const Stmt &s, const Expr &place, const Expr &value, bool adds, Live &live);
  Stmt pruneList(const BlockStmt &s, Live &live);
  Stmt pruneIf(const Stmt &s, Live &live);
  Stmt pruneFor(const Stmt &s, Live &live);
  Stmt pruneWhile(const Stmt &s, Live &live);
  Stmt pruneSwitch(const Stmt &s, Live &live);

  llvm::function_ref<CallEffect(const CallExpr &)> effectOf;
  OrderedSet<Var> escaping;
  OrderedSet<Var> written; ///< by what follows and stays
  std::vector<Live> atBreak, atContinue;
};

void Pruner::findEscaping(const Expr &e, bool isPlace) {
  if (auto *call = llvm::dyn_cast<CallExpr>(e.get()))
    if (call->callee.name == "gpuad::behind_shared" || call->callee.name == "gpuad::save" ||
        call->callee.name == ForgetMarker)
      return; // where the array lies, not what it holds
  if (auto *call = llvm::dyn_cast<CallExpr>(e.get()); call && effectOf(*call) == CallEffect::Arguments) {
    for (const Expr &arg : call->args) { // for the time of the call
      const Expr &given = stripImplicit(arg);
      auto *address = llvm::dyn_cast<AddrOfExpr>(given.get());
      findEscaping(address ? address->place : given, true);
    }
    return;
  }
  auto note = [&](const Expr &place) {
    if (isLocalPlace(place))
      escaping.insert(rootVar(place));
  };
  if (e->kind == ExprKind::AddrOf)
    note(llvm::cast<AddrOfExpr>(e.get())->place);
  if (isArray(e->type) && !isPlace && e->kind != ExprKind::Init)
    note(e);
  auto *access = llvm::dyn_cast<IndexExpr>(e.get());
  for (const Expr &operand : children(e))
    findEscaping(operand, (access && operand == access->base) || e->kind == ExprKind::Member);
  if (auto *call = llvm::dyn_cast<CallExpr>(e.get()))
    for (size_t i = 0; i < call->args.size() && i < call->callee.parameterTypes.size(); ++i)
      if (isReference(call->callee.parameterTypes[i]) && !elementOf(call->callee.parameterTypes[i])->isConst)
        note(stripImplicit(call->args[i]));
}

void Pruner::findEscaping(const Stmt &s) {
  forEachStmt(s, [&](const Stmt &one) {
    for (const Expr &e : expressionsOf(one))
      findEscaping(e, false);
    if (auto *decl = llvm::dyn_cast<DeclStmt>(one.get()); decl && decl->init && isReference(decl->var->type))
      if (Var *root = rootVar(decl->init))
        escaping.insert(root);
    if (auto *text = llvm::dyn_cast<TextStmt>(one.get()))
      escaping.insert(text->mentions.begin(), text->mentions.end());
  });
}

Stmt Pruner::prune(const Stmt &s, Live &live) {
  switch (s->kind) {
  case StmtKind::Block:
    return pruneList(*llvm::cast<BlockStmt>(s.get()), live);
  case StmtKind::Decl:
    return pruneDecl(s, live);
  case StmtKind::Assign: {
    auto *assign = llvm::cast<AssignStmt>(s.get());
    return pruneWrite(s, assign->place, assign->value, false, live);
  }
  case StmtKind::Accum: {
    auto *accum = llvm::cast<AccumStmt>(s.get());
    return pruneWrite(s, accum->place, accum->value, true, live);
  }
  case StmtKind::If:
    return pruneIf(s, live);
  case StmtKind::For:
    return pruneFor(s, live);
  case StmtKind::While:
    return pruneWhile(s, live);
  case StmtKind::Switch:
    return pruneSwitch(s, live);
  case StmtKind::Do: {
    const Expr &call = llvm::cast<DoStmt>(s.get())->call;
    if (auto *marker = llvm::dyn_cast<CallExpr>(call.get()); marker && marker->callee.name == ForgetMarker) {
      Var *array = rootVar(marker->args[0]);
      bool isUsed = live.erase(array) != 0;
      return isUsed ? s : nullptr;
    }
    if (!isEffectful(call, live))
      return nullptr;
    uses(call, live);
    return s;
  }
  case StmtKind::Return:
    live.clear();
    uses(llvm::cast<ReturnStmt>(s.get())->value, live);
    return s;
  case StmtKind::Break:
    if (!atBreak.empty())
      live = atBreak.back();
    return s;
  case StmtKind::Continue:
    if (!atContinue.empty())
      live = atContinue.back();
    return s;
  case StmtKind::Launch:
    for (const Expr &e : expressionsOf(s))
      uses(e, live);
    return s;
  case StmtKind::Text:
    for (Var *var : llvm::cast<TextStmt>(s.get())->mentions)
      live.insert(var);
    return s;
  case StmtKind::Comment:
    return s;
  }
  return s;
}

Stmt Pruner::pruneDecl(const Stmt &s, Live &live) {
  auto *decl = llvm::cast<DeclStmt>(s.get());
  bool isShared = decl->var->storage == Storage::Shared || decl->var->storage == Storage::DynamicShared;
  // The variable begins here: what an earlier scope of the same name does is another.
  bool isWritten = written.erase(decl->var) != 0;
  if (isDead(decl->var, live) && !isEffectful(decl->init, live) && !decl->var->isStaticLocal) {
    // Every way from here assigns it before it is read.
    if (isWritten)
      return decl->init ? makeDecl(decl->var, nullptr, s->range) : s;
    return nullptr;
  }
  if (isShared && !live.count(decl->var) && !decl->var->pinned)
    return nullptr;
  // A result that nobody reads, of a call that gives more.
  auto *call = decl->init ? llvm::dyn_cast<CallExpr>(decl->init.get()) : nullptr;
  if (call && !isWritten && isDead(decl->var, live)) {
    uses(decl->init, live);
    return makeDo(decl->init, s->range);
  }
  live.erase(decl->var);
  uses(decl->init, live);
  return s;
}

/// What is left of a statement whose result nobody reads.
Stmt Pruner::pruneToEffect(const Expr &value, const SourceRange &range, Live &live) {
  if (!isEffectful(value, live))
    return nullptr;
  auto *binary = llvm::dyn_cast<BinaryExpr>(value.get());
  bool mayStop = binary && (binary->op == BinaryOp::LogicalAnd || binary->op == BinaryOp::LogicalOr);
  if ((binary && !mayStop) || value->kind == ExprKind::Unary || value->kind == ExprKind::Cast) {
    std::vector<Stmt> parts; // only the calls, so that no compiler finds a value without use
    for (const Expr &operand : children(value))
      if (Stmt part = pruneToEffect(operand, range, live))
        parts.push_back(part);
    return parts.size() == 1 ? parts.front() : makeBlock(parts, range);
  }
  uses(value, live);
  return makeDo(value, range);
}

Stmt Pruner::pruneWrite(const Stmt &s, const Expr &place, const Expr &value, bool adds, Live &live) {
  bool isLocal = isLocalPlace(place);
  Var *root = rootVar(place);
  if (isLocal && isDead(root, live))
    return pruneToEffect(value, s->range, live);
  bool isWhole = isLocal && place->kind == ExprKind::Ref;
  if (!adds && isWhole && equal(place, value))
    return nullptr;
  if (isLocal)
    written.insert(root);
  if (isWhole && !adds)
    live.erase(root);
  else
    uses(place, live);
  uses(value, live);
  return s;
}

Stmt Pruner::pruneList(const BlockStmt &s, Live &live) {
  std::vector<Stmt> kept;
  for (auto at = s.stmts.rbegin(); at != s.stmts.rend(); ++at)
    if (Stmt one = prune(*at, live))
      kept.push_back(one);
  std::reverse(kept.begin(), kept.end());
  // A comment that explains what is gone goes as well.
  std::vector<Stmt> list;
  for (size_t i = 0; i < kept.size(); ++i)
    if (kept[i]->kind != StmtKind::Comment || (i + 1 < kept.size() && kept[i + 1]->kind != StmtKind::Comment))
      list.push_back(kept[i]);
  return list.empty() ? nullptr : makeBlock(list, s.range);
}

Stmt Pruner::pruneIf(const Stmt &s, Live &live) {
  auto *branch = llvm::cast<IfStmt>(s.get());
  Live elseLive = live;
  Stmt thenBody = prune(branch->thenBody, live);
  Stmt elseBody = branch->elseBody ? prune(branch->elseBody, elseLive) : nullptr;
  live.insert(elseLive.begin(), elseLive.end());
  if (!thenBody && !elseBody)
    return pruneToEffect(branch->condition, s->range, live);
  uses(branch->condition, live);
  auto copy = std::make_shared<IfStmt>(*branch);
  copy->thenBody = thenBody ? thenBody : elseBody;
  copy->elseBody = thenBody ? elseBody : nullptr;
  if (!thenBody)
    copy->condition = logicalNot(branch->condition);
  return copy;
}

Stmt Pruner::pruneFor(const Stmt &s, Live &live) {
  auto *loop = llvm::cast<ForStmt>(s.get());
  Live after = live;
  OrderedSet<Var> own;
  for (const Stmt &one : loop->init)
    if (auto *decl = llvm::dyn_cast<DeclStmt>(one.get()))
      own.insert(decl->var);
  // The header is kept whole; what it reads is live at the head.
  Live head = after;
  uses(loop->condition, head);
  for (const Stmt &one : loop->increment)
    for (const Expr &e : expressionsOf(one))
      uses(e, head);
  Stmt body;
  for (;;) {
    Live inside = head;
    atBreak.push_back(after);
    atContinue.push_back(head);
    body = prune(loop->body, inside);
    atBreak.pop_back();
    atContinue.pop_back();
    size_t before = head.size();
    head.insert(inside.begin(), inside.end());
    if (head.size() == before)
      break;
  }
  bool outlives = false;
  for (const Stmt &one : loop->increment)
    for (const Expr &e : expressionsOf(one))
      if (Var *root = rootVar(e); root && !own.count(root))
        outlives |= after.count(root) != 0;
  live = head;
  if (!body && !outlives && !isEffectful(loop->condition, live)) {
    live = after;
    return nullptr;
  }
  auto copy = std::make_shared<ForStmt>(*loop);
  copy->init.clear();
  for (auto at = loop->init.rbegin(); at != loop->init.rend(); ++at) {
    if (auto *decl = llvm::dyn_cast<DeclStmt>(at->get())) {
      bool isWritten = written.erase(decl->var) != 0;
      if (!isWritten && isDead(decl->var, live) && !isEffectful(decl->init, live))
        continue;
      live.erase(decl->var);
      uses(decl->init, live);
    } else {
      for (const Expr &e : expressionsOf(*at))
        uses(e, live);
    }
    copy->init.insert(copy->init.begin(), *at);
  }
  copy->body = body ? body : makeBlock({});
  return copy;
}

Stmt Pruner::pruneWhile(const Stmt &s, Live &live) {
  auto *loop = llvm::cast<WhileStmt>(s.get());
  Live after = live;
  Live head = after;
  uses(loop->condition, head);
  Stmt body;
  for (;;) {
    Live inside = head;
    atBreak.push_back(after);
    atContinue.push_back(head);
    body = prune(loop->body, inside);
    atBreak.pop_back();
    atContinue.pop_back();
    size_t before = head.size();
    head.insert(inside.begin(), inside.end());
    if (head.size() == before)
      break;
  }
  live = head;
  if (!body && !isEffectful(loop->condition, live)) {
    live = after;
    return nullptr;
  }
  auto copy = std::make_shared<WhileStmt>(*loop);
  copy->body = body ? body : makeBlock({});
  return copy;
}

Stmt Pruner::pruneSwitch(const Stmt &s, Live &live) {
  auto *choice = llvm::cast<SwitchStmt>(s.get());
  Live after = live, all = live;
  auto copy = std::make_shared<SwitchStmt>(*choice);
  Live next = after;
  bool isEmpty = true;
  atBreak.push_back(after);
  for (size_t i = choice->cases.size(); i-- > 0;) {
    Live inside = choice->cases[i].fallsThrough ? next : after;
    Stmt body = prune(choice->cases[i].body, inside);
    isEmpty &= !body;
    copy->cases[i].body = body ? body : makeBlock({});
    next = inside;
    all.insert(inside.begin(), inside.end());
  }
  atBreak.pop_back();
  if (isEmpty && !isEffectful(choice->value, live))
    return nullptr;
  live = all;
  uses(choice->value, live);
  return copy;
}
} // namespace

std::vector<Expr> writtenArguments(const CallExpr &call) {
  std::vector<Expr> written;
  for (size_t i = 0; i < call.args.size() && i < call.callee.parameterTypes.size(); ++i) {
    const Type &type = call.callee.parameterTypes[i];
    if ((!isPointer(type) && !isReference(type)) || elementOf(type)->isConst)
      continue;
    const Expr &given = stripImplicit(call.args[i]);
    auto *address = llvm::dyn_cast<AddrOfExpr>(given.get());
    bool isPlace = isReference(type) || isArray(given->type);
    written.push_back(address ? address->place : isPlace ? given : makeDeref(given));
  }
  return written;
}

void eliminateDead(Function &function, llvm::function_ref<CallEffect(const CallExpr &)> effectOf) {
  for (;;) {
    Pruner pruner(function, effectOf);
    Live live;
    Stmt body = pruner.prune(function.body, live);
    bool changed = body != function.body;
    // Removing one use may free another variable's address: until nothing goes.
    size_t before = 0, afterCount = 0;
    forEachStmt(function.body, [&](const Stmt &) { ++before; });
    function.body = body ? body : makeBlock({});
    forEachStmt(function.body, [&](const Stmt &) { ++afterCount; });
    if (!changed || before == afterCount)
      return;
  }
}

void dropMarkers(Function &function) {
  function.body = rewriteStmts(function.body, [](const Stmt &s) -> Stmt {
    auto *call = llvm::dyn_cast<DoStmt>(s.get());
    auto *marker = call ? llvm::dyn_cast<CallExpr>(call->call.get()) : nullptr;
    return marker && marker->callee.name == ForgetMarker ? makeBlock({}) : s;
  });
}

} // namespace gpuad::transform
