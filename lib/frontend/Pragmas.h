//===- Pragmas.h - #pragma gpuad ------------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `#pragma gpuad NAME(ARGUMENTS)` stands in front of the statement or function that
/// it speaks of. The preprocessor collects them, lowering asks for those that stand
/// before what it lowers, and those that nobody asked for are reported.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_PRAGMAS_H
#define GPUAD_FRONTEND_PRAGMAS_H

#include "gpuad/Diagnostic.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Pragma.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace gpuad::frontend {

enum class PragmaKind {
  Record,     ///< record(x, ...): keep the value in every iteration
  Recompute,  ///< recompute(x, ...): never record it
  Checkpoint, ///< checkpoint or checkpoint(K), in front of a counted loop
  Alias,      ///< alias(x, y), in front of a function: both may be one array
};

struct Pragma {
  PragmaKind kind;
  std::vector<std::string> names; ///< its arguments
  uint64_t states = 0;            ///< K of a checkpoint; 0: not given
  SourceRange range;              ///< up to the end of its line
  std::string problem;            ///< what is wrong with it; mostly empty
  bool isUsed = false;
};

/// The pragmas of the files read, those of both passes as one.
class PragmaTable {
public:
  void add(Pragma pragma);
  bool empty() const { return pragmas.empty(); }
  /// Those with nothing but comments and other directives between them and the
  /// statement that begins here.
  std::vector<Pragma *> beforeStatement(clang::SourceLocation begin, const clang::SourceManager &manager);
  /// Those of the function with its name here: attributes and return type may stand
  /// in between.
  std::vector<Pragma *> beforeFunction(clang::SourceLocation name, const clang::SourceManager &manager);
  /// Reports the pragmas that are wrong, and warns of those that stand in front of
  /// nothing. Whether none is wrong.
  bool reportTo(DiagnosticSink &sink) const;

private:
  enum class Gap { Blank, Declaration };
  std::vector<Pragma *> before(clang::SourceLocation location, const clang::SourceManager &manager, Gap allowed);

  std::deque<Pragma> pragmas;
};

/// Hands what it reads to the table, which must outlive the preprocessor.
std::unique_ptr<clang::PragmaHandler> makePragmaHandler(PragmaTable &table);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_PRAGMAS_H
