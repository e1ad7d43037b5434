//===- Diagnostics.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Diagnostics.h"

namespace gpuad::diag {

static const Info Table[] = {
#define GPUAD_DIAGNOSTIC(ID, SLUG, SEVERITY, FORMAT) {SLUG, Severity::SEVERITY, FORMAT},
#include "support/Diagnostics.def"
};

Info info(Id id) {
  return Table[static_cast<unsigned>(id)];
}

std::vector<Id> allIds() {
  std::vector<Id> ids;
  for (unsigned i = 0; i < std::size(Table); ++i)
    ids.push_back(static_cast<Id>(i));
  return ids;
}

Diagnostic note(const SourceRange &range, std::string text) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::Note;
  diagnostic.range = range;
  diagnostic.message = std::move(text);
  return diagnostic;
}

} // namespace gpuad::diag
