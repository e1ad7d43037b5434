//===- LaunchBrackets.h - launches with spaces in their brackets -- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_LAUNCHBRACKETS_H
#define GPUAD_FRONTEND_LAUNCHBRACKETS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace gpuad::frontend {

/// nvcc takes `f<< <1, 32>> >(x)`, as old formatters wrote launches; Clang does not. The
/// text with such brackets joined, of the same length; none when there are none.
std::optional<std::string> joinLaunchBrackets(llvm::StringRef text);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_LAUNCHBRACKETS_H
