//===- Placement.h - what is emitted, where, under which name --- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between derivatives and text: each derivative gets its namespace and linkage,
/// calls between derivatives are spelled so that they find each other, and the
/// functions are put into an order in which each is declared before its use.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_PLACEMENT_H
#define GPUAD_EMIT_PLACEMENT_H

#include "emit/Names.h"
#include "ir/Derivative.h"

namespace gpuad::emit {

/// One function of the output: a derivative, or several instantiations of one
/// template with the same parameters.
struct Emitted {
  std::vector<ir::Derivative *> instances; ///< at least one
  std::vector<std::string> namespaces;     ///< where it stands
  bool isTemplate = false;
  bool isInternal = false; ///< static, in namespace gpuad_FILE
  bool mayBeUnused = false;

  const ir::Derivative &derivative() const { return *instances.front(); }
  ir::Function &function() const { return *instances.front()->function; }
};

/// Decides all that and renames variables that clash.
std::vector<Emitted> placeDerivatives(const ir::Module &module, std::vector<ir::Derivative> &derivatives);

/// Prototype and definition; with the comment above the definition. Of a template, one
/// declaration has the default arguments.
std::string printPrototype(const Emitted &emitted, bool withDefaults);
std::string printDefinition(const Emitted &emitted);

/// A parameter's type as the declaration shows it: in a template, over its parameters.
ir::Type shownType(const Emitted &emitted, const ir::Var &param);

/// A variable of a namespace as code of another one finds it; null where its name does.
ir::Expr spellGlobal(const ir::RefExpr &ref, const std::vector<std::string> &from);

bool hasInternalLinkage(const ir::Function &function);

/// "namespace a {\n" ... for all, and the closing lines.
std::string openNamespaces(const std::vector<std::string> &namespaces);
std::string closeNamespaces(const std::vector<std::string> &namespaces);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_PLACEMENT_H
