//===- Names.h - names that clash with nothing ------------------ -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Generated functions stand at the end of the user's file, so their locals must
/// not be macros alive there, keywords, or names that their bodies use for something
/// else; and two variables in reach of each other need two names.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_NAMES_H
#define GPUAD_EMIT_NAMES_H

#include "ir/Module.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace gpuad::emit {

bool isKeyword(llvm::StringRef name);

/// What nothing in the module's generated code may be called.
class NameTable {
public:
  explicit NameTable(const ir::Module &module);
  bool isForbidden(const std::string &name) const { return isKeyword(name) || macros.count(name); }
  /// `base`, or `base_2`, `base_3`, ..., the first that is neither forbidden nor used
  /// at namespace scope; it is used from then on.
  std::string freshGlobal(const std::string &base);

private:
  std::set<std::string> macros, globals;
};

/// Renames parameters and locals that clash. Variables that verbatim text mentions
/// keep their names.
void nameVariables(ir::Function &function, const NameTable &names);

/// "namespace gpuad_FILE" for a path: the stem with all but letters and digits as _.
std::string internalNamespace(const std::string &path);

/// The identifiers in a piece of C++ text, comments and literals left out.
std::vector<std::string> identifiersIn(llvm::StringRef text);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_NAMES_H
