//===- FunctionLowering.h - one body, from Clang to IR ---------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers the body of one function. Visiting an expression gives its IR and emits,
/// before it, statements for the effects inside it: the result has none. Operands
/// that C++ evaluates earlier and that such an effect could change are kept in
/// temporaries. What is not understood becomes verbatim text.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_FUNCTIONLOWERING_H
#define GPUAD_FRONTEND_FUNCTIONLOWERING_H

#include "frontend/DeclLowering.h"
#include "ir/Builder.h"

#include "clang/AST/StmtVisitor.h"

#include <map>

namespace gpuad::frontend {

class FunctionLowering : public clang::ConstStmtVisitor<FunctionLowering, ir::Expr> {
public:
  FunctionLowering(DeclLowering &pass, ir::Function &function);

  /// Sets function.body. The parameters of `definition` are those of the function.
  void lower(const clang::FunctionDecl &definition);

  // Expressions. LowerExpr.cpp
  ir::Expr VisitParenExpr(const clang::ParenExpr *e);
  ir::Expr VisitConstantExpr(const clang::ConstantExpr *e) { return Visit(e->getSubExpr()); }
  ir::Expr VisitExprWithCleanups(const clang::ExprWithCleanups *e) { return Visit(e->getSubExpr()); }
  ir::Expr VisitMaterializeTemporaryExpr(const clang::MaterializeTemporaryExpr *e) { return Visit(e->getSubExpr()); }
  ir::Expr VisitCXXDefaultArgExpr(const clang::CXXDefaultArgExpr *e) { return Visit(e->getExpr()); }
  ir::Expr VisitCXXDefaultInitExpr(const clang::CXXDefaultInitExpr *e) { return Visit(e->getExpr()); }
  ir::Expr VisitSubstNonTypeTemplateParmExpr(const clang::SubstNonTypeTemplateParmExpr *e);
  ir::Expr VisitDeclRefExpr(const clang::DeclRefExpr *e);
  ir::Expr VisitMemberExpr(const clang::MemberExpr *e);
  ir::Expr VisitArraySubscriptExpr(const clang::ArraySubscriptExpr *e);
  ir::Expr VisitCXXThisExpr(const clang::CXXThisExpr *e);
  ir::Expr VisitPseudoObjectExpr(const clang::PseudoObjectExpr *e);
  ir::Expr VisitUnaryOperator(const clang::UnaryOperator *e);
  ir::Expr VisitBinaryOperator(const clang::BinaryOperator *e);
  ir::Expr VisitConditionalOperator(const clang::ConditionalOperator *e);
  ir::Expr VisitExpr(const clang::Expr *e) { return textOf(e); }
  // LowerCast.cpp
  ir::Expr VisitImplicitCastExpr(const clang::ImplicitCastExpr *e);
  ir::Expr VisitExplicitCastExpr(const clang::ExplicitCastExpr *e);
  // LowerLiteral.cpp
  ir::Expr VisitIntegerLiteral(const clang::IntegerLiteral *e);
  ir::Expr VisitFloatingLiteral(const clang::FloatingLiteral *e);
  ir::Expr VisitCharacterLiteral(const clang::CharacterLiteral *e);
  ir::Expr VisitStringLiteral(const clang::StringLiteral *e);
  ir::Expr VisitCXXBoolLiteralExpr(const clang::CXXBoolLiteralExpr *e);
  ir::Expr VisitCXXNullPtrLiteralExpr(const clang::CXXNullPtrLiteralExpr *e);
  ir::Expr VisitGNUNullExpr(const clang::GNUNullExpr *e);
  ir::Expr VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr *e);
  ir::Expr VisitTypeTraitExpr(const clang::TypeTraitExpr *e) { return foldedConstant(e); }
  ir::Expr VisitSizeOfPackExpr(const clang::SizeOfPackExpr *e) { return foldedConstant(e); }
  ir::Expr VisitPredefinedExpr(const clang::PredefinedExpr *e);
  // LowerInit.cpp
  ir::Expr VisitInitListExpr(const clang::InitListExpr *e);
  ir::Expr VisitCXXConstructExpr(const clang::CXXConstructExpr *e);
  ir::Expr lowerHandle(const clang::CXXConstructExpr &e, const ir::Type &type);
  ir::Expr VisitCXXScalarValueInitExpr(const clang::CXXScalarValueInitExpr *e);
  ir::Expr VisitImplicitValueInitExpr(const clang::ImplicitValueInitExpr *e);
  ir::Expr VisitCompoundLiteralExpr(const clang::CompoundLiteralExpr *e);
  ir::Expr VisitCXXStdInitializerListExpr(const clang::CXXStdInitializerListExpr *e) { return textOf(e); }
  // LowerCall.cpp
  ir::Expr VisitCallExpr(const clang::CallExpr *e) { return lowerCall(e, /*standsAlone=*/false); }

private:
  // Statements. LowerStmt.cpp
  void lowerStmt(const clang::Stmt *s);
  void lowerBare(const clang::Stmt *s);
  void emitChosen(const ir::Stmt &block);
  void lowerIf(const clang::IfStmt &s);
  void lowerReturn(const clang::ReturnStmt &s);
  void lowerDeclStmt(const clang::DeclStmt &s);
  void emitDeclarationText(const clang::DeclStmt &s);
  void lowerVariable(const clang::VarDecl &variable);
  void lowerAttributed(const clang::AttributedStmt &s);
  ir::Stmt blockOf(const clang::Stmt *s);
  // LowerPragma.cpp
  void lowerAfterPragmas(const clang::Stmt *s, const std::vector<Pragma *> &pragmas);
  void followForFunction(const clang::FunctionDecl &definition);
  void keepVariables(Pragma &pragma, size_t first);
  // LowerLoop.cpp
  struct LoopHints {
    std::string pragma;
    std::optional<uint64_t> checkpoints;
  };
  LoopHints hintsWith(std::string pragma) { return {std::move(pragma), std::exchange(checkpoints, std::nullopt)}; }
  void lowerFor(const clang::ForStmt &s, LoopHints hints);
  void lowerForWithEffects(const clang::ForStmt &s, LoopHints hints, std::vector<ir::Stmt> init);
  void lowerWhile(const clang::WhileStmt &s);
  void lowerDo(const clang::DoStmt &s);
  void lowerRangeFor(const clang::CXXForRangeStmt &s, LoopHints hints);
  void lowerRangeForBehindInit(const clang::CXXForRangeStmt &s, LoopHints hints);
  std::pair<ir::Expr, ir::Expr> elementsInside(const ir::Expr &object);
  void lowerIterators(const clang::CXXForRangeStmt &s, LoopHints hints);
  ir::Var *declareImplied(const clang::Stmt *s, const std::string &name);
  void exitUnless(const clang::Expr *condition);
  std::string alignmentText(const clang::AlignedAttr &attribute) const;
  // LowerConstruct.cpp
  void beginConstructor(const clang::CXXConstructorDecl &constructor);
  void initializeMembers(const clang::CXXConstructorDecl &constructor, const std::vector<ir::Expr> &inherited);
  void initializeBase(const clang::Expr *init, ir::Expr made);
  bool initializeInside(const clang::Expr &init);
  void assignElements(const ir::Expr &place, const ir::Expr &value, const clang::Expr *from);
  ir::Expr aggregateInPlace(const std::vector<const clang::Expr *> &written, const ir::Type &type,
                            const clang::Expr *e);
  /// Null: the constructor is a function like others.
  ir::Expr constructInPlace(const clang::CXXConstructExpr &e, const ir::Type &type);
  // Structured bindings. LowerBinding.cpp
  bool canNameParts(const clang::DecompositionDecl &declaration) const;
  /// Whether its names are parts of a variable that has a name, or variables of their own.
  bool namePartsOfOthers(const clang::DecompositionDecl &declaration);
  /// Declares what get<>() gives, of an object that is declared.
  void declareHeldParts(const clang::DecompositionDecl &declaration);
  void copyElements(const clang::DecompositionDecl &declaration, const ir::Expr &array);
  void declareCopy(ir::Var *var, const ir::Expr &place, const SourceRange &range);
  ir::Var *copyOfPart(const clang::BindingDecl &binding);
  /// What a range-based for declares: the element, or a copy of it, at a place.
  void declareElement(const clang::VarDecl &element, const ir::Expr &place, const SourceRange &range);
  /// What to call a variable of the user's here.
  std::string declaredName(const clang::VarDecl &variable);
  // LowerSwitch.cpp
  void lowerSwitch(const clang::SwitchStmt &s);
  bool splitCases(const clang::CompoundStmt &body, std::vector<ir::SwitchCase> &cases);

  // An expression for its effect alone. LowerAssign.cpp
  void discard(const clang::Expr *e);
  void discardBinary(const clang::BinaryOperator &e);
  void discardConditional(const clang::ConditionalOperator &e);
  void assign(const clang::Expr *place, const clang::Expr *value, const clang::Expr *whole);
  ir::Expr assignCompound(const clang::CompoundAssignOperator &e);
  ir::Expr stepBy(const clang::UnaryOperator &e, bool wantsOld);

  // Calls. LowerCall.cpp
  ir::Expr lowerCall(const clang::CallExpr *e, bool standsAlone, bool isUsed = true);
  ir::Expr lowerSpecialCall(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  ir::Expr lowerListCall(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  ir::Expr lowerPairOperator(const clang::CXXOperatorCallExpr &e);
  ir::Expr lowerScalarOperator(const clang::CXXOperatorCallExpr &e);
  bool isCalledOnObject(const clang::CXXMethodDecl &method, const clang::Expr *named) const;
  ir::Callee makeCallee(const clang::FunctionDecl &declaration, const clang::Expr *named);
  void lowerLaunch(const clang::CUDAKernelCallExpr &e);
  ir::Expr launchDimension(const clang::Expr *e);

  ir::Expr memberOf(const clang::Expr *bare, bool isArrow, const clang::FieldDecl &field, const clang::MemberExpr *e);

  // Tuples. LowerTuple.cpp
  ir::Expr lowerTupleCall(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  ir::Expr elementOfCall(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  ir::Expr lowerElements(const clang::CXXConstructExpr &e, const ir::Type &type);
  ir::Expr assignElements(const clang::CXXOperatorCallExpr &e);
  std::vector<ir::Expr> elementsOf(const ir::Expr &value, const std::string &name, const SourceRange &range);

  // Calls that return references. LowerReference.cpp
  ir::Expr placeOfCall(const clang::CallExpr &e, const clang::FunctionDecl &declaration, const ir::Callee &callee,
                       const std::vector<ir::Expr> &args);
  ir::Expr inlineReference(const clang::FunctionDecl &definition, const std::vector<ir::Expr> &args);

  // Lambdas that are only called. LowerLambda.cpp
  /// Whether the variable is one, which then is lowered into its calls.
  bool beginClosure(const clang::VarDecl &variable);
  /// The value of a call of one; null when the call is no such call.
  bool lowerCopy(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  ir::Expr inlineClosure(const clang::CallExpr &e);
  /// The same for a call that hands lambdas on.
  ir::Expr inlineTaker(const clang::CallExpr &e);
  void bindParameter(const clang::ParmVarDecl &parameter, const ir::Expr &arg, const clang::Expr &written);
  void lowerList(const std::vector<const clang::Stmt *> &list);
  void lowerReturning(const clang::Stmt *s, std::vector<const clang::Stmt *> rest);
  void returnFromClosure(const clang::ReturnStmt &s);

  // Values. LowerValue.cpp
  /// The value of a whole right-hand side: a call with effects may stay.
  ir::Expr wholeValue(const clang::Expr *e);
  /// Lowers operands in their order of evaluation.
  std::vector<ir::Expr> operands(llvm::ArrayRef<const clang::Expr *> list);
  /// Keeps a value (or the address of a place) in a temporary.
  ir::Expr keep(ir::Expr e, const clang::Expr *from, const std::string &name);
  ir::Expr temporary(ir::Expr value, const std::string &name, SourceRange range);
  ir::Expr lazily(const clang::Expr *condition, const clang::Expr *thenValue, const clang::Expr *elseValue,
                  ir::Type type, SourceRange range);
  ir::Expr valueOfChoice(const clang::Expr *e);
  ir::Expr convert(ir::Expr e, const ir::Type &type);
  ir::Expr foldedConstant(const clang::Expr *e);
  ir::Expr foldedNumber(const clang::Expr *e);
  ir::Expr libraryNumber(const clang::CallExpr &e, const clang::FunctionDecl &callee);
  ir::Expr namedConstant(const clang::Expr *e);
  ir::Expr hiddenConstant(const clang::ValueDecl &declaration, const clang::Expr *e);
  std::string uniqueName(const std::string &wanted);
  std::string nameOf(const clang::VarDecl &declaration);
  ir::Var *variableFor(const clang::VarDecl *declaration);

  // Text. LowerText.cpp
  /// Whether a whole expression is left alone: then what is in it, in words.
  const char *staysVerbatim(const clang::Expr *e);
  ir::Expr textOf(const clang::Expr *e);
  void emitText(const clang::Stmt *s, std::string what);
  std::string verbatim(const clang::Stmt *s) const;
  std::vector<ir::Var *> mentionsIn(const clang::Stmt *s);

  SourceRange rangeOf(const clang::Stmt *s) const { return pass.sources.range(s->getSourceRange()); }
  ir::Type typeOf(const clang::Expr *e) { return pass.types.lowerValue(e->getType()); }
  void emit(ir::Stmt s) { output->push_back(std::move(s)); }

  DeclLowering &pass;
  ir::Function &function;
  BodyFacts facts;
  const clang::Stmt *wholeBody = nullptr;
  /// A lambda that is lowered into its calls.
  struct Closure {
    const clang::LambdaExpr *lambda = nullptr;
    llvm::DenseMap<const clang::ValueDecl *, ir::Var *> captured;           ///< copies of its own
    llvm::DenseMap<const clang::VarDecl *, std::shared_ptr<Closure>> inner; ///< closures that it captured
  };
  std::shared_ptr<Closure> closureOf(const clang::Expr *e, const clang::VarDecl *held);
  std::shared_ptr<Closure> copyOf(const std::shared_ptr<Closure> &closure);
  std::shared_ptr<Closure> closureOver(const clang::LambdaExpr &lambda, bool isReturned);
  llvm::DenseMap<const clang::VarDecl *, std::shared_ptr<Closure>> closures;
  llvm::DenseSet<const clang::FunctionDecl *> inlinedReferences; ///< whose bodies are being lowered into this one
  struct Inlined {
    bool active = false;
    ir::Var *result = nullptr; ///< null: returns nothing
    bool inSwitch = false;     ///< a return leaves the switch
  } inlined;
  llvm::StringSet<> hidden; ///< what names mean around a body that is lowered into its call
  llvm::DenseMap<const clang::ValueDecl *, ir::Var *> variables; ///< and structured bindings with one of their own
  llvm::DenseSet<const clang::VarDecl *> declaredBefore;         ///< around the switch that declares them
  llvm::DenseSet<const ir::Var *> temporaries;                   ///< made here, and never assigned again
  ir::Var *self = nullptr;
  std::optional<uint64_t> checkpoints; ///< of the loop that comes next
  std::vector<ir::Stmt> *output = nullptr;
};

/// The numbers of f({a, b, c}), where a list is all that the function takes; none: it is no such call.
std::vector<const clang::Expr *> listedIn(const clang::CallExpr &e);
/// Whether a call hands lambdas to a function of the user's that only calls them.
bool takesClosures(const clang::CallExpr &e);
/// Whether a call is of a lambda that is written there, or that a function returns there.
bool callsClosureAtOnce(const clang::CallExpr &e);

/// The operator of an arithmetic, comparison, logical or compound assignment.
std::optional<ir::BinaryOp> binaryOp(clang::BinaryOperatorKind kind);
/// Whether an expression names threadIdx and its like.
std::optional<ir::ThreadBuiltin> threadBuiltin(const clang::Expr *e);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_FUNCTIONLOWERING_H
