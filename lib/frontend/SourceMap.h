//===- SourceMap.h - places and text of the source -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From Clang's locations to gpuad's ranges and to source text. Whatever stands in
/// a macro is placed where the macro is used.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_SOURCEMAP_H
#define GPUAD_FRONTEND_SOURCEMAP_H

#include "gpuad/Diagnostic.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace gpuad::frontend {

class SourceMap {
public:
  explicit SourceMap(clang::Preprocessor &preprocessor)
      : preprocessor(preprocessor), manager(preprocessor.getSourceManager()) {}

  SourceRange range(clang::SourceRange range) const;
  /// The text of a range as written, when it is one piece of one file.
  std::optional<std::string> text(clang::SourceRange range) const;
  /// The object-like macro whose expansion is exactly this range, when it can be
  /// named again at the end of the file.
  std::optional<std::string> constantMacro(clang::SourceRange range) const;
  /// The text of the macro or tokens that a location was spelled by, up to the end
  /// of `range` ("__launch_bounds__(256)" for the attribute it expands to).
  std::optional<std::string> expansionText(clang::SourceRange range) const;
  bool inMainFile(clang::SourceLocation location) const;
  bool inSystemHeader(clang::SourceLocation location) const;
  const clang::SourceManager &sources() const { return manager; }

private:
  bool aliveAtEnd(llvm::StringRef name, clang::SourceLocation insideDefinition) const;

  clang::Preprocessor &preprocessor;
  const clang::SourceManager &manager;
  mutable llvm::DenseMap<clang::FileID, std::shared_ptr<const std::string>> names;
};

/// A range of plain locations of `manager`, for diagnostics outside of a SourceMap.
SourceRange makeRange(const clang::SourceManager &manager, clang::SourceLocation begin, unsigned length);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_SOURCEMAP_H
