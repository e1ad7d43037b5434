//===- ValueFormStmt.cpp - statements and branches -----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/ValueFormBuilder.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"

#include "transform/GroupCalls.h"
#include "transform/InlineAccessors.h"
#include "transform/LoadedPointers.h"
#include "transform/NameOperands.h"
#include "transform/Places.h"
#include "transform/ToValueForm.h"
#include "transform/TripBounds.h"
#include <functional>

namespace gpuad::transform {
using namespace ir;

void ValueFormBuilder::block(const Stmt &s) {
  if (!s)
    return;
  if (auto *list = llvm::dyn_cast<BlockStmt>(s.get())) {
    for (const Stmt &one : list->stmts)
      statement(one);
    return;
  }
  statement(s);
}

void ValueFormBuilder::statement(const Stmt &s) {
  switch (s->kind) {
  case StmtKind::Block:
    return block(s);
  case StmtKind::Decl:
    return declaration(*llvm::cast<DeclStmt>(s.get()));
  case StmtKind::Assign:
    return assignment(*llvm::cast<AssignStmt>(s.get()));
  case StmtKind::Do:
    return effect(*llvm::cast<DoStmt>(s.get()));
  case StmtKind::If:
    return branch(*llvm::cast<IfStmt>(s.get()));
  case StmtKind::For:
  case StmtKind::While:
    return loop(s);
  case StmtKind::Switch:
    return switchOf(*llvm::cast<SwitchStmt>(s.get()));
  case StmtKind::Comment:
    return;
  case StmtKind::Text: {
    auto *text = llvm::cast<TextStmt>(s.get());
    if (text->isDeclaration) {
      bool isKnown = llvm::any_of(
          declarations, [&](const Stmt &known) { return llvm::cast<TextStmt>(known.get())->text == text->text; });
      if (!isKnown)
        declarations.push_back(s);
      return;
    }
    return refuse(diag::Id::ActiveThroughOpaque, s->range, text->what, text->text.substr(0, text->text.find('\n')));
  }
  case StmtKind::Launch:
    return refuse(diag::Id::NotInReverse, s->range, "a kernel launch");
  case StmtKind::Accum:
  case StmtKind::Break:
  case StmtKind::Continue:
  case StmtKind::Return:
    return refuse(diag::Id::InternalError, s->range, "an exit that was not structured");
  }
}

void ValueFormBuilder::declaration(const DeclStmt &s) {
  Var *var = s.var;
  if (isShared(var))
    return;                     // made where it is used
  if (isReference(var->type)) { // without an initialiser: the result of a function, see assignment()
    if (!s.init)
      environment[var] = Binding{};
    else
      environment[var] = Binding{addressOf(evalPlace(stripImplicit(s.init))), {}};
    return;
  }
  if (isMemoryType(var->type)) {
    const Expr &written = s.init ? stripImplicit(s.init) : s.init;
    bool isCopy = s.init && written->kind != ExprKind::Init && written->kind != ExprKind::Lit;
    if (isCopy && isArray(var->type))
      return refuse(diag::Id::NotInReverse, s.range, "copying an array into '" + var->name + "'");
    arrays[var] = s.init ? copyOf(eval(written), isFreshObject(written), var->type, var->name, s.range)
                         : newObject(var->type, var->name, nullptr, s.range);
    arrays[var]->keeping = var->keeping;
    return;
  }
  environment[var] = s.init ? bindingFor(evalAs(var->name, s.init), var->type, var->name, s.range) : Binding{};
  keepAsAsked(environment[var], *var, s.range);
}

void ValueFormBuilder::assignment(const AssignStmt &s) {
  ExprKind kind = s.place->kind;
  if (!isReferenceCall(s.place) && kind != ExprKind::Ref && kind != ExprKind::Member && kind != ExprKind::Index &&
      kind != ExprKind::Deref)
    return refuse(diag::Id::NotInReverse, s.range, "an assignment to what a call returns");
  if (auto *ref = llvm::dyn_cast<RefExpr>(s.place.get()); ref && isReference(ref->var->type))
    if (auto found = environment.find(ref->var); found != environment.end() && !found->second.value) {
      Binding bound{addressOf(evalPlace(stripImplicit(s.value))), {}};
      environment[ref->var] = bound;
      return;
    }
  // Indices of the place are evaluated before the value is stored.
  Place place = evalPlace(s.place);
  bind(place, evalAs(place.local ? place.local->name : nameOfValue(s.place), s.value), s.range);
}

/// A call for its effect: atomics, stores by intrinsics, several results at once,
/// functions of the module, and calls that reverse mode can drop.
void ValueFormBuilder::effect(const DoStmt &s) {
  auto *call = llvm::dyn_cast<CallExpr>(s.call.get());
  if (!call) {
    if (s.call->kind == ExprKind::Text)
      refuse(diag::Id::ActiveThroughOpaque, s.range, "code", llvm::cast<TextExpr>(s.call.get())->text);
    return; // a value nobody uses
  }
  if (call->callee.function && call->callee.function->body) {
    inlineCall(*call);
    return;
  }
  const rules::Rule *rule = rules.find(call->callee);
  if (!rule)
    return refuse(diag::Id::MissingRule, s.range, call->callee.name);
  switch (rule->kind) {
  case rules::RuleKind::Atomic:
    return updateAtomically(*call, *rule, s.range);
  case rules::RuleKind::Barrier: {
    std::vector<Expr> args;
    for (const Expr &arg : call->args)
      args.push_back(eval(arg));
    auto &item = emit<EffectItem>(s.range);
    item.isOfBlock = rule->ofBlock;
    if (item.isOfBlock)
      updatedSince.clear();
    item.stmt = rule->transpose.empty() ? makeDo(makeCall(call->callee, args, call->type, s.range), s.range)
                                        : rules.mirrorOf(*rule, s.range);
    return passBarrier();
  }
  case rules::RuleKind::Store: {
    Place place = placeBehind(eval(call->args[0]), intLit(0), elementOf(call->args[0]->type), s.range);
    return bind(place, eval(call->args[1]), s.range);
  }
  case rules::RuleKind::Expand:
    expand(*call, *rule, s.range);
    return;
  case rules::RuleKind::Inactive:
  case rules::RuleKind::Pure:
  case rules::RuleKind::Fence:
    return; // prints, checks, results nobody uses: not repeated by an adjoint
  case rules::RuleKind::Forbidden:
    return refuse(diag::Id::ForbiddenFunction, s.range, call->callee.name, rule->note);
  case rules::RuleKind::Group:
    return refuse(diag::Id::ForbiddenFunction, s.range, call->callee.name, GroupCallLimits);
  default:
    return refuse(diag::Id::NotInReverse, s.range, "'" + call->callee.name + "'");
  }
}

/// The assignments that a call of kind `expand` stands for; the value is what it
/// returns, or null.
Expr ValueFormBuilder::expand(const CallExpr &call, const rules::Rule &rule, const SourceRange &range) {
  std::vector<Expr> args;
  for (size_t i = 0; i < call.args.size(); ++i) {
    bool isOutput = i < rule.params.size() && rule.params[i].isOutput;
    args.push_back(isOutput ? intLit(0) : atom(eval(call.args[i]), rule.params[i].name, range));
  }
  Expr returned;
  for (unsigned k = 0; k < rule.expansion.size(); ++k) {
    Expr value = rules.expansionValue(rule, k, call, args);
    if (rule.expansion[k].first == "ret")
      returned = value;
    for (size_t i = 0; i < rule.params.size(); ++i)
      if (rule.params[i].name == rule.expansion[k].first)
        bind(placeBehind(eval(call.args[i]), intLit(0), elementOf(call.args[i]->type), range), value, range);
  }
  return returned;
}

void ValueFormBuilder::branch(const IfStmt &s) {
  Expr condition = eval(s.condition);
  if (auto *lit = llvm::dyn_cast<LitExpr>(stripImplicit(condition).get()))
    if (lit->value.index() != 0) {
      bool known = std::visit(
          [](auto value) -> bool {
            if constexpr (std::is_same_v<decltype(value), std::monostate>)
              return false;
            else
              return value != 0;
          },
          lit->value);
      return block(known ? s.thenBody : s.elseBody);
    }
  size_t before = region->items.size();
  makeBranch(condition, [&] { block(s.thenBody); }, [&] { block(s.elseBody); }, s.range);
  auto *made = region->items.size() > before ? llvm::dyn_cast<BranchItem>(region->items.back().get()) : nullptr;
  if (made)
    made->isForExit = s.isForExit;
}

/// Cases become a chain of branches; what falls through is repeated in front of
/// the case it falls into.
void ValueFormBuilder::switchOf(const SwitchStmt &s) {
  Expr value = atom(eval(s.value), "selected", s.range);
  auto bodyFrom = [&](size_t index) {
    for (size_t k = index; k < s.cases.size(); ++k) {
      block(s.cases[k].body);
      if (!s.cases[k].fallsThrough)
        break;
    }
  };
  std::function<void(size_t)> chain = [&](size_t index) {
    if (index == s.cases.size()) { // the default stands last in the chain
      for (size_t k = 0; k < s.cases.size(); ++k)
        if (s.cases[k].isDefault)
          bodyFrom(k);
      return;
    }
    if (s.cases[index].isDefault)
      return chain(index + 1);
    Expr matches;
    for (const Expr &label : s.cases[index].labels) {
      Expr one = makeBinary(BinaryOp::Eq, value, eval(label), boolType(), s.range);
      matches = matches ? makeBinary(BinaryOp::LogicalOr, matches, one, boolType()) : one;
    }
    makeBranch(matches, [&] { bodyFrom(index); }, [&] { chain(index + 1); }, s.range);
  };
  chain(0);
}

void ValueFormBuilder::makeBranch(Expr condition, llvm::function_ref<void()> thenBody,
                                  llvm::function_ref<void()> elseBody, SourceRange range) {
  if (std::optional<bool> known = knownTruth(condition))
    return *known ? thenBody() : elseBody();
  auto item = std::make_unique<BranchItem>();
  item->range = range;
  item->condition = condition;
  Environment before = environment;
  MemoryState memoryBefore = memory;
  in(item->thenRegion, thenBody);
  Environment afterThen = std::move(environment);
  MemoryState memoryThen = std::move(memory);
  environment = before;
  memory = memoryBefore;
  in(item->elseRegion, elseBody);
  Environment afterElse = std::move(environment);
  environment = std::move(before);
  mergeMemory(memoryThen, memory, item.get());
  for (auto &[surface, binding] : environment) {
    auto thenOne = afterThen.find(surface);
    auto elseOne = afterElse.find(surface);
    mergeBindings(surface, binding, thenOne->second, elseOne->second, stripReference(surface->type), surface->name,
                  *item);
  }
  bool isEmpty = item->thenRegion.items.empty() && item->elseRegion.items.empty() && item->merges.empty();
  if (!isEmpty)
    region->items.push_back(std::move(item));
}

void ValueFormBuilder::mergeBindings(Var *surface, Binding &merged, const Binding &thenOne, const Binding &elseOne,
                                     const Type &type, const std::string &name, BranchItem &item) {
  bool isSame = thenOne.value && elseOne.value && equal(thenOne.value, elseOne.value);
  if (thenOne.isSplit() || elseOne.isSplit() || (holdsPointers(type) && !isSame)) {
    Binding left = thenOne, right = elseOne;
    if (!left.isSplit())
      splitBinding(left, type);
    if (!right.isSplit())
      splitBinding(right, type);
    if (!merged.isSplit())
      splitBinding(merged, type);
    for (unsigned i = 0; i < left.parts.size(); ++i) {
      const Field &field = type->record->fields[i];
      mergeBindings(surface, merged.parts[i], left.parts[i], right.parts[i], field.type, name + "_" + field.name, item);
    }
    return;
  }
  const Expr &thenValue = thenOne.value;
  const Expr &elseValue = elseOne.value;
  if (thenValue == elseValue || (thenValue && elseValue && equal(thenValue, elseValue))) {
    merged = thenOne;
    return;
  }
  if ((thenValue ? thenValue : elseValue)->type->kind == TypeKind::Pointer &&
      mergePointers(merged, thenValue, elseValue, name, item))
    return;
  Merge merge;
  merge.var = owner.makeVar(name, withConst((thenValue ? thenValue : elseValue)->type, false));
  // A part of an unsplit struct is not an atom yet.
  auto settle = [&](const Expr &value, Region &arm) {
    Expr settled = value;
    if (value && !isAtom(value))
      in(arm, [&] { settled = atom(value, name, item.range); });
    return settled;
  };
  merge.thenValue = settle(thenValue, item.thenRegion);
  merge.elseValue = settle(elseValue, item.elseRegion);
  item.merges.push_back(merge);
  merged = Binding{makeRef(merge.var), {}};
}

/// With an item, places that hold different values at the ends of its arms get a
/// merged value.
void ValueFormBuilder::mergeMemory(const MemoryState &thenState, const MemoryState &elseState, BranchItem *item) {
  auto merge = [&](const MemoryState::Known &known, const Expr &elseValue) {
    Var *root = rootVar(known.place);
    Var *value = owner.makeVar((root ? root->name : "stored") + "_value", withConst(known.place->type, false));
    item->merges.push_back({value, known.value, elseValue});
    return MemoryState::Known{known.place, makeRef(value)};
  };
  MemoryState merged;
  for (const auto &[base, list] : thenState.known) {
    auto other = elseState.known.find(base);
    if (other == elseState.known.end())
      continue;
    for (const MemoryState::Known &known : list)
      for (const MemoryState::Known &match : other->second) {
        if (!equal(known.place, match.place))
          continue;
        if (equal(known.value, match.value))
          merged.known[base].push_back(known);
        else if (item && (isFloating(known.place->type) || isInteger(known.place->type)))
          merged.known[base].push_back(merge(known, match.value));
      }
  }
  for (const MemoryState *state : {&thenState, &elseState}) {
    for (const auto &[base, list] : state->stored)
      for (const Expr &place : list)
        if (llvm::none_of(merged.stored[base], [&](const Expr &one) { return equal(one, place); }))
          merged.stored[base].push_back(place);
    merged.storedAnywhere.insert(state->storedAnywhere.begin(), state->storedAnywhere.end());
  }
  memory = std::move(merged);
}

std::optional<ValueFunction> toValueForm(const Function &primal, Function &owner, const std::vector<Var *> &params,
                                         const std::set<unsigned> &objects, const rules::RuleTable &rules,
                                         const KeptCalls &kept, DiagnosticSink &sink, Var *record) {
  ValueFormBuilder builder(owner, rules, kept, sink);
  if (record)
    builder.useRecord(record);
  for (unsigned i = 0; i < params.size(); ++i)
    if (objects.count(i))
      builder.bindObject(i, primal.params[i], params[i]);
    else
      builder.bindParameter(primal.params[i], params[i]);
  auto ownOf = [&](Var *param) { return params[llvm::find(primal.params, param) - primal.params.begin()]; };
  for (const auto &[a, b] : primal.aliases)
    builder.allowAlias(ownOf(a), ownOf(b));
  ValueFunction function;
  for (const auto &[a, b] : primal.aliases)
    function.aliased.insert({ownOf(a), ownOf(b)});
  function.owner = &owner;
  function.primal = &primal;
  function.result = builder.run(primal, function.body);
  function.objects = builder.objectsAtEnd();
  function.loadedAfterStore = builder.loadedAfterStore();
  if (primal.isKernel())
    function.apart = builder.fieldsLoadedAfterStore();
  function.declarations = builder.localDeclarations();
  function.sharedArrays = builder.sharedArrays();
  if (builder.hasFailed() || !checkLoadedPointers(function, sink))
    return std::nullopt;
  reclassifyLoads(function);
  boundTrips(function);
  return function;
}

} // namespace gpuad::transform
