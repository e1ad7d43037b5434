//===- Diagnostics.h - Reporting by id --------------------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// report(sink, diag::Id, range, args...) fills the text that Diagnostics.def
/// declares for the id. Notes are attached to the diagnostic they explain.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_SUPPORT_DIAGNOSTICS_H
#define GPUAD_SUPPORT_DIAGNOSTICS_H

#include "gpuad/Diagnostic.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpuad::diag {

enum class Id {
#define GPUAD_DIAGNOSTIC(ID, SLUG, SEVERITY, FORMAT) ID,
#include "support/Diagnostics.def"
};

/// What Diagnostics.def says about an id.
struct Info {
  const char *slug;
  Severity severity;
  const char *format;
};
Info info(Id id);

/// Every id, in the order of the .def file.
std::vector<Id> allIds();

/// Builds the diagnostic; the caller may add notes before reporting it.
template <class... Args> Diagnostic make(Id id, const SourceRange &range, Args &&...args) {
  Info known = info(id);
  Diagnostic diagnostic;
  diagnostic.slug = known.slug;
  diagnostic.severity = known.severity;
  diagnostic.range = range;
  diagnostic.message = llvm::formatv(/*Validate=*/false, known.format, std::forward<Args>(args)...).str();
  return diagnostic;
}

/// A note under a diagnostic.
Diagnostic note(const SourceRange &range, std::string text);

template <class... Args> void report(DiagnosticSink &sink, Id id, const SourceRange &range, Args &&...args) {
  sink.report(make(id, range, std::forward<Args>(args)...));
}

} // namespace gpuad::diag

#endif // GPUAD_SUPPORT_DIAGNOSTICS_H
