//===- TypeText.cpp -------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/TypeText.h"

#include "support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::transform {

using llvm::StringRef;

static std::vector<std::string> tokensOf(StringRef text) {
  std::vector<std::string> tokens;
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t i = 0; i < text.size();) {
    size_t start = i;
    while (i < text.size() && isPart(text[i]))
      ++i;
    if (i == start)
      ++i;
    StringRef token = text.slice(start, i);
    if (!token.trim().empty())
      tokens.push_back(token.str());
  }
  return tokens;
}

/// Words apart by one blank, a blank after each comma, nothing else.
static std::string join(const std::vector<std::string> &tokens) {
  std::string text;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (const std::string &token : tokens) {
    if (!text.empty() && (text.back() == ',' || (isWord(text.back()) && isWord(token[0]))))
      text += ' ';
    text += token;
  }
  return text;
}

std::string normalType(StringRef text) {
  std::vector<std::string> tokens = tokensOf(text), base, marks;
  for (const char *dropped : {"__restrict__", "__restrict", "struct", "class", "typename"})
    llvm::erase(tokens, dropped);
  bool isConst = false;
  for (const std::string &token : tokens) {
    if (!marks.empty() || token == "*" || token == "&" || token == "(")
      marks.push_back(token);
    else if (token == "const")
      isConst = true;
    else
      base.push_back(token);
  }
  while (!marks.empty() && marks.back() == "const")
    marks.pop_back();
  if (base.size() > 1 && base.back() == "int" && base[0] != "int")
    base.pop_back();
  // An array parameter is a pointer, and const of a value is the function's own affair.
  bool hasMarks = !marks.empty();
  return (isConst && hasMarks ? "const " : "") + join(base) + join(marks);
}

std::string normalArguments(StringRef inside) {
  std::string text;
  for (const std::string &argument : splitAtCommas(inside))
    text += (text.empty() ? "" : ", ") + normalType(argument);
  return "<" + text + ">";
}

} // namespace gpuad::transform
