//===- TemplateHeader.h - headers of template derivatives ------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_TEMPLATEHEADER_H
#define GPUAD_EMIT_TEMPLATEHEADER_H

#include "ir/Function.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gpuad::emit {

using TemplateParameters = std::vector<ir::TemplateParameter>;

/// "<float, 4>" to its arguments; commas inside brackets do not count.
std::vector<std::string> splitArguments(llvm::StringRef arguments);

/// "template <class T, int N>". Only the first declaration may have default arguments.
std::string printTemplateHeader(const TemplateParameters &parameters, bool withDefaults);

/// "<T, N>".
std::string printOwnArguments(const TemplateParameters &parameters);

/// "std::is_same_v<T, float> && N == 4".
std::string printInstanceTest(const TemplateParameters &parameters, const std::vector<std::string> &arguments);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_TEMPLATEHEADER_H
