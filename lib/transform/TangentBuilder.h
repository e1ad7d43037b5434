//===- TangentBuilder.h - state of one tangent ---------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/transform.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_TANGENTBUILDER_H
#define GPUAD_TRANSFORM_TANGENTBUILDER_H

#include "analysis/Activity.h"
#include "ir/Builder.h"
#include "support/Diagnostics.h"
#include "transform/MakeTangent.h"
#include "transform/NameOperands.h"

#include <optional>

namespace gpuad::transform {

/// A function's name as part of an identifier.
std::string plainName(const ir::Function &function);
/// Whether a function may write to memory that is not its own.
bool mayWrite(const ir::Function &function);

/// A struct without numbers, but with pointers to some.
bool isView(const ir::Type &type);

/// Zero as an operand: a struct has to name its type there.
ir::Expr zeroValue(const ir::Type &type);

/// gpuad::dual<T>: a value and its tangent.
ir::Type dualType(const ir::Type &value);

/// The parameter of a generated kernel that says how much dynamic shared memory its primal
/// has; null: there is none.
ir::Var *sharedBytesOfDerivative(const ir::Function &function);

/// The memory that an adjoint of an earlier translation records into.
bool isStackOfAdjoint(const ir::Function &function, const ir::Var &param);

/// The parameter in which a generated kernel finds what only the primal's run knew.
bool isRecordOfAdjoint(const ir::Function &function, const ir::Var &param);

/// Whether the call keeps memory in a log, or puts it back.
const rules::Rule *undoRule(const ir::CallExpr &call, const rules::RuleTable &rules);

class TangentBuilder {
public:
  /// Asks for the tangent of a callee; returns the name to call it by.
  using CalleeNamer = std::function<std::string(const ir::Function &, const ActivePattern &)>;

  TangentBuilder(const ir::Function &primal, ir::Function &owner, const analysis::Activity &activity,
                 const rules::RuleTable &rules, analysis::CallFlows &flows, CalleeNamer nameCallee,
                 DiagnosticSink &sink);

  void mapVar(ir::Var *primal, ir::Var *own, ir::Var *dot, ir::Var *want);
  ir::Stmt run(const ir::Stmt &body, bool returnsDual);
  bool hasFailed() const { return failed; }
  /// The parameter that tells where the tangents of dynamic shared memory begin; null: none.
  ir::Var *sharedBytesParameter() const { return sharedBytes; }
  /// Tangents of static shared arrays that lie in dynamic shared memory.
  const std::vector<ir::Type> &movedArrays() const { return movedShared; }

private:
  // Statements (TangentStmt.cpp).
  void findPartlyActive();
  void statement(const ir::Stmt &s);
  std::vector<ir::Stmt> listOf(const ir::Stmt &s);
  ir::Stmt bodyOf(const ir::Stmt &s) { return s ? ir::makeBlock(listOf(s), s->range) : nullptr; }
  void declaration(const ir::DeclStmt &s, const ir::Stmt &whole);
  void dynamicShared(const ir::DeclStmt &s, ir::Var *own);
  void movedShadow(const ir::DeclStmt &s, ir::Var *own);
  bool movesShared() const;
  void assignment(const ir::Expr &place, const ir::Expr &value, const SourceRange &range);
  ir::Expr updateWithTangent(const ir::CallExpr &call, const ir::CallExpr &own, const rules::Rule &rule,
                             const SourceRange &range);
  void updateBehindResult(const ir::Expr &value);
  ir::Expr pickWithTangent(const ir::Expr &e); // TangentPicks.cpp
  void findUndone(const ir::Stmt &body);       // TangentUndo.cpp
  void undoDeclaration(ir::Var *own, const ir::DeclStmt &s, const SourceRange &range);
  void undo(const ir::CallExpr &own, const SourceRange &range);
  void effect(const ir::DoStmt &s);
  void leave(const ir::ReturnStmt &s);
  void loop(const ir::ForStmt &s, const ir::Stmt &whole);
  void assignLeaves(const ir::Expr &place, const ir::Expr &value);
  void assignFields(const ir::Expr &place, const ir::Expr &source);
  void writeDot(const ir::Expr &place, const ir::Expr &value);
  void leaveWith(const ir::Expr &returned, const SourceRange &range);

  // Conditional expressions, over this function's variables (TangentBranch.cpp).
  bool needsBranch(const ir::Expr &e) const; ///< a conditional whose arms need statements of their own
  ir::Expr guardedSeed(const ir::SelectExpr &choice) const;
  bool needsStatements(const ir::Expr &arm) const;
  void assignOwn(const ir::Expr &place, const ir::Expr &value, const SourceRange &range);
  void assignByBranch(const ir::Expr &place, const ir::SelectExpr &choice, const SourceRange &range);
  ir::Expr branchInside(const ir::Expr &e);

  // Expressions (TangentExpr.cpp).
  ir::Expr own(const ir::Expr &e); ///< the same expression over this function's variables
  ir::Expr besideTangent(const ir::Expr &whole) const;
  ir::Expr prepare(const ir::Expr &e, bool isResult) { return prepareOwn(own(e), isResult); }
  ir::Expr prepareOwn(const ir::Expr &e, bool isResult); ///< calls and operands of partials named
  ir::Expr hoistCalls(const ir::Expr &e);
  ir::Expr expand(const ir::Expr &call, const rules::Rule &rule);
  ir::Expr hoistCallsInArguments(const ir::Expr &call);
  ir::Expr dot(const ir::Expr &e, const ir::Expr &result); ///< null: zero
  ir::Expr dotBinary(const ir::Expr &e, const ir::Expr &result);
  bool hasExchange(const ir::Expr &e) const;
  ir::Expr dotCall(const ir::CallExpr &call, const ir::Expr &result);
  void refuseUnknownPlace(const ir::Expr &place);
  struct PlaceChoice {
    ir::Expr condition, first, second;
  };
  static std::optional<PlaceChoice> choiceOfPlaces(const ir::Expr &place);
  static std::optional<PlaceChoice> choiceOfPointers(const ir::Expr &pointer);
  ir::Expr dotLoad(const ir::Expr &place);
  ir::Expr dotPlace(const ir::Expr &place);
  ir::Expr dotPointer(const ir::Expr &pointer);
  ir::Expr dotReference(const ir::Expr &place);
  ir::Expr dotOrZero(const ir::Expr &e, const ir::Expr &result);
  ir::Expr presenceOfRoot(const ir::Expr &place, ir::Var *root);
  ir::Expr presence(const ir::Expr &place); ///< the test that the shadow was passed; null: it always is
  std::string writtenTangentFor(const ir::CallExpr &call, ActivePattern &pattern);
  void addAssigned(const ir::Function &callee, ActivePattern &pattern);
  ir::Expr noTangent(const ir::Type &type, const ir::Expr &argument);
  ir::Expr heldArgument(const ir::Var &param, const ir::Expr &arg, bool hasTangent);
  ir::Expr tangentCall(const ir::CallExpr &call, bool wantsResult);
  bool isActiveOwn(const ir::Expr &e) const;
  bool isTouched(const ir::CallExpr &call) const; ///< active data goes in, or is at namespace scope and used there
  ir::OrderedSet<ir::Var> globalsOf(const ir::CallExpr &call) const; ///< active, and used by what is called
  void refuseBits(const ir::CastExpr &cast);
  void refuseDowncast(const ir::CastExpr &cast);
  void refuseForbidden(const ir::CallExpr &call);
  void refuseActiveText(const ir::TextExpr &text);
  void refuseOtherMemory(const ir::CastExpr &cast);
  void refuseBytes(const ir::Expr &whole);
  bool isActiveVar(ir::Var *var) const;
  bool leadsToBytes(ir::Var *var) const;
  ir::Expr temporary(const ir::Expr &e, const std::string &name);

  ir::Var *ownVar(ir::Var *var);
  void emit(ir::Stmt s) { out->push_back(std::move(s)); }
  template <class... Args> void refuse(diag::Id id, const SourceRange &range, Args &&...args) {
    failed = true;
    diag::report(sink, id, range, std::forward<Args>(args)...);
  }

  const ir::Function &primal;
  ir::Function &owner;
  const analysis::Activity &activity;
  const rules::RuleTable &rules;
  analysis::CallFlows &flows;
  CalleeNamer nameCallee;
  DiagnosticSink &sink;
  OperandSplitter splitter;
  std::vector<ir::Stmt> *out = nullptr;
  ir::OrderedMap<ir::Var, ir::Var *> ownOf;          ///< primal's variable -> own
  ir::OrderedMap<ir::Var, ir::Var *> dotOf;          ///< own variable -> its tangent
  ir::OrderedMap<ir::Var, ir::Var *> wantOf;         ///< own variable -> the flag that its shadow was passed
  ir::OrderedSet<ir::Var> nullable;                  ///< own pointers (or views) whose shadow may be null
  ir::OrderedSet<ir::Var> partlyActive;              ///< primal's pointers that at times lead to what has no tangent
  ir::OrderedSet<ir::Var> undone;                    ///< primal's logs of memory with tangents, and what they lie in
  std::vector<std::pair<ir::Expr, ir::Var *>> named; ///< temporaries of the current statement
  ir::Var *sharedBytes = nullptr;
  std::vector<ir::Type> movedShared;
  bool hasDynamic = false; ///< an active array in dynamic shared memory
  bool returnsDual = false;
  std::set<unsigned> refused; ///< where calls were refused
  bool failed = false;
};

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_TANGENTBUILDER_H
