//===- DiagnosticOutput.h - diagnostics as text, JSON, SARIF ---- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Text is clang's own form, so that editors and build logs understand it. JSON and
/// SARIF are one document for a whole run.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_SUPPORT_DIAGNOSTICOUTPUT_H
#define GPUAD_SUPPORT_DIAGNOSTICOUTPUT_H

#include "gpuad/Diagnostic.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

namespace gpuad {

/// The lines of source files, read once each.
class SourceLines {
public:
  /// The line without its end; none when the file cannot be read or is shorter.
  std::optional<llvm::StringRef> line(const std::string &file, unsigned number);

private:
  llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> files;
};

/// "file:line:col: error: text [gpuad-slug]", the source line with a caret under
/// it, then the notes in the same form.
std::string formatText(const Diagnostic &diagnostic, SourceLines &lines);

/// {"diagnostics": [...]}
std::string formatJson(const std::vector<Diagnostic> &diagnostics);

/// A SARIF 2.1.0 log.
std::string formatSarif(const std::vector<Diagnostic> &diagnostics, const std::string &version);

/// "2 warnings and 1 error generated.", or empty.
std::string formatCount(unsigned warnings, unsigned errors);

} // namespace gpuad

#endif // GPUAD_SUPPORT_DIAGNOSTICOUTPUT_H
