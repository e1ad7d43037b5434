//===- SpellObjects.cpp --------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/SpellObjects.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/RewriteStmts.h"

namespace gpuad::transform {
using namespace ir;

namespace {
bool isZeroByBraces(const Type &type) {
  Type inner = innermost(type);
  return !isRecord(inner) || inner->record->emptyIsZero;
}

/// gpuad::zero<T>(), for each element of an array.
Expr zeroCall(const Type &type) {
  if (isArray(type))
    return makeInit(std::vector<Expr>(type->extent.value_or(0), zeroCall(elementOf(type))), type);
  Type plain = withConst(type, false);
  Callee callee;
  callee.name = callee.spelling = "gpuad::zero";
  callee.templateArguments = "<" + spell(plain) + ">";
  return makeCall(callee, {}, plain);
}

Expr zeroFor(const Type &type) {
  return isZeroByBraces(type) ? zeroOf(type) : zeroCall(type);
}

class Speller {
public:
  Speller(Derivative &derivative, const std::string &internalNamespace, DiagnosticSink &sink)
      : derivative(derivative), owner(*derivative.function), opened(internalNamespace + "::opened::"), sink(sink) {}

  void run() {
    owner.body = rewriteLists(owner.body, [&](std::vector<Stmt> stmts) {
      std::vector<Stmt> list;
      out = &list;
      for (const Stmt &s : stmts)
        statement(s);
      return list;
    });
    owner.body = rewriteHeldExprs(
        owner.body, [&](const Expr &e) { return rewriteExpr(e, [&](const Expr &one) { return open(one); }); });
  }

private:
  void statement(const Stmt &s) {
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->var->storage == Storage::Local)
      return declaration(*decl, s);
    size_t before = out->size();
    Stmt made = rewriteHeldExprs(s, [&](const Expr &e) { return spelled(e); });
    bool repeats = s->kind == StmtKind::For || s->kind == StmtKind::While;
    if (repeats && out->size() != before)
      diag::report(sink, diag::Id::InternalError, s->range, "an object is made in the header of a loop");
    out->push_back(made);
  }

  void declaration(const DeclStmt &s, const Stmt &whole) {
    Type inner = innermost(s.var->type);
    bool isObject = isRecord(inner) && !isReference(s.var->type);
    if (!s.init && isObject && !inner->record->hasDefaultConstructor)
      return out->push_back(makeDecl(s.var, zeroCall(s.var->type), s.range));
    auto *init = s.init ? llvm::dyn_cast<InitExpr>(s.init.get()) : nullptr;
    if (init && isRecord(s.var->type) && mustBeSet(*init)) {
      s.var->type = withConst(s.var->type, false);
      std::vector<Expr> elements;
      for (const Expr &element : init->elements)
        elements.push_back(spelled(element));
      return setFields(s.var, elements, s.range);
    }
    if (!s.init)
      return out->push_back(whole);
    auto copy = std::make_shared<DeclStmt>(s);
    copy->init = spelled(s.init);
    out->push_back(copy);
  }

  static bool mustBeSet(const InitExpr &init) {
    return isRecord(init.type) && !init.elements.empty() && !init.type->record->isAggregate &&
           !init.type->record->isVector;
  }

  void setFields(Var *var, const std::vector<Expr> &elements, const SourceRange &range) {
    const RecordInfo &record = *var->type->record;
    bool isWhole = elements.size() == record.fields.size() && record.hasDefaultConstructor;
    out->push_back(makeDecl(var, isWhole ? nullptr : zeroFor(var->type), range));
    for (unsigned i = 0; i < elements.size(); ++i)
      set(makeMember(makeRef(var), i), elements[i], range);
  }

  void set(const Expr &place, const Expr &value, const SourceRange &range) {
    auto *init = llvm::dyn_cast<InitExpr>(value.get());
    if (!isArray(place->type) || !init)
      return out->push_back(makeAssign(place, value, range));
    for (unsigned i = 0; i < place->type->extent.value_or(0); ++i) // arrays cannot be assigned
      set(makeIndex(place, intLit(i)), i < init->elements.size() ? init->elements[i] : zeroFor(elementOf(place->type)),
          range);
  }

  Expr spelled(const Expr &e) {
    return rewriteExpr(e, [&](const Expr &one) -> Expr {
      auto *init = llvm::dyn_cast<InitExpr>(one.get());
      if (!init)
        return one;
      if (init->elements.empty())
        return isZeroByBraces(one->type) ? one : zeroCall(one->type);
      if (mustBeSet(*init)) {
        Var *var = owner.makeVar("object", withConst(one->type, false));
        setFields(var, init->elements, one->range);
        return makeRef(var);
      }
      return filled(*init, one);
    });
  }

  /// The elements that braces leave out are zero here, whatever a class sets them to.
  Expr filled(const InitExpr &init, const Expr &whole) {
    std::vector<Expr> elements = init.elements;
    if (isRecord(init.type) && !init.type->record->emptyIsZero)
      for (size_t i = elements.size(); i < init.type->record->fields.size(); ++i)
        elements.push_back(zeroFor(init.type->record->fields[i].type));
    else if (isArray(init.type) && !isZeroByBraces(init.type))
      for (size_t i = elements.size(); i < init.type->extent.value_or(0); ++i)
        elements.push_back(zeroFor(elementOf(init.type)));
    bool isFull = elements.size() == init.elements.size();
    return isFull ? whole : makeInit(elements, init.type, init.namesType, whole->range);
  }

  /// A call of a private method, through a function that is a friend.
  Expr open(const Expr &e) {
    auto *call = llvm::dyn_cast<CallExpr>(e.get());
    if (!call || !call->callee.isOpen)
      return e;
    auto copy = std::make_shared<CallExpr>(*call);
    derivative.openedMethods[call->callee.spelling] =
        call->callee.function ? call->callee.function->kind : FunctionKind::Device;
    copy->callee.spelling = opened + "call_" + call->callee.spelling;
    copy->callee.isMethod = copy->callee.isOpen = false;
    return copy;
  }

  Derivative &derivative;
  Function &owner;
  std::string opened;
  DiagnosticSink &sink;
  std::vector<Stmt> *out = nullptr;
};
} // namespace

void spellObjects(Derivative &derivative, const std::string &internalNamespace, DiagnosticSink &sink) {
  Speller(derivative, internalNamespace, sink).run();
}

} // namespace gpuad::transform
