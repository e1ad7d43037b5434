//===- Wrap.h - breaking long lines ----------------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_WRAP_H
#define GPUAD_EMIT_WRAP_H

#include <string>

namespace gpuad::emit {

/// Breaks one line of code (indented already, without line end) after commas and
/// operators so that it fits `width`. Continuations align with the parenthesis that
/// is open, or are indented by four columns. What cannot be broken stays long.
std::string wrapCode(const std::string &line, unsigned width);

/// `text` as `//` lines of at most `width` columns, each with its line end. Line
/// ends in the text stay; an empty line of it is a bare `//`.
std::string wrapComment(const std::string &text, unsigned indent, unsigned width);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_WRAP_H
