//===- Conversion.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Conversion.h"
#include "llvm/ADT/StringRef.h"

namespace gpuad::emit {

using namespace ir;

static bool isHalf(const Type &type) {
  return type->scalar == ScalarKind::Half || type->scalar == ScalarKind::BFloat16;
}

bool isArithmetic(const Type &type) {
  return isScalar(type) && !isHalf(type);
}

/// Bits of an integer that a floating type holds exactly.
static unsigned mantissaBits(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Half:
    return 11;
  case ScalarKind::BFloat16:
    return 8;
  case ScalarKind::Float:
    return 24;
  case ScalarKind::Double:
    return 53;
  case ScalarKind::LongDouble:
    return 64;
  case ScalarKind::Bool:
  case ScalarKind::Int:
    return 0;
  }
  return 0;
}

bool keepsValue(const Type &from, const Type &to) {
  if (!isArithmetic(from) || !isArithmetic(to))
    return true; // qualifications, decays, user-defined conversions: C++ does them anywhere
  if (isBool(from))
    return true;
  if (isBool(to))
    return false;
  if (isFloating(from))
    return isFloating(to) && mantissaBits(to->scalar) >= mantissaBits(from->scalar);
  if (isFloating(to))
    return from->bits - from->isSigned <= mantissaBits(to->scalar);
  if (from->isSigned)
    return to->isSigned && to->bits >= from->bits;
  return to->isSigned ? to->bits > from->bits : to->bits >= from->bits;
}

Type promoted(const Type &type) {
  if (!isArithmetic(type) || isFloating(type))
    return type;
  if (isBool(type) || type->bits < 32)
    return intType();
  if (!type->isEnum)
    return type;
  if (type->bits == 32)
    return type->isSigned ? intType() : unsignedType();
  return scalarType(ScalarKind::Int, type->bits, type->isSigned, type->isSigned ? "long long" : "unsigned long long");
}

Type commonType(const Type &a, const Type &b) {
  if (!isArithmetic(a) || !isArithmetic(b))
    return nullptr;
  if (isFloating(a) || isFloating(b)) {
    if (!isFloating(a))
      return b;
    if (!isFloating(b))
      return a;
    return mantissaBits(a->scalar) >= mantissaBits(b->scalar) ? a : b;
  }
  Type left = promoted(a), right = promoted(b);
  if (left->bits != right->bits)
    return left->bits > right->bits ? left : right;
  return left->isSigned ? right : left;
}

static bool startsNumber(llvm::StringRef spelling) {
  spelling.consume_front("-");
  return !spelling.empty() &&
         (isdigit(static_cast<unsigned char>(spelling[0])) || (spelling[0] == '.' && spelling.size() > 1));
}

Type literalType(const std::string &spelling, const Type &declared) {
  if (!isArithmetic(declared) || !startsNumber(spelling))
    return declared;
  llvm::StringRef text = spelling;
  text.consume_front("-");
  bool isHex = text.starts_with_insensitive("0x");
  bool isFloat = isHex ? text.contains_insensitive("p") : text.find_first_of(".eE") != llvm::StringRef::npos;
  if (isFloat) {
    if (text.ends_with_insensitive("f"))
      return isFloating(declared) && declared->scalar == ScalarKind::Float ? declared : floatType();
    if (text.ends_with_insensitive("l"))
      return declared;
    return isFloating(declared) && declared->scalar == ScalarKind::Double ? declared : doubleType();
  }
  bool isUnsigned = text.contains_insensitive("u");
  unsigned long long magnitude = 0;
  text.take_while([](char c) { return isalnum(static_cast<unsigned char>(c)); })
      .rtrim("uUlL")
      .getAsInteger(/*Radix=*/0, magnitude);
  bool isWide =
      text.contains_insensitive("l") || magnitude > 0xffffffffu || (magnitude > 0x7fffffffu && !isHex && !isUnsigned);
  if (isWide) {
    isUnsigned = isUnsigned || magnitude > 0x7fffffffffffffffu;
    return scalarType(ScalarKind::Int, 64, !isUnsigned, isUnsigned ? "unsigned long long" : "long long");
  }
  return isUnsigned || magnitude > 0x7fffffffu ? unsignedType() : intType();
}

} // namespace gpuad::emit
