//===- CalleeShape.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/CalleeShape.h"

#include "analysis/Activity.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace gpuad::analysis {
using namespace ir;
using rules::RuleKind;

/// Sizes beyond this are all the same.
static constexpr unsigned LargestSize = 1000000;

bool isPlainValue(const Type &type) {
  if (isScalar(type))
    return !type->isVolatile;
  if (!isRecord(type) || type->record->isUnion || type->record->fields.empty())
    return false;
  bool isNamed = type->record->qualifiedName.find('(') == std::string::npos;
  return isNamed && llvm::all_of(type->record->fields, [](const Field &field) { return isPlainValue(field.type); });
}

/// What can be said from the type of a parameter alone.
static ParamShape shapeOfType(const Type &type) {
  bool leadsOn = isPointer(type) || isReference(type);
  return {leadsOn && !elementOf(type)->isConst, leadsOn && isReference(type)};
}

namespace {
/// How an expression stands: its value is taken, it is stored to, or it is found out
/// where it lies.
enum class Use { Value, Store, Address };

class Surveyor {
public:
  Surveyor(const Function &function, const rules::RuleTable &rules, CalleeShapes &shapes,
           const OrderedSet<const Function> &underway, CalleeShape &shape)
      : function(function), rules(rules), shapes(shapes), underway(underway), shape(shape) {}
  void run();

private:
  void checkSignature();
  bool isSpellable(const Type &type) const;
  void statement(const Stmt &s);
  void use(const Expr &e, Use how);
  void usePointer(const Expr &pointer, bool isWritten, bool isWhole);
  void call(const CallExpr &e);
  void argument(const Expr &arg, const Type &type, const ParamShape &seen);
  void variable(const Var &var);
  bool isAllowed(const CallExpr &e, const rules::Rule *rule) const;
  ParamShape *paramOf(const Expr &e) {
    auto *ref = llvm::dyn_cast<RefExpr>(e.get());
    auto found = ref ? std::find(function.params.begin(), function.params.end(), ref->var) : function.params.end();
    return found == function.params.end() ? nullptr : &shape.params[found - function.params.begin()];
  }
  void touch(ParamShape *param, Use how, bool isWhole) {
    if (!param)
      return;
    param->isWritten |= how != Use::Value;
    param->isObject &= isWhole && how != Use::Address;
  }
  void refuse() { shape.isSelfContained = false; }

  const Function &function;
  const rules::RuleTable &rules;
  CalleeShapes &shapes;
  const OrderedSet<const Function> &underway;
  CalleeShape &shape;
};

/// No type of its own that code outside cannot name.
bool Surveyor::isSpellable(const Type &type) const {
  Type inner = innermost(type);
  while (isPointer(inner) || isReference(inner))
    inner = innermost(elementOf(inner));
  return inner->kind == TypeKind::Void || isPlainValue(inner);
}

void Surveyor::checkSignature() {
  bool returnsValue = isVoid(function.returnType) || isPlainValue(function.returnType);
  bool isDefined = function.body && !function.isGenerated && function.kind != FunctionKind::Kernel;
  if (!returnsValue || !isDefined)
    refuse();
  for (const Var *param : function.params) {
    const Type &type = param->type;
    bool leadsOn = isPointer(type) || isReference(type);
    const Type &to = leadsOn ? elementOf(type) : type;
    bool isKnown = leadsOn ? isPlainValue(innermost(to)) && !innermost(to)->isVolatile : isPlainValue(type);
    if (!isKnown || (isPointer(type) && isArray(to)))
      refuse();
    shape.params.push_back({false, leadsOn && !isArray(to)});
  }
  for (const auto &var : function.vars)
    if (!isSpellable(var->type))
      refuse();
}

void Surveyor::variable(const Var &var) {
  switch (var.storage) {
  case Storage::Local:
  case Storage::Parameter:
    if (var.isStaticLocal)
      refuse();
    return;
  case Storage::ConstexprGlobal:
    return;
  case Storage::Constant:
    shape.readsConstants |= reachesFloating(var.type);
    return;
  case Storage::Shared:
  case Storage::DynamicShared:
  case Storage::DeviceGlobal:
  case Storage::HostGlobal:
    return refuse();
  }
}

/// A pointer is handed on to where what it leads to is read or written; `isWhole`: as one value.
void Surveyor::usePointer(const Expr &pointer, bool isWritten, bool isWhole) {
  const Expr &e = stripImplicit(pointer);
  Use how = isWritten ? Use::Store : Use::Value;
  if (e->kind == ExprKind::Ref && isPointer(e->type)) {
    variable(*llvm::cast<RefExpr>(e.get())->var);
    return touch(paramOf(e), how, isWhole);
  }
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(e.get()))
    return use(address->place, isWhole || !isWritten ? how : Use::Address);
  if (isArray(e->type))
    return use(e, how);
  if (auto *sum = llvm::dyn_cast<BinaryExpr>(e.get()); sum && isPointer(sum->type)) {
    bool isLeft = isPointer(sum->lhs->type);
    usePointer(isLeft ? sum->lhs : sum->rhs, isWritten, false);
    return use(isLeft ? sum->rhs : sum->lhs, Use::Value);
  }
  use(e, isWritten ? Use::Address : Use::Value);
}

void Surveyor::argument(const Expr &arg, const Type &type, const ParamShape &seen) {
  if (isReference(type))
    return use(stripImplicit(arg), seen.isWritten ? Use::Store : Use::Value);
  if (isPointer(type))
    return usePointer(arg, seen.isWritten, seen.isObject);
  use(arg, Use::Value);
}

bool Surveyor::isAllowed(const CallExpr &e, const rules::Rule *rule) const {
  return rule && e.callee.isAccessible && (rule->isRepeatable() || rule->kind == RuleKind::Expand);
}

void Surveyor::call(const CallExpr &e) {
  const Function *callee = definitionOf(e.callee);
  if (!callee) {
    const rules::Rule *rule = rules.find(e.callee);
    if (!isAllowed(e, rule))
      refuse();
    for (size_t i = 0; i < e.args.size(); ++i) {
      bool isOutput = rule && i < rule->params.size() && rule->params[i].isOutput;
      const Type &type = i < e.callee.parameterTypes.size() ? e.callee.parameterTypes[i] : e.args[i]->type;
      bool mayWrite = (isPointer(type) || isReference(type)) && !elementOf(type)->isConst;
      argument(e.args[i], type, {isOutput || (mayWrite && rule && rule->kind != RuleKind::Load), true});
    }
    return;
  }
  ++shape.sites[callee];
  bool isAgain = underway.count(callee) != 0;
  shape.isRecursive |= isAgain;
  if (e.args.size() != callee->params.size() || !e.callee.isAccessible)
    refuse();
  if (!isAgain) {
    const CalleeShape &inner = shapes.of(*callee);
    // What is no place of its own is always put in place of its call.
    bool isOwn = isReference(callee->returnType) || isPointer(callee->returnType);
    shape.isSelfContained &= inner.isSelfContained && !isOwn;
    shape.isRecursive |= inner.isRecursive;
    shape.readsConstants |= inner.readsConstants;
    shape.size = std::min(shape.size + inner.size, LargestSize);
  }
  for (size_t i = 0; i < e.args.size() && i < callee->params.size(); ++i) {
    const Type &type = callee->params[i]->type;
    argument(e.args[i], type, isAgain ? shapeOfType(type) : shapes.of(*callee).params[i]);
  }
}

void Surveyor::use(const Expr &e, Use how) {
  switch (e->kind) {
  case ExprKind::Ref: {
    variable(*llvm::cast<RefExpr>(e.get())->var);
    // A pointer itself: where it goes is not followed.
    ParamShape *param = paramOf(e);
    if (param && isPointer(e->type))
      return touch(param, elementOf(e->type)->isConst ? Use::Value : Use::Address, false);
    return touch(param, how, how != Use::Address);
  }
  case ExprKind::Index: {
    auto *access = llvm::cast<IndexExpr>(e.get());
    use(access->index, Use::Value);
    const Expr &base = stripImplicit(access->base);
    if (isPointer(base->type))
      return usePointer(base, how != Use::Value, isZeroLit(access->index) && how != Use::Address);
    return use(base, how);
  }
  case ExprKind::Deref:
    return usePointer(llvm::cast<DerefExpr>(e.get())->pointer, how != Use::Value, how != Use::Address);
  case ExprKind::Member:
    return use(llvm::cast<MemberExpr>(e.get())->base, how);
  case ExprKind::AddrOf:
    return use(llvm::cast<AddrOfExpr>(e.get())->place, elementOf(e->type)->isConst ? Use::Value : Use::Address);
  case ExprKind::Text:
    return refuse();
  case ExprKind::Call:
    return call(*llvm::cast<CallExpr>(e.get()));
  case ExprKind::Cast: {
    const Expr &operand = llvm::cast<CastExpr>(e.get())->operand;
    bool isView =
        isPointer(e->type) && isPointer(operand->type) && !sameType(elementOf(e->type), elementOf(operand->type));
    bool dropsConst = isPointer(e->type) && isPointer(operand->type) && elementOf(operand->type)->isConst &&
                      !elementOf(e->type)->isConst;
    bool isMade = isPointer(e->type) != (isPointer(operand->type) || isArray(operand->type));
    if (isView || dropsConst || (isMade && operand->kind != ExprKind::Lit))
      refuse();
    return use(operand, how);
  }
  case ExprKind::Binary:
  case ExprKind::Select:
  case ExprKind::Unary:
  case ExprKind::Init:
    ++shape.ownSize;
    for (const Expr &operand : children(e))
      use(operand, isPointer(operand->type) ? how : Use::Value);
    return;
  case ExprKind::Lit:
  case ExprKind::ThreadIndex:
    return;
  }
}

void Surveyor::statement(const Stmt &s) {
  ++shape.ownSize;
  switch (s->kind) {
  case StmtKind::Text:
  case StmtKind::Launch:
    return refuse();
  case StmtKind::Assign: {
    auto *assign = llvm::cast<AssignStmt>(s.get());
    use(assign->place, Use::Store);
    return use(assign->value, Use::Value);
  }
  case StmtKind::Decl: {
    auto *decl = llvm::cast<DeclStmt>(s.get());
    variable(*decl->var);
    if (decl->init)
      use(decl->init, isReference(decl->var->type) && !elementOf(decl->var->type)->isConst ? Use::Address : Use::Value);
    return;
  }
  default:
    for (const Expr &held : expressionsOf(s))
      use(held, Use::Value);
  }
}

void Surveyor::run() {
  checkSignature();
  if (!function.body)
    return;
  forEachStmt(function.body, [&](const Stmt &s) {
    if (s->kind != StmtKind::Block)
      statement(s);
  });
  shape.size = std::min(shape.size + shape.ownSize, LargestSize);
}
} // namespace

const CalleeShape &CalleeShapes::of(const Function &function) {
  if (auto found = known.find(&function); found != known.end())
    return found->second;
  CalleeShape shape;
  underway.insert(&function);
  Surveyor(function, rules, *this, underway, shape).run();
  underway.erase(&function);
  if (!function.body || !shape.isSelfContained) // what it does is not known, or not all of it
    for (size_t i = 0; i < function.params.size(); ++i)
      shape.params[i] = shapeOfType(function.params[i]->type);
  return known[&function] = std::move(shape);
}

} // namespace gpuad::analysis
