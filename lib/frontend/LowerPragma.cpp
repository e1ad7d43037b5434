//===- LowerPragma.cpp -----------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `#pragma gpuad` asks for becomes marks on variables, loops and functions.
//
//===----------------------------------------------------------------------===//

#include "frontend/FunctionLowering.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::frontend {

using namespace ir;

void FunctionLowering::lowerAfterPragmas(const clang::Stmt *s, const std::vector<Pragma *> &pragmas) {
  size_t first = function.vars.size();
  const clang::Stmt *bare = s;
  if (auto *attributed = clang::dyn_cast<clang::AttributedStmt>(s))
    bare = attributed->getSubStmt();
  for (Pragma *pragma : pragmas) {
    if (pragma->kind == PragmaKind::Alias)
      pragma->problem = "alias stands in front of a function";
    if (pragma->kind != PragmaKind::Checkpoint)
      continue;
    if (clang::isa<clang::ForStmt, clang::CXXForRangeStmt>(bare))
      checkpoints = pragma->states;
    else
      pragma->problem = "checkpoint stands in front of a 'for' loop";
  }
  lowerBare(s);
  checkpoints.reset(); // a loop that stayed text
  for (Pragma *pragma : pragmas)
    keepVariables(*pragma, first);
}

/// Marks the variables that the pragma names: those declared since `first`, or the last
/// one before.
void FunctionLowering::keepVariables(Pragma &pragma, size_t first) {
  if (pragma.kind != PragmaKind::Record && pragma.kind != PragmaKind::Recompute)
    return;
  Keeping keeping = pragma.kind == PragmaKind::Record ? Keeping::Record : Keeping::Recompute;
  for (const std::string &name : pragma.names) {
    bool isFound = false;
    for (size_t i = first; i < function.vars.size(); ++i)
      if (function.vars[i]->name == name) {
        function.vars[i]->keeping = keeping;
        isFound = true;
      }
    for (size_t i = first; i-- > 0 && !isFound;)
      if (function.vars[i]->name == name) {
        function.vars[i]->keeping = keeping;
        isFound = true;
      }
    if (!isFound)
      pragma.problem = "there is no variable '" + name + "' here";
  }
}

/// The pragmas in front of the function, once its body is lowered.
void FunctionLowering::followForFunction(const clang::FunctionDecl &definition) {
  const clang::FunctionDecl *pattern = definition.getTemplateInstantiationPattern();
  clang::SourceLocation name = (pattern ? pattern : &definition)->getLocation();
  for (Pragma *pragma : pass.pragmas.beforeFunction(name, pass.sources.sources())) {
    keepVariables(*pragma, 0);
    if (pragma->kind == PragmaKind::Checkpoint)
      pragma->problem = "checkpoint stands in front of a 'for' loop";
    if (pragma->kind != PragmaKind::Alias)
      continue;
    std::vector<Var *> pair;
    for (const std::string &wanted : pragma->names)
      for (Var *param : function.params)
        if (param->name == wanted && isPointer(param->type))
          pair.push_back(param);
    if (pair.size() == 2 && pair[0] != pair[1])
      function.aliases.push_back({pair[0], pair[1]});
    else
      pragma->problem = "alias names two pointer parameters of the function";
  }
}

} // namespace gpuad::frontend
