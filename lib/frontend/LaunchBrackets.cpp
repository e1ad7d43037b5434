//===- LaunchBrackets.cpp ------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/LaunchBrackets.h"

namespace gpuad::frontend {

static constexpr const char *Blanks = " \t\r\n";

/// The place of the last of three brackets of which blanks part the last from the
/// others; npos when there is something else.
static size_t thirdBracket(llvm::StringRef text, size_t two, char bracket) {
  size_t third = text.find_first_not_of(" \t", two + 2);
  bool apart = third != llvm::StringRef::npos && third > two + 2 && text[third] == bracket;
  return apart ? third : llvm::StringRef::npos;
}

/// Where the brackets of a launch close whose configuration starts at `from`.
static size_t closingBrackets(llvm::StringRef text, size_t from) {
  int depth = 0;
  for (size_t i = from; i + 2 < text.size(); ++i) {
    char c = text[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth < 0 || c == ';')
      break;
    if (depth != 0 || c != '>' || text[i + 1] != '>')
      continue;
    size_t end = text[i + 2] == '>' ? i + 2 : thirdBracket(text, i, '>');
    if (end == llvm::StringRef::npos)
      continue;
    size_t after = text.find_first_not_of(Blanks, end + 1);
    if (after != llvm::StringRef::npos && text[after] == '(')
      return i;
  }
  return llvm::StringRef::npos;
}

static void join(std::string &text, size_t two) {
  std::swap(text[two + 2], text[text.find_first_not_of(" \t", two + 2)]);
}

std::optional<std::string> joinLaunchBrackets(llvm::StringRef text) {
  std::optional<std::string> joined;
  for (size_t at = text.find("<<"); at != llvm::StringRef::npos; at = text.find("<<", at + 2)) {
    if (text.take_front(at).rtrim(Blanks).ends_with("operator"))
      continue;
    bool isJoined = at + 2 < text.size() && text[at + 2] == '<';
    size_t third = isJoined ? at + 2 : thirdBracket(text, at, '<');
    if (third == llvm::StringRef::npos)
      continue;
    size_t close = closingBrackets(text, third + 1);
    if (close == llvm::StringRef::npos || (isJoined && text[close + 2] == '>'))
      continue;
    if (!joined)
      joined = text.str();
    if (!isJoined)
      join(*joined, at);
    if (text[close + 2] != '>')
      join(*joined, close);
  }
  return joined;
}

} // namespace gpuad::frontend
