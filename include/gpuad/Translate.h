//===- Translate.h - The library's front door -------------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// translate() runs the whole pipeline over one file and returns text; it writes
/// no file. The command-line tool, the language server and the tests call it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSLATE_H
#define GPUAD_TRANSLATE_H

#include "gpuad/Diagnostic.h"
#include "gpuad/Options.h"

#include <string>
#include <vector>

namespace gpuad {

/// What a translation produced. `ok` is false when the input was refused; then
/// at least one located error is in the sink, and the texts are empty.
struct TranslateResult {
  bool ok = false;
  std::string text;                      ///< contents of OUT.cu
  std::string header;                    ///< contents of --header, when asked for
  std::string report;                    ///< contents of --report, when asked for
  std::string dump;                      ///< what --dump-after asked for
  std::vector<std::string> dependencies; ///< files that were read, for --depfile
};

/// Translates options.input. Diagnostics go to `sink` in source order as far as
/// each stage finds them.
TranslateResult translate(const Options &options, DiagnosticSink &sink);

} // namespace gpuad

#endif // GPUAD_TRANSLATE_H
