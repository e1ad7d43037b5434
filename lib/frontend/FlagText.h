//===- FlagText.h - flags as lists of words --------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where flags come from: text in the manner of a shell, files of flags, and
/// compile_commands.json.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_FLAGTEXT_H
#define GPUAD_FRONTEND_FLAGTEXT_H

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuad::frontend {

/// Words of a command line as a shell splits them.
std::vector<std::string> splitCommand(const std::string &text);

/// The words in a file of flags.
llvm::Expected<std::vector<std::string>> readFlagFile(const std::string &path);

/// An entry of a compile_commands.json.
struct DatabaseEntry {
  std::string directory;
  std::vector<std::string> words; ///< the compiler first
};

/// The entry for `input`; none when there is no such entry.
llvm::Expected<std::optional<DatabaseEntry>> findInDatabase(const std::string &database, const std::string &input);

/// The nearest compile_commands.json in the folder of `input` or above it; empty: none.
std::string findDatabase(const std::string &input);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_FLAGTEXT_H
