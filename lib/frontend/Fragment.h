//===- Fragment.h - files that others include ---------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_FRAGMENT_H
#define GPUAD_FRONTEND_FRAGMENT_H

#include <optional>
#include <string>

namespace gpuad::frontend {

/// Kernels often stand in a file that another one of the folder includes, behind types
/// and macros that they need.
struct Fragment {
  std::string includer; ///< path of the file that includes it
  std::string before;   ///< its text up to there
};

/// The first file beside `path` that includes it; none when there is none.
std::optional<Fragment> findIncluder(const std::string &path);

/// What stands in `text` before its #include of a file of that name, with the
/// conditionals around it closed; none when it does not include it.
std::optional<std::string> textBeforeInclude(const std::string &text, const std::string &name);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_FRAGMENT_H
