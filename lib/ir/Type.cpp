//===- Type.cpp -----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/Type.h"

namespace gpuad::ir {

// Making types.

static Type makeNamed(TypeKind kind, std::string spelling) {
  auto node = std::make_shared<TypeNode>();
  node->kind = kind;
  node->spelling = std::move(spelling);
  return node;
}

Type scalarType(ScalarKind kind, unsigned bits, bool isSigned, std::string spelling) {
  auto node = std::make_shared<TypeNode>();
  node->kind = TypeKind::Scalar;
  node->scalar = kind;
  node->bits = bits;
  node->isSigned = isSigned;
  node->spelling = std::move(spelling);
  return node;
}

Type voidType() {
  static const Type Shared = makeNamed(TypeKind::Void, "void");
  return Shared;
}
Type boolType() {
  static const Type Shared = scalarType(ScalarKind::Bool, 8, false, "bool");
  return Shared;
}
Type intType() {
  static const Type Shared = scalarType(ScalarKind::Int, 32, true, "int");
  return Shared;
}
Type unsignedType() {
  static const Type Shared = scalarType(ScalarKind::Int, 32, false, "unsigned");
  return Shared;
}
Type sizeType() {
  static const Type Shared = scalarType(ScalarKind::Int, 64, false, "size_t");
  return Shared;
}
Type floatType() {
  static const Type Shared = scalarType(ScalarKind::Float, 32, true, "float");
  return Shared;
}
Type doubleType() {
  static const Type Shared = scalarType(ScalarKind::Double, 64, true, "double");
  return Shared;
}

Type opaqueType(std::string spelling) {
  return makeNamed(TypeKind::Opaque, std::move(spelling));
}

Type recordType(std::shared_ptr<const RecordInfo> record, std::string spelling) {
  auto node = std::make_shared<TypeNode>();
  node->kind = TypeKind::Record;
  node->record = std::move(record);
  node->spelling = std::move(spelling);
  return node;
}

Type pointerTo(Type element, bool isRestrict) {
  auto node = std::make_shared<TypeNode>();
  node->kind = TypeKind::Pointer;
  node->element = std::move(element);
  node->isRestrict = isRestrict;
  return node;
}

Type referenceTo(Type element) {
  auto node = std::make_shared<TypeNode>();
  node->kind = TypeKind::Reference;
  node->element = std::move(element);
  return node;
}

Type arrayOf(Type element, std::optional<uint64_t> extent, std::string extentSpelling) {
  auto node = std::make_shared<TypeNode>();
  node->kind = TypeKind::Array;
  node->element = std::move(element);
  node->extent = extent;
  node->extentSpelling = std::move(extentSpelling);
  return node;
}

Type withConst(const Type &type, bool isConst) {
  if (type->kind == TypeKind::Array) { // const belongs to the elements
    Type element = withConst(type->element, isConst);
    if (element == type->element)
      return type;
    auto node = std::make_shared<TypeNode>(*type);
    node->element = element;
    return node;
  }
  // What is made to hold a value is nobody's business but the thread's: not volatile either.
  bool isVolatile = isConst && type->isVolatile;
  if (type->isConst == isConst && type->isVolatile == isVolatile)
    return type;
  auto node = std::make_shared<TypeNode>(*type);
  node->isConst = isConst;
  node->isVolatile = isVolatile;
  return node;
}

// Asking types.

static bool hasKind(const Type &type, TypeKind kind) {
  return type && type->kind == kind;
}

bool isVoid(const Type &type) {
  return hasKind(type, TypeKind::Void);
}
bool isScalar(const Type &type) {
  return hasKind(type, TypeKind::Scalar);
}
bool isPointer(const Type &type) {
  return hasKind(type, TypeKind::Pointer);
}
bool isReference(const Type &type) {
  return hasKind(type, TypeKind::Reference);
}
bool isArray(const Type &type) {
  return hasKind(type, TypeKind::Array);
}
bool isRecord(const Type &type) {
  return hasKind(type, TypeKind::Record);
}
bool isBool(const Type &type) {
  return isScalar(type) && type->scalar == ScalarKind::Bool;
}
bool isInteger(const Type &type) {
  return isScalar(type) && type->scalar == ScalarKind::Int;
}
bool isFloating(const Type &type) {
  return isScalar(type) && !isBool(type) && !isInteger(type);
}

const Type &stripReference(const Type &type) {
  return isReference(type) ? type->element : type;
}
const Type &elementOf(const Type &type) {
  return type->element;
}

Type innermost(const Type &type) {
  Type inner = type;
  while (isArray(inner) || isReference(inner))
    inner = inner->element;
  return inner;
}

static bool anyFieldHoldsFloating(const RecordInfo &record) {
  for (const Field &field : record.fields)
    if (!isReference(field.type) && holdsFloating(field.type))
      return true;
  return false;
}

bool holdsFloating(const Type &type) {
  Type inner = innermost(type);
  return isFloating(inner) || (isRecord(inner) && anyFieldHoldsFloating(*inner->record));
}

bool reachesFloating(const Type &type) {
  if (holdsFloating(type))
    return true;
  Type inner = innermost(type);
  if (isPointer(inner)) {
    Type to = innermost(inner->element);
    return holdsFloating(to) || (isPointer(to) && holdsFloating(to->element)) || (isRecord(to) && reachesFloating(to));
  }
  if (!isRecord(inner))
    return false;
  for (const Field &field : inner->record->fields) {
    Type pointee = innermost(field.type);
    if (isPointer(pointee) ? holdsFloating(pointee->element) : reachesFloating(pointee))
      return true;
  }
  return false;
}

std::optional<unsigned> fieldIndex(const Type &type, const std::string &name) {
  const Type &object = stripReference(type);
  if (!isRecord(object))
    return std::nullopt;
  const std::vector<Field> &fields = object->record->fields;
  for (unsigned i = 0; i < fields.size(); ++i)
    if (fields[i].name == name)
      return i;
  return std::nullopt;
}

static bool agree(const Type &a, const Type &b, bool constMatters) {
  if (a == b)
    return true;
  if (!a || !b || a->kind != b->kind)
    return false;
  switch (a->kind) {
  case TypeKind::Void:
    return true;
  case TypeKind::Scalar:
    if (a->scalar != b->scalar || a->bits != b->bits || a->isEnum != b->isEnum)
      return false;
    // Two enums of one width still are two types to overload resolution.
    return a->scalar != ScalarKind::Int || (a->isSigned == b->isSigned && (!a->isEnum || a->spelling == b->spelling));
  case TypeKind::Pointer:
  case TypeKind::Reference:
    if (constMatters && a->element->isConst != b->element->isConst)
      return false;
    return agree(a->element, b->element, constMatters);
  case TypeKind::Array:
    if (constMatters && a->element->isConst != b->element->isConst)
      return false;
    return a->extent == b->extent && agree(a->element, b->element, constMatters);
  case TypeKind::Record:
    return a->record == b->record || a->record->qualifiedName == b->record->qualifiedName;
  case TypeKind::Opaque:
    return a->spelling == b->spelling;
  }
  return false;
}

std::optional<unsigned> firstFieldOf(const Type &base, const Type &record) {
  if (!isRecord(base) || !isRecord(record))
    return std::nullopt;
  for (const BaseClass &one : record->record->bases)
    if (one.qualifiedName == base->record->qualifiedName)
      return one.firstField;
  return std::nullopt;
}

bool sameType(const Type &a, const Type &b) {
  return agree(a, b, /*constMatters=*/false);
}
bool identicalType(const Type &a, const Type &b) {
  return agree(a, b, /*constMatters=*/true);
}

// Spelling. C++ writes a declarator inside out: the name first, then what is done
// with it, then the type that this gives.

static std::string qualifiers(const TypeNode &type) {
  return std::string(type.isConst ? "const " : "") + (type.isVolatile ? "volatile " : "");
}

static std::string spellNamed(const TypeNode &type, const std::string &declarator) {
  // A function pointer's name stands inside its spelling: void (*)(int).
  size_t star = type.kind == TypeKind::Opaque ? type.spelling.find("(*)") : std::string::npos;
  if (star != std::string::npos) {
    std::string inner = declarator.substr(
        declarator.find_first_not_of(' ') == std::string::npos ? 0 : declarator.find_first_not_of(' '));
    return type.spelling.substr(0, star + 2) + (type.isConst ? "const " : "") + inner + type.spelling.substr(star + 2);
  }
  std::string text = qualifiers(type) + type.spelling;
  if (declarator.empty() || declarator[0] == '*' || declarator[0] == '&' || declarator[0] == '[')
    return text + declarator;
  return text + " " + declarator;
}

static std::string build(const Type &type, const std::string &declarator) {
  switch (type->kind) {
  case TypeKind::Void:
  case TypeKind::Scalar:
  case TypeKind::Record:
  case TypeKind::Opaque:
    return spellNamed(*type, declarator);
  case TypeKind::Array: {
    std::string extent = type->extentSpelling;
    if (extent.empty() && type->extent)
      extent = std::to_string(*type->extent);
    // Const of an array is const of its elements.
    Type element = type->isConst ? withConst(type->element, true) : type->element;
    return build(element, declarator + "[" + extent + "]");
  }
  case TypeKind::Pointer:
  case TypeKind::Reference: {
    if (!type->spelling.empty())
      return spellNamed(*type, declarator);
    std::string mark = type->kind == TypeKind::Pointer ? "*" : "&";
    std::string marks;
    if (type->isConst && type->kind == TypeKind::Pointer)
      marks += " const";
    if (type->isVolatile && type->kind == TypeKind::Pointer)
      marks += " volatile";
    if (type->isRestrict)
      marks += " __restrict__";
    bool named = !declarator.empty() && declarator[0] != '*' && declarator[0] != '&' && declarator[0] != '[';
    if (isArray(type->element))
      return build(type->element, "(" + mark + (marks.empty() ? "" : marks.substr(1)) +
                                      (named && !marks.empty() ? " " : "") + declarator + ")");
    return build(type->element, mark + marks + (named ? " " : "") + declarator);
  }
  }
  return declarator;
}

std::string declare(const Type &type, const std::string &name) {
  return build(type, name);
}
std::string spell(const Type &type) {
  return build(type, "");
}

} // namespace gpuad::ir
