//===- AdjointMaker.h - the adjoint of one function ----------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Private to lib/transform. Makes one adjoint: its parameters and shadows
/// (AdjointParameters.cpp, for one that calls share AdjointCallee.cpp), its sweeps and
/// their frame (MakeAdjoint.cpp), and what has to be refused (AdjointChecks.cpp).
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_ADJOINTMAKER_H
#define GPUAD_TRANSFORM_ADJOINTMAKER_H

#include "transform/Accumulate.h"
#include "transform/AdjointBuilder.h"
#include "transform/DeadCode.h"
#include "transform/Decisions.h"
#include "transform/MakeAdjoint.h"

namespace gpuad::analysis {
struct ExclusiveProof;
}

namespace gpuad::transform {

/// Whether the function, or one that it calls, has a fence: it orders what others see.
bool ordersMemory(const ir::Function &function, const rules::RuleTable &rules);

class AdjointMaker {
public:
  AdjointMaker(const Request &request, const rules::RuleTable &rules, CalleeAdjoints &callees, KeptCalls &kept,
               DiagnosticSink &sink)
      : request(request), primal(*request.primal), rules(rules), callees(callees),
        globalShadows(callees.globalShadows()), kept(kept), sink(sink) {}
  /// Makes an adjoint that calls of the function share.
  void shareAs(const CalleePattern &calleePattern, CalleeAdjoint &calleeAdjoint) {
    pattern = &calleePattern;
    shared = &calleeAdjoint;
  }
  /// The primal keeps results of atomics, and the adjoint reads them.
  void replay() { isReplay = true; }
  std::optional<ir::Derivative> make();
  bool mustRepeat() const { return gaveUp; }

private:
  /// A pointer inside a by-value struct with the local that points to its shadow.
  struct ViewPointer {
    std::string path; ///< ".base"
    ir::Var *pointer = nullptr;
    ir::Var *want = nullptr; ///< null: always wanted
    ir::Expr source;         ///< the field of the shadow struct
  };
  struct Param {
    ir::Var *own = nullptr;    ///< stands for the primal's parameter
    ir::Var *shadow = nullptr; ///< null: inactive
    ir::Var *want = nullptr;   ///< `const bool want_x`; null: always wanted
    ir::Var *sum = nullptr;    ///< by-value parameters: what the thread adds
    ir::Var *seed = nullptr;   ///< of an object of the caller's that the function writes
    bool listed = false;
    bool mustNotBeNull = false;
    std::vector<ViewPointer> views;
    std::vector<std::string> tables; ///< of a struct: its arrays of pointers, as paths (".rows*")
  };

  /// A variable at namespace scope.
  struct Global {
    ir::Var *own = nullptr;
    ir::Var *shadow = nullptr;
    ir::Var *sum = nullptr; ///< what the thread adds; null: it adds into the shadow
  };

  void makeParameters();
  // Of an adjoint that calls share (AdjointCallee.cpp).
  void ownParameter(unsigned param, Param &made);
  std::set<unsigned> boundObjects() const;
  void shadowArguments();
  void dropUnusedValues();
  void describeShared(ir::Derivative &derivative) const;
  std::string freshName(const std::string &base) const;
  std::vector<std::pair<ir::Expr, ir::Expr>> seedsOf(const ir::ValueFunction &function) const;
  std::vector<ir::Expr> resultsOf(const ir::ValueFunction &function) const;
  std::set<ir::MemoryBase, ir::InOrder> activeArguments() const;
  bool giveUpCallsOnUndone(const ir::Region &region);
  bool giveUpCalls(const AdjointBuilder &builder);
  std::set<ir::MemoryBase, ir::InOrder> objectsOf(const std::vector<Listed> &listed) const;
  bool shadowSharedArrays(const ir::ValueFunction &function, const analysis::ValueActivity &activity);
  void shadowParameters(const ir::ValueFunction &function, const analysis::ValueActivity &activity);
  bool flowsThrough(const ir::ValueFunction &function, const analysis::ValueActivity &activity, ir::Var *own) const;
  MemorySpace spaceOf(unsigned param) const;
  void connect(AdjointBuilder &builder);
  void findViewPointers(Param &param, const analysis::ValueActivity &activity);
  std::vector<ir::Stmt> prologue();
  void shareArrays(std::vector<ir::Stmt> &to);
  std::vector<ir::Stmt> epilogue();
  void addLeaves(std::vector<ir::Stmt> &to, const ir::Expr &place, const ir::Expr &value, const ir::Type &type,
                 const FieldList *listed = nullptr, const std::string &path = "");
  // Variables at namespace scope (AdjointGlobals.cpp).
  bool shadowGlobals(const ir::ValueFunction &function, const analysis::ValueActivity &activity);
  void connectGlobals(AdjointBuilder &builder);
  void declareGlobalSums(std::vector<ir::Stmt> &to);
  void addGlobalSums(std::vector<ir::Stmt> &to);

  bool checkBits(const ir::ValueFunction &function, const analysis::ValueActivity &activity);
  bool checkForbidden(const ir::ValueFunction &function, const analysis::ValueActivity &activity);
  std::vector<std::pair<ir::Var *, ir::Var *>> pairsToTest(const ir::ValueFunction &function) const;
  std::vector<ir::Stmt> testsOfPointers(const ir::ValueFunction &function) const;
  std::vector<HazardousLoad> hazardsLeft(const AdjointBuilder &builder) const;
  bool mend(const std::vector<HazardousLoad> &hazards, ir::ValueFunction &function);
  bool refuseLoad(const ir::ValueItem &item, const std::string &why);
  void dropPutBack(ir::Var *array, ir::Region &region);
  bool mendByPutBack(ir::Var *array, ir::ValueFunction &function);
  bool mendByUndo(const HazardousLoad &hazard, ir::ValueFunction &function);
  void recordAsAsked(const ir::Region &region);
  bool checkRecomputed(const AdjointBuilder &builder);
  ir::OrderedSet<ir::Var> readVariables() const;
  std::vector<RecordPlace> usedRecords(const AdjointBuilder &builder) const;
  bool checkStackable(const std::vector<RecordPlace> &records);
  bool checkLog(const ir::ValueFunction &function);
  bool makeSweeps(ir::ValueFunction &function);
  analysis::ValueActivity activityOf(const ir::ValueFunction &function) const;
  void build(AdjointBuilder &builder, const ir::ValueFunction &function);
  void useStack(const std::vector<RecordPlace> &records, const ir::ValueFunction &function);
  void dropStack();
  void frameByStack();
  void declareLog();
  void declareDecisions();
  void decideHows(const ir::ValueFunction &function);
  bool own(const ir::MemoryBase &object, ir::Var *shadow, const analysis::ExclusiveProof &proof);
  ir::Var *declareTest(const std::string &name, const ir::Expr &condition);
  ir::Var *flatTest(unsigned dimensions);
  void testPairs(ir::Derivative &derivative, const ir::ValueFunction &function);
  void describe(ir::Derivative &derivative);
  // What the primal's run kept (AdjointReplay.cpp).
  bool readsRecord() const;
  void guardByRecord();
  void takeRecord(ir::Derivative &derivative, const ir::ValueFunction &function);
  bool checkPicks(const ir::ValueFunction &function);
  bool checkResults(const ir::ValueFunction &function, const analysis::ValueActivity &activity);
  void pruneWaits();
  bool checkGrid(const ir::ValueFunction &function);
  bool checkDivergence(const ir::ValueFunction &function);
  bool checkPartWarps();
  CallEffect effectOf(const ir::CallExpr &call) const {
    if (call.callee.function) // kept, or the adjoint of one that is
      return CallEffect::Arguments;
    const rules::Rule *rule = rules.find(call.callee);
    if (rule && rule->kind == rules::RuleKind::Atomic) // its result is not used
      return CallEffect::Arguments;
    return hasEffect(call) ? CallEffect::Any : CallEffect::None;
  }
  bool hasEffect(const ir::CallExpr &call) const {
    if (call.callee.name == "gpuad::take")
      return true;
    const rules::Rule *rule = rules.find(call.callee);
    // What lanes exchange may be left out where no lane wants it.
    return !call.callee.function && (!rule || (!rule->isRepeatable() && rule->kind != rules::RuleKind::Collective));
  }
  /// What must stay where it is: all threads of a group do it together.
  bool isPinned(const ir::CallExpr &call) const {
    if (call.callee.function)
      return !writtenArguments(call).empty();
    const rules::Rule *rule = rules.find(call.callee);
    return hasEffect(call) || (rule && rule->kind == rules::RuleKind::Collective);
  }

  const Request &request;
  const ir::Function &primal;
  const rules::RuleTable &rules;
  CalleeAdjoints &callees;
  GlobalShadows &globalShadows;
  KeptCalls &kept;
  DiagnosticSink &sink;
  const CalleePattern *pattern = nullptr; ///< null: the adjoint is requested
  CalleeAdjoint *shared = nullptr;
  std::unique_ptr<ir::Function> owner;
  std::vector<Param> params;
  std::vector<Global> globals;
  std::vector<std::pair<ir::Var *, ir::Var *>> sharedArrays; ///< with their shadows; null: inactive
  ir::OrderedSet<ir::Var> sharedPointers;                    ///< shadows of dynamic shared memory, which lie behind it
  std::vector<ir::Type> movedShared;                         ///< shadows of static arrays in dynamic shared memory
  ir::Var *sharedBytes = nullptr;                            ///< the parameter that tells where; null: there are none
  ir::Var *returnBar = nullptr;
  ir::OrderedMap<ir::Var, Ownership> ownedShadows;
  ir::Var *flat = nullptr; ///< whether the launch has no more dimensions than the function looks at; null: not asked
  std::optional<SourceRange> partWarps; ///< an exchange to which not all lanes of a warp may come
  bool isReplay = false;
  ir::Var *record = nullptr;                   ///< the parameter from which results of atomics are read
  bool gaveUp = false;                         ///< on calls: the adjoint is made once more
  ir::OrderedSet<ir::Var> restored;            ///< local arrays that are put back
  ir::OrderedSet<const ir::ValueItem> offered; ///< to a maximum or minimum, and compared with it
  ir::OrderedSet<const ir::ValueItem>
      recordedLoads;                     ///< from shared memory that is overwritten, and values that a pragma names
  ir::OrderedSet<ir::Var> putBackArrays; ///< shared arrays whose stores the reverse sweep puts back
  std::vector<std::unique_ptr<ir::Item>> dropped; ///< from the function; hazards may speak of them
  Decisions decisions;                            ///< what must come out the same in all runs
  std::optional<RecordPlan> plan;                 ///< where loops record into the stack
  UndoPlan undo;                                  ///< memory of the caller that is overwritten
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_ADJOINTMAKER_H
