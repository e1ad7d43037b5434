//===- Activity.cpp ------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/Activity.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::analysis {
using namespace ir;
using rules::RuleKind;

/// Whether a value of the type may hold numbers or lead to them: what the type holds may
/// not be known, as of a union or a class with fields of one name.
static bool mayCarry(const Type &type) {
  Type inner = innermost(type);
  if (reachesFloating(type) || inner->kind == TypeKind::Opaque)
    return true;
  return isRecord(inner) && (inner->record->isUnion || llvm::any_of(inner->record->fields, [](const Field &field) {
                               return !field.isBitField && mayCarry(field.type);
                             }));
}

static bool isDeviceGlobal(const Var *var) {
  return (var->storage == Storage::Constant || var->storage == Storage::DeviceGlobal) && !var->isStaticLocal;
}

bool holdsPointers(const Type &type) {
  Type inner = innermost(type);
  return isPointer(inner) || (isRecord(inner) && llvm::any_of(inner->record->fields, [](const Field &field) {
                                return holdsPointers(field.type);
                              }));
}

/// Whether nothing can be written through the pointers in a value of the type, nor through what they lead to.
static bool isReadOnly(const Type &type) {
  Type inner = innermost(type);
  if (isRecord(inner))
    return llvm::all_of(inner->record->fields, [](const Field &field) { return isReadOnly(field.type); });
  if (!isPointer(inner))
    return true;
  Type to = innermost(inner->element);
  bool isOwnKind =
      isRecord(to) && llvm::any_of(to->record->fields, [&](const Field &field) {
        Type next = innermost(field.type);
        return isPointer(next) && isRecord(innermost(next->element)); // a list: of nodes that may be written
      });
  return to->isConst && !isOwnKind && isReadOnly(to);
}

bool leadsToConst(const Type &type) {
  return (isPointer(type) || isReference(type)) && innermost(elementOf(type))->isConst &&
         isReadOnly(innermost(elementOf(type)));
}

/// Whether it is of a class that is not known. Those of the runtime, which adjoints use, keep
/// no variable of theirs.
static bool isOpaque(const Type &type) {
  const Type inner = innermost(type);
  return inner->kind == TypeKind::Opaque && inner->spelling.rfind("gpuad::", 0) != 0;
}

/// Whether a value of the type may lead to other memory; an object of a class that is not
/// known may keep references.
static bool mayLead(const Type &type) {
  return isReference(type) || holdsPointers(type) || isOpaque(type);
}

/// Whether a variable is memory of its own: one that only leads to other memory is not.
static bool isObject(const Var *var) {
  return var->storage == Storage::Parameter ||
         (!isReference(var->type) && (holdsFloating(var->type) || isOpaque(var->type)));
}

/// Whether a call may write to an argument, or keep it to be written to.
static bool takesPlace(const CallExpr &call, size_t arg) {
  const auto &types = call.callee.parameterTypes;
  const Type &type = arg < types.size() ? types[arg] : call.args[arg]->type;
  return (isReference(type) && !leadsToConst(type)) || mayLead(call.args[arg]->type);
}

/// Whether an assignment to the place may set a variable that it does not name.
static bool isThroughMemory(const Expr &place) {
  switch (place->kind) {
  case ExprKind::Ref:
    return isReference(llvm::cast<RefExpr>(place.get())->var->type);
  case ExprKind::Member:
    return isThroughMemory(llvm::cast<MemberExpr>(place.get())->base);
  case ExprKind::Index: {
    const Expr &base = llvm::cast<IndexExpr>(place.get())->base;
    return !isArray(base->type) || isThroughMemory(base);
  }
  default:
    return true;
  }
}

/// What the function itself names.
static void collectGlobals(const Function &function, OrderedSet<Var> &named) {
  forEachExprIn(function.body, [&](const Expr &e) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()); ref && isDeviceGlobal(ref->var))
      named.insert(ref->var);
    if (auto *text = llvm::dyn_cast<TextExpr>(e.get()))
      for (Var *var : text->mentions)
        if (isDeviceGlobal(var))
          named.insert(var);
  });
  forEachStmt(function.body, [&](const Stmt &s) {
    if (auto *text = llvm::dyn_cast<TextStmt>(s.get()))
      for (Var *var : text->mentions)
        if (isDeviceGlobal(var))
          named.insert(var);
  });
}

const CallFlow &CallFlows::of(const Function &function) {
  auto found = known.find(&function);
  if (found != known.end())
    return found->second;
  CallFlow flow;
  flow.flows.resize(function.params.size());
  auto connectAll = [&] {
    for (std::set<int> &one : flow.flows)
      for (int k = -1; k < static_cast<int>(flow.flows.size()); ++k)
        one.insert(k);
  };
  if (!function.body || underway.count(&function)) {
    // Of a function that calls itself, all that it names: what it calls besides adds its own.
    if (function.body) {
      OrderedSet<Var> named;
      collectGlobals(function, named);
      flow.globals.assign(named.begin(), named.end());
      flow.flows.resize(function.params.size() + flow.globals.size());
    }
    connectAll();
    return known[&function] = flow;
  }
  underway.insert(&function);
  Activity activity(function, rules, *this);
  flow.globals.assign(activity.globals().begin(), activity.globals().end());
  flow.flows.resize(function.params.size() + flow.globals.size());
  std::vector<Var *> ends = function.params;
  ends.insert(ends.end(), flow.globals.begin(), flow.globals.end());
  for (size_t i = 0; i < ends.size(); ++i) {
    OrderedSet<Var> reached = activity.reachedFrom(ends[i]);
    for (size_t k = 0; k < ends.size(); ++k)
      if (reached.count(ends[k]))
        flow.flows[i].insert(static_cast<int>(k));
    if (reached.count(nullptr))
      flow.flows[i].insert(-1);
  }
  underway.erase(&function);
  return known[&function] = flow;
}

Activity::Activity(const Function &function, const rules::RuleTable &rules, CallFlows &calls)
    : function(function), rules(rules), callFlows(calls) {
  collect();
}

Var *Activity::classOf(Var *var) const {
  auto found = parent.find(var);
  if (found == parent.end() || found->second == var)
    return var;
  return found->second = classOf(found->second);
}

void Activity::join(Var *a, Var *b) {
  Var *x = classOf(a), *y = classOf(b);
  if (x != y)
    parent[x] = y;
}

/// The variables that a place or pointer may lie in or point into.
void Activity::roots(const Expr &e, llvm::function_ref<void(Var *)> visit) const {
  if (Var *root = rootVar(e))
    return visit(root);
  switch (e->kind) {
  case ExprKind::Member:
    return roots(llvm::cast<MemberExpr>(e.get())->base, visit);
  case ExprKind::Index:
    return roots(llvm::cast<IndexExpr>(e.get())->base, visit);
  case ExprKind::Deref:
    return roots(llvm::cast<DerefExpr>(e.get())->pointer, visit);
  case ExprKind::AddrOf:
    return roots(llvm::cast<AddrOfExpr>(e.get())->place, visit);
  case ExprKind::Cast:
    return roots(llvm::cast<CastExpr>(e.get())->operand, visit);
  case ExprKind::Text: // a place that was not understood
    for (Var *var : llvm::cast<TextExpr>(e.get())->mentions)
      visit(var);
    return;
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(e.get());
    for (size_t i = 0; i < call->args.size(); ++i)
      if (takesPlace(*call, i) || isArray(call->args[i]->type) || isRecord(call->args[i]->type))
        roots(call->args[i], visit);
    return;
  }
  default:
    break;
  }
  for (const Expr &operand : children(e))
    if (isPointer(operand->type) || isArray(operand->type) || isRecord(operand->type) || isOpaque(operand->type))
      roots(operand, visit);
}

/// What is assigned to a pointer, or to what holds some.
void Activity::lead(const Expr &place, const Expr &value) {
  bool mayBeOther = isThroughMemory(place);
  roots(place, [&](Var *pointer) {
    roots(value, [&](Var *root) {
      if (mayBeOther)
        join(pointer, root);
      leadsTo[pointer].insert(root);
    });
  });
}

/// Follows what leads to other pointers, class by class.
void Activity::closePointers() {
  OrderedSet<Var> own; // classes that are memory
  for (const auto &[var, leader] : parent)
    for (Var *one : {var, leader})
      if (isObject(one) || !leadsTo.count(one))
        own.insert(classOf(one));
  OrderedMap<Var, OrderedSet<Var>> next;
  for (const auto &[var, roots] : leadsTo) {
    if (isObject(var))
      own.insert(classOf(var));
    for (Var *root : roots)
      next[classOf(var)].insert(classOf(root));
  }
  for (const auto &[start, firsts] : next) {
    OrderedSet<Var> seen = {start}, &found = objectsOf[start];
    std::vector<Var *> work = {start};
    while (!work.empty()) {
      Var *var = work.back();
      work.pop_back();
      auto roots = next.find(var);
      if (roots == next.end() || own.count(var))
        found.insert(var);
      if (roots != next.end())
        for (Var *root : roots->second)
          if (seen.insert(root).second)
            work.push_back(root);
    }
    if (found.empty())
      found.insert(start);
  }
}

/// The memory that a variable is or leads to.
void Activity::objects(Var *var, llvm::function_ref<void(Var *)> visit) const {
  auto found = var ? objectsOf.find(classOf(var)) : objectsOf.end();
  if (found == objectsOf.end())
    return visit(var);
  for (Var *object : found->second)
    visit(object);
}

void Activity::leaves(const Expr &e, llvm::function_ref<void(Var *)> visit) const {
  if (!mayCarry(e->type))
    return;
  switch (e->kind) {
  case ExprKind::Ref:
  case ExprKind::Index:
  case ExprKind::Deref:
  case ExprKind::AddrOf:
    return roots(e, visit);
  case ExprKind::Member: {
    const Expr &base = llvm::cast<MemberExpr>(e.get())->base;
    if (rootVar(base))
      return roots(e, visit);
    return leaves(base, visit);
  }
  case ExprKind::Call: {
    auto *call = llvm::cast<CallExpr>(e.get());
    if (const Function *callee = definitionOf(call->callee)) {
      const CallFlow &flow = callFlows.of(*callee);
      for (size_t i = 0; i < call->args.size() && i < flow.numParams(); ++i)
        if (flow.flows[i].count(-1))
          leaves(call->args[i], visit);
      for (size_t i = 0; i < flow.globals.size(); ++i)
        if (flow.flows[flow.numParams() + i].count(-1))
          visit(flow.globals[i]);
      return;
    }
    const rules::Rule *rule = rules.find(call->callee);
    if (rule && rule->kind == RuleKind::Inactive)
      return;
    // What nothing is known about passes everything on, and is refused then.
    for (unsigned i = 0; i < call->args.size(); ++i)
      if (!rule || rule->kind != RuleKind::Pure || !rules.isZero(*rule, i))
        leaves(call->args[i], visit);
    return;
  }
  case ExprKind::Text:
    for (Var *var : llvm::cast<TextExpr>(e.get())->mentions)
      visit(var);
    return;
  case ExprKind::Select:
    leaves(llvm::cast<SelectExpr>(e.get())->thenValue, visit);
    return leaves(llvm::cast<SelectExpr>(e.get())->elseValue, visit);
  case ExprKind::Binary:
  case ExprKind::Cast:
  case ExprKind::Init:
  case ExprKind::Unary:
    for (const Expr &operand : children(e))
      leaves(operand, visit);
    return;
  case ExprKind::Lit:
  case ExprKind::ThreadIndex:
    return;
  }
}

/// The memory that a store through a variable may change.
void Activity::writable(Var *var, llvm::function_ref<void(Var *)> visit) const {
  objects(var, [&](Var *object) {
    const Type &type = object->type;
    bool isConst = object->storage == Storage::Parameter && leadsToConst(type) && !opened.count(object);
    if (object == var || !isConst)
      visit(object);
  });
}

void Activity::flow(const Expr &from, Var *to) {
  leaves(from, [&](Var *var) { objects(var, [&](Var *object) { edges.insert({object, to}); }); });
}

void Activity::flowInto(const Expr &from, const Expr &place) {
  roots(place, [&](Var *root) { writable(root, [&](Var *object) { flow(from, object); }); });
}

/// The effects that calls inside e have on what their arguments point to.
void Activity::calls(const Expr &e) {
  forEachExpr(e, [&](const Expr &one) {
    if (auto *call = llvm::dyn_cast<CallExpr>(one.get()))
      callEdges(*call);
  });
}

void Activity::callEdges(const CallExpr &call) {
  if (const Function *callee = definitionOf(call.callee)) {
    const CallFlow &flows = callFlows.of(*callee);
    used.insert(flows.globals.begin(), flows.globals.end());
    auto from = [&](size_t i, llvm::function_ref<void(Var *)> visit) {
      if (i >= flows.numParams())
        visit(flows.globals[i - flows.numParams()]);
      else if (i < call.args.size())
        leaves(call.args[i], [&](Var *var) { objects(var, visit); });
    };
    auto into = [&](size_t k, llvm::function_ref<void(Var *)> visit) {
      if (k >= flows.numParams())
        visit(flows.globals[k - flows.numParams()]);
      else if (k < call.args.size())
        roots(call.args[k], [&](Var *var) { writable(var, visit); });
    };
    for (size_t i = 0; i < flows.flows.size(); ++i)
      for (int k : flows.flows[i])
        if (k >= 0 && k != static_cast<int>(i))
          from(i, [&](Var *source) { into(size_t(k), [&](Var *target) { edges.insert({source, target}); }); });
    return;
  }
  const rules::Rule *rule = rules.find(call.callee);
  if (!rule) {
    for (size_t k = 0; k < call.args.size(); ++k) {
      Type type = k < call.callee.parameterTypes.size() ? call.callee.parameterTypes[k] : call.args[k]->type;
      if (((isPointer(type) || isReference(type)) && !leadsToConst(type)) || isOpaque(type))
        for (size_t i = 0; i < call.args.size(); ++i)
          if (i != k)
            flowInto(call.args[i], call.args[k]);
    }
    return;
  }
  switch (rule->kind) {
  case RuleKind::Atomic:
  case RuleKind::Store:
    for (size_t i = 1; i < call.args.size(); ++i)
      flowInto(call.args[i], call.args[0]);
    return;
  case RuleKind::Expand:
    for (size_t k = 0; k < call.args.size() && k < rule->params.size(); ++k)
      for (size_t i = 0; rule->params[k].isOutput && i < call.args.size() && i < rule->params.size(); ++i)
        if (!rule->params[i].isOutput)
          flowInto(call.args[i], call.args[k]);
    return;
  default:
    return;
  }
}

void Activity::collectPointers(const Stmt &s) {
  if (auto *decl = llvm::dyn_cast<DeclStmt>(s.get()); decl && decl->init) {
    if (mayLead(decl->var->type))
      roots(decl->init, [&](Var *root) { leadsTo[decl->var].insert(root); });
  } else if (auto *assign = llvm::dyn_cast<AssignStmt>(s.get()); assign && mayLead(assign->place->type)) {
    lead(assign->place, assign->value);
  }
}

void Activity::collectFlows(const Stmt &s) {
  for (const Expr &e : expressionsOf(s))
    calls(e);
  switch (s->kind) {
  case StmtKind::Decl: {
    auto *decl = llvm::cast<DeclStmt>(s.get());
    if (decl->init && isObject(decl->var))
      flow(decl->init, decl->var);
    else if (decl->init && !leadsTo.count(decl->var)) // a reference to a value, a pointer that a call gives
      flow(decl->init, decl->var);
    return;
  }
  case StmtKind::Assign: {
    auto *assign = llvm::cast<AssignStmt>(s.get());
    if (!holdsPointers(assign->place->type) || holdsFloating(assign->place->type))
      flowInto(assign->value, assign->place);
    return;
  }
  case StmtKind::Accum: {
    auto *accum = llvm::cast<AccumStmt>(s.get());
    return flowInto(accum->value, accum->place);
  }
  case StmtKind::Return:
    if (const Expr &value = llvm::cast<ReturnStmt>(s.get())->value)
      flow(value, nullptr);
    return;
  case StmtKind::Text: {
    auto &mentions = llvm::cast<TextStmt>(s.get())->mentions;
    for (Var *from : mentions)
      for (Var *to : mentions)
        if (from != to && (isRecord(to->type) || mayCarry(to->type)))
          objects(from, [&](Var *source) { objects(to, [&](Var *target) { edges.insert({source, target}); }); });
    return;
  }
  default:
    return;
  }
}

void Activity::collect() {
  collectGlobals(function, used);
  forEachStmt(function.body, [&](const Stmt &s) { collectPointers(s); });
  closePointers();
  forEachExprIn(function.body, [&](const Expr &e) {
    auto *cast = llvm::dyn_cast<CastExpr>(e.get());
    bool opens = cast && isPointer(cast->type) && isPointer(cast->operand->type) &&
                 elementOf(cast->operand->type)->isConst && !elementOf(cast->type)->isConst;
    if (opens || (cast && cast->style == CastStyle::Const))
      roots(cast->operand, [&](Var *root) { objects(root, [&](Var *object) { opened.insert(object); }); });
  });
  forEachStmt(function.body, [&](const Stmt &s) { collectFlows(s); });
}

OrderedSet<Var> Activity::spread(OrderedSet<Var> from, bool forward) const {
  OrderedSet<Var> reached;
  for (Var *var : from)
    reached.insert(classOf(var));
  OrderedMap<Var, std::vector<Var *>> next;
  for (auto [a, b] : edges)
    next[classOf(forward ? a : b)].push_back(classOf(forward ? b : a));
  std::vector<Var *> work(reached.begin(), reached.end());
  while (!work.empty()) {
    Var *var = work.back();
    work.pop_back();
    for (Var *to : next[var])
      if (reached.insert(to).second)
        work.push_back(to);
  }
  return reached;
}

void Activity::solve(const OrderedSet<Var> &independents, const OrderedSet<Var> &dependents, bool resultIsDependent) {
  OrderedSet<Var> from = independents, to = dependents;
  from.insert(dependents.begin(), dependents.end());
  if (resultIsDependent)
    to.insert(nullptr);
  varied = spread(from, true);
  useful = spread(to, false);
}

bool Activity::isVaried(Var *var) const {
  bool found = false;
  objects(var, [&](Var *object) { found |= varied.count(classOf(object)) != 0; });
  return found;
}

bool Activity::carries(Var *var) const {
  bool found = false;
  objects(var, [&](Var *object) {
    Var *root = classOf(object);
    found |= varied.count(root) && useful.count(root);
  });
  return found;
}

bool Activity::isActive(Var *var) const {
  return mayCarry(stripReference(var->type)) && carries(var);
}

bool Activity::isActive(const Expr &e) const {
  bool found = false;
  if (holdsFloating(e->type) || isPointer(e->type))
    leaves(e, [&](Var *var) { found |= isActive(var); });
  return found;
}

OrderedSet<Var> Activity::reachedFrom(Var *var) const {
  OrderedSet<Var> classes = spread({var}, true), reached;
  for (Var *param : function.params)
    if (classes.count(classOf(param)))
      reached.insert(param);
  for (Var *global : used)
    if (classes.count(classOf(global)))
      reached.insert(global);
  if (classes.count(nullptr))
    reached.insert(nullptr);
  return reached;
}

OrderedSet<Var> Activity::activeGlobals() const {
  OrderedSet<Var> active;
  for (Var *global : used)
    if (isActive(global))
      active.insert(global);
  return active;
}

} // namespace gpuad::analysis
