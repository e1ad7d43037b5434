//===- NameViews.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/NameViews.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;

namespace {
/// A cast of an address in an array of bytes, and how often it stands in the function.
struct View {
  Expr cast;
  Var *array = nullptr;
  unsigned count = 0;
  Var *name = nullptr;
};

bool isFixed(const Expr &e) {
  bool holds = true;
  forEachExpr(e, [&](const Expr &one) {
    auto *ref = llvm::dyn_cast<RefExpr>(one.get());
    auto *index = llvm::dyn_cast<ThreadIndexExpr>(one.get());
    holds &= one->kind == ExprKind::Lit || one->kind == ExprKind::Binary || one->kind == ExprKind::Cast ||
             (ref && ref->var->storage == Storage::Parameter) ||
             (index && (index->builtin == ThreadBuiltin::BlockDim || index->builtin == ThreadBuiltin::GridDim));
  });
  return holds;
}

/// The array of bytes into which e is a view that could be declared beside it; null: none.
Var *arrayOfView(const Expr &e) {
  auto *cast = llvm::dyn_cast<CastExpr>(e.get());
  if (!cast || cast->style == CastStyle::Implicit || !isPointer(cast->type))
    return nullptr;
  auto *address = llvm::dyn_cast<AddrOfExpr>(stripImplicit(cast->operand).get());
  auto *access = address ? llvm::dyn_cast<IndexExpr>(address->place.get()) : nullptr;
  auto *ref = access ? llvm::dyn_cast<RefExpr>(stripImplicit(access->base).get()) : nullptr;
  return ref && isFixed(access->index) ? ref->var : nullptr;
}

/// bytes instead of &bytes[0].
Expr startOf(const Expr &cast) {
  auto *whole = llvm::cast<CastExpr>(cast.get());
  auto *address = llvm::cast<AddrOfExpr>(stripImplicit(whole->operand).get());
  auto *access = llvm::cast<IndexExpr>(address->place.get());
  auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(access->index).get());
  auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
  return value && *value == 0 ? makeCast(whole->style, access->base, whole->type, cast->range) : cast;
}

class Namer {
public:
  Namer(Function &owner, const Function &primal, const std::vector<std::pair<Var *, Var *>> &shadows)
      : owner(owner), primal(primal), shadows(shadows) {}

  void run();

private:
  std::string nameFor(const View &view) const;
  void declareBeside(const std::vector<View> &views);

  Function &owner;
  const Function &primal;
  const std::vector<std::pair<Var *, Var *>> &shadows;
};

/// Like the user's pointer of that type, or "bytes_as_double".
std::string Namer::nameFor(const View &view) const {
  auto shadow = llvm::find_if(shadows, [&](const auto &one) { return one.second == view.array; });
  const Var *array = shadow == shadows.end() ? view.array : shadow->first;
  std::string name, suffix = shadow == shadows.end() ? "" : "_bar";
  forEachStmt(primal.body, [&](const Stmt &s) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    if (!name.empty() || !decl || !decl->init || !isPointer(decl->var->type) ||
        !sameType(elementOf(decl->var->type), elementOf(view.cast->type)))
      return;
    Var *root = rootVar(stripImplicit(decl->init));
    if (root && root->name == array->name)
      name = decl->var->name;
  });
  return (name.empty() ? array->name + "_view" : name) + suffix;
}

void Namer::run() {
  std::vector<View> views;
  forEachExprIn(owner.body, [&](const Expr &e) {
    Var *array = arrayOfView(e);
    if (!array)
      return;
    auto known = llvm::find_if(views, [&](const View &one) { return equal(one.cast, e); });
    if (known == views.end())
      known = views.insert(views.end(), {e, array});
    ++known->count;
  });
  llvm::erase_if(views, [](const View &view) { return view.count < 2; });
  for (View &view : views)
    view.name = owner.makeVar(nameFor(view), view.cast->type);
  if (views.empty())
    return;
  owner.body = rewriteHeldExprs(owner.body, [&](const Expr &held) {
    return rewriteExpr(held, [&](const Expr &e) -> Expr {
      for (const View &view : views)
        if (equal(view.cast, e))
          return makeRef(view.name, e->range);
      return e;
    });
  });
  declareBeside(views);
}

bool names(const Stmt &s, const Var *var) {
  bool found = false;
  forEachExprIn(s, [&](const Expr &e) {
    auto *ref = llvm::dyn_cast<RefExpr>(e.get());
    found |= ref && ref->var == var;
  });
  return found;
}

/// Where in the list a view stands: behind the last of the declarations and calls that set the arrays up, or behind
/// that of its own array where it is used before. None: the list does not declare its array.
static std::optional<size_t> placeOf(const View &view, const std::vector<View> &views, const std::vector<Stmt> &list) {
  auto declares = [](const Stmt &s, const View &one) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    return decl && decl->var == one.array;
  };
  auto isUsed = [&](const Stmt &s) { return names(s, view.name); };
  auto own = llvm::find_if(list, [&](const Stmt &s) { return declares(s, view); });
  if (own == list.end() || !llvm::any_of(list, isUsed))
    return std::nullopt;
  size_t last = 0;
  for (size_t i = 0; i < list.size(); ++i)
    if (llvm::any_of(views, [&](const View &one) { return declares(list[i], one); }))
      last = i + 1;
  while (last < list.size() && llvm::isa<DoStmt>(list[last].get()))
    ++last;
  bool isUsedBefore = std::any_of(own, list.begin() + last, isUsed);
  return isUsedBefore ? own - list.begin() + 1 : last;
}

/// What no list of statements declares is a parameter: its view stands first.
void Namer::declareBeside(const std::vector<View> &views) {
  OrderedSet<Var> declared;
  owner.body = rewriteLists(owner.body, [&](const std::vector<Stmt> &list) {
    std::vector<std::pair<size_t, const View *>> here;
    for (const View &view : views)
      if (std::optional<size_t> at = placeOf(view, views, list))
        here.push_back({*at, &view});
    std::vector<Stmt> made;
    for (size_t i = 0; i <= list.size(); ++i) {
      for (const auto &[at, view] : here)
        if (at == i) {
          made.push_back(makeDecl(view->name, startOf(view->cast)));
          declared.insert(view->name);
        }
      if (i < list.size())
        made.push_back(list[i]);
    }
    return made;
  });
  std::vector<Stmt> list;
  for (const View &view : views)
    if (!declared.count(view.name))
      list.push_back(makeDecl(view.name, startOf(view.cast)));
  const auto &body = llvm::cast<BlockStmt>(owner.body.get())->stmts;
  list.insert(list.end(), body.begin(), body.end());
  owner.body = makeBlock(std::move(list));
}
} // namespace

void nameViews(Function &owner, const Function &primal, const std::vector<std::pair<Var *, Var *>> &shadows) {
  Namer(owner, primal, shadows).run();
}

} // namespace gpuad::transform
