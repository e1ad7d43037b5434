//===- AtomicLoops.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AtomicLoops.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"

namespace gpuad::transform {
using namespace ir;

namespace {
Var *variableOf(const Expr &e) {
  auto *ref = e ? llvm::dyn_cast<RefExpr>(stripImplicit(e).get()) : nullptr;
  return ref ? ref->var : nullptr;
}

/// A loop that was recognised.
struct Recognised {
  Var *old = nullptr, *assumed = nullptr;
  Expr pointer; ///< to the bits, as it is passed
  Expr addend;  ///< or what is offered
  Type number;
  const char *function = nullptr;
};

class Finder {
public:
  Finder(Function &function, const rules::RuleTable &rules) : function(function), rules(rules) {}
  std::vector<Stmt> list(std::vector<Stmt> stmts);

private:
  const rules::Rule *ruleOf(const Expr &e, size_t args) const {
    auto *call = llvm::dyn_cast<CallExpr>(stripImplicit(e).get());
    return call && !call->callee.function && call->args.size() == args ? rules.find(call->callee) : nullptr;
  }
  static const Expr &argument(const Expr &call, size_t i) {
    return llvm::cast<CallExpr>(stripImplicit(call).get())->args[i];
  }
  /// The number whose bits `var` holds.
  bool isNumberIn(const Expr &e, const Var *var) const {
    const rules::Rule *rule = ruleOf(e, 1);
    return rule && rule->bits == rules::Bits::ToNumber && variableOf(argument(e, 0)) == var;
  }
  std::optional<Recognised> recognise(const Stmt &s) const;
  /// Declarations in front of the loop, by what they declare.
  static size_t declarationOf(const std::vector<Stmt> &stmts, size_t before, const Var *var) {
    for (size_t i = before; i-- > 0;)
      if (auto *decl = llvm::dyn_cast<DeclStmt>(stmts[i].get()); decl && decl->var == var)
        return i;
    return before;
  }
  Expr numberBehind(const Expr &pointer, const Type &number, const std::vector<Stmt> &stmts, size_t before) const;
  unsigned usesOf(const std::vector<Stmt> &stmts, const Var *var, size_t except) const;
  bool replace(std::vector<Stmt> &stmts, size_t at, const Recognised &loop);

  Function &function;
  const rules::RuleTable &rules;
};

/// do { assumed = old; old = CAS(pointer, assumed, bits(v + number(assumed))); } while (assumed != old);
std::optional<Recognised> Finder::recognise(const Stmt &s) const {
  auto *loop = llvm::dyn_cast<WhileStmt>(s.get());
  auto *body = loop && loop->isDo ? llvm::dyn_cast<BlockStmt>(loop->body.get()) : nullptr;
  auto *test = loop ? llvm::dyn_cast<BinaryExpr>(stripImplicit(loop->condition).get()) : nullptr;
  if (!body || body->stmts.size() != 2 || !test || test->op != BinaryOp::Ne)
    return std::nullopt;
  auto *first = llvm::dyn_cast<AssignStmt>(body->stmts[0].get());
  auto *second = llvm::dyn_cast<AssignStmt>(body->stmts[1].get());
  if (!first || !second)
    return std::nullopt;
  Recognised made;
  made.assumed = variableOf(first->place);
  made.old = variableOf(first->value);
  Var *left = variableOf(test->lhs), *right = variableOf(test->rhs);
  bool isTest = (left == made.assumed && right == made.old) || (left == made.old && right == made.assumed);
  const rules::Rule *swap = ruleOf(second->value, 3);
  if (!made.old || !made.assumed || !isTest || variableOf(second->place) != made.old || !swap ||
      swap->atomicOp != rules::AtomicOp::CompareSwap || variableOf(argument(second->value, 1)) != made.assumed)
    return std::nullopt;
  const Expr &bits = argument(second->value, 2);
  const rules::Rule *ofNumber = ruleOf(bits, 1);
  if (!ofNumber || ofNumber->bits != rules::Bits::OfNumber)
    return std::nullopt;
  const Expr &next = stripImplicit(argument(bits, 0));
  auto *sum = llvm::dyn_cast<BinaryExpr>(next.get());
  const rules::Rule *choice = ruleOf(next, 2);
  if (sum && sum->op == BinaryOp::Add)
    made.function = "gpuad::atomic_add";
  else if (choice && choice->selects != rules::Selection::None)
    made.function = choice->selects == rules::Selection::Largest ? "gpuad::atomic_max" : "gpuad::atomic_min";
  if (!made.function || !isFloating(next->type))
    return std::nullopt;
  std::vector<Expr> operands = children(next);
  bool isRight = isNumberIn(operands[1], made.assumed);
  if (!isRight && !isNumberIn(operands[0], made.assumed))
    return std::nullopt;
  made.addend = operands[isRight ? 0 : 1];
  made.number = withConst(next->type, false);
  made.pointer = argument(second->value, 0);
  for (Var *var : variablesIn(made.addend))
    if (var == made.old || var == made.assumed)
      return std::nullopt;
  return made;
}

/// The pointer to numbers that a pointer to their bits was made of; null: there is none.
Expr Finder::numberBehind(const Expr &pointer, const Type &number, const std::vector<Stmt> &stmts,
                          size_t before) const {
  Expr at = pointer;
  if (Var *var = variableOf(at)) {
    size_t declared = declarationOf(stmts, before, var);
    if (declared == before)
      return nullptr;
    at = llvm::cast<DeclStmt>(stmts[declared].get())->init;
  }
  while (auto *cast = at ? llvm::dyn_cast<CastExpr>(at.get()) : nullptr)
    at = cast->operand;
  return at && isPointer(at->type) && sameType(withConst(elementOf(at->type), false), number) ? at : nullptr;
}

/// Statements of the function that name the variable, but for one of the list.
unsigned Finder::usesOf(const std::vector<Stmt> &stmts, const Var *var, size_t except) const {
  unsigned all = 0, there = 0;
  auto countIn = [&](const Stmt &s) {
    unsigned count = 0;
    forEachExprIn(s, [&](const Expr &e) {
      if (e->kind == ExprKind::Ref || e->kind == ExprKind::Text)
        for (const Var *one : variablesIn(e))
          count += one == var;
    });
    return count;
  };
  all = countIn(function.body);
  there = except < stmts.size() ? countIn(stmts[except]) : 0;
  return all - there;
}

bool Finder::replace(std::vector<Stmt> &stmts, size_t at, const Recognised &loop) {
  Expr address = numberBehind(loop.pointer, loop.number, stmts, at);
  size_t oldAt = declarationOf(stmts, at, loop.old), assumedAt = declarationOf(stmts, at, loop.assumed);
  if (!address || oldAt == at || assumedAt == at || loop.old->pinned || loop.assumed->pinned)
    return false;
  // What was there is loaded once, in front of the loop; behind it, its number may be asked for.
  unsigned asked = 0, mentions = 0;
  for (size_t i = 0; i < stmts.size(); ++i)
    if (i != at)
      forEachExprIn(stmts[i], [&](const Expr &e) {
        asked += i > at && isNumberIn(e, loop.old);
        auto *ref = llvm::dyn_cast<RefExpr>(e.get());
        mentions += ref && (ref->var == loop.old || ref->var == loop.assumed);
      });
  if (mentions != asked || usesOf(stmts, loop.old, at) != asked || usesOf(stmts, loop.assumed, at) != 0)
    return false;
  Var *result = function.makeVar(loop.old->name, loop.number);
  Callee callee;
  callee.name = callee.spelling = loop.function;
  callee.parameterTypes = {pointerTo(loop.number), loop.number};
  Expr sum = makeCall(callee, {address, loop.addend}, loop.number, stmts[at]->range);
  stmts[at] = asked == 0 ? makeDo(sum, stmts[at]->range) : makeDecl(result, sum, stmts[at]->range);
  for (size_t i = at + 1; i < stmts.size(); ++i)
    stmts[i] = rewriteHeldExprs(stmts[i], [&](const Expr &held) {
      return rewriteExpr(held, [&](const Expr &e) { return isNumberIn(e, loop.old) ? makeRef(result, e->range) : e; });
    });
  Var *bits = variableOf(loop.pointer);
  size_t bitsAt = bits ? declarationOf(stmts, at, bits) : at;
  stmts[oldAt] = stmts[assumedAt] = makeBlock({});
  // The pointer to the bits was for this alone: its declaration, the load in front, the loop.
  if (bits && bitsAt != at && usesOf(stmts, bits, stmts.size()) <= 2)
    stmts[bitsAt] = makeBlock({});
  return true;
}

std::vector<Stmt> Finder::list(std::vector<Stmt> stmts) {
  for (size_t i = 0; i < stmts.size(); ++i)
    if (std::optional<Recognised> loop = recognise(stmts[i]))
      replace(stmts, i, *loop);
  std::vector<Stmt> kept;
  for (const Stmt &s : stmts) {
    auto *block = llvm::dyn_cast<BlockStmt>(s.get());
    if (!block || !block->stmts.empty())
      kept.push_back(s);
  }
  return kept;
}
} // namespace

void recogniseAtomicLoops(Module &module, const rules::RuleTable &rules) {
  for (const std::unique_ptr<Function> &function : module.functions)
    if (function->body && function->runsOnDevice()) {
      Finder finder(*function, rules);
      function->body =
          rewriteLists(function->body, [&](std::vector<Stmt> stmts) { return finder.list(std::move(stmts)); });
    }
}

} // namespace gpuad::transform
