//===- TemplateHeader.h - reading template headers -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_TEMPLATEHEADER_H
#define GPUAD_EMIT_TEMPLATEHEADER_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gpuad::emit {

struct TemplateParameter {
  std::string text; ///< "class T", "int N", without a default
  std::string name; ///< empty when it has none
  bool isType = false;
};

/// The parameters of "template <class T, int N = 4>".
std::vector<TemplateParameter> parseTemplateHeader(llvm::StringRef header);

/// "<float, 4>" to its arguments; commas inside brackets do not count.
std::vector<std::string> splitArguments(llvm::StringRef arguments);

/// "template <class T, int N>", every parameter named, no defaults.
std::string printTemplateHeader(const std::vector<TemplateParameter> &parameters);

/// "<T, N>".
std::string printOwnArguments(const std::vector<TemplateParameter> &parameters);

/// "std::is_same_v<T, float> && N == 4".
std::string printInstanceTest(const std::vector<TemplateParameter> &parameters,
                              const std::vector<std::string> &arguments);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_TEMPLATEHEADER_H
