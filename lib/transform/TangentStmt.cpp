//===- TangentStmt.cpp - tangents of statements --------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Builder.h"
#include "ir/ForHeader.h"
#include "ir/Walk.h"
#include "transform/GroupCalls.h"
#include "transform/InlineAccessors.h"
#include "transform/MovedShadows.h"
#include "transform/TangentBuilder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::transform {
using namespace ir;
using rules::RuleKind;

TangentBuilder::TangentBuilder(const Function &primal, Function &owner, const analysis::Activity &activity,
                               const rules::RuleTable &rules, analysis::CallFlows &flows, CalleeNamer nameCallee,
                               DiagnosticSink &sink)
    : primal(primal), owner(owner), activity(activity), rules(rules), flows(flows), nameCallee(std::move(nameCallee)),
      sink(sink), splitter{rules, [this](const Expr &e) { return isActiveOwn(e); },
                           [this](const Expr &e) { return temporary(e, nameOfValue(e)); }} {}

/// A view or a struct with one: the pointers in its shadow may be null.
static bool holdsPointers(const Type &type) {
  return !isPointer(innermost(type)) && analysis::holdsPointers(type);
}

void TangentBuilder::mapVar(Var *primalVar, Var *own, Var *dot, Var *want) {
  ownOf[primalVar] = own;
  if (dot)
    dotOf[own] = dot;
  if (want)
    wantOf[own] = want;
  if (want || (dot && holdsPointers(stripReference(own->type))))
    nullable.insert(own);
}

Stmt TangentBuilder::run(const Stmt &body, bool isDual) {
  returnsDual = isDual;
  findPartlyActive();
  findUndone(body);
  return makeBlock(listOf(inlineAccessors(body)), body->range);
}

/// Pointers that lead to an array with a tangent or to one without, or whose tangent may
/// not have been passed: the tangent of such a pointer is null at times.
void TangentBuilder::findPartlyActive() {
  auto mayMiss = [&](Var *var) {
    auto own = ownOf.find(var);
    bool isMapped = own != ownOf.end();
    return partlyActive.count(var) || (isMapped && nullable.count(own->second)) ||
           (isMapped ? !dotOf.count(own->second) : !isActiveVar(var));
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto &[pointer, roots] : activity.pointees())
      if (isActiveVar(pointer) && llvm::any_of(roots, mayMiss))
        grows |= partlyActive.insert(pointer).second;
  }
}

std::vector<Stmt> TangentBuilder::listOf(const Stmt &s) {
  std::vector<Stmt> list, *saved = out;
  out = &list;
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
    for (const Stmt &one : block->stmts)
      statement(one);
  else
    statement(s);
  out = saved;
  return list;
}

void TangentBuilder::statement(const Stmt &s) {
  named.clear();
  switch (s->kind) {
  case StmtKind::Block:
    return emit(bodyOf(s));
  case StmtKind::Decl:
    return declaration(*llvm::cast<DeclStmt>(s.get()), s);
  case StmtKind::Assign: {
    auto *assign = llvm::cast<AssignStmt>(s.get());
    return assignment(assign->place, assign->value, s->range);
  }
  case StmtKind::Do:
    return effect(*llvm::cast<DoStmt>(s.get()));
  case StmtKind::If: {
    auto copy = std::make_shared<IfStmt>(*llvm::cast<IfStmt>(s.get()));
    copy->condition = own(copy->condition);
    copy->thenBody = bodyOf(copy->thenBody);
    copy->elseBody = bodyOf(copy->elseBody);
    return emit(copy);
  }
  case StmtKind::For:
    return loop(*llvm::cast<ForStmt>(s.get()), s);
  case StmtKind::While: {
    auto copy = std::make_shared<WhileStmt>(*llvm::cast<WhileStmt>(s.get()));
    copy->condition = own(copy->condition);
    copy->body = bodyOf(copy->body);
    return emit(copy);
  }
  case StmtKind::Switch: {
    auto copy = std::make_shared<SwitchStmt>(*llvm::cast<SwitchStmt>(s.get()));
    copy->value = own(copy->value);
    for (SwitchCase &one : copy->cases)
      one.body = bodyOf(one.body);
    return emit(copy);
  }
  case StmtKind::Return:
    return leave(*llvm::cast<ReturnStmt>(s.get()));
  case StmtKind::Text: {
    auto copy = std::make_shared<TextStmt>(*llvm::cast<TextStmt>(s.get()));
    for (Var *&var : copy->mentions) {
      if (activity.carries(var))
        return refuse(diag::Id::ActiveThroughOpaque, s->range, copy->what, copy->text.substr(0, copy->text.find('\n')));
      var = ownVar(var);
    }
    return emit(copy);
  }
  case StmtKind::Launch:
    return refuse(diag::Id::NotInForward, s->range, "a kernel launch");
  case StmtKind::Accum:
    return refuse(diag::Id::NotInForward, s->range, "a generated adjoint");
  case StmtKind::Break:
  case StmtKind::Comment:
  case StmtKind::Continue:
    return emit(s);
  }
}

Var *sharedBytesOfDerivative(const Function &function) {
  auto found = llvm::find_if(function.params, [](const Var *param) { return param->name == "shared_bytes"; });
  return function.isGenerated && function.isKernel() && found != function.params.end() ? *found : nullptr;
}

/// The tangents of what the launch gives lie behind it.
void TangentBuilder::dynamicShared(const DeclStmt &s, Var *own) {
  hasDynamic = true;
  auto call = [&](const char *name, std::vector<Expr> args, Type type) {
    Callee callee;
    callee.name = callee.spelling = name;
    return makeCall(callee, std::move(args), std::move(type));
  };
  Var *given = sharedBytesOfDerivative(primal);
  if (!given && !sharedBytes)
    sharedBytes = owner.makeVar("shared_bytes", unsignedType(), Storage::Parameter);
  // In a derivative, the tangents of what the primal has and of its shadow lie behind both.
  Expr bytes = given ? call("gpuad::with_shadow", {makeRef(ownVar(given))}, unsignedType()) : makeRef(sharedBytes);
  Expr name = makeLit("\"" + owner.name + "\"", std::monostate{}, pointerTo(opaqueType("const char")));
  emit(makeDecl(own, nullptr, s.range));
  Expr isEnough = call("gpuad::enough_shared", {bytes, name}, boolType());
  emit(makeIf(logicalNot(isEnough), makeBlock({makeReturn()})));
  Var *tangent = owner.makeVar(own->name + "_dot", pointerTo(elementOf(own->type)));
  emit(makeDecl(tangent, call("gpuad::behind_shared", {makeRef(own), bytes}, tangent->type)));
  dotOf[own] = tangent;
}

/// Whether static shared memory cannot hold the tangents of the kernel's arrays.
bool TangentBuilder::movesShared() const {
  uint64_t own = 0, all = 0;
  forEachStmt(primal.body, [&](const Stmt &s) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    if (!decl || decl->var->storage != Storage::Shared)
      return;
    own += bytesOf(decl->var->type);
    all += bytesOf(decl->var->type) * (isActiveVar(decl->var) ? 2 : 1);
  });
  return primal.isKernel() && own <= MostStaticShared && all > MostStaticShared;
}

/// The tangent of a static array lies in dynamic shared memory.
void TangentBuilder::movedShadow(const DeclStmt &s, Var *own) {
  if (!sharedBytes)
    sharedBytes = owner.makeVar("shared_bytes", unsignedType(), Storage::Parameter);
  Var *tangent = owner.makeVar(own->name + "_dot", referenceTo(own->type));
  emit(makeDecl(own, nullptr, s.range));
  std::vector<Type> before = movedShared;
  movedShared.push_back(own->type);
  emit(returnUnlessRoom(owner.name, sharedBytes, movedShared));
  emit(makeDecl(tangent, shadowInDynamic(own->type, sharedBytes, before)));
  dotOf[own] = tangent;
}

/// The tangent of the value first, since the statement may overwrite what it needs.
void TangentBuilder::declaration(const DeclStmt &s, const Stmt &whole) {
  Var *var = ownVar(s.var);
  bool active = isActiveVar(s.var);
  if (Expr pick = pickWithTangent(s.init)) {
    if (active)
      refuse(diag::Id::NotInForward, whole->range, "what an atomic returns, as active,");
    return emit(makeDecl(var, pick, whole->range));
  }
  updateBehindResult(s.init);
  if (!active)
    return emit(makeDecl(var, s.init ? hoistCalls(own(s.init)) : nullptr, whole->range));
  if (undone.count(s.var))
    return undoDeclaration(var, s, whole->range);
  if (s.var->storage == Storage::DynamicShared && primal.isKernel() && !hasDynamic)
    return dynamicShared(s, var);
  if (s.var->storage == Storage::DynamicShared || s.var->isStaticLocal)
    return refuse(diag::Id::NotInForward, whole->range, "'" + s.var->name + "', which is static or extern, as active");
  if (s.var->storage == Storage::Shared && movesShared()) {
    if (sharedBytesOfDerivative(primal))
      return refuse(diag::Id::NotInForward, whole->range, "so much shared memory in a derivative");
    return movedShadow(s, var);
  }
  Var *tangent = owner.makeVar(var->name + "_dot", var->type, var->storage);
  tangent->alignment = var->alignment;
  if (isPointer(var->type) || isReference(var->type)) {
    Expr init = s.init ? own(stripImplicit(s.init)) : nullptr;
    emit(makeDecl(var, s.init ? own(s.init) : nullptr, whole->range));
    Expr shadow = !init ? nullptr : isReference(var->type) ? dotReference(init) : dotPointer(init);
    emit(makeDecl(tangent, shadow));
    bool mayBeNull = !s.init || partlyActive.count(s.var);
    bool isView = isReference(var->type) && holdsPointers(stripReference(var->type));
    bool isRecords = isPointer(var->type) && !var->type->spelling.empty();
    if (mayBeNull && (isView || (isPointer(var->type) && !isRecords)))
      nullable.insert(var);
    dotOf[var] = tangent;
    return;
  }
  Expr init = s.init ? own(s.init) : nullptr;
  if (init && needsBranch(init)) { // T v; if (c) v = f(a); else v = b;
    var->type = tangent->type = withConst(var->type, false);
    emit(makeDecl(var, nullptr, whole->range));
    emit(makeDecl(tangent));
    dotOf[var] = tangent;
    return assignByBranch(makeRef(var), *llvm::cast<SelectExpr>(stripImplicit(init).get()), whole->range);
  }
  Expr value = init ? prepareOwn(init, true) : nullptr;
  emit(makeDecl(var, value, whole->range));
  Expr shadow;
  if (value)
    shadow = dotOrZero(value, isRecord(var->type) || isArray(var->type) ? nullptr : makeRef(var));
  emit(makeDecl(tangent, shadow));
  dotOf[var] = tangent;
  if (analysis::holdsPointers(var->type) && partlyActive.count(s.var))
    nullable.insert(var);
}

void TangentBuilder::assignment(const Expr &place, const Expr &value, const SourceRange &range) {
  if (Expr pick = pickWithTangent(value)) {
    if (isActiveOwn(own(place)))
      refuse(diag::Id::NotInForward, range, "what an atomic returns, as active,");
    return emit(makeAssign(own(place), pick, range));
  }
  updateBehindResult(value);
  Expr mine = own(place);
  const Expr *root = &mine;
  while (auto *member = llvm::dyn_cast<MemberExpr>(root->get()))
    root = &member->base;
  if ((*root)->kind == ExprKind::Call && (isActiveOwn(*root) || isActiveOwn(own(value))))
    return refuse(diag::Id::NotInForward, range, "an assignment to what a call returns");
  bool isActivePlace = isActiveOwn(mine) && reachesFloating(place->type);
  if (!isActivePlace) {
    Expr inactive = own(value);
    forEachExpr(mine, [&](const Expr &part) { // nothing says which variable that is
      if (part->kind == ExprKind::Call && !rootVar(mine) && isActiveOwn(inactive))
        refuseUnknownPlace(part);
    });
    return emit(makeAssign(mine, hoistCalls(inactive), range));
  }
  if (isPointer(place->type)) {
    Expr pointer = own(stripImplicit(value));
    Expr shadow = dotPointer(pointer), target = dotPlace(mine);
    emit(makeAssign(target, shadow, range));
    return emit(makeAssign(mine, own(value), range));
  }
  assignOwn(mine, own(value), range);
}

/// Whether a struct holds floating-point numbers and nothing else.
static bool holdsNumbersOnly(const Type &type) {
  if (isArray(type))
    return holdsNumbersOnly(type->element);
  if (isRecord(type))
    return llvm::all_of(type->record->fields, [](const Field &field) { return holdsNumbersOnly(field.type); });
  return isFloating(type);
}

/// tangent of place = tangent of value. Fields of a struct's shadow that hold no
/// floating-point data are left alone.
void TangentBuilder::assignLeaves(const Expr &place, const Expr &value) {
  if (!isRecord(place->type) || holdsNumbersOnly(place->type) || place->kind == ExprKind::Ref)
    return writeDot(place, dotOrZero(value, nullptr));
  Expr source = dotOrZero(value, nullptr);
  if (source->kind != ExprKind::Init && !isCheap(source)) {
    Var *named = owner.makeVar("value_dot", withConst(source->type, false));
    emit(makeDecl(named, source));
    source = makeRef(named);
  }
  assignFields(place, source);
}

/// Field by field, and arrays in a loop.
void TangentBuilder::assignFields(const Expr &place, const Expr &source) {
  if (isArray(place->type) && place->type->extent) {
    Var *k = owner.makeVar("k", intType());
    std::vector<Stmt> body, *saved = out;
    out = &body;
    assignFields(makeIndex(place, makeRef(k)), makeIndex(source, makeRef(k)));
    out = saved;
    auto loop = std::make_shared<ForStmt>();
    loop->init = {makeDecl(k, intLit(0))};
    loop->condition = makeBinary(BinaryOp::Lt, makeRef(k), intLit(int64_t(*place->type->extent)), boolType());
    loop->increment = {makeAssign(makeRef(k), makeBinary(BinaryOp::Add, makeRef(k), intLit(1), intType()))};
    loop->body = makeBlock(body);
    return emit(loop);
  }
  if (!isRecord(place->type) || holdsNumbersOnly(place->type))
    return writeDot(place, source);
  for (unsigned i = 0; i < place->type->record->fields.size(); ++i) {
    const Type &type = place->type->record->fields[i].type;
    if (!reachesFloating(type))
      continue;
    auto *init = llvm::dyn_cast<InitExpr>(source.get());
    Expr part = !init ? makeMember(source, i) : i < init->elements.size() ? init->elements[i] : zeroOf(type);
    assignFields(makeMember(place, i), part);
  }
}

void TangentBuilder::writeDot(const Expr &place, const Expr &value) {
  if (auto choice = choiceOfPlaces(place)) {
    std::vector<Stmt> arms[2], *saved = out;
    for (int k : {0, 1}) {
      const Expr &arm = k == 0 ? choice->first : choice->second;
      out = &arms[k];
      if (isActiveOwn(arm))
        writeDot(arm, value);
    }
    out = saved;
    if (arms[0].empty())
      return emit(makeIf(logicalNot(choice->condition), makeBlock(arms[1])));
    return emit(makeIf(choice->condition, makeBlock(arms[0]), arms[1].empty() ? nullptr : makeBlock(arms[1])));
  }
  Stmt write = makeAssign(dotPlace(place), value);
  Expr present = place->kind == ExprKind::Ref ? nullptr : presence(place);
  emit(present ? makeIf(present, makeBlock({write})) : write);
}

/// The call of a store or an atomic on this function's own memory, behind the same one on
/// its tangents; null: refused.
Expr TangentBuilder::updateWithTangent(const CallExpr &call, const CallExpr &own, const rules::Rule &rule,
                                       const SourceRange &range) {
  bool isOther =
      rule.kind == RuleKind::Atomic && rule.atomicOp != rules::AtomicOp::Add && rule.atomicOp != rules::AtomicOp::Sub;
  if (isOther) {
    refuse(diag::Id::NotInForward, range, "'" + call.callee.name + "' on active values");
    return nullptr;
  }
  auto copy = std::make_shared<CallExpr>(own);
  std::vector<size_t> values, places; // several places are cleared together
  for (size_t i = 0; i < own.args.size(); ++i) {
    bool isCleared = rule.params.size() == 1;
    if (!isCleared && i > 0 && i < rule.params.size() && rule.params[i].name == "value")
      values.push_back(i);
    if ((i == 0 || isCleared) && isActiveOwn(own.args[i]))
      places.push_back(i);
  }
  for (size_t i : values)
    copy->args[i] = places.empty() ? hoistCalls(own.args[i]) : prepare(call.args[i], false);
  if (places.empty()) // nobody asked for the tangent of what is there
    return copy;
  auto tangent = std::make_shared<CallExpr>(*copy);
  for (size_t i : places)
    tangent->args[i] = dotPointer(copy->args[i]);
  for (size_t i : values)
    tangent->args[i] = dotOrZero(copy->args[i], nullptr);
  Expr present = presence(copy->args[0]);
  if (choiceOfPointers(copy->args[0])) { // its tangent is null where what was chosen has none
    Var *chosen = owner.makeVar("chosen_dot", tangent->args[0]->type);
    emit(makeDecl(chosen, tangent->args[0]));
    tangent->args[0] = makeRef(chosen);
    present = makeBinary(BinaryOp::Ne, makeRef(chosen), makeLit("nullptr", int64_t(0), chosen->type), boolType());
  }
  Stmt write = makeDo(tangent);
  emit(present ? makeIf(present, makeBlock({write})) : write);
  return copy;
}

/// T old = atomicAdd(p, v): the tangent of what is added, whatever becomes of the result.
void TangentBuilder::updateBehindResult(const Expr &value) {
  const Expr &inner = value ? stripImplicit(value) : value;
  auto *call = inner ? llvm::dyn_cast<CallExpr>(inner.get()) : nullptr;
  const rules::Rule *rule = call && !analysis::definitionOf(call->callee) ? rules.find(call->callee) : nullptr;
  if (!rule || rule->kind != RuleKind::Atomic)
    return;
  Expr mine = own(inner);
  auto *own = llvm::cast<CallExpr>(mine.get());
  if (isActiveOwn(own->args[0]) && reachesFloating(own->args[0]->type))
    updateWithTangent(*call, *own, *rule, inner->range);
}

/// A call for its effect: the same on the tangents.
void TangentBuilder::effect(const DoStmt &s) {
  auto *call = llvm::dyn_cast<CallExpr>(s.call.get());
  if (Expr pick = pickWithTangent(s.call)) {
    auto *choice = llvm::dyn_cast<SelectExpr>(pick.get());
    return emit(choice ? makeIf(choice->condition, makeBlock({makeDo(choice->thenValue, s.range)}),
                                makeBlock({makeDo(choice->elseValue, s.range)}), s.range)
                       : makeDo(pick, s.range));
  }
  Expr mine = own(s.call);
  if (call && undoRule(*call, rules))
    return undo(*llvm::cast<CallExpr>(mine.get()), s.range);
  if (!call || !activity.isActive(s.call)) {
    if (!call || !isTouched(*llvm::cast<CallExpr>(mine.get())))
      return emit(makeDo(mine, s.range));
  }
  if (!call)
    return; // text: refused where it was made this function's own
  auto *own = llvm::cast<CallExpr>(mine.get());
  if (analysis::definitionOf(call->callee))
    return emit(makeDo(tangentCall(*llvm::cast<CallExpr>(hoistCallsInArguments(mine).get()), false), s.range));
  const rules::Rule *rule = rules.find(call->callee);
  if (!rule)
    return refuse(diag::Id::MissingRule, s.range, call->callee.name);
  switch (rule->kind) {
  case RuleKind::Atomic:
  case RuleKind::Store:
    if (Expr update = updateWithTangent(*call, *own, *rule, s.range))
      emit(makeDo(update, s.range));
    return;
  case RuleKind::Expand:
    return emit(makeDo(expand(mine, *rule), s.range));
  case RuleKind::Barrier:
  case RuleKind::Fence:
  case RuleKind::Inactive:
  case RuleKind::Pure:
    return emit(makeDo(mine, s.range));
  case RuleKind::Forbidden: // refused where it was made this function's own
    return;
  case RuleKind::Group:
    return refuse(diag::Id::ForbiddenFunction, s.range, call->callee.name, GroupCallLimits);
  default:
    return refuse(diag::Id::NotInForward, s.range, "'" + call->callee.name + "' on active values");
  }
}

/// The tangents of what a call of kind `expand` writes through pointers, and the call
/// with its arguments named.
Expr TangentBuilder::expand(const Expr &mine, const rules::Rule &rule) {
  auto *call = llvm::cast<CallExpr>(mine.get());
  auto isOutput = [&](size_t i) { return i < rule.params.size() && rule.params[i].isOutput; };
  std::vector<Expr> args;
  for (size_t i = 0; i < call->args.size(); ++i) {
    Expr arg = isOutput(i) ? call->args[i] : prepareOwn(call->args[i], false);
    // An output may be the input itself: sincos(t, &t, &c).
    bool mayBeWritten = false;
    for (size_t k = 0; k < call->args.size() && !isOutput(i); ++k)
      mayBeWritten |=
          isOutput(k) && (call->args[k]->kind != ExprKind::AddrOf || rootVar(arg) == rootVar(call->args[k]));
    if (!isOutput(i) && arg->kind == ExprKind::Ref && mayBeWritten) {
      Var *kept = owner.makeVar(rule.params[i].name, withConst(arg->type, true));
      emit(makeDecl(kept, arg));
      if (isActiveOwn(arg)) {
        Var *tangent = owner.makeVar(kept->name + "_dot", kept->type);
        emit(makeDecl(tangent, dotOrZero(arg, nullptr)));
        dotOf[kept] = tangent;
      }
      arg = makeRef(kept);
    }
    args.push_back(isOutput(i) || isCheap(arg) ? arg : temporary(arg, rule.params[i].name));
  }
  for (unsigned k = 0; k < rule.expansion.size(); ++k)
    for (size_t i = 0; i < rule.params.size() && i < args.size(); ++i) {
      if (rule.params[i].name != rule.expansion[k].first || !isActiveOwn(args[i]))
        continue;
      Expr value = splitter.split(rules.expansionValue(rule, k, *call, args), false);
      writeDot(makeDeref(args[i]), dotOrZero(value, nullptr));
    }
  return withChildren(mine, args);
}

Expr TangentBuilder::hoistCallsInArguments(const Expr &call) {
  std::vector<Expr> args = children(call);
  for (Expr &arg : args)
    if (holdsFloating(arg->type)) {
      arg = hoistCalls(arg);
      if (isActiveOwn(arg) && !rootVar(arg))
        arg = splitter.split(arg, false);
    }
  return withChildren(call, args);
}

void TangentBuilder::leave(const ReturnStmt &s) {
  if (!returnsDual || !s.value)
    return emit(makeReturn(s.value ? hoistCalls(own(s.value)) : nullptr, s.range));
  Expr mine = own(s.value);
  if (needsBranch(mine)) {
    auto *choice = llvm::cast<SelectExpr>(stripImplicit(mine).get());
    auto arm = [&](const Expr &value) {
      std::vector<Stmt> list, *saved = out;
      auto savedNames = named;
      out = &list;
      leaveWith(value, s.range);
      out = saved;
      named = savedNames;
      return makeBlock(list, s.range);
    };
    Stmt thenBody = arm(choice->thenValue), elseBody = arm(choice->elseValue);
    return emit(makeIf(choice->condition, thenBody, elseBody, s.range));
  }
  leaveWith(mine, s.range);
}

/// return {value, tangent};
void TangentBuilder::leaveWith(const Expr &returned, const SourceRange &range) {
  Type type = withConst(stripReference(primal.returnType), false);
  Expr value = prepareOwn(returned, true);
  Expr named = value;
  if (!isCheap(value)) {
    Var *result = owner.makeVar("result", type);
    result->isTemporary = true;
    emit(makeDecl(result, value, range));
    named = makeRef(result);
  }
  Expr tangent = dotOrZero(value, isRecord(type) ? nullptr : named);
  emit(makeReturn(makeInit({named, tangent}, dualType(type)), range));
}

/// A loop variable that is active has its tangent in the header as well.
void TangentBuilder::loop(const ForStmt &s, const Stmt &whole) {
  auto copy = std::make_shared<ForStmt>(s);
  auto header = [&](const std::vector<Stmt> &stmts) {
    std::vector<Stmt> list;
    for (const Stmt &one : stmts)
      for (const Stmt &made : listOf(one))
        list.push_back(made);
    return list;
  };
  copy->init = header(s.init);
  copy->condition = s.condition ? own(s.condition) : nullptr;
  copy->increment = header(s.increment);
  for (const Stmt &one : copy->increment)
    if (one->kind != StmtKind::Assign && one->kind != StmtKind::Do)
      return refuse(diag::Id::NotInForward, whole->range, "what this loop header computes (move it into the body)");
  bool isLone = copy->init.size() == 1 && copy->init[0]->kind == StmtKind::Text;
  if (!isLone && !fitsForHeader(copy->init, true)) { // in front of it
    std::vector<Stmt> before = copy->init;
    copy->init.clear();
    copy->body = bodyOf(s.body);
    before.push_back(copy);
    return emit(makeBlock(before));
  }
  copy->body = bodyOf(s.body);
  emit(copy);
}

} // namespace gpuad::transform
