//===- Text.cpp -----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/Text.h"

namespace gpuad {

std::vector<std::string> splitAtCommas(llvm::StringRef text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += llvm::StringRef("<([{").contains(text[i]) - llvm::StringRef(">)]}").contains(text[i]);
    if (text[i] == ',' && depth == 0) {
      parts.push_back(text.slice(start, i).trim().str());
      start = i + 1;
    }
  }
  if (!text.trim().empty())
    parts.push_back(text.substr(start).trim().str());
  return parts;
}

} // namespace gpuad
