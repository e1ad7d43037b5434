//===- OwnedAtomics.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/OwnedAtomics.h"

#include "analysis/ExclusiveArrays.h"
#include "ir/Builder.h"
#include "ir/Items.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/RewriteStmts.h"
#include "transform/ToValueForm.h"

namespace gpuad::transform {
using namespace ir;
using rules::AtomicOp;

namespace {
/// An atomic on a number that depends on the order of threads, unless there is one thread.
struct Candidate {
  const CallExpr *call = nullptr;
  AtomicOp op = AtomicOp::None;
  Expr place;
};

class Replacer {
public:
  Replacer(Function &kernel, const rules::RuleTable &rules) : kernel(kernel), rules(rules) {}
  /// Whether something was replaced that is right only where threads and blocks differ in x alone.
  bool run();

private:
  std::optional<Candidate> candidateIn(const Stmt &s) const;
  Stmt plain(const Stmt &s, const Candidate &candidate);
  bool isRead(const Var *var, const Stmt &besides) const;
  std::set<unsigned> owned(const std::set<unsigned> &offsets, bool &onlyInLine);

  Function &kernel;
  const rules::RuleTable &rules;
};

/// The operation that a statement is made of; null: it is another one.
const CallExpr *callOf(const Stmt &s) {
  auto *standing = llvm::dyn_cast<DoStmt>(s.get());
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
  const Expr &whole = standing ? standing->call : decl ? decl->init : assign ? assign->value : nullptr;
  return whole ? llvm::dyn_cast<CallExpr>(stripImplicit(whole).get()) : nullptr;
}

bool Replacer::isRead(const Var *var, const Stmt &besides) const {
  unsigned reads = 0;
  forEachStmt(kernel.body, [&](const Stmt &s) {
    for (const Expr &held : s == besides ? std::vector<Expr>() : expressionsOf(s))
      for (const Var *one : variablesIn(held))
        reads += one == var;
  });
  return reads != 0;
}

std::optional<Candidate> Replacer::candidateIn(const Stmt &s) const {
  const CallExpr *call = callOf(s);
  const rules::Rule *rule = call && !call->callee.function ? rules.find(call->callee) : nullptr;
  if (!rule || rule->kind != rules::RuleKind::Atomic || call->args.size() < 2 || !isFloating(call->type))
    return std::nullopt;
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  bool isUnread = s->kind == StmtKind::Do || (decl && !isRead(decl->var, s));
  bool isSum = rule->atomicOp == AtomicOp::Add || rule->atomicOp == AtomicOp::Sub;
  if (!(isSum && !isUnread) && rule->atomicOp != AtomicOp::Exchange)
    return std::nullopt;
  const Expr &pointer = call->args[0];
  auto *address = llvm::dyn_cast<AddrOfExpr>(pointer.get());
  Expr place = address ? address->place : makeDeref(pointer, pointer->range);
  return isFloating(place->type) ? std::optional<Candidate>({call, rule->atomicOp, place}) : std::nullopt;
}

/// The same by a load and a store.
Stmt Replacer::plain(const Stmt &s, const Candidate &candidate) {
  auto withLoad = [&](const Expr &whole) { // conversions of the result stay
    return rewriteExpr(whole, [&](const Expr &e) { return e.get() == candidate.call ? candidate.place : e; });
  };
  const Expr &operand = candidate.call->args[1];
  Type type = withConst(candidate.place->type, false);
  std::vector<Stmt> list;
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
  Var *before = nullptr;
  if (decl) {
    list.push_back(makeDecl(decl->var, withLoad(decl->init), s->range));
  } else if (assign) {
    before = kernel.makeVar("before", type);
    list.push_back(makeDecl(before, candidate.place, s->range));
  }
  Expr value = operand;
  if (candidate.op != AtomicOp::Exchange)
    value = makeBinary(candidate.op == AtomicOp::Add ? BinaryOp::Add : BinaryOp::Sub, candidate.place, operand, type,
                       s->range);
  list.push_back(makeAssign(candidate.place, value, s->range));
  if (assign)
    list.push_back(makeAssign(
        assign->place,
        rewriteExpr(assign->value, [&](const Expr &e) { return e.get() == candidate.call ? makeRef(before) : e; }),
        s->range));
  return makeBlock(list, s->range);
}

/// Of statements that are loads and stores now, those of which one thread alone comes to the place.
std::set<unsigned> Replacer::owned(const std::set<unsigned> &offsets, bool &onlyInLine) {
  Function scratch;
  scratch.name = kernel.name;
  scratch.kind = kernel.kind;
  scratch.returnType = voidType();
  std::vector<Var *> params;
  for (const Var *param : kernel.params)
    params.push_back(scratch.makeVar(param->name, param->type, Storage::Parameter));
  CollectingSink unheard;
  CalleePlan plan({}, rules);
  std::optional<ValueFunction> function =
      toValueForm(kernel, scratch, params, {}, rules, KeptCalls(plan, false), unheard);
  std::set<unsigned> found;
  if (!function)
    return found;
  auto isMeant = [&](const StoreItem &store) {
    return isFloating(store.place->type) && offsets.count(store.range.offset) != 0;
  };
  analysis::OwnedMemory memory = analysis::ownedByStores(*function, rules, isMeant);
  onlyInLine = memory.onlyInLine;
  // A store that is no longer there was followed by another one of the same thread.
  found = offsets;
  forEachItem(function->body, [&](const Item &item) {
    auto *store = llvm::dyn_cast<StoreItem>(&item);
    if (store && isMeant(*store) && !memory.bases.count(memoryBase(store->place)))
      found.erase(store->range.offset);
  });
  return found;
}

bool Replacer::run() {
  const Stmt before = kernel.body;
  std::set<unsigned> all;
  forEachStmt(before, [&](const Stmt &s) {
    if (candidateIn(s) && s->range.isValid())
      all.insert(s->range.offset);
  });
  // One that turns out to be another's takes those with it that lie in the same memory.
  for (std::set<unsigned> some = all; !some.empty();) {
    kernel.body = rewriteLists(before, [&](std::vector<Stmt> stmts) {
      std::vector<Stmt> list;
      for (const Stmt &s : stmts) {
        std::optional<Candidate> candidate = some.count(s->range.offset) ? candidateIn(s) : std::nullopt;
        if (!candidate) {
          list.push_back(s);
          continue;
        }
        Stmt both = plain(s, *candidate);
        const auto &made = llvm::cast<BlockStmt>(both.get())->stmts;
        list.insert(list.end(), made.begin(), made.end());
      }
      return list;
    });
    bool onlyInLine = false;
    std::set<unsigned> fine = owned(some, onlyInLine);
    if (fine == some)
      return onlyInLine;
    some = std::move(fine);
    kernel.body = before;
  }
  return false;
}
} // namespace

OrderedSet<const Function> replaceOwnedAtomics(Module &module, const rules::RuleTable &rules) {
  OrderedSet<const Function> onlyInLine;
  for (const std::unique_ptr<Function> &function : module.functions)
    if (function->body && function->isKernel() && Replacer(*function, rules).run())
      onlyInLine.insert(function.get());
  return onlyInLine;
}

void guardByShape(Function &derivative) {
  Callee callee;
  callee.name = callee.spelling = "gpuad::launched_in_line";
  Expr name = makeLit("\"" + derivative.name + "\"", std::monostate{}, pointerTo(opaqueType("const char")));
  Expr isLine = makeCall(callee, {name}, boolType());
  std::vector<Stmt> list{makeIf(logicalNot(isLine), makeBlock({makeReturn()}))};
  const auto &body = llvm::cast<BlockStmt>(derivative.body.get())->stmts;
  list.insert(list.end(), body.begin(), body.end());
  derivative.body = makeBlock(std::move(list), derivative.body->range);
}

} // namespace gpuad::transform
