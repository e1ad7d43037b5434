//===- KeepResults.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/KeepResults.h"

#include "ir/Builder.h"
#include "ir/Walk.h"
#include "transform/AtomicPicks.h"
#include "transform/RewriteStmts.h"
#include "transform/RoundedVars.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

namespace gpuad::transform {
using namespace ir;
using rules::AtomicOp;

namespace {
const Expr &withoutCasts(const Expr &e) {
  auto *cast = llvm::dyn_cast<CastExpr>(e.get());
  return cast ? withoutCasts(cast->operand) : e;
}

/// Makes copies of functions that keep what their atomics give.
class Keeper {
public:
  Keeper(const rules::RuleTable &rules, DiagnosticSink &sink) : rules(rules), sink(sink) {}

  /// A function, and a bit for each of its parameters that points to shared memory.
  using Use = std::pair<const Function *, uint64_t>;

  /// Whether a result of an atomic on integers is used in the function, or in what it calls, or a number is picked
  /// in global memory.
  bool keeps(const Use &use);
  /// `record`: the variable that the copy keeps them in.
  std::unique_ptr<Function> copyOf(const Use &use, bool isKernel, Var *&record);

  std::vector<std::unique_ptr<Function>> helpers;
  std::vector<const Function *> helpersOf;

private:
  /// One function on its way.
  struct Copy {
    Use from;
    Var *record = nullptr;
    OrderedMap<Var, Var *> fresh;
    OrderedSet<const StmtNode> dropped; ///< declarations of results that nobody reads
    std::set<const StmtNode *> decides; ///< whose conditions, or values, are to be kept
  };
  const rules::Rule *atomicRule(const CallExpr &call) const {
    const rules::Rule *rule = call.callee.function ? nullptr : rules.find(call.callee);
    return rule && rule->kind == rules::RuleKind::Atomic ? rule : nullptr;
  }
  bool isUnread(const Function &function, const Stmt &s) const;
  bool isKept(const Expr &e) const;
  bool isInShared(const Use &use, const Expr &pointer) const;
  Use useBy(const Use &caller, const CallExpr &call) const;
  bool picksInGlobal(const Use &use, const CallExpr &call) const;
  bool keepsIn(const Use &use, const Stmt &s);
  void findDecisions(Copy &copy);
  Function *helperOf(const Use &use);

  Stmt whole(const Stmt &s, Copy &copy);
  Stmt statement(const Stmt &s, Copy &copy);
  Stmt loop(const Stmt &s, Copy &copy);
  Expr expression(const Expr &e, Copy &copy);
  Expr call(const CallExpr &call, const Expr &whole, Copy &copy);
  Expr keep(const Expr &e, const Copy &copy) const;
  Expr offered(const Expr &whole, const Copy &copy) const;
  void refuseTurns(const CallExpr &call, const rules::Rule &rule);

  const rules::RuleTable &rules;
  DiagnosticSink &sink;
  std::map<Use, bool, InOrder> known;
  std::map<Use, Function *, InOrder> made;
  OrderedMap<Var, Var *> originOf; ///< of variables of copies
};

/// T old = atomicAdd(p, v), and nobody looks at it.
bool Keeper::isUnread(const Function &function, const Stmt &s) const {
  auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
  const Expr *init = decl && decl->init ? &withoutCasts(decl->init) : nullptr;
  auto *atomic = init ? llvm::dyn_cast<CallExpr>(init->get()) : nullptr;
  if (!atomic || !atomicRule(*atomic) || decl->var->pinned)
    return false;
  bool isRead = false;
  forEachExprIn(function.body, [&](const Expr &e) {
    for (Var *var : e->kind == ExprKind::Ref || e->kind == ExprKind::Text ? variablesIn(e) : std::vector<Var *>())
      isRead |= var == decl->var;
  });
  return !isRead;
}

/// An atomic on integers, whose result is a value like others.
bool Keeper::isKept(const Expr &e) const {
  auto *atomic = llvm::dyn_cast<CallExpr>(e.get());
  return atomic && atomicRule(*atomic) && isInteger(atomic->type) && atomic->type->bits <= 64;
}

/// Whether the pointer leads to shared memory for sure.
bool Keeper::isInShared(const Use &use, const Expr &pointer) const {
  auto *sum = llvm::dyn_cast<BinaryExpr>(withoutCasts(pointer).get());
  if (sum && isPointer(sum->type))
    return isInShared(use, isPointer(sum->lhs->type) ? sum->lhs : sum->rhs);
  Var *root = rootVar(withoutCasts(pointer));
  if (auto origin = originOf.find(root); origin != originOf.end())
    root = origin->second;
  if (!root)
    return false;
  if (root->storage == Storage::Shared || root->storage == Storage::DynamicShared)
    return true;
  const std::vector<Var *> &params = use.first->params;
  if (auto at = llvm::find(params, root); at != params.end())
    return at - params.begin() < 64 && (use.second >> (at - params.begin()) & 1);
  if (!isPointer(root->type))
    return false;
  bool found = false, isAll = true; // whatever it is made of
  forEachStmt(use.first->body, [&](const Stmt &s) {
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
    Expr from = decl && decl->var == root                                                          ? decl->init
                : assign && assign->place->kind == ExprKind::Ref && rootVar(assign->place) == root ? assign->value
                                                                                                   : nullptr;
    if (!from)
      return;
    found = true;
    isAll &= rootVar(from) != root && isInShared(use, from);
  });
  return found && isAll;
}

/// What is called, and which of the pointers that it is given lead to shared memory.
Keeper::Use Keeper::useBy(const Use &caller, const CallExpr &call) const {
  Use use{call.callee.function, 0};
  for (size_t i = 0; i < call.args.size() && i < 64; ++i)
    if ((isPointer(call.args[i]->type) || isPointer(call.callee.function->params[i]->type)) &&
        isInShared(caller, call.args[i]))
      use.second |= uint64_t(1) << i;
  return use;
}

/// In shared memory the block itself finds whose number it was.
bool Keeper::picksInGlobal(const Use &use, const CallExpr &call) const {
  std::optional<AtomicPick> pick = atomicPick(call, rules);
  return pick && !isInShared(use, pick->pointer);
}

bool Keeper::keepsIn(const Use &use, const Stmt &body) {
  bool found = false;
  forEachStmt(body, [&](const Stmt &s) {
    auto *standing = llvm::dyn_cast<DoStmt>(s.get());
    bool isUnused = standing || isUnread(*use.first, s);
    for (const Expr &held : expressionsOf(s))
      forEachExpr(held, [&](const Expr &e) {
        bool isWhole = isUnused && withoutCasts(held) == e;
        auto *call = llvm::dyn_cast<CallExpr>(e.get());
        found |= call && picksInGlobal(use, *call);
        found |= (isKept(e) && !isWhole) || (call && call->callee.function && keeps(useBy(use, *call)));
      });
  });
  return found;
}

bool Keeper::keeps(const Use &use) {
  auto [place, isNew] = known.try_emplace(use, false); // false while it is being looked at: it may call itself
  if (!isNew || !use.first->body)
    return place->second;
  bool found = keepsIn(use, use.first->body);
  return known[use] = found;
}

static bool leaves(const Stmt &s) {
  bool found = false;
  forEachStmt(s, [&](const Stmt &one) {
    found |= one->kind == StmtKind::Return || one->kind == StmtKind::Break || one->kind == StmtKind::Continue;
  });
  return found;
}

static bool assignsInteger(const Stmt &s) {
  bool found = false;
  forEachStmt(s, [&](const Stmt &one) {
    auto *assign = llvm::dyn_cast<AssignStmt>(one.get());
    found |= assign && isKeptInteger(assign->place);
  });
  return found;
}

/// What rounding may turn, and what decides whether results are kept or goes with them into
/// places: conditions, and values of integer variables.
void Keeper::findDecisions(Copy &copy) {
  const Function &function = *copy.from.first;
  RoundedVars rounded(function, rules);
  forEachStmt(function.body, [&](const Stmt &s) {
    bool matters = leaves(s) || assignsInteger(s) || keepsIn(copy.from, s);
    auto *decl = llvm::dyn_cast<DeclStmt>(s.get());
    auto *assign = llvm::dyn_cast<AssignStmt>(s.get());
    bool isInteger = decl ? decl->init && isKeptInteger(makeRef(decl->var)) : assign && isKeptInteger(assign->place);
    if (isInteger && rounded.mayDiffer(decl ? decl->init : assign->value))
      copy.decides.insert(s.get());
    if (auto *branch = llvm::dyn_cast<IfStmt>(s.get()); branch && matters && rounded.mayDiffer(branch->condition))
      copy.decides.insert(s.get());
    if (auto *choice = llvm::dyn_cast<SwitchStmt>(s.get()); choice && matters && rounded.mayDiffer(choice->value))
      copy.decides.insert(s.get());
    auto *counted = llvm::dyn_cast<ForStmt>(s.get());
    auto *open = llvm::dyn_cast<WhileStmt>(s.get());
    const Expr &condition = counted ? counted->condition : open ? open->condition : nullptr;
    if (condition && keepsIn(copy.from, s) && rounded.mayDiffer(condition))
      copy.decides.insert(s.get());
  });
}

/// Locks and flags: threads that take turns, or wait for each other.
void Keeper::refuseTurns(const CallExpr &call, const rules::Rule &rule) {
  bool isTurn = rule.atomicOp == AtomicOp::Exchange || rule.atomicOp == AtomicOp::CompareSwap;
  bool isLook = call.args.size() > 1 && isZeroLit(stripImplicit(call.args[1]));
  if (isTurn || isLook)
    diag::report(sink, diag::Id::AtomicOrder, call.range, call.callee.name,
                 isTurn ? "gives what another thread left" : "looks at what other threads do meanwhile");
}

Expr Keeper::keep(const Expr &e, const Copy &copy) const {
  Callee callee;
  callee.name = KeepResult;
  callee.spelling = "keep";
  callee.isMethod = true;
  return makeCall(callee, {makeRef(copy.record), e}, withConst(e->type, false), e->range);
}

/// atomicMax(p, record.offer(p, v)); other calls as they are.
Expr Keeper::offered(const Expr &whole, const Copy &copy) const {
  auto *call = llvm::cast<CallExpr>(whole.get());
  std::optional<AtomicPick> pick = atomicPick(*call, rules);
  if (!pick || isInShared(copy.from, pick->pointer))
    return whole;
  Callee offer;
  offer.name = KeepOffer;
  offer.spelling = "offer";
  offer.isMethod = true;
  std::vector<Expr> args = call->args;
  args[1] = makeCall(offer, {makeRef(copy.record), pick->pointer, args[1]}, args[1]->type, whole->range);
  return withChildren(whole, args);
}

Expr Keeper::call(const CallExpr &call, const Expr &whole, Copy &copy) {
  if (atomicPick(call, rules))
    return offered(whole, copy);
  if (const rules::Rule *rule = isKept(whole) ? atomicRule(call) : nullptr) {
    refuseTurns(call, *rule);
    return keep(whole, copy);
  }
  if (!call.callee.function || !keeps(useBy(copy.from, call)))
    return whole;
  auto made = std::make_shared<CallExpr>(call);
  made->callee.function = helperOf(useBy(copy.from, call));
  made->callee.name = made->callee.spelling = made->callee.function->name;
  made->callee.templateArguments.clear();
  made->callee.isMethod = false;
  made->writtenArgs = 0;
  made->args.push_back(makeRef(copy.record));
  made->callee.parameterTypes.push_back(made->callee.function->params.back()->type);
  return made;
}

Expr Keeper::expression(const Expr &e, Copy &copy) {
  return rewriteExpr(e, [&](const Expr &one) -> Expr {
    auto freshOf = [&](Var *var) {
      auto found = copy.fresh.find(var);
      return found == copy.fresh.end() ? var : found->second;
    };
    if (auto *ref = llvm::dyn_cast<RefExpr>(one.get()))
      return makeRef(freshOf(ref->var), one->range);
    if (auto *text = llvm::dyn_cast<TextExpr>(one.get())) {
      std::vector<Var *> mentions;
      for (Var *var : text->mentions)
        mentions.push_back(freshOf(var));
      return makeText(text->text, mentions, one->type, one->range);
    }
    auto *called = llvm::dyn_cast<CallExpr>(one.get());
    return called ? call(*called, one, copy) : one;
  });
}

/// if (!record.keep(condition)) break; at the start of each iteration.
Stmt Keeper::loop(const Stmt &s, Copy &copy) {
  auto guarded = [&](const Expr &condition, const Stmt &body) {
    Stmt test = makeIf(logicalNot(keep(condition, copy)), makeBlock({makeBreak()}));
    return makeBlock({test, body});
  };
  if (auto *counted = llvm::dyn_cast<ForStmt>(s.get())) {
    auto made = std::make_shared<ForStmt>(*counted);
    made->body = guarded(counted->condition, counted->body);
    made->condition = nullptr;
    return made;
  }
  auto *open = llvm::cast<WhileStmt>(s.get());
  if (!open->isDo)
    return makeWhile(boolLit(true), guarded(open->condition, open->body), false, s->range);
  bool continues = false;
  forEachStmt(open->body, [&](const Stmt &one) { continues |= one->kind == StmtKind::Continue; });
  if (continues)
    diag::report(sink, diag::Id::NotInReverse, s->range,
                 "the result of an atomic in a do-loop that rounding may end and that has a 'continue'");
  Stmt test = makeIf(logicalNot(keep(open->condition, copy)), makeBlock({makeBreak()}));
  return makeWhile(boolLit(true), makeBlock({open->body, test}), false, s->range);
}

/// What is inside has been rewritten already, its expressions have not.
Stmt Keeper::statement(const Stmt &s, Copy &copy) {
  auto freshOf = [&](Var *var) {
    auto found = copy.fresh.find(var);
    return found == copy.fresh.end() ? var : found->second;
  };
  bool decides = copy.decides.count(s.get()) != 0;
  switch (s->kind) {
  case StmtKind::Decl: {
    auto *decl = llvm::cast<DeclStmt>(s.get());
    if (isUnread(*copy.from.first, s))
      return statement(makeDo(withoutCasts(decl->init), s->range), copy);
    Expr init = decl->init ? expression(decl->init, copy) : nullptr;
    return makeDecl(freshOf(decl->var), decides ? keep(init, copy) : init, s->range);
  }
  case StmtKind::Assign: {
    auto *assign = llvm::cast<AssignStmt>(s.get());
    Expr value = expression(assign->value, copy);
    return makeAssign(expression(assign->place, copy), decides ? keep(value, copy) : value, s->range);
  }
  case StmtKind::Do: {
    auto *call = llvm::cast<DoStmt>(s.get());
    auto *atomic = llvm::dyn_cast<CallExpr>(withoutCasts(call->call).get());
    if (!atomic || !atomicRule(*atomic))
      return makeDo(expression(call->call, copy), s->range);
    std::vector<Expr> args;
    for (const Expr &arg : atomic->args)
      args.push_back(expression(arg, copy));
    return makeDo(offered(withChildren(withoutCasts(call->call), args), copy), s->range);
  }
  case StmtKind::Return: {
    const Expr &value = llvm::cast<ReturnStmt>(s.get())->value;
    return makeReturn(value ? expression(value, copy) : nullptr, s->range);
  }
  case StmtKind::Text: {
    auto made = std::make_shared<TextStmt>(*llvm::cast<TextStmt>(s.get()));
    for (Var *&var : made->mentions)
      var = freshOf(var);
    return made;
  }
  default:
    return s;
  }
}

/// A statement with all that is inside.
Stmt Keeper::whole(const Stmt &s, Copy &copy) {
  if (auto *block = llvm::dyn_cast<BlockStmt>(s.get())) {
    std::vector<Stmt> list;
    for (const Stmt &one : block->stmts)
      list.push_back(whole(one, copy));
    return makeBlock(list, s->range);
  }
  bool decides = copy.decides.count(s.get()) != 0;
  auto decided = [&](const Expr &e) { return !e ? e : expression(e, copy); };
  auto kept = [&](const Expr &e) { return decides ? keep(decided(e), copy) : decided(e); };
  if (auto *branch = llvm::dyn_cast<IfStmt>(s.get())) {
    auto one = std::make_shared<IfStmt>(*branch);
    one->condition = kept(branch->condition);
    one->thenBody = whole(branch->thenBody, copy);
    one->elseBody = branch->elseBody ? whole(branch->elseBody, copy) : nullptr;
    return one;
  }
  if (auto *choice = llvm::dyn_cast<SwitchStmt>(s.get())) {
    auto one = std::make_shared<SwitchStmt>(*choice);
    one->value = kept(choice->value);
    for (SwitchCase &each : one->cases)
      each.body = whole(each.body, copy);
    return one;
  }
  if (auto *counted = llvm::dyn_cast<ForStmt>(s.get())) {
    auto one = std::make_shared<ForStmt>(*counted);
    for (std::vector<Stmt> *list : {&one->init, &one->increment})
      for (Stmt &each : *list)
        each = whole(each, copy);
    one->condition = decided(counted->condition);
    one->body = whole(counted->body, copy);
    return decides ? loop(one, copy) : one;
  }
  if (auto *open = llvm::dyn_cast<WhileStmt>(s.get())) {
    auto one = std::make_shared<WhileStmt>(*open);
    one->condition = decided(open->condition);
    one->body = whole(open->body, copy);
    return decides ? loop(one, copy) : one;
  }
  return statement(s, copy);
}

std::unique_ptr<Function> Keeper::copyOf(const Use &use, bool isKernel, Var *&record) {
  const Function &function = *use.first;
  auto made = std::make_unique<Function>();
  made->name = function.name;
  made->namespaces = function.namespaces;
  made->kind = function.kind;
  made->returnType = function.returnType;
  made->attributes = function.attributes;
  made->isInline = function.isInline;
  made->isStatic = function.isStatic;
  made->range = function.range;
  made->nameRange = function.nameRange;
  made->bodyRange = function.bodyRange;
  made->inMainFile = function.inMainFile;
  made->bodiesDiffer = function.bodiesDiffer;
  if (isKernel) {
    made->templateParameters = function.templateParameters;
    made->templateArguments = function.templateArguments;
    made->isTemplateInstance = function.isTemplateInstance;
  }
  Copy copy;
  copy.from = use;
  for (const std::unique_ptr<Var> &var : function.vars) {
    made->vars.push_back(std::make_unique<Var>(*var));
    made->vars.back()->isThis = false;
    copy.fresh[var.get()] = made->vars.back().get();
    originOf[made->vars.back().get()] = var.get();
  }
  for (Var *param : function.params)
    made->params.push_back(copy.fresh[param]);
  for (const auto &[a, b] : function.aliases)
    made->aliases.push_back({copy.fresh[a], copy.fresh[b]});
  Type view = opaqueType(RecordView);
  copy.record = record = made->makeVar("record", isKernel ? view : referenceTo(view), Storage::Parameter);
  findDecisions(copy);
  made->body = whole(function.body, copy);
  return made;
}

Function *Keeper::helperOf(const Use &use) {
  Function *&helper = made[use];
  if (helper)
    return helper;
  Var *record = nullptr;
  std::unique_ptr<Function> copy = copyOf(use, /*isKernel=*/false, record);
  copy->params.push_back(record);
  for (char &c : copy->name)
    c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
  copy->name += use.second == 0 ? "_augmented" : "_augmented_" + std::to_string(use.second);
  helper = copy.get();
  helpers.push_back(std::move(copy));
  helpersOf.push_back(use.first);
  return helper;
}
} // namespace

std::optional<KeepingKernel> keepResults(const Function &primal, const rules::RuleTable &rules, DiagnosticSink &sink) {
  Keeper keeper(rules, sink);
  if (!primal.isKernel() || !primal.body || !keeper.keeps({&primal, 0}))
    return std::nullopt;
  KeepingKernel made;
  made.kernel = keeper.copyOf({&primal, 0}, /*isKernel=*/true, made.record);
  made.helpers = std::move(keeper.helpers);
  made.primals = std::move(keeper.helpersOf);
  return made;
}

static Derivative augmented(std::unique_ptr<Function> function, const Function &primal) {
  Derivative made;
  made.mode = DerivativeMode::Augmented;
  made.primal = &primal;
  for (unsigned i = 0; i + 1 < function->params.size(); ++i)
    made.params.push_back({function->params[i], ParamRole::Primal, i, false});
  made.params.push_back({function->params.back(), ParamRole::Record, 0, false});
  made.function = std::move(function);
  return made;
}

std::vector<Derivative> makeAugmented(KeepingKernel keeping, const Function &primal, const std::string &name,
                                      const Derivative &adjoint) {
  std::vector<Derivative> all;
  for (size_t i = 0; i < keeping.helpers.size(); ++i) {
    all.push_back(augmented(std::move(keeping.helpers[i]), *keeping.primals[i]));
    all.back().isPublic = false;
    all.back().comment = keeping.primals[i]->qualifiedName() + ", which keeps the results of its atomics.";
  }
  keeping.kernel->params.push_back(keeping.record);
  Derivative made = augmented(std::move(keeping.kernel), primal);
  made.function->name = name;
  made.needsLauncher = true;
  made.comment =
      primal.qualifiedName() + ", which keeps the results of its atomics for " + adjoint.function->name + ".";
  made.record = adjoint.record;
  if (made.record->slots)
    made.record->slots = substitute(made.record->slots, [&](Var *var) -> Expr {
      for (const DerivativeParam &param : adjoint.params)
        if (param.var == var && param.role == ParamRole::Primal)
          return makeRef(made.params[param.primalIndex].var);
      return nullptr;
    });
  all.push_back(std::move(made));
  return all;
}

} // namespace gpuad::transform
