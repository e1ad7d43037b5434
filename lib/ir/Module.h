//===- Module.h - one translated file --------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All that a translation knows about its input once Clang is gone.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_MODULE_H
#define GPUAD_IR_MODULE_H

#include "ir/Function.h"

#include <map>

namespace gpuad::ir {

/// A function template of the main file that nothing instantiates.
struct UnusedTemplate {
  std::string qualifiedName;
  SourceRange nameRange;
  bool isRequested = false; ///< an attribute asks for a derivative
  bool isGenerated = false; ///< by an earlier translation
};

/// What another file needs before it can name a type of this one.
struct TypeOrigin {
  std::string include;                 ///< the #include of the main file that gives it; or else:
  std::string name;                    ///< of what the main file itself defines
  std::string declaration;             ///< "class grid;"; empty: it can be defined only
  std::vector<std::string> namespaces; ///< of the declaration
  bool operator==(const TypeOrigin &) const = default;
};

struct Module {
  std::string path;                                 ///< of the main file, as given
  std::string text;                                 ///< its bytes
  std::vector<std::unique_ptr<Function>> functions; ///< defined or declared, callees before callers where possible
  std::vector<std::unique_ptr<Var>> globals;
  std::vector<UnusedTemplate> unusedTemplates;
  OrderedMap<const Function, SourceRange> firstDeclarations;  ///< in the main file, of what is defined further down
  std::map<std::string, std::vector<TypeOrigin>> typeOrigins; ///< by the spelling of the type
  std::vector<std::string> dependencies;                      ///< files read
  std::vector<std::string> macroNames;                        ///< every macro alive at the end of the main file
  std::vector<std::string> takenNames;                        ///< every identifier declared at namespace scope
  unsigned includeOffset = 0;                                 ///< where the runtime's #include goes
  std::vector<std::string> commandLineMacros;                 ///< names given by -D
  std::map<std::string, std::string> macroValues; ///< of object-like macros of the command line and the main file

  /// Functions by qualified name, overloads and instances included.
  std::vector<Function *> find(const std::string &qualifiedName) const {
    std::vector<Function *> found;
    for (const std::unique_ptr<Function> &function : functions)
      if (function->qualifiedName() == qualifiedName)
        found.push_back(function.get());
    return found;
  }
};

} // namespace gpuad::ir

#endif // GPUAD_IR_MODULE_H
