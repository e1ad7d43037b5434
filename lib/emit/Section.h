//===- Section.h - functions that stand in one place -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_SECTION_H
#define GPUAD_EMIT_SECTION_H

#include "emit/Placement.h"

namespace gpuad::emit {

inline constexpr const char *RuntimeInclude = "#include <gpuad/runtime.cuh>\n";

/// Functions that stand in one place, each namespace opened once for those that
/// follow each other in it.
class Section {
public:
  void add(const std::vector<std::string> &in, const std::string &piece, bool apart) {
    if (in != current || text.empty()) {
      close();
      if (!text.empty())
        text += "\n";
      text += openNamespaces(in);
      if (!in.empty() && apart)
        text += "\n";
      current = in;
      inner = apart;
    } else if (apart) {
      text += "\n";
    }
    text += piece;
  }
  std::string finish() {
    close();
    return text;
  }

private:
  void close() {
    if (text.empty() || current.empty())
      return;
    text += (inner ? "\n" : "") + closeNamespaces(current);
    current.clear();
  }
  std::string text;
  std::vector<std::string> current;
  bool inner = false;
};

} // namespace gpuad::emit

#endif // GPUAD_EMIT_SECTION_H
