//===- DeclLowering.h - functions and globals of a pass --------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which functions are lowered, and their signatures. The device pass comes first:
/// it gives the bodies of kernels and device functions. The host pass adds host
/// functions and compares the bodies of functions that live on both sides. Both
/// passes share one table, so that a launch on the host names the kernel that the
/// device pass has lowered.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_DECLLOWERING_H
#define GPUAD_FRONTEND_DECLLOWERING_H

#include "frontend/EffectAnalysis.h"
#include "frontend/Frontend.h"
#include "frontend/Pragmas.h"
#include "frontend/SourceMap.h"
#include "frontend/TypeLowering.h"
#include "ir/Module.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringMap.h"

#include <deque>

namespace gpuad::frontend {

/// What both passes know by name.
struct DeclTable {
  explicit DeclTable(ir::Module &module) : module(module) {}

  ir::Module &module;
  llvm::StringMap<ir::Function *> functions;
  llvm::StringMap<ir::Var *> globals;
  PragmaTable pragmas;
  LibraryFacts library;
};

class DeclLowering {
public:
  DeclLowering(clang::ASTContext &context, clang::Preprocessor &preprocessor, DeclTable &table, bool isDevice);

  /// Lowers what is defined at this declaration of the main file, and what that calls
  /// and launches.
  void lowerTopLevel(const clang::Decl *declaration);
  /// The same for a declaration of a header of the user's, for functions of these names.
  void lowerNamed(const clang::Decl *declaration, const llvm::StringSet<> &names);

  /// The function of the module for a callee; null for functions of system headers, but for
  /// those that are lowered from their source.
  ir::Function *functionFor(const clang::FunctionDecl *declaration);
  /// Whether a rule says what a function does.
  bool hasRule(const ir::Callee &callee) const { return table.library.hasRule(callee); }
  /// The variable of the module for a namespace-scope or static member variable.
  ir::Var *globalFor(const clang::VarDecl *declaration);
  /// The name with all namespaces and classes, inline namespaces left out.
  std::string qualifiedName(const clang::NamedDecl &declaration) const;

  clang::ASTContext &context;
  clang::Preprocessor &preprocessor;
  SourceMap sources;
  TypeLowering types;
  EffectAnalysis effects;
  PragmaTable &pragmas;

private:
  /// Whether it is known by a rule, or not at all.
  bool isClosed(const clang::FunctionDecl &declaration);
  void closeUnknown();
  bool wanted(const clang::FunctionDecl &definition);
  void drain();
  void lowerLaunched(const clang::Stmt *statement);
  void lowerBody(const clang::FunctionDecl &definition);
  void compareBodies(ir::Function &device, const clang::FunctionDecl &definition);
  std::unique_ptr<ir::Function> makeShell(const clang::FunctionDecl &declaration);
  void setPlace(ir::Function &function, const clang::FunctionDecl &declaration);
  void setAttributes(ir::Function &function, const clang::FunctionDecl &declaration) const;
  std::string keyOf(const clang::FunctionDecl &declaration) const;

  DeclTable &table;
  const bool isDevice;
  std::deque<const clang::FunctionDecl *> queue;
  std::vector<ir::Function *> utilities; ///< of libraries, lowered from their source
  llvm::DenseMap<const clang::FunctionDecl *, ir::Function *> known;
  llvm::DenseMap<const clang::FunctionDecl *, bool> closed;
  llvm::DenseSet<const clang::FunctionDecl *> queued;
  llvm::DenseSet<const clang::FunctionDecl *> searched; ///< host functions whose launches are known
  const llvm::StringSet<> *onlyNames = nullptr;
};

/// Where a function runs, by its attributes.
ir::FunctionKind kindOf(const clang::FunctionDecl &declaration);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_DECLLOWERING_H
