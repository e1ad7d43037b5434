//===- MakeAdjoint.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/MakeAdjoint.h"

#include "analysis/LiveWords.h"
#include "analysis/WarpsApart.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "support/Diagnostics.h"
#include "transform/AdjointMaker.h"
#include "transform/AlignCollectives.h"
#include "transform/DeadCode.h"
#include "transform/KeepResults.h"
#include "transform/NameOperands.h"
#include "transform/NameViews.h"
#include "transform/PruneBarriers.h"
#include "transform/SettlePicks.h"
#include "transform/Simplify.h"
#include "transform/SinkRecalls.h"
#include "transform/ToValueForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <functional>

namespace gpuad::transform {
using namespace ir;

namespace {
/// Local arrays for records have at most this many elements.
constexpr uint64_t LongestLocalRecord = 64;

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
} // namespace

OrderedSet<Var> AdjointMaker::readVariables() const {
  OrderedSet<Var> read;
  forEachExprIn(owner->body, [&](const Expr &e) {
    if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
      read.insert(ref->var);
  });
  return read;
}

/// The records that something reads, without those of short loops: these stay in
/// local arrays. A loop has all of its records in one place.
std::vector<RecordPlace> AdjointMaker::usedRecords(const AdjointBuilder &builder) const {
  OrderedSet<Var> used = readVariables();
  OrderedSet<const Item> longLoops;
  for (const RecordPlace &record : builder.records()) {
    uint64_t trips = record.loop->staticTrips;
    if (used.count(record.array) && (trips == 0 || trips * slotsOf(*record.carried) > LongestLocalRecord))
      longLoops.insert(record.loop);
  }
  std::vector<RecordPlace> found;
  for (const RecordPlace &record : builder.records())
    if (used.count(record.array) && longLoops.count(record.loop))
      found.push_back(record);
  return found;
}

/// Values that a pragma wants recorded are recorded where loops compute them.
void AdjointMaker::recordAsAsked(const Region &region) {
  for (const auto &item : region.items) {
    if (auto *value = llvm::dyn_cast<ValueItem>(item.get()); value && value->var->keeping == Keeping::Record)
      recordedLoads.insert(value);
    if (auto *branch = llvm::dyn_cast<BranchItem>(item.get())) {
      recordAsAsked(branch->thenRegion);
      recordAsAsked(branch->elseRegion);
    }
    if (auto *loop = llvm::dyn_cast<LoopItem>(item.get()))
      recordAsAsked(loop->body);
  }
}

/// What a pragma wants computed again is not recorded.
bool AdjointMaker::checkRecomputed(const AdjointBuilder &builder) {
  bool fine = true;
  auto check = [&](const LoopItem &loop, const Var &recorded) {
    if (recorded.keeping != Keeping::Recompute)
      return;
    diag::report(sink, diag::Id::BadPragma, loop.range,
                 "this loop changes '" + recorded.name +
                     "', and what it was in an earlier iteration can only be recorded");
    fine = false;
  };
  OrderedSet<Var> used = readVariables();
  for (const RecordPlace &record : builder.records())
    if (used.count(record.array))
      check(*record.loop, *record.carried);
  if (plan)
    for (const auto &[loop, recorded] : plan->inStack)
      for (const Var *var : recorded)
        check(*loop, *var);
  return fine;
}

/// The stack is the launch's, and its slots hold scalars.
bool AdjointMaker::checkStackable(const std::vector<RecordPlace> &records) {
  for (const RecordPlace &record : records) {
    Type type = slotType(*record.carried);
    if (!isScalar(type) || type->bits > 64)
      diag::report(sink, diag::Id::NotInReverse, record.loop->range,
                   "a loop that records '" + record.carried->name + "', whose elements are no numbers,");
    else if (!primal.isKernel())
      diag::report(sink, diag::Id::LoopRecords, record.loop->range, record.carried->name);
    else
      continue;
    return false;
  }
  return true;
}

void AdjointMaker::useStack(const std::vector<RecordPlace> &records, const ValueFunction &function) {
  plan = planRecords(function, records, decisions, undo.log ? &undo : nullptr);
  if (undo.log)
    undo.log->type = opaqueType(plan->logHoldsValues ? "gpuad::undo_values" : "gpuad::undo_log");
  if (plan->inStack.empty() && !plan->logIsInStack && !plan->decisionsAreInStack)
    return;
  plan->stack = owner->makeVar("stack", opaqueType("gpuad::stack"), Storage::Parameter);
  plan->need = owner->makeVar("need", sizeType());
  owner->params.push_back(plan->stack);
}

/// The plan no longer holds.
void AdjointMaker::dropStack() {
  if (plan && plan->stack)
    std::erase(owner->params, plan->stack);
  plan.reset();
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
  if (plan->logIsInStack) {
    const char *method = plan->isMeasured() ? "undo_half" : plan->logHoldsValues ? "undo_values" : "undo";
    std::string width = plan->logHoldsValues ? "<" + std::to_string(plan->bytesPerSlot) + ">" : "";
    std::vector<Expr> behind;
    if (plan->decisionWords)
      behind.push_back(plan->decisionWords);
    list.push_back(makeDecl(undo.log, callOnStack(*plan, method, behind, undo.log->type, width)));
  }
  if (plan->decisionsAreInStack) {
    std::string width = "<" + std::to_string(plan->bytesPerSlot) + ">";
    list.push_back(makeDecl(decisions.record, callOnStack(*plan, "decisions", {}, decisions.record->type, width)));
  }
  if (plan->isMeasured()) {
    std::vector<Expr> needs{makeRef(plan->need)};
    if (undo.log)
      needs.push_back(makeRef(undo.log));
    owner->body =
        hoistVote(owner->body, unless(undo.log && plan->logIsOfBlock ? "fits_shared" : "fits", needs), plan->mayStop());
    if (plan->needsDeclaration())
      list.push_back(makeDecl(plan->need, zeroOf(sizeType())));
  }
  list.push_back(owner->body);
  list.push_back(makeDo(callOnStack(*plan, "leave", {}, voidType())));
  owner->body = flattened(list);
}

static std::string describeUndone(const UndoPlan &undo) {
  std::set<std::string> names;
  for (const MemoryBase &object : undo.objects)
    names.insert(object.first->name);
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? " Overwrites " : ", ") + name;
  return text + ", and puts it back.";
}

void AdjointMaker::describe(Derivative &derivative) {
  if (pattern)
    return describeShared(derivative);
  derivative.comment = "Adjoint of " + primal.qualifiedName() + ": " + describeLists(request) + ".";
  if (std::set<std::string> called = callees.primalsCalledIn(*owner); !called.empty())
    derivative.comment += " Calls the adjoint of " + llvm::join(called, ", of ") + ".";
  if (undo.log)
    derivative.comment += describeUndone(undo);
  if (!plan || !plan->stack)
    return;
  std::set<std::string> recorded;
  std::string what;
  for (const auto &[loop, vars] : plan->inStack) {
    auto origin = decisions.origins.find(loop);
    for (Var *var : vars)
      if ((origin == decisions.origins.end() || origin->second != var) && recorded.insert(var->name).second)
        what += (what.empty() ? "" : ", ") + var->name;
  }
  if (!what.empty())
    what += " at the start of each iteration,";
  if (plan->decisionsAreInStack)
    what += std::string(what.empty() ? "" : " and ") + "what rounded numbers decide,";
  derivative.comment += what.empty() ? " Takes" : " Records " + what + " in";
  derivative.comment += " slots of " + std::to_string(plan->bytesPerSlot) + " bytes a thread" +
                        (plan->isMeasured() ? "; the kernel counts them." : ".");
  derivative.stack = StackNeed{plan->sizedNeed, plan->bytesPerSlot};
}

void AdjointMaker::build(AdjointBuilder &builder, const ValueFunction &function) {
  connect(builder);
  std::vector<Stmt> body = function.declarations, before = prologue();
  body.insert(body.end(), before.begin(), before.end());
  std::vector<Stmt> sweeps = builder.run(seedsOf(function));
  for (const std::vector<Stmt> &part : {builder.declareBlockSums(), sweeps, builder.addBlockSums(), epilogue()})
    body.insert(body.end(), part.begin(), part.end());
  owner->body = makeBlock(body);
  eliminateDead(*owner, [this](const CallExpr &call) { return effectOf(call); });
  dropIdleVotes(*owner, rules);
  eliminateDead(*owner, [this](const CallExpr &call) { return effectOf(call); });
}

/// Both sweeps. They are made once with every loop recording all that it carries, to
/// see what the reverse sweep reads of it; they are made again where local arrays have
/// to be put back for it, and where records go into the stack.
bool AdjointMaker::makeSweeps(ValueFunction &function) {
  for (;;) {
    analysis::ValueActivity activity = activityOf(function);
    AdjointBuilder builder(function, activity, rules, callees, sink);
    builder.restore(restored);
    builder.recordLoads(recordedLoads);
    builder.recordOffers(offered);
    builder.usePutBack(putBackArrays);
    builder.useDecisions(decisions);
    if (plan)
      builder.usePlan(*plan);
    if (undo.log)
      builder.useUndo(undo);
    if (partWarps)
      builder.withoutBlockSums();
    build(builder, function);
    if (builder.hasFailed() || giveUpCalls(builder))
      return false;
    if (std::vector<HazardousLoad> left = hazardsLeft(builder); !left.empty()) {
      if (!mend(left, function) || giveUpCallsOnUndone(function.body))
        return false;
      dropStack(); // it was planned for less
      continue;
    }
    if (plan)
      return checkRecomputed(builder);
    std::vector<RecordPlace> records = usedRecords(builder);
    if (records.empty() && !undo.log)
      return checkRecomputed(builder);
    if (!checkStackable(records))
      return false;
    useStack(records, function);
    if (addDecisions(function, *plan, undo.log ? &undo : nullptr, decisions)) {
      if (decisions.any() && !decisions.record)
        decisions.record = owner->makeVar("decided", opaqueType("gpuad::decisions"));
      dropStack(); // there are more records now
      continue;
    }
    if (!checkLog(function))
      return false;
    if (!plan->stack)
      return checkRecomputed(builder);
  }
}

/// Returns at once where two arrays are one for which this derivative is wrong.
void AdjointMaker::testPairs(Derivative &derivative, const ValueFunction &function) {
  derivative.mustDiffer = pairsToTest(function);
  std::vector<Stmt> guarded = testsOfPointers(function);
  if (derivative.mustDiffer.empty() && guarded.empty())
    return;
  for (auto [a, b] : derivative.mustDiffer) {
    Expr equal = makeBinary(BinaryOp::Eq, makeRef(a), makeRef(b), boolType());
    guarded.push_back(withNote(makeIf(equal, makeBlock({makeReturn()})), "made for different arrays"));
  }
  guarded.push_back(owner->body);
  owner->body = flattened(guarded);
}

/// The log of what is overwritten, where it is a local array.
void AdjointMaker::declareLog() {
  Type word = scalarType(ScalarKind::Int, 64, false, "unsigned long long");
  Var *slots = owner->makeVar("undo_slots", arrayOf(word, plan->logSlots));
  Callee make;
  make.name = make.spelling = spell(undo.log->type);
  std::vector<Stmt> list{makeDecl(slots), makeDecl(undo.log, makeCall(make, {makeRef(slots)}, undo.log->type))};
  list.push_back(owner->body);
  owner->body = flattened(list);
}

/// The same for what is decided.
void AdjointMaker::declareDecisions() {
  Type word = scalarType(ScalarKind::Int, 32, false, "unsigned");
  Var *words = owner->makeVar("decided_words", arrayOf(word, plan->localDecisionWords));
  Callee make;
  make.name = make.spelling = "gpuad::decisions";
  owner->body =
      flattened({makeDecl(words), makeDecl(decisions.record, makeCall(make, {makeRef(words)}, decisions.record->type)),
                 owner->body});
}

analysis::ValueActivity AdjointMaker::activityOf(const ValueFunction &function) const {
  std::set<MemoryBase, InOrder> independents = pattern ? activeArguments() : objectsOf(request.independents);
  std::set<MemoryBase, InOrder> dependents = objectsOf(request.dependents);
  for (Var *global : request.globalIndependents)
    independents.insert({global, ""});
  for (Var *global : request.globalDependents)
    dependents.insert({global, ""});
  return analysis::ValueActivity(function, rules, independents, dependents, resultsOf(function));
}

/// Without the barriers that separate nothing.
void AdjointMaker::pruneWaits() {
  OrderedSet<Var> seen = sharedPointers; // by other threads of the block
  if (undo.log)
    seen.insert(undo.log);
  for (const MemoryBase &object : undo.betweenThreads)
    seen.insert(object.first);
  pruneBarriers(*owner, rules, seen);
}

std::optional<Derivative> AdjointMaker::make() {
  makeParameters();
  std::vector<Var *> own;
  for (const Param &param : params)
    own.push_back(param.own);
  if (isReplay)
    record = owner->makeVar("record", opaqueType(RecordView), Storage::Parameter);
  std::optional<ValueFunction> function = toValueForm(primal, *owner, own, boundObjects(), rules, kept, sink, record);
  if (!function)
    return std::nullopt;
  function->seedsMayBeZero = pattern != nullptr;
  alignCollectives(*function, rules);
  if (!settlePicks(*function, offered, sink))
    return std::nullopt;
  recordedLoads.insert(offered.begin(), offered.end());
  nameOperands(*function, activityOf(*function), rules);
  analysis::ValueActivity activity = activityOf(*function);
  if (!checkDivergence(*function) || !shadowGlobals(*function, activity) || !checkForbidden(*function, activity) ||
      !checkBits(*function, activity) || !checkResults(*function, activity) || !checkPicks(*function))
    return std::nullopt;
  shadowParameters(*function, activity);
  if (!shadowSharedArrays(*function, activity))
    return std::nullopt;
  recordAsAsked(function->body);
  partWarps = analysis::exchangeOfPartWarps(*function, rules);
  if (!makeSweeps(*function))
    return std::nullopt;
  if (!checkPartWarps())
    return std::nullopt;
  simplify(*owner, [this](const CallExpr &call) { return isPinned(call); });
  eliminateDead(*owner, [this](const CallExpr &call) { return effectOf(call); });
  dropMarkers(*owner);
  pruneWaits();
  eliminateDead(*owner, [this](const CallExpr &call) { return effectOf(call); });
  sinkRecalls(*owner);
  if (plan && plan->logSlots != 0)
    declareLog();
  if (plan && plan->localDecisionWords != 0)
    declareDecisions();
  if (plan && plan->stack)
    frameByStack();
  if (readsRecord())
    guardByRecord();
  decideHows(*function);
  nameViews(*owner, primal, sharedArrays);
  if (pattern)
    dropUnusedValues();

  if (!checkGrid(*function))
    return std::nullopt;
  Derivative derivative;
  testPairs(derivative, *function);
  derivative.mode = DerivativeMode::Adjoint;
  derivative.primal = &primal;
  for (unsigned i = 0; i < params.size(); ++i) {
    if (llvm::is_contained(owner->params, params[i].own))
      derivative.params.push_back({params[i].own, ParamRole::Primal, i, false});
    if (params[i].shadow)
      derivative.params.push_back({params[i].shadow, ParamRole::Shadow, i, params[i].mustNotBeNull});
  }
  if (returnBar)
    derivative.params.push_back({returnBar, ParamRole::ReturnSeed, 0, false});
  derivative.movedShared = movedShared;
  if (sharedBytes)
    derivative.params.push_back({sharedBytes, ParamRole::SharedBytes, 0, false});
  if (plan && plan->stack)
    derivative.params.push_back({plan->stack, ParamRole::Stack, 0, false});
  if (readsRecord())
    takeRecord(derivative, *function);
  for (const Global &global : globals)
    derivative.globals.push_back({global.own, global.shadow});
  derivative.needsLauncher = primal.isKernel();
  describe(derivative);
  derivative.mayLackRegisters = analysis::mayLackRegisters(*owner);
  derivative.function = std::move(owner);
  return derivative;
}

/// Until the calls that are kept are such that it works.
template <class Configure>
static std::optional<Derivative> makeRepeatedly(const Request &request, const rules::RuleTable &rules,
                                                CalleeAdjoints &callees, DiagnosticSink &sink, Configure configure) {
  bool hasActiveConstants = !request.globalIndependents.empty() || !request.globalDependents.empty();
  KeptCalls kept(callees.calleePlan(), hasActiveConstants);
  for (;;) {
    CollectingSink collected;
    AdjointMaker maker(request, rules, callees, kept, collected);
    configure(maker);
    std::optional<Derivative> made = maker.make();
    if (maker.mustRepeat())
      continue;
    for (const Diagnostic &diagnostic : collected.diagnostics)
      sink.report(diagnostic);
    return made;
  }
}

std::optional<Derivative> makeAdjoint(const Request &request, const rules::RuleTable &rules, CalleeAdjoints &callees,
                                      DiagnosticSink &sink, bool readsRecord) {
  return makeRepeatedly(request, rules, callees, sink, [&](AdjointMaker &maker) {
    if (readsRecord)
      maker.replay();
  });
}

std::optional<Derivative> makeCalleeAdjoint(const Request &request, const CalleePattern &pattern,
                                            CalleeAdjoint &adjoint, const rules::RuleTable &rules,
                                            CalleeAdjoints &callees, DiagnosticSink &sink) {
  return makeRepeatedly(request, rules, callees, sink, [&](AdjointMaker &maker) { maker.shareAs(pattern, adjoint); });
}

} // namespace gpuad::transform
