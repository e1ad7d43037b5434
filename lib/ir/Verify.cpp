//===- Verify.cpp ---------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Verify.h"

#include "ir/Builder.h"
#include "ir/Dump.h"
#include "ir/Walk.h"

#include <map>
#include <set>

namespace gpuad::ir {

namespace {
class Verifier {
public:
  Verifier(const Function &function, bool decided) : function(function), decided(decided) {}
  std::vector<std::string> run();

private:
  void complain(const std::string &what, const std::string &where, const SourceRange &range);
  void checkExpr(const Expr &e, bool mayBeVoid = false);
  void checkShape(const Expr &e);
  void checkVar(const Var *var, const Expr &where);
  void checkPlace(const Expr &place, const Stmt &s);
  void checkConversion(const Type &to, const Type &from, const Stmt &s);
  void checkAccum(const AccumStmt &s, const Stmt &stmt);
  void checkDecl(const DeclStmt &s, const Stmt &stmt);
  void checkFor(const ForStmt &s);
  void checkSwitch(const SwitchStmt &s);
  void checkStmt(const Stmt &s);
  void checkScoped(const Stmt &s);
  bool isPrivate(const Expr &place, unsigned depth = 0) const;
  bool pointsToPrivate(const Var *var, unsigned depth) const;

  const Function &function;
  bool decided;
  OrderedSet<const Var> owned, visible;
  OrderedMap<const Var, Expr> onlyInit; ///< of local pointers and references that are set once
  unsigned loops = 0, switches = 0;
  std::vector<std::string> violations;
};
} // namespace

void Verifier::complain(const std::string &what, const std::string &where, const SourceRange &range) {
  std::string line = function.name + ": " + what + ": " + where.substr(0, where.find('\n'));
  if (range.isValid())
    line += " (" + *range.file + ":" + std::to_string(range.line) + ")";
  violations.push_back(line);
}

static bool isModuleStorage(Storage storage) {
  return storage == Storage::Constant || storage == Storage::DeviceGlobal || storage == Storage::HostGlobal ||
         storage == Storage::ConstexprGlobal;
}

void Verifier::checkVar(const Var *var, const Expr &where) {
  if (!var)
    return complain("a reference to nothing", dump(where), where->range);
  if (owned.count(var)) {
    bool isLocal = var->storage != Storage::Parameter && !var->isThis && !isModuleStorage(var->storage);
    if (isLocal && !visible.count(var))
      complain("'" + var->name + "' is used outside its scope", dump(where), where->range);
  } else if (bool isShared = var->storage == Storage::Shared || var->storage == Storage::DynamicShared; // of the module
             !isModuleStorage(var->storage) && !isShared && !var->isThis) {
    complain("'" + var->name + "' belongs to another function", dump(where), where->range);
  }
}

/// What the operands of one node must be.
void Verifier::checkShape(const Expr &e) {
  if (auto *deref = llvm::dyn_cast<DerefExpr>(e.get())) {
    if (!isPointer(deref->pointer->type) && !isArray(deref->pointer->type))
      complain("* of something that is no pointer", dump(e), e->range);
  } else if (auto *index = llvm::dyn_cast<IndexExpr>(e.get())) {
    bool hasOperator = index->base->type->kind == TypeKind::Opaque; // gpuad::records
    if (!isPointer(index->base->type) && !isArray(index->base->type) && !hasOperator)
      complain("[] of something that is neither pointer nor array", dump(e), e->range);
    if (!isInteger(index->index->type) && !isBool(index->index->type))
      complain("an index that is no integer", dump(e), e->range);
  } else if (auto *member = llvm::dyn_cast<MemberExpr>(e.get())) {
    const Type &base = member->base->type;
    bool known = isRecord(base) && member->field < base->record->fields.size();
    if (!known || base->record->fields[member->field].name != member->name)
      complain("no such field", dump(e), e->range);
  } else if (auto *ref = llvm::dyn_cast<RefExpr>(e.get())) {
    checkVar(ref->var, e);
  } else if (auto *text = llvm::dyn_cast<TextExpr>(e.get())) {
    for (const Var *var : text->mentions)
      checkVar(var, e);
  }
}

void Verifier::checkExpr(const Expr &e, bool mayBeVoid) {
  if (!e)
    return complain("an operand is missing", "", {});
  if (!e->type)
    return complain("an expression without a type", dump(e), e->range);
  if (isReference(e->type))
    complain("an expression of reference type", dump(e), e->range);
  if (isVoid(e->type) && !mayBeVoid)
    complain("a value of type void", dump(e), e->range);
  size_t before = violations.size();
  for (const Expr &operand : children(e))
    checkExpr(operand);
  if (before == violations.size())
    checkShape(e);
}

/// A place is memory; what a call or unknown text gives may be memory.
static bool isPlace(const Expr &e) {
  switch (e->kind) {
  case ExprKind::Ref:
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::Call:
  case ExprKind::Text:
    return true;
  case ExprKind::Member:
    return isPlace(llvm::cast<MemberExpr>(*e).base);
  default:
    return false;
  }
}

void Verifier::checkPlace(const Expr &place, const Stmt &s) {
  checkExpr(place);
  if (place && !isPlace(place))
    complain("a write to something that is no place", dump(s), s->range);
}

void Verifier::checkConversion(const Type &to, const Type &from, const Stmt &s) {
  if (!to || !from)
    return;
  const Type &target = stripReference(to), &source = stripReference(from);
  bool agrees = target->kind == source->kind || (isPointer(target) && (isArray(source) || isInteger(source))) ||
                (isBool(target) && (isPointer(source) || isArray(source)));
  // Constructors and conversion functions are the user's business.
  bool isClass =
      isRecord(target) || isRecord(source) || target->kind == TypeKind::Opaque || source->kind == TypeKind::Opaque;
  if (!agrees && !isClass)
    complain("a " + spell(source) + " where a " + spell(target) + " is wanted", dump(s), s->range);
}

bool Verifier::pointsToPrivate(const Var *var, unsigned depth) const {
  auto found = onlyInit.find(var);
  if (found == onlyInit.end() || !found->second || depth > 8)
    return false;
  const Expr &init = stripImplicit(found->second);
  if (isReference(var->type))
    return isPrivate(init, depth + 1);
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(init.get()))
    return isPrivate(address->place, depth + 1);
  if (isArray(init->type))
    return isPrivate(init, depth + 1);
  auto *ref = llvm::dyn_cast<RefExpr>(init.get());
  return ref && pointsToPrivate(ref->var, depth + 1);
}

/// Whether only this thread can reach the place: an atomic there is a fault.
bool Verifier::isPrivate(const Expr &place, unsigned depth) const {
  const Expr &e = stripImplicit(place);
  if (auto *member = llvm::dyn_cast<MemberExpr>(e.get()))
    return isPrivate(member->base, depth);
  if (auto *index = llvm::dyn_cast<IndexExpr>(e.get())) {
    if (isArray(stripImplicit(index->base)->type))
      return isPrivate(index->base, depth);
    auto *ref = llvm::dyn_cast<RefExpr>(stripImplicit(index->base).get());
    return ref && pointsToPrivate(ref->var, depth);
  }
  if (auto *deref = llvm::dyn_cast<DerefExpr>(e.get())) {
    auto *ref = llvm::dyn_cast<RefExpr>(stripImplicit(deref->pointer).get());
    return ref && pointsToPrivate(ref->var, depth);
  }
  auto *ref = llvm::dyn_cast<RefExpr>(e.get());
  if (!ref || !ref->var)
    return false;
  if (isReference(ref->var->type))
    return pointsToPrivate(ref->var, depth);
  return (ref->var->storage == Storage::Local && !ref->var->isStaticLocal) || ref->var->storage == Storage::Parameter;
}

void Verifier::checkAccum(const AccumStmt &s, const Stmt &stmt) {
  checkPlace(s.place, stmt);
  checkExpr(s.value);
  if (!s.place || !s.value || !s.place->type)
    return;
  if (!isFloating(s.place->type) && !isRecord(s.place->type))
    complain("an adjoint that is not floating point", dump(stmt), stmt->range);
  if (s.how == AccumHow::Undecided) {
    if (decided)
      complain("nothing decided how this adds", dump(stmt), stmt->range);
    return;
  }
  if (s.apart)
    checkExpr(s.apart);
  if ((s.how == AccumHow::PlainIfApart) != (s.apart != nullptr))
    complain("a condition that belongs to another way to add", dump(stmt), stmt->range);
  bool isAtomic = s.how != AccumHow::Plain && s.how != AccumHow::AnySpace;
  if (isAtomic && isPrivate(s.place))
    complain("an atomic add to memory of one thread", dump(stmt), stmt->range);
}

void Verifier::checkDecl(const DeclStmt &s, const Stmt &stmt) {
  if (!s.var)
    return complain("a declaration of nothing", dump(stmt), stmt->range);
  if (!owned.count(s.var))
    complain("'" + s.var->name + "' belongs to another function", dump(stmt), stmt->range);
  if (s.init) {
    checkExpr(s.init);
    checkConversion(s.var->type, s.init->type, stmt);
  } else if (isReference(s.var->type)) {
    complain("a reference that names nothing", dump(stmt), stmt->range);
  }
  visible.insert(s.var);
}

void Verifier::checkScoped(const Stmt &s) {
  if (!s)
    return complain("a body is missing", "", {});
  OrderedSet<const Var> outside = visible;
  checkStmt(s);
  visible = std::move(outside);
}

void Verifier::checkFor(const ForStmt &s) {
  OrderedSet<const Var> outside = visible;
  for (const Stmt &init : s.init)
    checkStmt(init);
  if (s.condition)
    checkExpr(s.condition);
  for (const Stmt &step : s.increment)
    checkStmt(step);
  ++loops;
  checkScoped(s.body);
  --loops;
  visible = std::move(outside);
}

void Verifier::checkSwitch(const SwitchStmt &s) {
  checkExpr(s.value);
  ++switches;
  for (const SwitchCase &one : s.cases) {
    for (const Expr &label : one.labels)
      checkExpr(label);
    checkScoped(one.body);
  }
  --switches;
}

void Verifier::checkStmt(const Stmt &s) {
  if (!s)
    return complain("a statement is missing", "", {});
  switch (s->kind) {
  case StmtKind::Accum:
    return checkAccum(llvm::cast<AccumStmt>(*s), s);
  case StmtKind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(*s);
    checkPlace(assign.place, s);
    checkExpr(assign.value);
    if (assign.place && assign.value)
      checkConversion(assign.place->type, assign.value->type, s);
    return;
  }
  case StmtKind::Block: {
    OrderedSet<const Var> outside = visible;
    for (const Stmt &inner : llvm::cast<BlockStmt>(*s).stmts)
      checkStmt(inner);
    visible = std::move(outside);
    return;
  }
  case StmtKind::Break:
    if (!loops && !switches)
      complain("break outside a loop", dump(s), s->range);
    return;
  case StmtKind::Comment:
    return;
  case StmtKind::Continue:
    if (!loops)
      complain("continue outside a loop", dump(s), s->range);
    return;
  case StmtKind::Decl:
    return checkDecl(llvm::cast<DeclStmt>(*s), s);
  case StmtKind::Do:
    return checkExpr(llvm::cast<DoStmt>(*s).call, /*mayBeVoid=*/true);
  case StmtKind::For:
    return checkFor(llvm::cast<ForStmt>(*s));
  case StmtKind::If: {
    auto &branch = llvm::cast<IfStmt>(*s);
    checkExpr(branch.condition);
    checkScoped(branch.thenBody);
    if (branch.elseBody)
      checkScoped(branch.elseBody);
    return;
  }
  case StmtKind::Launch:
    for (const Expr &e : expressionsOf(s))
      checkExpr(e);
    return;
  case StmtKind::Return: {
    const Expr &value = llvm::cast<ReturnStmt>(*s).value;
    if (value)
      checkExpr(value, /*mayBeVoid=*/true);
    if (!value && !isVoid(function.returnType))
      complain("a return without the value", dump(s), s->range);
    return;
  }
  case StmtKind::Switch:
    return checkSwitch(llvm::cast<SwitchStmt>(*s));
  case StmtKind::Text:
    for (const Var *var : llvm::cast<TextStmt>(*s).mentions)
      if (!var)
        complain("a text that mentions nothing", dump(s), s->range);
    return;
  case StmtKind::While: {
    auto &loop = llvm::cast<WhileStmt>(*s);
    checkExpr(loop.condition);
    ++loops;
    checkScoped(loop.body);
    --loops;
    return;
  }
  }
}

std::vector<std::string> Verifier::run() {
  for (const std::unique_ptr<Var> &var : function.vars)
    owned.insert(var.get());
  for (const Var *param : function.params)
    if (!owned.count(param))
      complain("a parameter that the function does not own", param ? param->name : "<null>", {});
  if (!function.body)
    return violations;
  forEachStmt(function.body, [&](const Stmt &s) {
    if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()))
      onlyInit[decl->var] = decl->init;
  });
  forEachStmt(function.body, [&](const Stmt &s) {
    if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()))
      if (auto *ref = llvm::dyn_cast<RefExpr>(assign->place.get()); ref && !isReference(ref->var->type))
        onlyInit[ref->var] = nullptr; // set again: it may point anywhere
  });
  checkStmt(function.body);
  return violations;
}

std::vector<std::string> verify(const Function &function, bool decided) {
  return Verifier(function, decided).run();
}

} // namespace gpuad::ir
