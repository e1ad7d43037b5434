//===- Type.h - types of the IR --------------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A type carries the meaning that analyses need and the spelling that the user
/// wrote. Types are immutable and shared; compare meanings with sameType().
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_TYPE_H
#define GPUAD_IR_TYPE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuad::ir {

enum class ScalarKind { Bool, Int, Half, BFloat16, Float, Double, LongDouble };

enum class TypeKind {
  Void,
  Scalar, ///< bool, integers, enums, floating point
  Pointer,
  Reference, ///< of parameters and locals; an expression never has this type
  Array,     ///< of fixed extent, or of unknown extent ([] of extern __shared__)
  Record,    ///< struct or class with its fields, CUDA vector types included
  Opaque     ///< anything else: known by its spelling alone, never active
};

class TypeNode;
using Type = std::shared_ptr<const TypeNode>;

/// One field of a record.
struct Field {
  std::string name;
  Type type;
  bool accessible = true;     ///< false: private or protected, and no GPUAD_FRIEND in the class
  bool throughFriend = false; ///< private or protected, and reached through GPUAD_FRIEND
  bool isBitField = false;    ///< has no address; its type is opaque
  std::string accessor = {};  ///< how text reaches it (LibraryClass.h); empty: by its name
};

/// Where the fields of a base class, at any depth, lie among those of a record.
struct BaseClass {
  std::string qualifiedName;
  unsigned firstField = 0;
};

/// A struct, class or CUDA vector type, shared by all types that name it.
struct RecordInfo {
  std::string qualifiedName; ///< with template arguments, e.g. "physics::State<float>"
  std::vector<Field> fields; ///< fields of base classes first; empty for unions (which are never active)
  bool isVector = false;     ///< float4 and its like: fields x, y, z, w
  bool isUnion = false;
  bool isReachable = true;           ///< false: its name is private to another class
  bool isAggregate = true;           ///< can be written as {a, b, c}, the fields in order
  bool hasDefaultConstructor = true; ///< `T v;` is allowed, in derivatives too
  bool isOfFields = false;           ///< of a library, and known by rules: T{its fields, in order} makes one
  bool isDense = false;              ///< no base class, and nothing lies between the fields
  bool emptyIsZero = true;           ///< T{} is zero: no constructor and no initializer of a member says otherwise
  std::vector<BaseClass> bases;
};

class TypeNode {
public:
  TypeKind kind = TypeKind::Void;
  /// Of void, scalars, records and opaque types, without const: "float", "real", "vec3"; of a
  /// pointer only where it is a class that acts as one.
  std::string spelling;
  bool isConst = false; ///< top-level const

  ScalarKind scalar = ScalarKind::Int; ///< Scalar
  unsigned bits = 0;                   ///< Scalar: width in bits
  bool isSigned = true;                ///< Scalar of kind Int
  bool isEnum = false;                 ///< Scalar of kind Int
  bool isReachable = true;             ///< of an enumeration; false: its name is private to a class

  Type element;                   ///< Pointer, Reference, Array: what it points to or holds
  bool isRestrict = false;        ///< Pointer
  bool isVolatile = false;        ///< top-level volatile
  std::optional<uint64_t> extent; ///< Array: number of elements; none: unknown
  std::string extentSpelling;     ///< Array: as written, e.g. "N"; empty: print the number

  std::shared_ptr<const RecordInfo> record; ///< Record
};

// Making types.
Type voidType();
Type boolType();
Type intType();
Type unsignedType();
Type sizeType(); ///< size_t
Type floatType();
Type doubleType();
Type scalarType(ScalarKind kind, unsigned bits, bool isSigned, std::string spelling);
Type opaqueType(std::string spelling);
Type recordType(std::shared_ptr<const RecordInfo> record, std::string spelling);
Type pointerTo(Type element, bool isRestrict = false);
Type referenceTo(Type element);
Type arrayOf(Type element, std::optional<uint64_t> extent, std::string extentSpelling = "");
/// The same type with that top-level const; without it the type is that of a value, which is
/// not volatile either.
Type withConst(const Type &type, bool isConst);

// Asking types. All look through one level of Reference where noted.
bool isVoid(const Type &type);
bool isBool(const Type &type);
bool isInteger(const Type &type);  ///< integers and enums, not bool
bool isFloating(const Type &type); ///< half, bfloat16, float, double, long double
bool isPointer(const Type &type);
bool isReference(const Type &type);
bool isArray(const Type &type);
bool isRecord(const Type &type);
bool isScalar(const Type &type);
const Type &stripReference(const Type &type);
/// The element of a pointer, reference or array.
const Type &elementOf(const Type &type);
/// The scalar or record at the bottom of arrays and references.
Type innermost(const Type &type);
/// Whether a value of this type, or anything inside it (fields, array elements),
/// is a floating-point number. Pointers are not followed.
bool holdsFloating(const Type &type);
/// As holdsFloating, and pointers inside (or the type itself being one) are
/// followed one level: `float*`, a view with a `float*` field.
bool reachesFloating(const Type &type);
/// The index of a field, or none.
std::optional<unsigned> fieldIndex(const Type &type, const std::string &name);
/// The first of the fields of a record that are those of its base class; none when
/// `base` is not one.
std::optional<unsigned> firstFieldOf(const Type &base, const Type &record);
/// Same meaning: kinds, widths, records and elements agree; spelling, const and
/// restrict are ignored.
bool sameType(const Type &a, const Type &b);
/// As sameType, const of pointees included.
bool identicalType(const Type &a, const Type &b);

/// `T name`, with pointers, references and arrays around the name where C++
/// wants them: "const float *x" is printed "const float* x".
std::string declare(const Type &type, const std::string &name);
/// The type alone, as in a cast or a template argument.
std::string spell(const Type &type);

} // namespace gpuad::ir

#endif // GPUAD_IR_TYPE_H
