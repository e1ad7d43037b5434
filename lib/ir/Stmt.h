//===- Stmt.h - statements of the IR ---------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Immutable, shared statement nodes: a structured tree without goto. A statement
/// has at most one effect, and its expressions none (a Call with effects is the
/// whole right-hand side).
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_STMT_H
#define GPUAD_IR_STMT_H

#include "ir/Expr.h"
#include "ir/Order.h"

#include <optional>

namespace gpuad::ir {

enum class StmtKind {
#define GPUAD_STMT(KIND) KIND,
#include "ir/Nodes.def"
};

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;

struct StmtNode : Ordered {
  const StmtKind kind;
  SourceRange range;
  std::string note; ///< printed behind the statement as a comment

  virtual ~StmtNode() = default;

protected:
  explicit StmtNode(StmtKind kind) : kind(kind) {}
};

/// How an Accum adds. Only `decideAccumulation` chooses one.
enum class AccumHow {
  Undecided,
  Plain,        ///< one thread owns the place
  PlainIfApart, ///< the same, if two arrays are not one; else atomic in device scope
  SharedAtomic, ///< block scope
  GlobalAtomic, ///< device scope
  BlockReduced, ///< summed over the block first; every thread of the block arrives
  WarpReduced,  ///< summed over the warp first
  AnySpace      ///< a generic pointer: tested at run time
};

#define GPUAD_NODE(CLASS, KIND)                                                                                        \
  CLASS() : StmtNode(StmtKind::KIND) {}                                                                                \
  static bool classof(const StmtNode *node) {                                                                          \
    return node->kind == StmtKind::KIND;                                                                               \
  }

struct AccumStmt : StmtNode {
  GPUAD_NODE(AccumStmt, Accum)
  Expr place;
  Expr value;
  AccumHow how = AccumHow::Undecided;
  /// The value is a sum, and where that is zero, the place may be one that the primal
  /// never came to.
  bool mayBeIdle = false;
  Expr apart; ///< of PlainIfApart: whether they are two
};
struct AssignStmt : StmtNode {
  GPUAD_NODE(AssignStmt, Assign)
  Expr place;
  Expr value; ///< `a += b` is place a, value a + b; the printer shortens it
};
struct BlockStmt : StmtNode {
  GPUAD_NODE(BlockStmt, Block)
  std::vector<Stmt> stmts;
};
struct BreakStmt : StmtNode {
  GPUAD_NODE(BreakStmt, Break)
};
struct CommentStmt : StmtNode {
  GPUAD_NODE(CommentStmt, Comment)
  std::string text;
};
struct ContinueStmt : StmtNode {
  GPUAD_NODE(ContinueStmt, Continue)
};
struct DeclStmt : StmtNode {
  GPUAD_NODE(DeclStmt, Decl)
  Var *var = nullptr;
  Expr init; ///< null: none. For a reference variable: the place it names
};
struct DoStmt : StmtNode {
  GPUAD_NODE(DoStmt, Do)
  Expr call; ///< a Call, or a Text
};
struct ForStmt : StmtNode {
  GPUAD_NODE(ForStmt, For)
  std::vector<Stmt> init; ///< Decls or Assigns; several Decls share a type
  Expr condition;         ///< null: true
  std::vector<Stmt> increment;
  Stmt body;
  std::string pragma; ///< printed on a line before it: "#pragma unroll"
  /// Asks for checkpoints in reverse mode: how many states are kept; 0: about the
  /// square root of the number of iterations.
  std::optional<uint64_t> checkpoints;
};
struct IfStmt : StmtNode {
  GPUAD_NODE(IfStmt, If)
  Expr condition;
  Stmt thenBody;
  Stmt elseBody; ///< null: none
  bool isConstexpr = false;
  bool isForExit = false; ///< stands where the user's code left: what does not come in here was done
};
struct LaunchStmt : StmtNode {
  GPUAD_NODE(LaunchStmt, Launch)
  Callee callee;
  Expr grid, block, sharedBytes, stream; ///< the last two null when not given
  std::vector<Expr> args;
};
struct ReturnStmt : StmtNode {
  GPUAD_NODE(ReturnStmt, Return)
  Expr value; ///< null: none
};
/// One label group with its body. Falls through to the next when `fallsThrough`.
struct SwitchCase {
  std::vector<Expr> labels; ///< constants
  bool isDefault = false;
  Stmt body; ///< a Block, without the closing break
  bool fallsThrough = false;
};
struct SwitchStmt : StmtNode {
  GPUAD_NODE(SwitchStmt, Switch)
  Expr value;
  std::vector<SwitchCase> cases;
};
struct TextStmt : StmtNode {
  GPUAD_NODE(TextStmt, Text)
  std::string text;
  std::string what;            ///< in words, for messages: "inline assembly", "a goto"
  bool isDeclaration = false;  ///< of a type or a namespace: does nothing
  bool declaresVars = false;   ///< of a type without a name: those that it mentions
  std::vector<Var *> mentions; ///< read, and perhaps written
};
struct WhileStmt : StmtNode {
  GPUAD_NODE(WhileStmt, While)
  Expr condition;
  Stmt body;
  bool isDo = false;
};
#undef GPUAD_NODE

} // namespace gpuad::ir

#endif // GPUAD_IR_STMT_H
