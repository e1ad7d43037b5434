//===- MakeAdjoint.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/MakeAdjoint.h"

#include "analysis/ExclusiveArrays.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/Accumulate.h"
#include "transform/AdjointBuilder.h"
#include "transform/DeadCode.h"
#include "transform/NameOperands.h"
#include "transform/Simplify.h"
#include "transform/ToValueForm.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Loops with at most this many iterations record into a local array.
constexpr uint64_t LongestLocalRecord = 64;

/// Pointer fields of a by-value struct that reach floating-point data, as paths.
void pointerFields(const Type &type, const std::string &path, std::vector<std::string> &found) {
  for (const Field &field : type->record->fields) {
    if (isPointer(field.type) && holdsFloating(elementOf(field.type)))
      found.push_back(path + "." + field.name);
    if (isRecord(field.type))
      pointerFields(field.type, path + "." + field.name, found);
  }
}

/// One block, inner blocks at its top level spliced.
Stmt flattened(const std::vector<Stmt> &stmts) {
  std::vector<Stmt> list;
  for (const Stmt &s : stmts) {
    if (auto *block = llvm::dyn_cast<BlockStmt>(s.get()))
      list.insert(list.end(), block->stmts.begin(), block->stmts.end());
    else
      list.push_back(s);
  }
  return makeBlock(list);
}

class AdjointMaker {
public:
  AdjointMaker(const Request &request, const rules::RuleTable &rules, DiagnosticSink &sink)
      : request(request), primal(*request.primal), rules(rules), sink(sink) {}
  std::optional<Derivative> make();

private:
  /// A pointer inside a by-value struct with the local that points to its shadow.
  struct ViewPointer {
    std::string path; ///< ".base"
    Var *pointer = nullptr;
    Var *want = nullptr; ///< null: always wanted
    Expr source;         ///< the field of the shadow struct
  };
  struct Param {
    Var *own = nullptr;    ///< stands for the primal's parameter
    Var *shadow = nullptr; ///< null: inactive
    Var *want = nullptr;   ///< `const bool want_x`; null: always wanted
    Var *sum = nullptr;    ///< by-value parameters: what the thread adds
    bool listed = false;
    bool mustNotBeNull = false;
    std::vector<ViewPointer> views;
  };

  void makeParameters();
  std::set<MemoryBase> objectsOf(const std::vector<Listed> &listed) const;
  void shadowParameters(const ValueFunction &function, const analysis::ValueActivity &activity);
  bool flowsThrough(const ValueFunction &function, const analysis::ValueActivity &activity, Var *own) const;
  void connect(AdjointBuilder &builder);
  void findViewPointers(Param &param, const analysis::ValueActivity &activity);
  std::vector<Stmt> prologue();
  std::vector<Stmt> epilogue();
  void addLeaves(std::vector<Stmt> &to, const Expr &place, const Expr &value, const Type &type);
  bool checkGlobals(const analysis::ValueActivity &activity);
  bool checkForbidden(const ValueFunction &function, const analysis::ValueActivity &activity);
  std::vector<std::pair<Var *, Var *>> pairsToTest(const ValueFunction &function) const;
  bool checkHazards(const AdjointBuilder &builder);
  std::vector<RecordPlace> usedRecords(const AdjointBuilder &builder) const;
  bool checkStackable(const std::vector<RecordPlace> &records);
  bool makeSweeps(const ValueFunction &function, const analysis::ValueActivity &activity);
  void build(AdjointBuilder &builder);
  void useStack(const std::vector<RecordPlace> &records, const ValueFunction &function);
  void frameByStack();
  void decideHows(const ValueFunction &function);
  void testPairs(Derivative &derivative, const ValueFunction &function);
  void describe(Derivative &derivative);
  bool hasEffect(const CallExpr &call) const {
    if (call.callee.name == "gpuad::take")
      return true;
    const rules::Rule *rule = rules.find(call.callee);
    return !call.callee.function && (!rule || !rule->isRepeatable());
  }

  const Request &request;
  const Function &primal;
  const rules::RuleTable &rules;
  DiagnosticSink &sink;
  std::unique_ptr<Function> owner;
  std::vector<Param> params;
  Var *returnBar = nullptr;
  std::map<Var *, std::string> ownedShadows;
  std::optional<RecordPlan> plan; ///< where loops record into the stack
};

void AdjointMaker::makeParameters() {
  owner = std::make_unique<Function>();
  owner->name = request.name;
  owner->namespaces = primal.namespaces;
  owner->kind = primal.kind;
  owner->returnType = voidType();
  owner->templateHeader = primal.templateHeader;
  owner->templateArguments = primal.templateArguments;
  owner->isTemplateInstance = primal.isTemplateInstance;
  owner->attributes = primal.attributes;
  owner->isStatic = primal.isStatic;
  owner->isInline = primal.isInline;
  owner->range = primal.range;
  for (Var *param : primal.params) {
    Param made;
    made.own = owner->makeVar(param->name, param->type, Storage::Parameter);
    made.own->range = param->range;
    params.push_back(made);
  }
}

/// The objects that a HEAD lists: (x, "") for arrays and values, (v, ".base") for
/// what the pointers of a by-value struct reach.
std::set<MemoryBase> AdjointMaker::objectsOf(const std::vector<Listed> &listed) const {
  std::set<MemoryBase> objects;
  for (const Listed &one : listed) {
    Var *own = params[one.param].own;
    std::string path;
    for (const std::string &field : one.fields)
      path += "." + field;
    if (isRecord(own->type)) {
      std::vector<std::string> pointers;
      pointerFields(own->type, "", pointers);
      for (const std::string &pointer : pointers)
        if (pointer.rfind(path, 0) == 0)
          objects.insert({own, pointer});
      if (holdsFloating(own->type))
        objects.insert({own, ""});
    } else {
      objects.insert({own, ""});
    }
  }
  return objects;
}

bool AdjointMaker::flowsThrough(const ValueFunction &function, const analysis::ValueActivity &activity,
                                Var *own) const {
  bool stores = false, loads = false;
  std::function<void(const Region &)> visit = [&](const Region &region) {
    auto read = [&](const Expr &e) {
      activity.forEachLeaf(
          e, [&](const Expr &leaf) { loads |= leaf->kind != ExprKind::Ref && memoryBase(leaf).first == own; });
    };
    for (const auto &item : region.items) {
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get())) {
        stores |= memoryBase(store->place).first == own;
        if (activity.isActive(memoryBase(store->place)))
          read(store->increment ? store->increment : store->value);
      }
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && activity.isActive(value->var))
        read(value->expr);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
        visit(loop->body);
    }
  };
  visit(function.body);
  return stores && loads;
}

/// Which parameters get a shadow, and of which form.
void AdjointMaker::shadowParameters(const ValueFunction &function, const analysis::ValueActivity &activity) {
  for (unsigned i = 0; i < params.size(); ++i) {
    Param &param = params[i];
    auto lists = [&](const std::vector<Listed> &listed) {
      for (const Listed &one : listed)
        if (one.param == i)
          return true;
      return false;
    };
    bool isInput = lists(request.independents), isOutput = lists(request.dependents);
    param.listed = isInput || isOutput;
    bool active = param.listed;
    for (const MemoryBase &object : activity.variedObjects())
      active |= object.first == param.own && activity.isActive(object);
    if (!active)
      continue;
    const Type &type = param.own->type;
    std::string name = param.own->name + "_bar";
    Type shadow;
    if (isPointer(type)) {
      shadow = pointerTo(withConst(elementOf(type), false));
    } else if (isReference(type)) {
      const Type &element = elementOf(type);
      shadow = pointerTo(withConst(isArray(element) ? elementOf(element) : element, false));
    } else if (isRecord(type) && !holdsFloating(type)) {
      shadow = withConst(type, false); // a view: its pointers point to shadow data
    } else {
      shadow = pointerTo(withConst(type, false));
    }
    param.shadow = owner->makeVar(name, shadow, Storage::Parameter);
    param.mustNotBeNull = (isInput && isOutput) || !param.listed || flowsThrough(function, activity, param.own);
    bool byValue = !isPointer(type) && !isReference(type) && holdsFloating(type);
    if (byValue) {
      param.mustNotBeNull = false;
      param.sum = owner->makeVar(param.own->name + "_sum", withConst(type, false));
    }
    findViewPointers(param, activity);
    if (!param.mustNotBeNull && isPointer(shadow))
      param.want = owner->makeVar("want_" + param.own->name, withConst(boolType(), true));
  }
  for (Param &param : params) {
    owner->params.push_back(param.own);
    if (param.shadow)
      owner->params.push_back(param.shadow);
  }
  if (request.returnIsDependent) {
    returnBar = owner->makeVar("return_bar", withConst(primal.returnType, false), Storage::Parameter);
    owner->params.push_back(returnBar);
  }
}

/// Tells the builder where adjoints live.
void AdjointMaker::connect(AdjointBuilder &builder) {
  for (Param &param : params) {
    if (!param.shadow)
      continue;
    if (param.sum) {
      bool isMemory = isRecord(param.own->type);
      builder.useBar(param.own, param.sum);
      if (isMemory)
        builder.useShadow({param.own, ""}, Shadow{makeRef(param.sum), nullptr});
    }
    const Type &type = param.own->type;
    if (isPointer(type))
      builder.useShadow({param.own, ""}, Shadow{makeRef(param.shadow), param.want});
    if (isReference(type)) {
      bool isArrayOf = isArray(elementOf(type));
      builder.useShadow({param.own, ""},
                        Shadow{isArrayOf ? makeRef(param.shadow) : makeDeref(makeRef(param.shadow)), param.want});
    }
    for (const ViewPointer &view : param.views)
      builder.useShadow({param.own, view.path}, Shadow{makeRef(view.pointer), view.want});
  }
}

/// Locals for the pointers of a struct's shadow: their elements are written, const or
/// not in the type of the struct.
void AdjointMaker::findViewPointers(Param &param, const analysis::ValueActivity &activity) {
  if (!isRecord(param.own->type))
    return;
  std::vector<std::string> paths;
  pointerFields(param.own->type, "", paths);
  for (const std::string &path : paths) {
    if (!activity.isActive(MemoryBase{param.own, path}) && !param.listed)
      continue;
    ViewPointer view;
    view.path = path;
    view.source = isPointer(param.shadow->type) ? makeDeref(makeRef(param.shadow)) : makeRef(param.shadow);
    std::string name = param.own->name;
    for (size_t at = 1; at <= path.size();) {
      size_t dot = std::min(path.find('.', at), path.size());
      std::string field = path.substr(at, dot - at);
      name += "_" + field;
      view.source = makeMember(view.source, *fieldIndex(view.source->type, field));
      at = dot + 1;
    }
    const Type &element = elementOf(view.source->type);
    view.pointer = owner->makeVar(name + "_bar", pointerTo(withConst(element, false)));
    if (element->isConst)
      view.source = makeCast(CastStyle::Const, view.source, view.pointer->type);
    if (!param.mustNotBeNull)
      view.want = owner->makeVar("want_" + name, withConst(boolType(), true));
    param.views.push_back(view);
  }
}

std::vector<Stmt> AdjointMaker::prologue() {
  std::vector<Stmt> list;
  for (const Param &param : params)
    if (param.want)
      list.push_back(makeDecl(param.want, makeBinary(BinaryOp::Ne, makeRef(param.shadow),
                                                     makeLit("nullptr", int64_t(0), param.shadow->type), boolType())));
  for (const Param &param : params)
    for (const ViewPointer &view : param.views) {
      list.push_back(makeDecl(view.pointer, view.source));
      if (view.want)
        list.push_back(makeDecl(view.want, makeBinary(BinaryOp::Ne, makeRef(view.pointer),
                                                      makeLit("nullptr", int64_t(0), view.pointer->type), boolType())));
    }
  for (const Param &param : params)
    if (param.sum)
      list.push_back(makeDecl(param.sum, zeroOf(param.sum->type)));
  return list;
}

/// Adds what a thread summed for a by-value parameter, each floating field by itself.
void AdjointMaker::addLeaves(std::vector<Stmt> &to, const Expr &place, const Expr &value, const Type &type) {
  if (isRecord(type)) {
    for (unsigned i = 0; i < type->record->fields.size(); ++i)
      if (holdsFloating(type->record->fields[i].type))
        addLeaves(to, makeMember(place, i), makeMember(value, i), type->record->fields[i].type);
    return;
  }
  if (isArray(type)) {
    Var *index = owner->makeVar("k", intType());
    std::vector<Stmt> body;
    addLeaves(body, makeIndex(place, makeRef(index)), makeIndex(value, makeRef(index)), elementOf(type));
    Expr more = makeBinary(BinaryOp::Lt, makeRef(index), intLit(static_cast<int64_t>(*type->extent)), boolType());
    Stmt next = makeAssign(makeRef(index), makeBinary(BinaryOp::Add, makeRef(index), intLit(1), intType()));
    to.push_back(makeFor({makeDecl(index, intLit(0))}, more, {next}, makeBlock(body)));
    return;
  }
  AccumHow how = primal.isKernel() ? AccumHow::BlockReduced : AccumHow::Undecided;
  to.push_back(makeAccum(place, value, how));
}

std::vector<Stmt> AdjointMaker::epilogue() {
  std::vector<Stmt> list;
  for (const Param &param : params) {
    if (!param.sum)
      continue;
    std::vector<Stmt> adds;
    addLeaves(adds, makeDeref(makeRef(param.shadow)), makeRef(param.sum), param.sum->type);
    list.push_back(makeIf(makeRef(param.want), makeBlock(adds)));
  }
  return list;
}

/// Variables at namespace scope have no shadow here.
bool AdjointMaker::checkGlobals(const analysis::ValueActivity &activity) {
  std::set<Var *> active;
  for (const MemoryBase &object : activity.variedObjects()) {
    Var *var = object.first;
    bool isOwn = !var || var->storage == Storage::Local || var->storage == Storage::Parameter;
    if (!isOwn && activity.isActive(object))
      active.insert(var);
  }
  active.insert(request.globalIndependents.begin(), request.globalIndependents.end());
  active.insert(request.globalDependents.begin(), request.globalDependents.end());
  for (Var *var : active)
    diag::report(sink, diag::Id::NotInReverse, var->range.isValid() ? var->range : primal.nameRange,
                 "'" + var->name + "', a variable at namespace scope, as active");
  return active.empty();
}

/// A function that must not be differentiated hides an active value from us, whatever
/// type its result has: the bits of a float, a norm over an array.
bool AdjointMaker::checkForbidden(const ValueFunction &function, const analysis::ValueActivity &activity) {
  bool fine = true;
  auto check = [&](const Expr &whole) {
    if (!whole)
      return;
    forEachExpr(whole, [&](const Expr &e) {
      auto *call = llvm::dyn_cast<CallExpr>(e.get());
      const rules::Rule *rule = call ? rules.find(call->callee) : nullptr;
      if (!rule || rule->kind != rules::RuleKind::Forbidden)
        return;
      bool hides = false;
      // Varied is enough: what the result goes into cannot be seen through it.
      auto isVaried = [&](const MemoryBase &object) { return activity.variedObjects().count(object) != 0; };
      for (const Expr &arg : call->args) {
        if (isPointer(arg->type))
          hides |= isVaried(memoryBase(arg));
        activity.forEachLeaf(arg,
                             [&](const Expr &leaf) { hides |= isVaried(analysis::ValueActivity::objectOf(leaf)); });
      }
      if (!hides)
        return;
      diag::report(sink, diag::Id::ForbiddenFunction, e->range, call->callee.name, rule->note);
      fine = false;
    });
  };
  std::function<void(const Region &)> visit = [&](const Region &region) {
    for (const auto &item : region.items) {
      if (auto *value = llvm::dyn_cast<ValueItem>(item.get()))
        check(value->expr);
      if (auto *store = llvm::dyn_cast<StoreItem>(item.get()))
        check(store->increment ? store->increment : store->value);
      if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
        visit(branch->thenRegion);
        visit(branch->elseRegion);
      }
      if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
        visit(loop->body);
    }
  };
  visit(function.body);
  return fine;
}

/// Pairs of arrays for which the adjoint would be wrong if they were one: it still
/// loads a primal value after (in the primal's order) the other was written.
std::vector<std::pair<Var *, Var *>> AdjointMaker::pairsToTest(const ValueFunction &function) const {
  std::set<Var *> loaded;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Deref)
      loaded.insert(rootVar(e));
  });
  std::vector<std::pair<Var *, Var *>> pairs;
  for (auto [load, store] : function.loadedAfterStore) {
    auto same = [&, load = load, store = store](const auto &pair) {
      return pair.first == store && pair.second == load;
    };
    if (primal.isKernel() && loaded.count(load) && std::find_if(pairs.begin(), pairs.end(), same) == pairs.end())
      pairs.push_back({load, store});
  }
  return pairs;
}

/// Loads that are still there and would read another value than the primal did.
bool AdjointMaker::checkHazards(const AdjointBuilder &builder) {
  std::set<const StmtNode *> kept;
  forEachStmt(owner->body, [&](const Stmt &s) { kept.insert(s.get()); });
  bool fine = true;
  std::set<const ValueItem *> reported;
  for (const HazardousLoad &hazard : builder.hazards()) {
    if (!kept.count(hazard.statement.get()) || !reported.insert(hazard.item).second)
      continue;
    Var *root = rootVar(hazard.item->expr);
    diag::report(sink, diag::Id::StaleLoad, hazard.item->range, root ? root->name : "memory");
    fine = false;
  }
  return fine;
}

/// The records that something reads, without those of short loops: these stay in
/// local arrays.
std::vector<RecordPlace> AdjointMaker::usedRecords(const AdjointBuilder &builder) const {
  std::set<Var *> used;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
      used.insert(ref->var);
  });
  std::vector<RecordPlace> found;
  for (const RecordPlace &record : builder.records()) {
    uint64_t trips = record.loop->staticTrips;
    if (used.count(record.array) && (trips == 0 || trips > LongestLocalRecord))
      found.push_back(record);
  }
  return found;
}

/// The stack is the launch's, and its slots hold scalars.
bool AdjointMaker::checkStackable(const std::vector<RecordPlace> &records) {
  for (const RecordPlace &record : records)
    if (!primal.isKernel() || !isScalar(record.carried->type) || record.carried->type->bits > 64) {
      diag::report(sink, diag::Id::LoopRecords, record.loop->range, record.carried->name);
      return false;
    }
  return true;
}

void AdjointMaker::useStack(const std::vector<RecordPlace> &records, const ValueFunction &function) {
  plan = planRecords(function, records);
  plan->stack = owner->makeVar("stack", opaqueType("gpuad::stack"), Storage::Parameter);
  plan->need = owner->makeVar("need", sizeType());
  owner->params.push_back(plan->stack);
}

static Expr callOnStack(const RecordPlan &plan, const char *method, std::vector<Expr> args, Type type) {
  Callee callee;
  callee.name = std::string("gpuad::stack::") + method;
  callee.spelling = method;
  callee.isMethod = true;
  args.insert(args.begin(), makeRef(plan.stack));
  return makeCall(callee, std::move(args), std::move(type));
}

/// Every thread of a block takes the stack, votes whether it is large enough, and
/// gives it back.
void AdjointMaker::frameByStack() {
  std::vector<Expr> sized;
  if (!plan->isMeasured())
    sized.push_back(plan->sizedNeed);
  auto unless = [&](const char *method, std::vector<Expr> args) {
    return makeIf(logicalNot(callOnStack(*plan, method, std::move(args), boolType())), makeBlock({makeReturn()}));
  };
  std::vector<Stmt> list{unless("enter", sized)};
  if (plan->isMeasured()) {
    owner->body = hoistVote(owner->body, unless("fits", {makeRef(plan->need)}));
    if (plan->needsDeclaration())
      list.push_back(makeDecl(plan->need, zeroOf(sizeType())));
  }
  list.push_back(owner->body);
  list.push_back(makeDo(callOnStack(*plan, "leave", {}, voidType())));
  owner->body = flattened(list);
}

void AdjointMaker::describe(Derivative &derivative) {
  auto names = [&](const std::vector<Listed> &listed) {
    std::string text;
    for (const Listed &one : listed) {
      text += (text.empty() ? "" : ", ") + primal.params[one.param]->name;
      for (const std::string &field : one.fields)
        text += "." + field;
    }
    return text;
  };
  std::string dependents = names(request.dependents);
  if (request.returnIsDependent)
    dependents += dependents.empty() ? "return" : ", return";
  derivative.comment =
      "Adjoint of " + primal.qualifiedName() + ": (" + dependents + ") / (" + names(request.independents) + ").";
  if (!plan)
    return;
  std::set<std::string> recorded;
  std::string what;
  for (const auto &[loop, vars] : plan->inStack)
    for (Var *var : vars)
      if (recorded.insert(var->name).second)
        what += (what.empty() ? "" : ", ") + var->name;
  derivative.comment += " Records " + what + " at the start of each iteration, in slots of " +
                        std::to_string(plan->bytesPerSlot) + " bytes a thread" +
                        (plan->isMeasured() ? "; the kernel counts them." : ".");
  derivative.stack = StackNeed{plan->sizedNeed, plan->bytesPerSlot};
}

void AdjointMaker::build(AdjointBuilder &builder) {
  connect(builder);
  std::vector<Stmt> body = prologue();
  std::vector<Stmt> sweeps = builder.run(returnBar ? makeRef(returnBar) : nullptr);
  body.insert(body.end(), sweeps.begin(), sweeps.end());
  std::vector<Stmt> last = epilogue();
  body.insert(body.end(), last.begin(), last.end());
  owner->body = makeBlock(body);
  eliminateDead(*owner, [this](const CallExpr &call) { return hasEffect(call); });
}

/// Both sweeps. They are made once with every loop recording all that it carries, to
/// see what the reverse sweep reads of it; where that goes into the stack, they are
/// made again.
bool AdjointMaker::makeSweeps(const ValueFunction &function, const analysis::ValueActivity &activity) {
  AdjointBuilder trial(function, activity, rules, sink);
  build(trial);
  if (trial.hasFailed() || !checkHazards(trial))
    return false;
  std::vector<RecordPlace> records = usedRecords(trial);
  if (records.empty())
    return true;
  if (!checkStackable(records))
    return false;
  useStack(records, function);
  AdjointBuilder builder(function, activity, rules, sink);
  builder.usePlan(*plan);
  build(builder);
  return !builder.hasFailed() && checkHazards(builder);
}

/// Which additions may be plain.
void AdjointMaker::decideHows(const ValueFunction &function) {
  auto proofs = analysis::exclusiveArrays(function);
  auto own = [&](const MemoryBase &object, Var *shadow) {
    if (auto proof = proofs.find(object); proof != proofs.end())
      ownedShadows[shadow] = proof->second;
  };
  for (const Param &param : params) {
    if (param.shadow && isPointer(param.own->type))
      own({param.own, ""}, param.shadow);
    for (const ViewPointer &view : param.views)
      own({param.own, view.path}, view.pointer);
  }
  decideAccumulation(*owner, primal.isKernel() ? ownedShadows : std::map<Var *, std::string>{});
}

/// Returns at once where two arrays are one for which this derivative is wrong.
void AdjointMaker::testPairs(Derivative &derivative, const ValueFunction &function) {
  derivative.mustDiffer = pairsToTest(function);
  if (derivative.mustDiffer.empty())
    return;
  std::vector<Stmt> guarded;
  for (auto [a, b] : derivative.mustDiffer) {
    Expr equal = makeBinary(BinaryOp::Eq, makeRef(a), makeRef(b), boolType());
    guarded.push_back(withNote(makeIf(equal, makeBlock({makeReturn()})), "made for different arrays"));
  }
  guarded.push_back(owner->body);
  owner->body = flattened(guarded);
}

std::optional<Derivative> AdjointMaker::make() {
  makeParameters();
  std::vector<Var *> own;
  for (const Param &param : params)
    own.push_back(param.own);
  std::optional<ValueFunction> function = toValueForm(primal, *owner, own, rules, sink);
  if (!function)
    return std::nullopt;
  std::set<MemoryBase> independents = objectsOf(request.independents), dependents = objectsOf(request.dependents);
  auto activityNow = [&] {
    return analysis::ValueActivity(*function, rules, independents, dependents, request.returnIsDependent);
  };
  nameOperands(*function, activityNow(), rules);
  analysis::ValueActivity activity = activityNow();
  if (!checkGlobals(activity) || !checkForbidden(*function, activity))
    return std::nullopt;
  shadowParameters(*function, activity);
  if (!makeSweeps(*function, activity))
    return std::nullopt;
  auto effects = [this](const CallExpr &call) { return hasEffect(call); };
  simplify(*owner, effects);
  eliminateDead(*owner, effects);
  if (plan)
    frameByStack();
  decideHows(*function);

  Derivative derivative;
  testPairs(derivative, *function);
  derivative.mode = DerivativeMode::Adjoint;
  derivative.primal = &primal;
  for (unsigned i = 0; i < params.size(); ++i) {
    derivative.params.push_back({params[i].own, ParamRole::Primal, i, false});
    if (params[i].shadow)
      derivative.params.push_back({params[i].shadow, ParamRole::Shadow, i, params[i].mustNotBeNull});
  }
  if (returnBar)
    derivative.params.push_back({returnBar, ParamRole::ReturnSeed, 0, false});
  if (plan)
    derivative.params.push_back({plan->stack, ParamRole::Stack, 0, false});
  derivative.needsLauncher = primal.isKernel();
  describe(derivative);
  derivative.function = std::move(owner);
  return derivative;
}
} // namespace

std::optional<Derivative> makeAdjoint(const Request &request, const rules::RuleTable &rules, DiagnosticSink &sink) {
  return AdjointMaker(request, rules, sink).make();
}

} // namespace gpuad::transform
