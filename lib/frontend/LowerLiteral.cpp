//===- LowerLiteral.cpp ----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Literals keep the spelling that the user gave them.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::frontend {

using namespace ir;
using clang::dyn_cast;

/// The token that spells a literal, wherever it stands; empty for one that comes
/// from a template argument.
static std::string tokenText(const clang::Expr *e, const clang::SourceManager &manager,
                             const clang::LangOptions &language) {
  clang::SourceLocation location = manager.getSpellingLoc(e->getBeginLoc());
  if (location.isInvalid())
    return "";
  llvm::SmallString<32> buffer;
  return clang::Lexer::getSpelling(location, buffer, manager, language).str();
}

static bool isNumber(llvm::StringRef text) {
  return !text.empty() && (llvm::isDigit(text[0]) || (text[0] == '.' && text.size() > 1 && llvm::isDigit(text[1])));
}

static double asDouble(llvm::APFloat value) {
  bool inexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

Expr FunctionLowering::namedConstant(const clang::Expr *e) {
  if (!e->getBeginLoc().isMacroID() || !e->isPRValue() || !e->getType()->isArithmeticType())
    return nullptr;
  std::optional<std::string> name = pass.sources.constantMacro(e->getSourceRange());
  if (!name)
    return nullptr;
  clang::Expr::EvalResult result;
  if (e->isValueDependent() || !e->EvaluateAsRValue(result, pass.context) || result.HasSideEffects)
    return nullptr;
  if (result.Val.isInt()) {
    if (e->getType()->isBooleanType())
      return makeLit(*name, result.Val.getInt().getBoolValue(), typeOf(e), rangeOf(e));
    return makeLit(*name, static_cast<int64_t>(result.Val.getInt().extOrTrunc(64).getZExtValue()), typeOf(e),
                   rangeOf(e));
  }
  if (result.Val.isFloat())
    return makeLit(*name, asDouble(result.Val.getFloat()), typeOf(e), rangeOf(e));
  return nullptr;
}

static std::string integerText(const llvm::APInt &value, const Type &type) {
  return llvm::toString(value, 10, type->isSigned) + (type->isSigned ? "" : "u") + (type->bits == 64 ? "ll" : "");
}

/// A constant that is private to a class stands as the number that it is: derivatives
/// cannot write its name.
Expr FunctionLowering::hiddenConstant(const clang::ValueDecl &declaration, const clang::Expr *e) {
  if (isReachable(declaration))
    return nullptr;
  if (auto *enumerator = dyn_cast<clang::EnumConstantDecl>(&declaration)) {
    const llvm::APSInt &value = enumerator->getInitVal();
    return makeLit(llvm::toString(value, 10), value.getExtValue(), intType(), rangeOf(e));
  }
  auto *variable = dyn_cast<clang::VarDecl>(&declaration);
  bool isConstant = variable && variable->isStaticDataMember() && variable->getType().isConstQualified() &&
                    variable->getType()->isArithmeticType() && variable->getAnyInitializer() &&
                    !variable->getAnyInitializer()->isValueDependent();
  const clang::APValue *value = isConstant ? variable->evaluateValue() : nullptr;
  Type type = typeOf(e);
  if (value && value->isInt() && isBool(type))
    return boolLit(value->getInt().getBoolValue());
  if (value && value->isInt() && isInteger(type))
    return makeLit(integerText(value->getInt(), type), value->getInt().extOrTrunc(64).getExtValue(), type, rangeOf(e));
  if (value && value->isFloat() && isFloating(type) && value->getFloat().isFinite())
    return floatLit(asDouble(value->getFloat()), type);
  return nullptr;
}

Expr FunctionLowering::VisitIntegerLiteral(const clang::IntegerLiteral *e) {
  if (Expr constant = namedConstant(e))
    return constant;
  Type type = typeOf(e);
  std::string text = tokenText(e, pass.sources.sources(), pass.context.getLangOpts());
  if (!isNumber(text))
    text = integerText(e->getValue(), type);
  return makeLit(text, static_cast<int64_t>(e->getValue().zextOrTrunc(64).getZExtValue()), type, rangeOf(e));
}

Expr FunctionLowering::VisitFloatingLiteral(const clang::FloatingLiteral *e) {
  if (Expr constant = namedConstant(e))
    return constant;
  std::string text = tokenText(e, pass.sources.sources(), pass.context.getLangOpts());
  double value = e->getValueAsApproximateDouble();
  if (!isNumber(text))
    return floatLit(value, typeOf(e));
  return makeLit(text, value, typeOf(e), rangeOf(e));
}

Expr FunctionLowering::VisitCharacterLiteral(const clang::CharacterLiteral *e) {
  std::string text = tokenText(e, pass.sources.sources(), pass.context.getLangOpts());
  if (text.find('\'') == std::string::npos)
    text = std::to_string(e->getValue());
  return makeLit(text, static_cast<int64_t>(e->getValue()), typeOf(e), rangeOf(e));
}

Expr FunctionLowering::VisitStringLiteral(const clang::StringLiteral *e) {
  std::string text;
  if (std::optional<std::string> written = pass.sources.text(e->getSourceRange());
      written && written->find('"') != std::string::npos) {
    text = *written;
  } else {
    llvm::raw_string_ostream stream(text);
    e->outputString(stream);
  }
  return makeLit(text, std::monostate(), typeOf(e), rangeOf(e));
}

Expr FunctionLowering::VisitPredefinedExpr(const clang::PredefinedExpr *e) {
  Expr text = e->getFunctionName() ? Visit(e->getFunctionName()) : nullptr;
  return text ? text : textOf(e);
}

Expr FunctionLowering::VisitCXXBoolLiteralExpr(const clang::CXXBoolLiteralExpr *e) {
  return makeLit(e->getValue() ? "true" : "false", e->getValue(), boolType(), rangeOf(e));
}

Expr FunctionLowering::VisitCXXNullPtrLiteralExpr(const clang::CXXNullPtrLiteralExpr *e) {
  return makeLit("nullptr", std::monostate(), pointerTo(voidType()), rangeOf(e));
}

Expr FunctionLowering::VisitGNUNullExpr(const clang::GNUNullExpr *e) {
  return makeLit("nullptr", std::monostate(), pointerTo(voidType()), rangeOf(e));
}

Expr FunctionLowering::foldedConstant(const clang::Expr *e) {
  clang::Expr::EvalResult result;
  if (e->isValueDependent() || !e->EvaluateAsInt(result, pass.context))
    return textOf(e);
  int64_t value = result.Val.getInt().extOrTrunc(64).getZExtValue();
  if (e->getType()->isBooleanType())
    return makeLit(value ? "true" : "false", value != 0, boolType(), rangeOf(e));
  Type type = typeOf(e);
  bool isUnsigned = isInteger(type) && !type->isSigned && type->bits == 32 && !type->isEnum;
  return makeLit(std::to_string(value) + (isUnsigned ? "u" : ""), value, type, rangeOf(e));
}

/// A number that a user-defined literal stands for; text where that is no constant.
Expr FunctionLowering::foldedNumber(const clang::Expr *e) {
  clang::Expr::EvalResult result;
  Type type = typeOf(e);
  bool isKnown = !e->isValueDependent() && e->EvaluateAsRValue(result, pass.context) && result.Val.isFloat();
  if (!isKnown || !isFloating(type) || (type->bits != 64 && type->bits != 32) || !result.Val.getFloat().isFinite())
    return foldedConstant(e);
  llvm::SmallString<32> text;
  result.Val.getFloat().toString(text);
  bool isWhole = text.find_first_of(".eE") == llvm::StringRef::npos;
  std::string spelling = (text + (isWhole ? ".0" : "") + (type->bits == 32 ? "f" : "")).str();
  return makeLit(spelling, result.Val.getFloat().convertToDouble(), type, rangeOf(e));
}

/// std::numeric_limits<double>::infinity(): what a library computes while compiling. It stays as written, but in a
/// template, whose parameters its text may name.
Expr FunctionLowering::libraryNumber(const clang::CallExpr &e, const clang::FunctionDecl &callee) {
  clang::Expr::EvalResult result;
  bool isNumber = callee.isConstexpr() && pass.sources.inSystemHeader(callee.getLocation()) && !e.isValueDependent() &&
                  e.getType()->isFloatingType() && e.EvaluateAsRValue(result, pass.context) && result.Val.isFloat() &&
                  !result.HasSideEffects;
  if (!isNumber)
    return nullptr;
  if (!function.isTemplateInstance)
    return makeText(verbatim(&e), {}, typeOf(&e), rangeOf(&e));
  auto *method = dyn_cast<clang::CXXMethodDecl>(&callee);
  if (result.Val.getFloat().isFinite() || !method || e.getNumArgs() != 0)
    return foldedNumber(&e);
  std::string owner = pass.types.spell(pass.context.getCanonicalTagType(method->getParent()));
  return makeText(owner + "::" + callee.getNameAsString() + "()", {}, typeOf(&e), rangeOf(&e));
}

Expr FunctionLowering::VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr *e) {
  Expr folded = foldedConstant(e);
  auto *literal = llvm::dyn_cast<LitExpr>(folded.get());
  if (!literal || (e->getKind() != clang::UETT_SizeOf && e->getKind() != clang::UETT_AlignOf))
    return folded;
  clang::QualType measured = e->getTypeOfArgument();
  std::string type = spell(pass.types.lowerValue(measured));
  std::string name = e->getKind() == clang::UETT_SizeOf ? "sizeof(" : "alignof(";
  return makeLit(name + type + ")", literal->value, sizeType(), rangeOf(e));
}

} // namespace gpuad::frontend
