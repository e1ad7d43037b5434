//===- ExprPrinter.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/ExprPrinter.h"

#include "emit/Conversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>

namespace gpuad::emit {

using namespace ir;

const char *spellOperator(BinaryOp op) {
  static const char *const Spellings[] = {"+", "-",  "*",  "/",  "%",  "<<", ">>", "&", "|",
                                          "^", "&&", "||", "==", "!=", "<",  "<=", ">", ">="};
  return Spellings[static_cast<unsigned>(op)];
}

Precedence precedenceOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return Precedence::Additive;
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return Precedence::Multiplicative;
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return Precedence::Shift;
  case BinaryOp::And:
    return Precedence::BitAnd;
  case BinaryOp::Or:
    return Precedence::BitOr;
  case BinaryOp::Xor:
    return Precedence::BitXor;
  case BinaryOp::LogicalAnd:
    return Precedence::LogicalAnd;
  case BinaryOp::LogicalOr:
    return Precedence::LogicalOr;
  case BinaryOp::Eq:
  case BinaryOp::Ne:
    return Precedence::Equality;
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
    return Precedence::Relational;
  }
  return Precedence::Comma;
}

std::string inParentheses(const Printed &printed, Precedence atLeast) {
  return printed.precedence < atLeast ? "(" + printed.text + ")" : printed.text;
}

static Printed printNode(const Expr &e);

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// An expression without the implicit casts around it: its text, and the type that
/// the casts led to.
struct Pending {
  Printed printed;
  Type wanted;
  bool isCast = false;          ///< printed.type may differ from `wanted`
  std::optional<int64_t> value; ///< of an integer literal
};

static bool isOneWord(llvm::StringRef spelling) {
  return !spelling.empty() && llvm::all_of(spelling, [](char c) { return llvm::isAlnum(c) || c == '_' || c == ':'; });
}

static Printed writtenCast(const Printed &operand, const Type &type) {
  std::string spelling = spell(withConst(type, false));
  if (isOneWord(spelling))
    return {spelling + "(" + operand.text + ")", Precedence::Postfix, type};
  return {"(" + spelling + ")" + inParentheses(operand, Precedence::Unary), Precedence::Unary, type};
}

/// As keepsValue; a literal's own value decides.
static bool keeps(const Pending &pending, const Type &to) {
  if (!pending.value || !isInteger(to) || to->isEnum)
    return keepsValue(pending.printed.type, to);
  return *pending.value >= 0 && (to->bits >= 33 || *pending.value <= (int64_t(1) << (to->bits - to->isSigned)) - 1);
}

static Pending printPending(const Expr &e) {
  auto *cast = llvm::dyn_cast<CastExpr>(e.get());
  if (!cast || cast->style != CastStyle::Implicit) {
    Pending pending{printNode(e), e->type, false, std::nullopt};
    pending.isCast = isArithmetic(e->type) && !sameType(pending.printed.type, e->type);
    if (auto *lit = llvm::dyn_cast<LitExpr>(e.get()))
      if (auto *number = std::get_if<int64_t>(&lit->value))
        pending.value = *number;
    return pending;
  }
  Pending pending = printPending(cast->operand);
  // A cast inside a cast: the inner one may only go when it loses nothing.
  if (pending.isCast && !sameType(pending.wanted, e->type) && !keeps(pending, pending.wanted)) {
    pending.printed = writtenCast(pending.printed, pending.wanted);
    pending.value.reset();
  }
  pending.wanted = e->type;
  pending.isCast =
      isArithmetic(e->type) && isArithmetic(pending.printed.type) ? !sameType(pending.printed.type, e->type) : false;
  return pending;
}

/// "2.0" used as a float becomes "2.0f" when that is the same number.
static bool respellAsFloat(Pending &pending) {
  if (!pending.isCast || !isFloating(pending.wanted) || pending.wanted->scalar != ScalarKind::Float)
    return false;
  llvm::StringRef text = pending.printed.text;
  if (pending.printed.type->scalar != ScalarKind::Double || text.empty() || text.starts_with_insensitive("0x") ||
      text.find_first_not_of("0123456789.eE+-") != llvm::StringRef::npos ||
      !llvm::isDigit(text.back() == '.' ? '0' : text.back()))
    return false;
  if (text.find_first_of("+-") != llvm::StringRef::npos && text.find_first_of("eE") == llvm::StringRef::npos)
    return false; // an expression, not one literal
  std::string digits = text.str();
  char *end = nullptr;
  float direct = std::strtof(digits.c_str(), &end);
  if (*end || direct != static_cast<float>(std::strtod(digits.c_str(), nullptr)))
    return false;
  pending.printed.text += "f";
  pending.printed.type = pending.wanted;
  pending.isCast = false;
  return true;
}

static Printed writeCast(Pending pending) {
  if (!pending.isCast || respellAsFloat(pending))
    return pending.printed;
  return writtenCast(pending.printed, pending.wanted);
}

Printed printBare(const Expr &e) {
  return writeCast(printPending(e));
}

Printed printConverted(const Expr &e, const Type &target) {
  if (auto *init = llvm::dyn_cast<InitExpr>(e.get()); init && !init->namesType)
    return printNode(e);
  const Type &goal = stripReference(target);
  // An arm that is nullptr alone is no condition.
  if (auto *choice = isBool(goal) ? llvm::dyn_cast<SelectExpr>(stripImplicit(e).get()) : nullptr;
      choice && isPointer(choice->type))
    return {inParentheses(printNode(stripImplicit(e)), Precedence::Equality) + " != nullptr", Precedence::Equality,
            goal};
  Pending pending = printPending(e);
  if (!pending.isCast || respellAsFloat(pending) || sameType(pending.wanted, goal) || keeps(pending, pending.wanted))
    return pending.printed;
  return writeCast(pending);
}

Printed printElement(const Expr &e, const Type &target) {
  const Type &goal = stripReference(target);
  if (auto *init = llvm::dyn_cast<InitExpr>(e.get()); init && !init->namesType)
    return printNode(e);
  Pending pending = printPending(e);
  if (!pending.isCast || respellAsFloat(pending))
    return pending.printed;
  bool isConstant = llvm::isa<LitExpr>(stripImplicit(e).get());
  bool narrows = !keeps(pending, goal) || (isFloating(goal) && !isFloating(pending.printed.type));
  return isConstant || !narrows ? pending.printed : writeCast(pending);
}

/// The operands of one operation with the casts that C++ would not make by itself.
static void settle(Pending &lhs, Pending &rhs, const Type &natural) {
  auto fits = [&](const Pending &side) {
    return !side.isCast || sameType(side.wanted, natural) || keeps(side, side.wanted);
  };
  auto write = [](Pending &side) {
    side.printed = writeCast(side);
    side.isCast = false;
  };
  if (!fits(lhs))
    write(lhs);
  if (!fits(rhs))
    write(rhs);
  auto agrees = [&] { return sameType(commonType(lhs.printed.type, rhs.printed.type), natural); };
  if (agrees())
    return;
  if (lhs.isCast && (sameType(lhs.wanted, natural) || !rhs.isCast))
    write(lhs);
  if (!agrees() && rhs.isCast)
    write(rhs);
  if (!agrees() && lhs.isCast)
    write(lhs);
}

/// Conversions from and to half types are the class's own: an operator that can take
/// either type on the other side is ambiguous without a written cast.
static void settleHalf(Pending &side) {
  auto isHalf = [](const Type &type) { return isFloating(type) && !isArithmetic(type); };
  if (!isScalar(side.wanted) || !isScalar(side.printed.type) || isHalf(side.wanted) == isHalf(side.printed.type))
    return;
  side.printed = writtenCast(side.printed, withConst(side.wanted, false));
  side.isCast = false;
}

BinarySides printSides(const BinaryExpr &binary) {
  if (binary.op == BinaryOp::LogicalAnd || binary.op == BinaryOp::LogicalOr)
    return {printConverted(binary.lhs, boolType()), printConverted(binary.rhs, boolType()), boolType()};
  Pending lhs = printPending(binary.lhs), rhs = printPending(binary.rhs);
  settleHalf(lhs);
  settleHalf(rhs);
  if (!isArithmetic(lhs.wanted) || !isArithmetic(rhs.wanted))
    return {writeCast(lhs), writeCast(rhs), binary.type};
  bool lhsWasCast = lhs.isCast;
  if (binary.op == BinaryOp::Shl || binary.op == BinaryOp::Shr) {
    if (lhs.isCast && !sameType(promoted(lhs.printed.type), promoted(lhs.wanted)))
      lhs.printed = writeCast(lhs);
    return {lhs.printed, rhs.printed, promoted(lhs.wanted), lhsWasCast};
  }
  Type natural = commonType(lhs.wanted, rhs.wanted);
  std::string before = lhs.printed.text;
  settle(lhs, rhs, natural);
  return {lhs.printed, rhs.printed, natural, lhs.printed.text != before};
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool isBitwise(BinaryOp op) {
  return op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor;
}

/// Whether people put parentheses around `inner` under `outer` though C++ does not
/// ask for them: && under ||, anything under bit operations, sums under shifts.
static bool wantsParentheses(BinaryOp outer, const Expr &operand) {
  auto *inner = llvm::dyn_cast<BinaryExpr>(stripImplicit(operand).get());
  if (!inner || inner->op == outer)
    return false;
  if (outer == BinaryOp::LogicalOr)
    return inner->op == BinaryOp::LogicalAnd;
  if (outer == BinaryOp::Shl || outer == BinaryOp::Shr || isBitwise(outer))
    return true;
  Precedence strength = precedenceOf(inner->op);
  return (outer == BinaryOp::Eq || outer == BinaryOp::Ne) && strength == Precedence::Relational;
}

static Printed printBinary(const BinaryExpr &e) {
  BinarySides sides = printSides(e);
  Precedence own = precedenceOf(e.op);
  auto tighter = static_cast<Precedence>(static_cast<int>(own) + 1);
  auto side = [&](const Printed &printed, const Expr &operand, Precedence atLeast) {
    bool extra = printed.precedence < Precedence::Unary && wantsParentheses(e.op, operand);
    return inParentheses(printed, extra ? Precedence::Unary : atLeast);
  };
  std::string text = side(sides.lhs, e.lhs, own) + " " + spellOperator(e.op) + " " + side(sides.rhs, e.rhs, tighter);
  bool isTruth = own == Precedence::Relational || own == Precedence::Equality || own == Precedence::LogicalAnd ||
                 own == Precedence::LogicalOr;
  Type type = isTruth || !sides.type || sameType(sides.type, e.type) ? e.type : sides.type;
  return {text, own, type};
}

static Printed printUnary(const UnaryExpr &e) {
  if (e.op == UnaryOp::Not)
    return {"!" + inParentheses(printConverted(e.operand, boolType()), Precedence::Unary), Precedence::Unary, e.type};
  Pending operand = printPending(e.operand);
  if (operand.isCast && !sameType(promoted(operand.printed.type), promoted(operand.wanted)))
    operand.printed = writeCast(operand);
  const char *mark = e.op == UnaryOp::Neg ? "-" : e.op == UnaryOp::Plus ? "+" : "~";
  std::string text = inParentheses(operand.printed, Precedence::Unary);
  if (text[0] == mark[0])
    text = "(" + text + ")"; // two minus signs in a row would be a decrement
  Type type = isArithmetic(operand.printed.type) ? promoted(operand.printed.type) : e.type;
  return {mark + text, Precedence::Unary, sameType(type, e.type) ? e.type : type};
}

/// A braced list cannot stand alone as an operand.
static Expr withNamedType(const Expr &e) {
  auto *init = llvm::dyn_cast<InitExpr>(e.get());
  return init && !init->namesType ? makeInit(init->elements, init->type, true, init->range) : e;
}

static Printed printSelect(const SelectExpr &e) {
  Pending thenSide = printPending(withNamedType(e.thenValue)), elseSide = printPending(withNamedType(e.elseValue));
  settleHalf(thenSide);
  settleHalf(elseSide);
  if (isArithmetic(thenSide.wanted) && isArithmetic(elseSide.wanted)) {
    Type natural = commonType(thenSide.wanted, elseSide.wanted);
    bool unpromoted = sameType(thenSide.wanted, elseSide.wanted) && !sameType(thenSide.wanted, natural);
    if (!unpromoted)
      settle(thenSide, elseSide, natural);
    else
      thenSide.printed = writeCast(thenSide), elseSide.printed = writeCast(elseSide);
  }
  std::string condition = inParentheses(printConverted(e.condition, boolType()), Precedence::LogicalOr);
  return {condition + " ? " + inParentheses(thenSide.printed, Precedence::LogicalOr) + " : " +
              inParentheses(elseSide.printed, Precedence::Assign),
          Precedence::Assign, e.type};
}

static Printed printCast(const CastExpr &e) {
  Printed operand = printConverted(e.operand, e.type);
  std::string spelling = spell(e.type);
  switch (e.style) {
  case CastStyle::Implicit:
    return operand; // handled by its surroundings
  case CastStyle::CStyle:
    return {"(" + spelling + ")" + inParentheses(operand, Precedence::Unary), Precedence::Unary, e.type};
  case CastStyle::Static:
    return {"static_cast<" + spelling + ">(" + operand.text + ")", Precedence::Postfix, e.type};
  case CastStyle::Reinterpret:
    return {"reinterpret_cast<" + spelling + ">(" + operand.text + ")", Precedence::Postfix, e.type};
  case CastStyle::Const:
    return {"const_cast<" + spelling + ">(" + operand.text + ")", Precedence::Postfix, e.type};
  case CastStyle::Functional:
    if (isOneWord(spelling) || isRecord(e.type) || e.type->kind == TypeKind::Opaque)
      return {spelling + "(" + operand.text + ")", Precedence::Postfix, e.type};
    return {"(" + spelling + ")" + inParentheses(operand, Precedence::Unary), Precedence::Unary, e.type};
  }
  return operand;
}

/// `this` where the object itself is meant by a pointer to it.
static bool isThisObject(const Expr &e) {
  auto *ref = llvm::dyn_cast<RefExpr>(e.get());
  return ref && ref->var->isThis && !isPointer(ref->var->type);
}

/// "p->" or "object.": what stands before a member's name.
static std::string accessTo(const Expr &base) {
  const Expr &object = stripImplicit(base);
  if (isThisObject(object))
    return "this->";
  if (auto *deref = llvm::dyn_cast<DerefExpr>(object.get()))
    return inParentheses(printBare(deref->pointer), Precedence::Postfix) + "->";
  return inParentheses(printBare(object), Precedence::Postfix) + ".";
}

std::string printArguments(const Callee &callee, const std::vector<Expr> &args, size_t first, size_t count) {
  std::string text;
  size_t shift = callee.parameterTypes.size() + first == args.size() ? first : 0; // methods: with or without the object
  for (size_t i = first; i < count; ++i) {
    if (i > first)
      text += ", ";
    size_t parameter = i - shift;
    Printed arg = parameter < callee.parameterTypes.size() && callee.parameterTypes[parameter]
                      ? printConverted(args[i], callee.parameterTypes[parameter])
                      : printBare(args[i]);
    text += inParentheses(arg, Precedence::Assign);
  }
  return text;
}

/// The operator that a callee's spelling names ("+", "[]", "()"), or empty.
static llvm::StringRef operatorOf(llvm::StringRef spelling) {
  size_t colons = spelling.rfind("::");
  llvm::StringRef last = colons == llvm::StringRef::npos ? spelling : spelling.substr(colons + 2);
  if (!last.consume_front("operator"))
    return {};
  last = last.ltrim();
  return last.empty() || llvm::isAlpha(last[0]) || last[0] == '_' ? llvm::StringRef() : last;
}

static std::optional<Precedence> infixPrecedence(llvm::StringRef op) {
  for (unsigned i = 0; i <= static_cast<unsigned>(BinaryOp::Ge); ++i)
    if (op == spellOperator(static_cast<BinaryOp>(i)))
      return precedenceOf(static_cast<BinaryOp>(i));
  if (op.ends_with("=") && op != "==")
    return Precedence::Assign;
  return std::nullopt;
}

/// A call of an overloaded operator, as people write it; empty when it has no such form.
static std::optional<Printed> printOperator(const CallExpr &e, size_t count) {
  llvm::StringRef op = operatorOf(e.callee.spelling);
  if (op.empty() || e.args.empty())
    return std::nullopt;
  Printed first = isThisObject(e.args[0]) ? Printed{"*this", Precedence::Unary, e.args[0]->type} : printBare(e.args[0]);
  std::string object = inParentheses(first, Precedence::Postfix);
  if (op == "()")
    return Printed{object + "(" + printArguments(e.callee, e.args, 1, count) + ")", Precedence::Postfix, e.type};
  if (op == "[]" && count == 2)
    return Printed{object + "[" + printBare(e.args[1]).text + "]", Precedence::Postfix, e.type};
  if (count == 1) {
    if (op == "->")
      return std::nullopt;
    return Printed{op.str() + inParentheses(first, Precedence::Postfix), Precedence::Unary, e.type};
  }
  std::optional<Precedence> own = infixPrecedence(op);
  if (count != 2 || !own)
    return count == 2 && (op == "++" || op == "--")
               ? std::optional<Printed>(Printed{object + op.str(), Precedence::Postfix, e.type})
               : std::nullopt;
  auto tighter = static_cast<Precedence>(static_cast<int>(*own) + 1);
  bool fromRight = *own == Precedence::Assign;
  return Printed{inParentheses(first, fromRight ? tighter : *own) + " " + op.str() + " " +
                     inParentheses(printBare(e.args[1]), fromRight ? *own : tighter),
                 *own, e.type};
}

static Printed printCall(const CallExpr &e) {
  size_t count = e.writtenArgs ? std::min<size_t>(e.writtenArgs, e.args.size()) : e.args.size();
  if (std::optional<Printed> infix = printOperator(e, count))
    return *infix;
  std::string text;
  size_t first = 0;
  if (e.callee.isMethod && !e.args.empty()) {
    text = accessTo(e.args[0]);
    first = 1;
  }
  text += e.callee.spelling + e.callee.templateArguments;
  return {text + "(" + printArguments(e.callee, e.args, first, count) + ")", Precedence::Postfix, e.type};
}

/// An expression begins with the name of a type, never with "struct".
static std::string spelledAsName(const Type &type) {
  std::string spelling = spell(type);
  llvm::StringRef name = spelling;
  for (llvm::StringRef keyword : {"struct ", "class ", "union ", "enum "})
    name.consume_front(keyword);
  return name.str();
}

static Printed printInit(const InitExpr &e) {
  // An empty list stands for zero, also where T{} calls a constructor that sets something else.
  if (e.elements.empty() && isRecord(e.type) && !e.type->record->emptyIsZero)
    return {"gpuad::zero<" + spell(withConst(e.type, false)) + ">()", Precedence::Postfix, e.type};
  std::string text = e.namesType ? spelledAsName(withConst(e.type, false)) + "{" : "{";
  for (size_t i = 0; i < e.elements.size(); ++i) {
    Type target = e.elements[i]->type;
    if (isRecord(e.type) && i < e.type->record->fields.size())
      target = e.type->record->fields[i].type;
    else if (isArray(e.type))
      target = e.type->element;
    text += (i ? ", " : "") + inParentheses(printElement(e.elements[i], target), Precedence::Assign);
  }
  return {text + "}", Precedence::Postfix, e.type};
}

/// A name, with its template arguments if it has any: "numbers::pi<double>".
static bool isName(llvm::StringRef text) {
  size_t open = std::min(text.find('<'), text.size());
  if (!llvm::all_of(text.take_front(open), [](char c) { return llvm::isAlnum(c) || c == '_' || c == ':' || c == '.'; }))
    return false;
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (depth == 0 && i + 1 < text.size())
      return false;
  }
  return depth == 0;
}

static Printed printText(const TextExpr &e) {
  bool isSimple = isName(e.text);
  // What the text is made of is unknown, so it counts as the weakest of expressions.
  return {e.text, isSimple ? Precedence::Postfix : Precedence::Comma, e.type};
}

static Printed printThreadIndex(const ThreadIndexExpr &e) {
  static const char *const Builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
  std::string text = Builtins[static_cast<unsigned>(e.builtin)];
  if (e.builtin == ThreadBuiltin::WarpSize)
    return {text, Precedence::Primary, intType()};
  return {text + "." + "xyz"[e.dimension], Precedence::Postfix, unsignedType()};
}

static Printed printAddrOf(const AddrOfExpr &e) {
  if (auto *deref = llvm::dyn_cast<DerefExpr>(e.place.get()))
    return printBare(deref->pointer);
  if (isThisObject(e.place))
    return {"this", Precedence::Primary, e.type};
  return {"&" + inParentheses(printBare(e.place), Precedence::Unary), Precedence::Unary, e.type};
}

static Printed printDeref(const DerefExpr &e) {
  if (auto *address = llvm::dyn_cast<AddrOfExpr>(stripImplicit(e.pointer).get()))
    return printBare(address->place);
  return {"*" + inParentheses(printBare(e.pointer), Precedence::Unary), Precedence::Unary, e.type};
}

static Printed printNode(const Expr &e) {
  switch (e->kind) {
  case ExprKind::AddrOf:
    return printAddrOf(llvm::cast<AddrOfExpr>(*e));
  case ExprKind::Binary:
    return printBinary(llvm::cast<BinaryExpr>(*e));
  case ExprKind::Call:
    return printCall(llvm::cast<CallExpr>(*e));
  case ExprKind::Cast:
    return printCast(llvm::cast<CastExpr>(*e));
  case ExprKind::Deref:
    return printDeref(llvm::cast<DerefExpr>(*e));
  case ExprKind::Index: {
    auto &index = llvm::cast<IndexExpr>(*e);
    Type distance = scalarType(ScalarKind::Int, 64, true, "ptrdiff_t");
    const Expr *indexed = &stripImplicit(index.base);
    if (auto *member = llvm::dyn_cast<MemberExpr>(indexed->get()); member && member->accessor == "[]")
      indexed = &stripImplicit(member->base);
    std::string base = inParentheses(printBare(*indexed), Precedence::Postfix);
    return {base + "[" + printConverted(index.index, distance).text + "]", Precedence::Postfix, e->type};
  }
  case ExprKind::Init:
    return printInit(llvm::cast<InitExpr>(*e));
  case ExprKind::Lit: {
    auto &lit = llvm::cast<LitExpr>(*e);
    if (isFloating(e->type) && !isArithmetic(e->type)) // 1.0f would be a float among operands
      return {spell(withConst(e->type, false)) + "(" + lit.spelling + ")", Precedence::Postfix, e->type};
    bool isNegative = !lit.spelling.empty() && lit.spelling[0] == '-';
    return {lit.spelling, isNegative ? Precedence::Unary : Precedence::Primary, literalType(lit.spelling, e->type)};
  }
  case ExprKind::Member: {
    auto &member = llvm::cast<MemberExpr>(*e);
    if (member.accessor[0] == '.')
      return {accessTo(member.base) + member.accessor.substr(1), Precedence::Postfix, e->type};
    if (member.accessor == "[]") // where it is not indexed it is a pointer
      return {accessTo(member.base) + "data()", Precedence::Postfix, e->type};
    if (!member.accessor.empty())
      return {member.accessor + "(" + printBare(stripImplicit(member.base)).text + ")", Precedence::Postfix, e->type};
    return {accessTo(member.base) + member.name, Precedence::Postfix, e->type};
  }
  case ExprKind::Ref: {
    auto &ref = llvm::cast<RefExpr>(*e);
    if (isThisObject(e))
      return {"*this", Precedence::Unary, e->type};
    return {ref.var->isThis ? "this" : ref.var->name, Precedence::Primary, e->type};
  }
  case ExprKind::Select:
    return printSelect(llvm::cast<SelectExpr>(*e));
  case ExprKind::Text:
    return printText(llvm::cast<TextExpr>(*e));
  case ExprKind::ThreadIndex:
    return printThreadIndex(llvm::cast<ThreadIndexExpr>(*e));
  case ExprKind::Unary:
    return printUnary(llvm::cast<UnaryExpr>(*e));
  }
  return {};
}

std::string asArgument(const Expr &value, const Type &target) {
  return inParentheses(printConverted(value, target), Precedence::Assign);
}

} // namespace gpuad::emit
