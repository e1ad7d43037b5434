//===- Expr.h - expressions of the IR --------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Immutable, shared expression nodes. A *place* is an expression that names
/// memory (Ref, Member, Index, Deref); used where a value is wanted, it is a load.
/// Types of expressions never are references. Dispatch with llvm::dyn_cast on
/// `e.get()`, or with a switch over kind that names every kind.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_EXPR_H
#define GPUAD_IR_EXPR_H

#include "gpuad/Diagnostic.h"
#include "ir/Type.h"
#include "llvm/Support/Casting.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace gpuad::ir {

enum class ExprKind {
#define GPUAD_EXPR(KIND) KIND,
#include "ir/Nodes.def"
};

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;
struct Function;
struct Var;

struct ExprNode {
  const ExprKind kind;
  Type type;
  SourceRange range;

  virtual ~ExprNode() = default;

protected:
  explicit ExprNode(ExprKind kind) : kind(kind) {}
};

enum class UnaryOp { Neg, Plus, Not, BitNot };
enum class BinaryOp { Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, LogicalAnd, LogicalOr, Eq, Ne, Lt, Le, Gt, Ge };
/// Implicit casts are conversions that C++ makes by itself; they are not printed.
enum class CastStyle { Implicit, CStyle, Static, Reinterpret, Const, Functional };

/// threadIdx, blockIdx, blockDim, gridDim with x, y, z; warpSize has no dimension.
enum class ThreadBuiltin { ThreadIdx, BlockIdx, BlockDim, GridDim, WarpSize };

/// What a call calls. `name` is the qualified declaration name by which rules are
/// found; `spelling` is what to print (qualified where the call site needs it).
struct Callee {
  std::string name;
  std::string spelling;
  Function *function = nullptr; ///< defined in the module, or null
  std::vector<Type> parameterTypes;
  std::string templateArguments; ///< printed after the spelling, with brackets: "<float, 4>"
  bool returnsReference = false; ///< the call names a place: v(i) = x, &v(i)
  bool isAccessible = true;      ///< false: a private or protected member
  bool isOpen = false;           ///< not accessible, but its class says GPUAD_FRIEND
  bool isMethod = false;         ///< the first argument is the object: printed a.f(b), a(b) or a[b] by `spelling`
};

#define GPUAD_NODE(CLASS, KIND)                                                                                        \
  CLASS() : ExprNode(ExprKind::KIND) {}                                                                                \
  static bool classof(const ExprNode *node) {                                                                          \
    return node->kind == ExprKind::KIND;                                                                               \
  }

struct AddrOfExpr : ExprNode {
  GPUAD_NODE(AddrOfExpr, AddrOf)
  Expr place;
  bool isRow = false; ///< tile[r] as a pointer: it does not leave that row
};
struct BinaryExpr : ExprNode {
  GPUAD_NODE(BinaryExpr, Binary)
  BinaryOp op = BinaryOp::Add;
  Expr lhs, rhs;
};
struct CallExpr : ExprNode {
  GPUAD_NODE(CallExpr, Call)
  Callee callee;
  std::vector<Expr> args;
  unsigned writtenArgs = 0; ///< how many arguments the user wrote; the rest are defaults. 0 with args: all
};
struct CastExpr : ExprNode {
  GPUAD_NODE(CastExpr, Cast)
  CastStyle style = CastStyle::Implicit;
  Expr operand;
};
struct DerefExpr : ExprNode {
  GPUAD_NODE(DerefExpr, Deref)
  Expr pointer;
};
struct IndexExpr : ExprNode {
  GPUAD_NODE(IndexExpr, Index)
  Expr base, index;
};
/// An element list for an aggregate. `spelledType` empty: bare braces.
struct InitExpr : ExprNode {
  GPUAD_NODE(InitExpr, Init)
  std::vector<Expr> elements; ///< fewer than fields: the rest is zero
  bool namesType = false;     ///< printed Type{...}
};
struct LitExpr : ExprNode {
  GPUAD_NODE(LitExpr, Lit)
  std::string spelling;                                      ///< as to be printed
  std::variant<std::monostate, int64_t, double, bool> value; ///< monostate: not a number (a string)
};
struct MemberExpr : ExprNode {
  GPUAD_NODE(MemberExpr, Member)
  Expr base;
  unsigned field = 0;
  std::string name;
  std::string accessor; ///< printed in place of base.name, as LibraryClass.h says; mostly empty
};
struct RefExpr : ExprNode {
  GPUAD_NODE(RefExpr, Ref)
  Var *var = nullptr;
};
struct SelectExpr : ExprNode {
  GPUAD_NODE(SelectExpr, Select)
  Expr condition, thenValue, elseValue;
};
struct TextExpr : ExprNode {
  GPUAD_NODE(TextExpr, Text)
  std::string text;
  std::vector<Var *> mentions; ///< variables that it names: read, and perhaps written
};
struct ThreadIndexExpr : ExprNode {
  GPUAD_NODE(ThreadIndexExpr, ThreadIndex)
  ThreadBuiltin builtin = ThreadBuiltin::ThreadIdx;
  unsigned dimension = 0; ///< 0 x, 1 y, 2 z
};
struct UnaryExpr : ExprNode {
  GPUAD_NODE(UnaryExpr, Unary)
  UnaryOp op = UnaryOp::Neg;
  Expr operand;
};
#undef GPUAD_NODE

} // namespace gpuad::ir

#endif // GPUAD_IR_EXPR_H
