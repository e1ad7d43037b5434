//===- FlagTranslation.h - nvcc's flags to Clang's -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Applies the table NvccFlags.def to a list of flags.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_FLAGTRANSLATION_H
#define GPUAD_FRONTEND_FLAGTRANSLATION_H

#include <string>
#include <vector>

namespace gpuad::frontend {

struct TranslatedFlags {
  std::vector<std::string> flags;         ///< for Clang
  std::vector<std::string> architectures; ///< "sm_90", in the order of the flags
  std::vector<std::string> dropped;       ///< flags that nobody knows
  std::string error;                      ///< what is wrong with the flags; empty: nothing
};

/// `words` may begin with a compiler. Relative paths are relative to `directory`
/// (empty: to the current folder, and then they stay as they are).
TranslatedFlags translateFlags(const std::vector<std::string> &words, const std::string &directory);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_FLAGTRANSLATION_H
