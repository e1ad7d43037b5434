//===- TypeLowering.h - Clang types to IR types ----------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The meaning of a type, with the spelling by which it can be named at the end of
/// the file: aliases stay, names are qualified in full, deduced types are resolved.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_TYPELOWERING_H
#define GPUAD_FRONTEND_TYPELOWERING_H

#include "ir/LibraryClass.h"
#include "ir/Module.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuad::frontend {

class SourceMap;

using ClassQuery = std::function<const ir::LibraryClass *(const std::string &)>;

class TypeLowering {
public:
  TypeLowering(const clang::ASTContext &context, const SourceMap &sources, ClassQuery classNamed);

  ir::Type lower(clang::QualType type);
  /// As lower(), for the type of an expression: without reference and const.
  ir::Type lowerValue(clang::QualType type);
  /// The type of a declared variable, with the extents of arrays as they are written.
  ir::Type lowerDeclared(const clang::DeclaratorDecl &declaration);
  /// The type as text: "physics::Vec3", "real".
  std::string spell(clang::QualType type) const;
  /// A qualified name without namespaces that only number versions: a::__v1::f is a::f.
  std::string withoutVersions(std::string name) const;
  const clang::PrintingPolicy &policy() const { return printing; }
  /// The name of a field in records: without the underscores of a library.
  std::string nameOf(const clang::FieldDecl &field) const;
  /// Whether the fields of this field count as fields of the object.
  bool isTransparent(const clang::FieldDecl &field) const;
  /// What rules say of a class of a library, or null.
  const ir::LibraryClass *libraryClass(const clang::CXXRecordDecl &declaration) const;
  /// Of the types with a name that were lowered so far, by their spelling.
  const std::map<std::string, std::vector<ir::TypeOrigin>> &origins() const { return typeOrigins; }

private:
  ir::Type lowerUncached(clang::QualType type);
  ir::Type lowerBuiltin(clang::QualType type, const clang::BuiltinType &builtin);
  ir::Type lowerRecord(clang::QualType type, const clang::CXXRecordDecl &declaration);
  ir::Type memoryOfRecords(const clang::CXXRecordDecl &declaration, const std::string &spelling);
  ir::Type lowerArray(const clang::ArrayType &array);
  std::shared_ptr<const ir::RecordInfo> recordInfo(clang::QualType type, const clang::CXXRecordDecl &definition);
  void addFields(const clang::CXXRecordDecl &definition, bool accessible, std::vector<ir::Field> &fields, bool open);
  ir::Type lowerElements(const clang::CXXRecordDecl &definition, const ir::LibraryClass &library,
                         const std::string &spelling);
  void addBases(const clang::CXXRecordDecl &definition, unsigned first, std::vector<ir::BaseClass> &bases);
  bool canBeDefaulted(const clang::CXXRecordDecl &definition) const;
  void addVersion(const clang::NamespaceDecl &outer, const clang::NamespaceDecl &inner);
  clang::QualType withoutLocalSugar(clang::QualType type) const;

  const clang::ASTContext &context;
  const SourceMap &sources;
  const ClassQuery classNamed;
  clang::PrintingPolicy printing;
  std::map<std::string, std::vector<ir::TypeOrigin>> typeOrigins;
  std::vector<std::string> versions; ///< "a::__v1", where a uses all of it
  llvm::DenseMap<void *, ir::Type> known;
  llvm::DenseMap<const clang::CXXRecordDecl *, std::shared_ptr<ir::RecordInfo>> records;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> inProgress;
};

/// Whether the class lets derivatives use its private members.
bool isFriend(const clang::CXXRecordDecl &definition);

/// Whether no class around keeps the name to itself.
bool isReachable(const clang::Decl &declaration);

/// Whether the class, of a library, has no field of its own that anyone may name, as
/// groups of threads, scratch memory and function objects.
bool isHandle(const clang::CXXRecordDecl &definition);

/// Whether objects of the class, of the standard library, are copied as their fields are, though the class says itself
/// how it is assigned: std::pair.
bool isPlainUtility(const clang::CXXRecordDecl &definition);

/// Whether the class is one of CUDA's short vectors (float4, double2, half2, ...).
bool isVectorRecord(const clang::CXXRecordDecl &declaration);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_TYPELOWERING_H
