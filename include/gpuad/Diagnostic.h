//===- Diagnostic.h - What gpuad tells its users ----------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A diagnostic is an id (its slug names the page in docs/diagnostics), a level,
/// a place in the user's source, a text, and notes. Every id is declared once in
/// lib/support/Diagnostics.def. Sinks collect or print; nothing else does.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_DIAGNOSTIC_H
#define GPUAD_DIAGNOSTIC_H

#include <memory>
#include <string>
#include <vector>

namespace gpuad {

/// A stretch of a source file. Lines and columns count from 1; line 0 means
/// "nowhere". Offsets and lengths are bytes.
struct SourceRange {
  std::shared_ptr<const std::string> file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned offset = 0;
  unsigned length = 0;

  bool isValid() const { return file && line != 0; }
};

enum class Severity { Note, Remark, Warning, Error };

/// One message. `slug` is the stable name, printed as [gpuad-slug].
struct Diagnostic {
  std::string slug;
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  std::vector<Diagnostic> notes;
};

/// Receives diagnostics in the order in which they are found.
class DiagnosticSink {
public:
  virtual ~DiagnosticSink() = default;
  void report(Diagnostic diagnostic) {
    errors += diagnostic.severity == Severity::Error;
    warnings += diagnostic.severity == Severity::Warning;
    take(std::move(diagnostic));
  }
  unsigned errorCount() const { return errors; }
  unsigned warningCount() const { return warnings; }

protected:
  virtual void take(Diagnostic diagnostic) = 0;

private:
  unsigned errors = 0;
  unsigned warnings = 0;
};

/// Keeps everything, for callers that decide later what to show.
class CollectingSink final : public DiagnosticSink {
public:
  std::vector<Diagnostic> diagnostics;

protected:
  void take(Diagnostic diagnostic) override { diagnostics.push_back(std::move(diagnostic)); }
};

} // namespace gpuad

#endif // GPUAD_DIAGNOSTIC_H
