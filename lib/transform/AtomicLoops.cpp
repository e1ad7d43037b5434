//===- AtomicLoops.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/AtomicLoops.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/AtomicPicks.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
Var *variableOf(const Expr &e) {
  auto *ref = e ? llvm::dyn_cast<RefExpr>(stripImplicit(e).get()) : nullptr;
  return ref ? ref->var : nullptr;
}

/// The statements of a block, or the one.
std::vector<Stmt> statementsIn(const Stmt &s) {
  auto *block = llvm::dyn_cast<BlockStmt>(s.get());
  return block ? block->stmts : std::vector<Stmt>{s};
}

bool isBreak(const Stmt &s) {
  std::vector<Stmt> list = statementsIn(s);
  return list.size() == 1 && list[0]->kind == StmtKind::Break;
}

/// Where an order is asked for: -1 where `less < more` or `less <= more`, 1 for the other way round; 0: neither.
int orderOf(BinaryOp op) {
  return op == BinaryOp::Lt || op == BinaryOp::Le ? -1 : op == BinaryOp::Gt || op == BinaryOp::Ge ? 1 : 0;
}

/// A loop that was recognised.
struct Recognised {
  Var *old = nullptr, *assumed = nullptr;
  Expr pointer; ///< to the bits, as it is passed
  Expr addend;  ///< or what is offered
  Type number;
  const char *function = nullptr;
  bool asksFirst = false; ///< it ends at once where what was loaded in front is large enough
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
  /// The number whose bits e is; null: it is not of that kind.
  Expr numberOf(const Expr &e) const {
    const rules::Rule *rule = ruleOf(e, 1);
    return rule && rule->bits == rules::Bits::OfNumber ? argument(e, 0) : nullptr;
  }
  // The parts of a loop.
  bool takeExchange(const Stmt &s, Recognised &made, Expr &next) const;
  const char *choiceOver(const Expr &condition, const Var *bits, Expr &offered, bool isKeptIf) const;
  bool takeNext(const Expr &next, Recognised &made) const;
  std::optional<Recognised> repeated(const WhileStmt &loop) const;
  std::optional<Recognised> whileLarger(const WhileStmt &loop) const;
  std::optional<Recognised> recognise(const Stmt &s) const;

  /// Declarations in front of the loop, by what they declare.
  static size_t declarationOf(const std::vector<Stmt> &stmts, size_t before, const Var *var) {
    for (size_t i = before; i-- > 0;)
      if (auto *decl = llvm::dyn_cast<DeclStmt>(stmts[i].get()); decl && decl->var == var)
        return i;
    return before;
  }
  Expr resolved(const Expr &pointer) const;
  Expr numberBehind(const Expr &pointer, const Type &number) const;
  unsigned usesOf(const std::vector<Stmt> &stmts, const Var *var, size_t except) const;
  bool replace(std::vector<Stmt> &stmts, size_t at, const Recognised &loop);
  void dropGuard(std::vector<Stmt> &stmts, size_t at, const Recognised &loop, const Expr &address) const;
  void nameNumbers(std::vector<Stmt> &stmts, size_t at);
  const rules::Rule *pickIn(const Stmt &s) const;
  void joinSigns(std::vector<Stmt> &stmts, size_t at);

  Function &function;
  const rules::RuleTable &rules;
};

/// old = CAS(pointer, assumed, bits(next))
bool Finder::takeExchange(const Stmt &s, Recognised &made, Expr &next) const {
  auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
  const rules::Rule *swap = assign ? ruleOf(assign->value, 3) : nullptr;
  if (!swap || swap->atomicOp != rules::AtomicOp::CompareSwap)
    return false;
  made.old = variableOf(assign->place);
  made.assumed = variableOf(argument(assign->value, 1));
  made.pointer = argument(assign->value, 0);
  next = numberOf(argument(assign->value, 2));
  if (!made.old || !made.assumed || made.old == made.assumed || !next || !isFloating(next->type))
    return false;
  made.number = withConst(next->type, false);
  return true;
}

/// The function of which a test speaks: `offered > number(bits)` means that the largest is wanted, where what is there
/// changes if it holds; `isKeptIf`: where it stays if it holds.
const char *Finder::choiceOver(const Expr &condition, const Var *bits, Expr &offered, bool isKeptIf) const {
  auto *test = llvm::dyn_cast<BinaryExpr>(stripImplicit(condition).get());
  int order = test ? orderOf(test->op) : 0;
  if (order == 0)
    return nullptr;
  bool isRight = isNumberIn(test->rhs, bits);
  if (!isRight && !isNumberIn(test->lhs, bits))
    return nullptr;
  offered = isRight ? test->lhs : test->rhs;
  bool isLarger = (isRight ? order : -order) > 0; // what is offered
  return isLarger != isKeptIf ? "gpuad::atomic_max" : "gpuad::atomic_min";
}

/// What a loop puts there, over number(assumed): a sum, or one of two numbers.
bool Finder::takeNext(const Expr &whole, Recognised &made) const {
  const Expr &next = stripImplicit(whole);
  auto *sum = llvm::dyn_cast<BinaryExpr>(next.get());
  const rules::Rule *choice = ruleOf(next, 2);
  if (auto *select = llvm::dyn_cast<SelectExpr>(next.get())) {
    Expr offered;
    bool isKeptIf = isNumberIn(select->thenValue, made.assumed);
    const Expr &other = isKeptIf ? select->elseValue : select->thenValue;
    made.function = choiceOver(select->condition, made.assumed, offered, isKeptIf);
    if (!made.function || !equal(stripImplicit(offered), stripImplicit(other)) ||
        (!isKeptIf && !isNumberIn(select->elseValue, made.assumed)))
      return false;
    made.addend = other;
    return true;
  }
  if (sum && sum->op == BinaryOp::Add)
    made.function = "gpuad::atomic_add";
  else if (choice && choice->selects != rules::Selection::None)
    made.function = choice->selects == rules::Selection::Largest ? "gpuad::atomic_max" : "gpuad::atomic_min";
  if (!made.function)
    return false;
  std::vector<Expr> operands = children(next);
  bool isRight = isNumberIn(operands[1], made.assumed);
  if (!isRight && !isNumberIn(operands[0], made.assumed))
    return false;
  made.addend = operands[isRight ? 0 : 1];
  return true;
}

/// do { assumed = old; old = CAS(pointer, assumed, bits(v + number(assumed))); } while (assumed != old);
std::optional<Recognised> Finder::repeated(const WhileStmt &loop) const {
  std::vector<Stmt> body = statementsIn(loop.body);
  auto *test = llvm::dyn_cast<BinaryExpr>(stripImplicit(loop.condition).get());
  Recognised made;
  Expr next;
  if (body.size() < 2 || !test || test->op != BinaryOp::Ne || !takeExchange(body.back(), made, next))
    return std::nullopt;
  auto *first = llvm::dyn_cast<AssignStmt>(body[0].get());
  Var *left = variableOf(test->lhs), *right = variableOf(test->rhs);
  bool isTest = (left == made.assumed && right == made.old) || (left == made.old && right == made.assumed);
  if (!isTest || !first || variableOf(first->place) != made.assumed || variableOf(first->value) != made.old)
    return std::nullopt;
  const char *guard = nullptr;
  Expr guarded;
  OrderedMap<Var, Expr> named; // temporaries of an iteration
  auto withoutNames = [&](const Expr &e) {
    return rewriteExpr(e, [&](const Expr &one) {
      Var *var = one->kind == ExprKind::Ref ? variableOf(one) : nullptr;
      auto found = var ? named.find(var) : named.end();
      return found == named.end() ? one : found->second;
    });
  };
  for (size_t i = 1; i + 1 < body.size(); ++i) {
    auto *decl = llvm::dyn_cast<DeclStmt>(body[i].get());
    auto *leave = llvm::dyn_cast<IfStmt>(body[i].get());
    if (decl && decl->init && !decl->var->pinned)
      named[decl->var] = withoutNames(decl->init);
    else if (leave && !leave->elseBody && isBreak(leave->thenBody) && !guard)
      guard = choiceOver(withoutNames(leave->condition), made.assumed, guarded, true);
    else
      return std::nullopt;
    if (leave && !guard)
      return std::nullopt;
  }
  next = withoutNames(next);
  if (takeNext(next, made)) {
    if (guard && (guard != std::string(made.function) || !equal(stripImplicit(guarded), stripImplicit(made.addend))))
      return std::nullopt;
  } else if (guard && equal(stripImplicit(guarded), stripImplicit(next))) {
    made.function = guard;
    made.addend = next;
  } else {
    return std::nullopt;
  }
  made.asksFirst = guard != nullptr;
  return made;
}

/// while (v > number(old)) { assumed = old; old = CAS(pointer, assumed, bits(v)); if (old == assumed) break; }
std::optional<Recognised> Finder::whileLarger(const WhileStmt &loop) const {
  std::vector<Stmt> body = statementsIn(loop.body);
  Recognised made;
  Expr next, offered;
  if (body.size() != 3 || !takeExchange(body[1], made, next))
    return std::nullopt;
  auto *decl = llvm::dyn_cast<DeclStmt>(body[0].get());
  auto *assign = llvm::dyn_cast<AssignStmt>(body[0].get());
  Var *set = decl ? decl->var : assign ? variableOf(assign->place) : nullptr;
  const Expr &from = decl ? decl->init : assign ? assign->value : nullptr;
  auto *leave = llvm::dyn_cast<IfStmt>(body[2].get());
  auto *test = leave ? llvm::dyn_cast<BinaryExpr>(stripImplicit(leave->condition).get()) : nullptr;
  if (!set || set != made.assumed || variableOf(from) != made.old || !test || test->op != BinaryOp::Eq ||
      leave->elseBody || !isBreak(leave->thenBody))
    return std::nullopt;
  Var *left = variableOf(test->lhs), *right = variableOf(test->rhs);
  bool isTest = (left == made.assumed && right == made.old) || (left == made.old && right == made.assumed);
  made.function = choiceOver(loop.condition, made.old, offered, false);
  if (!isTest || !made.function || !equal(stripImplicit(offered), stripImplicit(next)))
    return std::nullopt;
  made.addend = next;
  made.asksFirst = true;
  return made;
}

std::optional<Recognised> Finder::recognise(const Stmt &s) const {
  auto *loop = llvm::dyn_cast<WhileStmt>(s.get());
  if (!loop)
    return std::nullopt;
  std::optional<Recognised> made = loop->isDo ? repeated(*loop) : whileLarger(*loop);
  if (made)
    for (Var *var : variablesIn(made->addend))
      if (var == made->old || var == made->assumed)
        return std::nullopt;
  return made;
}

/// A pointer that was given a name, without it.
Expr Finder::resolved(const Expr &pointer) const {
  Var *var = variableOf(pointer);
  if (!var || var->pinned)
    return pointer;
  Expr init;
  bool isAssigned = false;
  forEachStmt(function.body, [&](const Stmt &s) {
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->var == var)
      init = decl->init;
    if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get())) {
      Var *root = rootVar(assign->place);
      isAssigned |=
          root == var || (init && llvm::is_contained(variablesIn(init), root) && root == variableOf(assign->place));
    }
  });
  return init && !isAssigned ? init : pointer;
}

/// The pointer to numbers that a pointer to their bits was made of; null: there is none.
Expr Finder::numberBehind(const Expr &pointer, const Type &number) const {
  Expr at = pointerToNumbers(resolved(pointer), number->bits);
  return at && sameType(withConst(elementOf(at->type), false), number) ? at : nullptr;
}

/// Statements of the function that name the variable, but for one of the list.
unsigned Finder::usesOf(const std::vector<Stmt> &stmts, const Var *var, size_t except) const {
  auto countIn = [&](const Stmt &s) {
    unsigned count = 0;
    forEachExprIn(s, [&](const Expr &e) {
      if (e->kind == ExprKind::Ref || e->kind == ExprKind::Text)
        for (const Var *one : variablesIn(e))
          count += one == var;
    });
    return count;
  };
  return countIn(function.body) - (except < stmts.size() ? countIn(stmts[except]) : 0);
}

/// if (*address >= v) return; in front: the atomic asks the same.
void Finder::dropGuard(std::vector<Stmt> &stmts, size_t at, const Recognised &loop, const Expr &address) const {
  for (size_t i = at; i-- > 0;) {
    auto *block = llvm::dyn_cast<BlockStmt>(stmts[i].get());
    if (block && block->stmts.empty())
      continue;
    auto *guard = llvm::dyn_cast<IfStmt>(stmts[i].get());
    std::vector<Stmt> leaves = guard && !guard->elseBody ? statementsIn(guard->thenBody) : std::vector<Stmt>();
    auto *leave = leaves.size() == 1 ? llvm::dyn_cast<ReturnStmt>(leaves[0].get()) : nullptr;
    auto *test = leave && !leave->value ? llvm::dyn_cast<BinaryExpr>(stripImplicit(guard->condition).get()) : nullptr;
    int order = test ? orderOf(test->op) : 0;
    if (order == 0)
      return;
    auto isThere = [&](const Expr &e) {
      auto *deref = llvm::dyn_cast<DerefExpr>(stripImplicit(e).get());
      return deref && equal(stripImplicit(deref->pointer), stripImplicit(address));
    };
    auto isOffered = [&](const Expr &e) { return equal(stripImplicit(e), stripImplicit(loop.addend)); };
    bool isLeft = isThere(test->lhs) && isOffered(test->rhs);
    if (!isLeft && !(isThere(test->rhs) && isOffered(test->lhs)))
      return;
    bool isForLargest = (isLeft ? order : -order) > 0;
    if (isForLargest == (loop.function == std::string("gpuad::atomic_max")))
      stmts[i] = makeBlock({});
    return;
  }
}

static Expr callOf(const char *name, const Expr &address, const Expr &value, const SourceRange &range) {
  Type number = withConst(value->type, false);
  Callee callee;
  callee.name = callee.spelling = name;
  callee.parameterTypes = {pointerTo(number), number};
  return makeCall(callee, {address, value}, number, range);
}

bool Finder::replace(std::vector<Stmt> &stmts, size_t at, const Recognised &loop) {
  Expr address = numberBehind(loop.pointer, loop.number);
  size_t oldAt = declarationOf(stmts, at, loop.old), assumedAt = declarationOf(stmts, at, loop.assumed);
  bool isInside = assumedAt == at && usesOf(stmts, loop.assumed, at) == 0;
  if (!address || oldAt == at || (assumedAt == at && !isInside) || loop.old->pinned || loop.assumed->pinned)
    return false;
  if (loop.asksFirst) { // then what it was must be what is there
    const Expr &init = llvm::cast<DeclStmt>(stmts[oldAt].get())->init;
    bool isLoaded = false;
    if (init)
      forEachExpr(init, [&](const Expr &e) { isLoaded |= e->kind == ExprKind::Deref || e->kind == ExprKind::Index; });
    if (!isLoaded)
      return false;
  }
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
  Expr sum = callOf(loop.function, address, loop.addend, stmts[at]->range);
  stmts[at] = asked == 0 ? makeDo(sum, stmts[at]->range) : makeDecl(result, sum, stmts[at]->range);
  for (size_t i = at + 1; i < stmts.size(); ++i)
    stmts[i] = rewriteHeldExprs(stmts[i], [&](const Expr &held) {
      return rewriteExpr(held, [&](const Expr &e) { return isNumberIn(e, loop.old) ? makeRef(result, e->range) : e; });
    });
  Var *bits = variableOf(loop.pointer);
  size_t bitsAt = bits ? declarationOf(stmts, at, bits) : at;
  stmts[oldAt] = makeBlock({});
  if (assumedAt != at)
    stmts[assumedAt] = makeBlock({});
  // The pointer to the bits was for this alone: its declaration, the load in front, the loop.
  if (bits && bitsAt != at && usesOf(stmts, bits, stmts.size()) <= 2)
    stmts[bitsAt] = makeBlock({});
  if (asked == 0 && at + 1 == stmts.size())
    dropGuard(stmts, at, loop, address);
  return true;
}

/// atomicMax((int*)address, __float_as_int(v)), or an exchange of bits, at `at`, whose result is a number or nothing.
void Finder::nameNumbers(std::vector<Stmt> &stmts, size_t at) {
  auto *standing = llvm::dyn_cast<DoStmt>(stmts[at].get());
  auto *decl = llvm::dyn_cast<DeclStmt>(stmts[at].get());
  const Expr &whole = standing ? standing->call : decl ? decl->init : nullptr;
  const rules::Rule *rule = whole ? ruleOf(whole, 2) : nullptr;
  bool isExchange = rule && rule->atomicOp == rules::AtomicOp::Exchange;
  bool picks = rule && (rule->atomicOp == rules::AtomicOp::Min || rule->atomicOp == rules::AtomicOp::Max);
  Expr number = picks || isExchange ? numberOf(argument(whole, 1)) : nullptr;
  const Type element = number ? elementOf(argument(whole, 0)->type) : nullptr;
  Expr address =
      number && isInteger(element) ? numberBehind(argument(whole, 0), withConst(number->type, false)) : nullptr;
  if (!address || (decl && decl->var->pinned))
    return;
  bool isMax = rule->atomicOp == rules::AtomicOp::Max;
  const char *name = element->isSigned ? (isMax ? "gpuad::signed_max" : "gpuad::signed_min")
                                       : (isMax ? "gpuad::unsigned_max" : "gpuad::unsigned_min");
  Expr pick = callOf(isExchange ? "gpuad::atomic_exchange" : name, address, number, whole->range);
  Var *bits = decl ? decl->var : nullptr;
  unsigned asked = 0;
  if (bits)
    forEachExprIn(function.body, [&](const Expr &e) { asked += isNumberIn(e, bits); });
  if (bits && usesOf(stmts, bits, stmts.size()) != asked)
    return;
  Var *result = asked ? function.makeVar(bits->name, withConst(number->type, false)) : nullptr;
  stmts[at] = result ? makeDecl(result, pick, stmts[at]->range) : makeDo(pick, stmts[at]->range);
  for (size_t i = at + 1; i < stmts.size(); ++i)
    stmts[i] = rewriteHeldExprs(stmts[i], [&](const Expr &held) {
      return rewriteExpr(held,
                         [&](const Expr &e) { return bits && isNumberIn(e, bits) ? makeRef(result, e->range) : e; });
    });
}

/// The rule of a maximum or minimum of numbers that is the whole statement, or is given a name; null: it is another
/// one.
const rules::Rule *Finder::pickIn(const Stmt &s) const {
  auto *standing = llvm::dyn_cast<DoStmt>(s.get());
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  const Expr &whole = standing ? standing->call : decl ? decl->init : nullptr;
  const rules::Rule *rule = whole && whole->kind == ExprKind::Call ? ruleOf(whole, 2) : nullptr;
  return rule && rule->kind == rules::RuleKind::Atomic && isFloating(whole->type) ? rule : nullptr;
}

/// Whether the condition asks for the sign of v, and for nothing else.
static bool asksForSign(const Expr &whole, const Expr &v) {
  const Expr &condition = stripImplicit(whole);
  auto isNumber = [&](const Expr &e) { return equal(stripImplicit(e), stripImplicit(v)); };
  if (auto *negation = llvm::dyn_cast<UnaryExpr>(condition.get()))
    return negation->op == UnaryOp::Not && asksForSign(negation->operand, v);
  if (auto *test = llvm::dyn_cast<BinaryExpr>(condition.get())) {
    bool isTest = test->op == BinaryOp::Ge || test->op == BinaryOp::Lt;
    return isTest && isNumber(test->lhs) && isZeroLit(stripImplicit(test->rhs));
  }
  auto *call = llvm::dyn_cast<CallExpr>(condition.get());
  return call && call->args.size() == 1 && isNumber(call->args[0]);
}

/// if (v >= 0) signed_max(p, v); else unsigned_min(p, v); in the order of numbers it is one maximum.
void Finder::joinSigns(std::vector<Stmt> &stmts, size_t at) {
  auto *choice = llvm::dyn_cast<IfStmt>(stmts[at].get());
  if (!choice || !choice->elseBody)
    return;
  std::vector<Stmt> arms[2] = {statementsIn(choice->thenBody), statementsIn(choice->elseBody)};
  const CallExpr *picks[2] = {nullptr, nullptr};
  for (int k : {0, 1}) {
    if (arms[k].empty() || arms[k].size() > 2 || arms[k].size() != arms[0].size() || !pickIn(arms[k][0]))
      return;
    auto *standing = llvm::dyn_cast<DoStmt>(arms[k][0].get());
    picks[k] = llvm::cast<CallExpr>((standing ? standing->call : llvm::cast<DeclStmt>(arms[k][0].get())->init).get());
  }
  static const char *const Pairs[2][3] = {{"gpuad::signed_max", "gpuad::unsigned_min", "gpuad::max_by_sign"},
                                          {"gpuad::signed_min", "gpuad::unsigned_max", "gpuad::min_by_sign"}};
  for (int swap : {0, 1})
    for (const auto &names : Pairs) {
      if (picks[swap]->callee.name != names[0] || picks[1 - swap]->callee.name != names[1] ||
          !equal(picks[0]->args[0], picks[1]->args[0]) || !equal(picks[0]->args[1], picks[1]->args[1]) ||
          !asksForSign(choice->condition, picks[0]->args[1]))
        continue;
      auto whole = std::make_shared<CallExpr>(*picks[0]);
      whole->callee.name = whole->callee.spelling = names[2];
      whole->callee.parameterTypes.push_back(boolType());
      whole->args.push_back(swap ? logicalNot(choice->condition) : choice->condition);
      auto *decl = llvm::dyn_cast<DeclStmt>(arms[0][0].get());
      std::vector<Stmt> made{decl ? makeDecl(decl->var, whole, stmts[at]->range) : makeDo(whole, stmts[at]->range)};
      if (arms[0].size() == 2) { // what it gave goes to one place in both
        auto *one = llvm::dyn_cast<AssignStmt>(arms[0][1].get()), *other = llvm::dyn_cast<AssignStmt>(arms[1][1].get());
        auto *otherDecl = llvm::dyn_cast<DeclStmt>(arms[1][0].get());
        if (!one || !other || !decl || !otherDecl || !equal(one->place, other->place) ||
            variableOf(one->value) != decl->var || variableOf(other->value) != otherDecl->var)
          return;
        made.push_back(arms[0][1]);
      } else if (decl) {
        return;
      }
      stmts[at] = made[0];
      if (made.size() == 2)
        stmts.insert(stmts.begin() + at + 1, made[1]);
      return;
    }
}

std::vector<Stmt> Finder::list(std::vector<Stmt> stmts) {
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (std::optional<Recognised> loop = recognise(stmts[i]))
      replace(stmts, i, *loop);
    nameNumbers(stmts, i);
    joinSigns(stmts, i);
  }
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
