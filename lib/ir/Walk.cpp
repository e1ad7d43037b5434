//===- Walk.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Walk.h"

#include "ir/Builder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::ir {

namespace {
/// Calls `slot` on a reference to every operand of a (mutable) node.
template <class Slot> void eachOperand(ExprNode &e, Slot slot) {
  switch (e.kind) {
  case ExprKind::AddrOf:
    return slot(llvm::cast<AddrOfExpr>(&e)->place);
  case ExprKind::Binary: {
    auto *binary = llvm::cast<BinaryExpr>(&e);
    slot(binary->lhs);
    return slot(binary->rhs);
  }
  case ExprKind::Call:
    for (Expr &arg : llvm::cast<CallExpr>(&e)->args)
      slot(arg);
    return;
  case ExprKind::Cast:
    return slot(llvm::cast<CastExpr>(&e)->operand);
  case ExprKind::Deref:
    return slot(llvm::cast<DerefExpr>(&e)->pointer);
  case ExprKind::Index: {
    auto *access = llvm::cast<IndexExpr>(&e);
    slot(access->base);
    return slot(access->index);
  }
  case ExprKind::Init:
    for (Expr &element : llvm::cast<InitExpr>(&e)->elements)
      slot(element);
    return;
  case ExprKind::Member:
    return slot(llvm::cast<MemberExpr>(&e)->base);
  case ExprKind::Select: {
    auto *choice = llvm::cast<SelectExpr>(&e);
    slot(choice->condition);
    slot(choice->thenValue);
    return slot(choice->elseValue);
  }
  case ExprKind::Unary:
    return slot(llvm::cast<UnaryExpr>(&e)->operand);
  case ExprKind::Lit:
  case ExprKind::Ref:
  case ExprKind::Text:
  case ExprKind::ThreadIndex:
    return;
  }
}

std::shared_ptr<ExprNode> copyOf(const Expr &e) {
  switch (e->kind) {
#define GPUAD_EXPR(KIND)                                                                                               \
  case ExprKind::KIND:                                                                                                 \
    return std::make_shared<KIND##Expr>(*llvm::cast<KIND##Expr>(e.get()));
#include "ir/Nodes.def"
  }
  return nullptr;
}

std::shared_ptr<StmtNode> copyOf(const Stmt &s) {
  switch (s->kind) {
#define GPUAD_STMT(KIND)                                                                                               \
  case StmtKind::KIND:                                                                                                 \
    return std::make_shared<KIND##Stmt>(*llvm::cast<KIND##Stmt>(s.get()));
#include "ir/Nodes.def"
  }
  return nullptr;
}

/// Calls `slotExpr` on every held expression and `slotStmt` on every nested
/// statement of a (mutable) node, null ones left out.
template <class SlotExpr, class SlotStmt> void eachPart(StmtNode &s, SlotExpr slotExpr, SlotStmt slotStmt) {
  auto expr = [&](Expr &e) {
    if (e)
      slotExpr(e);
  };
  auto stmt = [&](Stmt &nested) {
    if (nested)
      slotStmt(nested);
  };
  switch (s.kind) {
  case StmtKind::Accum:
    expr(llvm::cast<AccumStmt>(&s)->place);
    expr(llvm::cast<AccumStmt>(&s)->apart);
    return expr(llvm::cast<AccumStmt>(&s)->value);
  case StmtKind::Assign:
    expr(llvm::cast<AssignStmt>(&s)->place);
    return expr(llvm::cast<AssignStmt>(&s)->value);
  case StmtKind::Block:
    for (Stmt &nested : llvm::cast<BlockStmt>(&s)->stmts)
      stmt(nested);
    return;
  case StmtKind::Decl:
    return expr(llvm::cast<DeclStmt>(&s)->init);
  case StmtKind::Do:
    return expr(llvm::cast<DoStmt>(&s)->call);
  case StmtKind::For: {
    auto *loop = llvm::cast<ForStmt>(&s);
    for (Stmt &nested : loop->init)
      stmt(nested);
    expr(loop->condition);
    for (Stmt &nested : loop->increment)
      stmt(nested);
    return stmt(loop->body);
  }
  case StmtKind::If:
    expr(llvm::cast<IfStmt>(&s)->condition);
    stmt(llvm::cast<IfStmt>(&s)->thenBody);
    return stmt(llvm::cast<IfStmt>(&s)->elseBody);
  case StmtKind::Launch: {
    auto *launch = llvm::cast<LaunchStmt>(&s);
    for (Expr *e : {&launch->grid, &launch->block, &launch->sharedBytes, &launch->stream})
      expr(*e);
    for (Expr &arg : launch->args)
      expr(arg);
    return;
  }
  case StmtKind::Return:
    return expr(llvm::cast<ReturnStmt>(&s)->value);
  case StmtKind::Switch:
    expr(llvm::cast<SwitchStmt>(&s)->value);
    for (SwitchCase &one : llvm::cast<SwitchStmt>(&s)->cases) {
      for (Expr &label : one.labels)
        expr(label);
      stmt(one.body);
    }
    return;
  case StmtKind::While:
    expr(llvm::cast<WhileStmt>(&s)->condition);
    return stmt(llvm::cast<WhileStmt>(&s)->body);
  case StmtKind::Break:
  case StmtKind::Comment:
  case StmtKind::Continue:
  case StmtKind::Text:
    return;
  }
}
} // namespace

std::vector<Expr> children(const Expr &e) {
  std::vector<Expr> found;
  eachOperand(const_cast<ExprNode &>(*e), [&](Expr &operand) { found.push_back(operand); });
  return found;
}

Expr withChildren(const Expr &e, const std::vector<Expr> &operands) {
  std::shared_ptr<ExprNode> copy = copyOf(e);
  size_t next = 0;
  eachOperand(*copy, [&](Expr &operand) { operand = operands[next++]; });
  return copy;
}

std::vector<Expr> expressionsOf(const Stmt &s) {
  std::vector<Expr> found;
  eachPart(const_cast<StmtNode &>(*s), [&](Expr &e) { found.push_back(e); }, [](Stmt &) {});
  return found;
}

std::vector<Stmt> nestedStmts(const Stmt &s) {
  std::vector<Stmt> found;
  eachPart(const_cast<StmtNode &>(*s), [](Expr &) {}, [&](Stmt &nested) { found.push_back(nested); });
  return found;
}

void forEachExpr(const Expr &e, llvm::function_ref<void(const Expr &)> visit) {
  visit(e);
  for (const Expr &operand : children(e))
    forEachExpr(operand, visit);
}

void forEachStmt(const Stmt &s, llvm::function_ref<void(const Stmt &)> visit) {
  if (!s)
    return;
  visit(s);
  for (const Stmt &nested : nestedStmts(s))
    forEachStmt(nested, visit);
}

void forEachExprIn(const Stmt &s, llvm::function_ref<void(const Expr &)> visit) {
  forEachStmt(s, [&](const Stmt &one) {
    for (const Expr &e : expressionsOf(one))
      forEachExpr(e, visit);
  });
}

Expr rewriteExpr(const Expr &e, llvm::function_ref<Expr(const Expr &)> change) {
  std::vector<Expr> operands = children(e);
  bool changed = false;
  for (Expr &operand : operands) {
    Expr fresh = rewriteExpr(operand, change);
    changed |= fresh != operand;
    operand = std::move(fresh);
  }
  return change(changed ? withChildren(e, operands) : e);
}

Stmt rewriteHeldExprs(const Stmt &s, llvm::function_ref<Expr(const Expr &)> change) {
  if (!s)
    return s;
  std::shared_ptr<StmtNode> copy = copyOf(s);
  bool changed = false;
  eachPart(
      *copy,
      [&](Expr &e) {
        Expr fresh = change(e);
        changed |= fresh != e;
        e = std::move(fresh);
      },
      [&](Stmt &nested) {
        Stmt fresh = rewriteHeldExprs(nested, change);
        changed |= fresh != nested;
        nested = std::move(fresh);
      });
  return changed ? Stmt(copy) : s;
}

Expr substitute(const Expr &e, llvm::function_ref<Expr(Var *)> replacement) {
  return rewriteExpr(e, [&](const Expr &one) -> Expr {
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      if (Expr fresh = replacement(ref->var))
        return fresh;
    return one;
  });
}

std::vector<Var *> variablesIn(const Expr &e) {
  std::vector<Var *> found;
  auto note = [&](Var *var) {
    if (!llvm::is_contained(found, var))
      found.push_back(var);
  };
  forEachExpr(e, [&](const Expr &one) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      note(ref->var);
    if (auto *text = llvm::dyn_cast<TextExpr>(one.get()))
      for (Var *var : text->mentions)
        note(var);
  });
  return found;
}

bool equal(const Expr &a, const Expr &b) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind || !sameType(a->type, b->type))
    return false;
  switch (a->kind) {
  case ExprKind::Ref:
    if (llvm::cast<RefExpr>(a.get())->var != llvm::cast<RefExpr>(b.get())->var)
      return false;
    break;
  case ExprKind::Lit: {
    auto *x = llvm::cast<LitExpr>(a.get());
    auto *y = llvm::cast<LitExpr>(b.get());
    if (x->value != y->value || (x->value.index() == 0 && x->spelling != y->spelling))
      return false;
    break;
  }
  case ExprKind::Binary:
    if (llvm::cast<BinaryExpr>(a.get())->op != llvm::cast<BinaryExpr>(b.get())->op)
      return false;
    break;
  case ExprKind::Unary:
    if (llvm::cast<UnaryExpr>(a.get())->op != llvm::cast<UnaryExpr>(b.get())->op)
      return false;
    break;
  case ExprKind::Member:
    if (llvm::cast<MemberExpr>(a.get())->field != llvm::cast<MemberExpr>(b.get())->field)
      return false;
    break;
  case ExprKind::ThreadIndex: {
    auto *x = llvm::cast<ThreadIndexExpr>(a.get());
    auto *y = llvm::cast<ThreadIndexExpr>(b.get());
    if (x->builtin != y->builtin || x->dimension != y->dimension)
      return false;
    break;
  }
  case ExprKind::Call: {
    auto *x = llvm::cast<CallExpr>(a.get());
    auto *y = llvm::cast<CallExpr>(b.get());
    if (x->callee.name != y->callee.name || x->callee.function != y->callee.function)
      return false;
    break;
  }
  case ExprKind::Text:
    if (llvm::cast<TextExpr>(a.get())->text != llvm::cast<TextExpr>(b.get())->text)
      return false;
    break;
  case ExprKind::AddrOf:
  case ExprKind::Cast:
  case ExprKind::Deref:
  case ExprKind::Index:
  case ExprKind::Init:
  case ExprKind::Select:
    break;
  }
  std::vector<Expr> left = children(a), right = children(b);
  if (left.size() != right.size())
    return false;
  for (size_t i = 0; i < left.size(); ++i)
    if (!equal(left[i], right[i]))
      return false;
  return true;
}

} // namespace gpuad::ir
