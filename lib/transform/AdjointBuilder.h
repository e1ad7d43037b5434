//===- AdjointBuilder.h - state of the reversal --------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform. Turns a function in value form into the statements of
/// its adjoint: a forward sweep, then the reverse sweep (joint reversal). Nested
/// regions are re-run: the reverse of a branch arm or a loop iteration first
/// computes the values of the region again, from values outside it and from what
/// the forward sweep recorded of carried variables, then runs backward. What of
/// all that is not needed is removed afterwards by eliminateDead().
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ADJOINTBUILDER_H
#define GPUAD_TRANSFORM_ADJOINTBUILDER_H

#include "analysis/SharedEpochs.h"
#include "analysis/ThreadDependence.h"
#include "analysis/ValueActivity.h"
#include "ir/ValueForm.h"
#include "transform/CalleeAdjoints.h"
#include "transform/Decisions.h"
#include "transform/RecordPlan.h"
#include "transform/Sums.h"
#include "transform/Undo.h"

#include <map>
#include <set>

namespace gpuad::transform {

/// The shadow of an object in memory.
struct Shadow {
  ir::Expr root;           ///< stands where the primal's root stands: x_bar for x
  ir::Var *want = nullptr; ///< the flag that tells whether it was passed; null: always
  MemorySpace space = MemorySpace::Private;
  bool mayHoldNull = false; ///< of an array of pointers: each may be missing
};

/// A load whose repetition in the reverse sweep would read another value.
struct HazardousLoad {
  ir::Stmt statement;
  const ir::ValueItem *item = nullptr;
  std::vector<const ir::Region *> regions; ///< that are being run again, outermost first
  bool isUndone = false;                   ///< the memory that it loads from is overwritten and put back
};

/// What a thread adds to the adjoint of a place, summed until it is added.
struct WaitingSum {
  ir::Expr place; ///< of the primal
  ir::Var *sum = nullptr;
};

/// A call that would find other arrays than the primal's call did.
struct HazardousCall {
  ir::Stmt statement;
  const ir::CallItem *item = nullptr;
};

class AdjointBuilder {
public:
  AdjointBuilder(const ir::ValueFunction &function, const analysis::ValueActivity &activity,
                 const rules::RuleTable &rules, CalleeAdjoints &callees, DiagnosticSink &sink);

  /// The adjoint of a by-value parameter or a value is this variable, declared by
  /// the caller.
  void useBar(ir::Var *value, ir::Var *bar);
  void useShadow(ir::MemoryBase base, Shadow shadow) { shadows[base] = shadow; }
  /// The pointers in this by-value struct have their shadows in that one.
  void usePointersOf(ir::Var *value, ir::Expr shadow) { pointersOf[value] = shadow; }

  /// Puts what the plan names into the stack; without a plan, loops record all that
  /// they carry into arrays.
  void usePlan(const RecordPlan &recordPlan) { plan = &recordPlan; }
  /// Puts these local arrays back before code that loads from them is run again.
  void restore(const ir::OrderedSet<ir::Var> &arrays) { restored.assign(arrays.begin(), arrays.end()); }
  /// Records what these loads give, in the loop around each: their memory is overwritten.
  void recordLoads(const ir::OrderedSet<const ir::ValueItem> &loads) { recordedLoads = loads; }
  /// Numbers that are compared with what was picked of them: no run may round them in another way than the first.
  void recordOffers(const ir::OrderedSet<const ir::ValueItem> &numbers) { offered = numbers; }
  /// These come out in every run as they did in the first.
  void useDecisions(const Decisions &made);

  /// The stores to these shared arrays are put back.
  void usePutBack(const ir::OrderedSet<ir::Var> &arrays) { putBackArrays = arrays; }

  /// Stores to these objects are done, and undone.
  void useUndo(UndoPlan &undoPlan) { undo = &undoPlan; }

  /// The statements of both sweeps. `seeds`: results of the function with their seeds.
  std::vector<ir::Stmt> run(const std::vector<std::pair<ir::Expr, ir::Expr>> &seeds);

  /// No sums over the block: not all its threads may come to its end together.
  void withoutBlockSums() { takesBlockSums = false; }
  /// What goes around the sweeps of a kernel: sums over all threads of a block.
  std::vector<ir::Stmt> declareBlockSums() const;
  std::vector<ir::Stmt> addBlockSums();

  const std::vector<RecordPlace> &records() const { return recordPlaces; }
  const std::vector<HazardousLoad> &hazards() const { return hazardousLoads; }
  const std::vector<HazardousCall> &callHazards() const { return hazardousCalls; }
  /// Calls whose callee turned out to have no adjoint of its own.
  const ir::OrderedSet<const ir::CallItem> &callsWithoutAdjoint() const { return refusedCalls; }
  bool hasFailed() const { return failed; }

private:
  // Forward sweeps (AdjointForward.cpp).
  void forward(const ir::Region &region, bool record, bool isFirstRun);
  bool setsAnew(const ir::Var *array) const;
  void forwardValue(const ir::ValueItem &item, bool isFirstRun);
  void forwardBranch(const ir::BranchItem &item, bool isFirstRun);
  void forwardLoop(const ir::LoopItem &item, bool isRecording, bool isFirstRun);
  void recordLocally(const ir::LoopItem &item);
  void parallelAssign(const std::vector<std::pair<ir::Var *, ir::Expr>> &copies);
  /// Whether code after the item can see that it ran: it yields values, or stores
  /// into an array of an outer region.
  bool needsForward(const ir::Item &item) const;

  // Recording (AdjointRecords.cpp).
  const std::vector<ir::Var *> *inStack(const ir::LoopItem &item) const;
  void declareRecords(const ir::LoopItem &item);
  void record(const ir::LoopItem &item);
  ir::Expr recordedAt(ir::Var *array, const ir::Expr &iteration, const ir::Type &type) const;
  ir::Stmt recordValue(ir::Var *array, const ir::Expr &slot, const ir::Expr &value) const;
  void recordElements(const ir::LoopItem &item, ir::Var *from);
  ir::Expr slotsOfLoop(const ir::LoopItem &item) const;
  void closeRecords(const ir::LoopItem &item, bool isRecording);
  bool isCounting(const ir::Item &item) const;
  bool bodyHoldsRecords(const ir::LoopItem &item) const;
  ir::Expr mostOf(const std::vector<ir::Var *> &counts);
  std::vector<ir::Stmt> counting(ir::Var *most, llvm::function_ref<void()> body);
  ir::Var *countFrom(const char *name);
  ir::Expr needHere();
  void vote();
  void forwardAndVote(const ir::Region &region, bool isFirstRun);

  // What the first run decides (AdjointDecisions.cpp).
  bool holdsFrames(const ir::LoopItem &item) const { return decisions->holders.count(&item) != 0; }
  ir::Expr placeOf(const Decisions::Place &place) const;
  ir::Stmt keepDecision(const Decisions::Place &place, ir::Var *var) const;
  ir::Expr decisionAt(const Decisions::Place &place, const ir::Type &type) const;
  bool forwardDecided(const ir::ValueItem &item, bool isFirstRun);
  void beginFrames(const ir::LoopItem &item);
  void endFrames(const ir::LoopItem &item);
  ir::Expr placeNow() const;
  ir::Var *temporaryInt(const char *name);
  ir::Expr frameAt(const ir::LoopItem &item, const ir::Expr &iteration) const;
  void openFrame(const ir::LoopItem &item, const ir::Expr &origin);
  void enterFrame(const ir::LoopItem &item, bool isRecording, bool isFirstRun);
  void reopenFrame(const ir::LoopItem &item, const ir::Expr &iteration);
  void markFrame(const ir::BranchItem &item);
  void returnToFrame(const ir::BranchItem &item);
  void declareCountsOf(const ir::BranchItem &item);
  void keepCount(const ir::LoopItem &item);
  ir::Expr countBefore(const ir::LoopItem &item) const;
  ir::Expr iterationHere(const ir::LoopItem &item) const;

  // Memory of the caller (AdjointUndo.cpp).
  bool covers(const ir::StoreItem &item) const { return undo && undo->covers(item); }
  bool runsAtItsTurn(const ir::Region &region, const ir::Item &item) const;
  bool isRerunAtItsTurn(const ir::Region &region, const ir::Item &item) const;
  void waitBefore(const ir::Region &region);
  bool mayOverrun() const;
  void keepAndStore(const ir::StoreItem &item);
  void putBack(const ir::StoreItem &item, const ir::Expr &place);
  void rewindTo(const ir::Region &region);
  void forwardMarked(const ir::Region &region, bool isFirstRun);
  void stopUnlessFits(const ir::Region &region);
  void stopBehind(const ir::Item &item, bool isFirstRun);
  ir::Stmt callOnLog(const char *method, std::vector<ir::Expr> args) const;

  // Loaded values (AdjointArrays.cpp).
  void declareLoads(const ir::LoopItem &item);
  std::vector<ir::Var *> valuesRecordedIn(const ir::LoopItem &item) const;
  bool forwardRecorded(const ir::ValueItem &item, bool isFirstRun);
  bool forwardKept(const ir::ValueItem &item, bool isFirstRun);
  bool findsPutBack(const ir::ValueItem &item, ir::Var *array) const;
  // Local arrays (AdjointArrays.cpp).
  ir::Stmt forEachElement(ir::Var *array, llvm::function_ref<ir::Stmt(const ir::Expr &, const ir::Expr &)> body);
  ir::Stmt copyArray(ir::Var *to, ir::Var *from);
  ir::Expr savedElement(ir::Var *array, const ir::Expr &place) const;
  std::vector<ir::Var *> recordedArrays(const ir::LoopItem &item) const;
  void chooseLoads(const ir::Region &region);
  int64_t slotsOfElements(const ir::LoopItem &item, ir::Var *array) const;
  void copyArraysBefore(const ir::Region &region, size_t at);
  void restoreArrays(const ir::Item &item);
  void forget(ir::Var *array);
  void recallArrays(const ir::LoopItem &item, const ir::Expr &iteration);

  // Reverse sweep (Adjoint.cpp).
  void adjointOf(const ir::Region &region, bool isFirstRun, llvm::function_ref<void()> atTurn);
  void reverse(const ir::Region &region, bool isFirstRun);
  void reverseInit(const ir::InitExpr &init, const ir::Expr &place);
  void reverseValue(const ir::ValueItem &item);
  void reverseStore(const ir::StoreItem &item);
  void reversePick(const ir::StoreItem &item);
  void reverseBranch(const ir::BranchItem &item, bool isFirstRun);
  ir::Expr seedOf(const ir::StoreItem &item, const ir::Expr &place, const std::string &name);
  analysis::ThreadDependence::Mask election(const ir::StoreItem &item);
  ir::Expr electedLane(const ir::StoreItem &item) const;
  ir::Expr elected(const ir::StoreItem &item, ir::Expr condition = nullptr);
  ir::Expr mayTouch(const ir::StoreItem &item, const ir::Expr &place);
  void clearSeed(const ir::StoreItem &item, const ir::Expr &place);
  bool isTakenWhole(const ir::StoreItem &item) const;
  void storeStruct(const ir::StoreItem &item);
  void storeLeaves(const ir::StoreItem &item, const ir::Expr &place, const ir::Expr &value);
  void declareArrayBars(const ir::Region &region);

  // Kept calls (AdjointCall.cpp).
  void forwardCall(const ir::CallItem &item, bool isFirstRun);
  void reverseCall(const ir::CallItem &item);
  void reverseWritten(const ir::CallItem &item, const CalleePattern &pattern);
  ir::Expr temporaryAddress(const std::string &name, const ir::Expr &value);
  CalleePattern patternOf(const ir::CallItem &item) const;
  bool runsOnSameArrays(const ir::CallItem &item) const;
  bool findsSameArrays(const ir::CallItem &item) const;
  ir::Expr shadowAddress(const ir::Expr &address);

  // Loops (AdjointLoop.cpp).
  void reverseLoop(const ir::LoopItem &item);
  bool mirrorBarriers(const ir::Region &region);
  void recall(const ir::LoopItem &item, const ir::Expr &iteration);
  bool isOrderFree(const ir::LoopItem &item) const;
  ir::Var *incrementOf(const ir::LoopItem &item, const ir::Carried &carried) const;
  bool incrementChain(const ir::LoopItem &item, const ir::Carried &carried, ir::OrderedSet<ir::Var> &chain) const;
  void turnCarried(const ir::LoopItem &item);
  ir::Stmt loopOver(const ir::LoopItem &item, std::vector<ir::Stmt> body, ir::Var *counter) const;

  // Sums that wait (AdjointSums.cpp).
  struct LoopSums {
    ir::OrderedSet<ir::Var> defined; ///< by the loop
    std::vector<WaitingSum> sums;
  };
  bool canWait(const ir::Expr &leaf) const;
  ir::Expr sameForBlock(const ir::Expr &e) const;
  ir::Var *makeSum(std::vector<WaitingSum> &sums, const ir::Expr &place);
  ir::Var *waitingSumOf(const ir::Expr &leaf);
  void withLoopSums(const ir::LoopItem &item, llvm::function_ref<std::vector<ir::Stmt>()> body,
                    llvm::function_ref<void(std::vector<ir::Stmt>)> close);

  // Expressions (AdjointExpr.cpp).
  using Contributions = std::vector<std::pair<ir::Expr, ir::Expr>>; ///< leaf, amount
  ir::Expr barAddress(const ir::Expr &value, const std::string &name, Contributions &later);
  void passOn(const ir::Expr &value, const ir::Expr &seed, Contributions &later);
  void emitReverseCall(const ir::CallItem &item, ir::Callee callee, const std::vector<ir::Var *> &params,
                       std::vector<ir::Expr> args, const Contributions &later);
  void propagate(const ir::Expr &e, const ir::Expr &seed, const ir::Expr &result);
  void back(const ir::Expr &e, const ir::Expr &seed, const ir::Expr &result, Contributions &to);
  void backBinary(const ir::BinaryExpr &e, const ir::Expr &seed, const ir::Expr &value, Contributions &to);
  void backCall(const ir::CallExpr &call, const ir::Expr &seed, const ir::Expr &result, Contributions &to);
  void backCollective(const ir::CallExpr &call, const rules::Rule &rule, const ir::Expr &seed, const ir::Expr &result,
                      Contributions &to);
  /// `mayBeIdle`: a sum; where it is zero, memory is not touched.
  void contribute(const ir::Expr &leaf, const ir::Expr &amount, bool mayBeIdle = false);
  void contributeParts(const ir::Expr &leaf, const ir::Expr &amount);
  void addTo(ir::Var *value, const ir::Expr &amount);
  void noteHazard(const ir::Stmt &statement, const ir::ValueItem &item) {
    hazardousLoads.push_back({statement, &item, reruns, undo && undo->loads(item.expr)});
  }
  ir::Var *barOf(ir::Var *value);
  ir::Expr shadowPlace(const ir::Expr &place);
  const Shadow *shadowOf(const ir::Expr &place) const;
  ir::Expr wantedAt(const ir::Expr &place);
  void declareBar(ir::Var *value);
  void refuseForbidden();
  void collectFacts(const ir::Region &region, bool isInLoop);
  void collectMaskable();
  bool isMaskable(const ir::CallItem &item) const;
  void declareOuterBars(const ir::Item &item);
  ir::Expr guarded(const ir::Expr &seed, const ir::Expr &partial) const;

  void emit(ir::Stmt s) { out->push_back(std::move(s)); }
  template <class Body> std::vector<ir::Stmt> collect(Body body) {
    std::vector<ir::Stmt> list, *saved = out;
    out = &list;
    body();
    out = saved;
    return list;
  }

  const ir::ValueFunction &function;
  ir::Function &owner;
  const analysis::ValueActivity &activity;
  const rules::RuleTable &rules;
  CalleeAdjoints &callees;
  DiagnosticSink &sink;
  analysis::ThreadDependence dependence;
  analysis::SharedEpochs epochs;

  std::vector<ir::Stmt> *out = nullptr;
  std::map<ir::MemoryBase, Shadow, ir::InOrder> shadows;
  ir::OrderedMap<ir::Var, ir::Expr> pointersOf;
  ir::OrderedMap<ir::Var, ir::Var *> bars;
  ir::OrderedSet<ir::Var> declared;                      ///< values whose adjoint variable exists at this point
  ir::OrderedMap<ir::Var, const ir::Region *> definedIn; ///< value -> its region
  ir::OrderedMap<ir::Var, const ir::Merge *> merges;
  ir::OrderedMap<ir::Var, std::pair<const ir::LoopItem *, const ir::Carried *>> carriers; ///< carried variables
  ir::OrderedMap<ir::Var, ir::Expr> definitions;                                          ///< value -> what defines it
  ir::OrderedMap<const ir::LoopItem, ir::OrderedMap<ir::Var, ir::Var *>> recordOf;
  ir::OrderedSet<ir::Var> startsUnwritten; ///< local arrays without an initialiser
  std::vector<ir::Var *> restored;         ///< local arrays that are put back
  std::map<std::pair<const ir::Item *, ir::Var *>, ir::Var *, ir::InOrder>
      copies; ///< of an array, as it is before the item
  ir::OrderedSet<const ir::ValueItem> recordedLoads, offered;
  std::set<std::pair<const ir::LoopItem *, ir::Var *>, ir::InOrder>
      withoutArray;                             ///< loops that record what they load from the array instead
  ir::OrderedSet<const ir::ValueItem> runsOnce; ///< values that no loop computes
  ir::OrderedSet<const ir::Region> loopBodies;
  ir::OrderedSet<ir::Var> putBackArrays;        ///< shared arrays whose stores are put back
  ir::OrderedMap<ir::Var, ir::Var *> keptLoads; ///< of these, what was loaded when they ran first
  const ir::LoopItem *recordingIn = nullptr;    ///< the loop whose iterations are run and recorded
  ir::Expr recalledIteration;
  const ir::LoopItem *recallingIn = nullptr; ///< the loop whose iteration is run again
  const RecordPlan *plan = nullptr;
  Decisions noDecisions;
  const Decisions *decisions = &noDecisions;
  ir::Var *nextFrame = nullptr;                              ///< where the next frame begins
  ir::OrderedSet<ir::Var> isOrigin;                          ///< what loops record of it
  ir::OrderedMap<const ir::LoopItem, ir::Var *> frameOfLoop; ///< of the iteration that is run
  ir::OrderedMap<const ir::LoopItem, ir::Var *> firstFrame;  ///< of loops whose frames lie side by side
  ir::OrderedMap<const ir::BranchItem, ir::Expr> frameBefore;
  bool isAtFirstFrame = true;                               ///< nextFrame is 0
  ir::OrderedMap<const ir::LoopItem, ir::Var *> keptCounts; ///< in variables
  ir::OrderedMap<const ir::LoopItem, ir::Var *> counterOf;  ///< of a loop that runs as often as before
  SlotCount slots;                                          ///< of the region whose forward sweep is being made
  ir::Expr firstSlot;                                       ///< the first slot that nothing uses at this point; null: 0
  bool isBeforeVote = false;                                ///< what is recorded now may not fit
  std::vector<ir::Expr> outerNeeds;                         ///< of the regions around the one that votes
  std::vector<ir::Expr> guards;                             ///< conditions around the current place
  const ir::Region *current = nullptr;                      ///< the region being reversed
  ir::OrderedMap<ir::Var, ir::Var *> aliasedSeeds; ///< increment values -> the carried adjoint that is their seed
  std::vector<WaitingSum> blockSums;
  bool takesBlockSums = true;
  std::vector<LoopSums> loopSums; ///< of the loops around the current place, innermost last
  std::vector<RecordPlace> recordPlaces;
  std::vector<HazardousLoad> hazardousLoads;
  UndoPlan *undo = nullptr;
  std::vector<const ir::Region *> reruns; ///< regions that are being run again, outermost first
  bool stores = false;                    ///< what is run now stores to memory of the caller
  bool putsBack = false;                  ///< what is reversed now has stored there
  std::vector<HazardousCall> hazardousCalls;
  ir::OrderedSet<const ir::CallItem> refusedCalls;
  ir::OrderedSet<ir::Var> freshArrays;             ///< declared by the forward sweep that is being made
  ir::OrderedSet<const ir::ValueItem> stableLoads; ///< give the same when they are run again
  ir::OrderedSet<const ir::CallItem> stableCalls;  ///< read the same
  ir::OrderedSet<ir::Var> maskable;                ///< values that a selection may discard: their seed can be zero
  bool failed = false;
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ADJOINTBUILDER_H
