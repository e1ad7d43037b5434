//===- Head.cpp - the grammar of HEADs ------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transform/Plan.h"

#include "support/Text.h"
#include "transform/TypeText.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::transform {

using llvm::StringRef;

namespace {
class HeadParser {
public:
  HeadParser(StringRef text, std::string &error) : text(text), error(error) {}
  std::optional<Head> parse();

private:
  void skipBlanks() {
    while (at < text.size() && llvm::isSpace(text[at]))
      ++at;
  }
  bool lookingAt(StringRef what) {
    skipBlanks();
    return text.substr(at).starts_with(what);
  }
  bool fail(const std::string &what) {
    if (error.empty())
      error = what + ", column " + std::to_string(at + 1);
    return false;
  }
  bool parseName(std::string &name, std::string &templateArguments);
  bool parseOperator(std::string &name);
  /// The text between the bracket at hand and its partner.
  bool parseGroup(char open, char close, StringRef &inside);
  bool parseLists(Head &head);
  bool parseList(StringRef inside, std::vector<std::string> &names, const char *what);
  bool parseAs(Head &head);

  StringRef text;
  std::string &error;
  size_t at = 0;
};
} // namespace

static bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_';
}

/// After "operator": its symbols, or a type.
bool HeadParser::parseOperator(std::string &name) {
  skipBlanks();
  size_t start = at;
  if (lookingAt("()") || lookingAt("[]"))
    at += 2;
  else if (at < text.size() && isNamePart(text[at]))
    while (at < text.size() && (isNamePart(text[at]) || text[at] == ':'))
      ++at;
  else
    while (at < text.size() && !isNamePart(text[at]) && text[at] != '(' && !llvm::isSpace(text[at]))
      ++at;
  StringRef symbols = text.slice(start, at);
  if (symbols.empty())
    return fail("expected an operator after 'operator'");
  name += (isNamePart(symbols[0]) ? " " : "") + symbols.str();
  return true;
}

bool HeadParser::parseName(std::string &name, std::string &templateArguments) {
  skipBlanks();
  if (lookingAt("::"))
    at += 2;
  while (true) {
    skipBlanks();
    size_t start = at;
    while (at < text.size() && isNamePart(text[at]))
      ++at;
    StringRef part = text.slice(start, at);
    if (part.empty() || llvm::isDigit(part[0]))
      return fail("expected the name of a function");
    name += part;
    if (part == "operator")
      return parseOperator(name);
    if (lookingAt("<")) { // of the function, or of a class around it
      StringRef inside;
      if (!parseGroup('<', '>', inside))
        return false;
      if (!lookingAt("::")) {
        templateArguments = normalArguments(inside);
        return true;
      }
      name += normalArguments(inside);
    }
    if (!lookingAt("::"))
      return true;
    at += 2;
    name += "::";
  }
}

bool HeadParser::parseGroup(char open, char close, StringRef &inside) {
  size_t start = at;
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += (text[at] == open) - (text[at] == close);
    if (depth == 0) {
      inside = text.slice(start + 1, at);
      ++at;
      return true;
    }
  }
  at = start;
  return fail(std::string("'") + open + "' has no '" + close + "'");
}

bool HeadParser::parseList(StringRef inside, std::vector<std::string> &names, const char *what) {
  for (const std::string &part : splitAtCommas(inside)) {
    StringRef name = part;
    bool isValid = !name.empty() && !llvm::isDigit(name[0]);
    name.consume_front("::");
    for (char c : name)
      isValid = isValid && (isNamePart(c) || c == '.' || c == ':');
    if (!isValid)
      return fail("'" + part + "' is no " + what + ": write a parameter, a field as 's.x', 'return', or '::variable'");
    names.push_back(part);
  }
  if (names.empty())
    return fail(std::string("expected at least one ") + what);
  return true;
}

/// One or two parentheses: parameter types, then dependents with independents.
bool HeadParser::parseLists(Head &head) {
  for (int group = 0; group < 2 && lookingAt("("); ++group) {
    StringRef inside;
    if (!parseGroup('(', ')', inside))
      return false;
    if (!lookingAt("/")) {
      if (head.parameterTypes)
        return fail("expected '/' and the independents after the dependents");
      head.parameterTypes = splitAtCommas(inside);
      continue;
    }
    if (!parseList(inside, head.dependents, "dependent"))
      return false;
    ++at;
    StringRef independents;
    if (!lookingAt("("))
      return fail("expected '(' and the independents after '/'");
    if (!parseGroup('(', ')', independents) || !parseList(independents, head.independents, "independent"))
      return false;
    head.listsActive = true;
    return true;
  }
  return true;
}

bool HeadParser::parseAs(Head &head) {
  skipBlanks();
  if (at == text.size())
    return true;
  size_t start = at;
  while (at < text.size() && isNamePart(text[at]))
    ++at;
  if (text.slice(start, at) != "as") {
    at = start;
    return fail("expected 'as NAME' or the end");
  }
  skipBlanks();
  start = at;
  while (at < text.size() && isNamePart(text[at]))
    ++at;
  head.as = text.slice(start, at).str();
  if (head.as.empty() || llvm::isDigit(head.as[0]))
    return fail("expected a name after 'as'");
  skipBlanks();
  return at == text.size() || fail("expected the end after the name");
}

std::optional<Head> HeadParser::parse() {
  Head head;
  if (!parseName(head.name, head.templateArguments))
    return std::nullopt;
  if (lookingAt("<")) { // of an operator
    StringRef inside;
    if (!parseGroup('<', '>', inside))
      return std::nullopt;
    head.templateArguments = normalArguments(inside);
  }
  if (!parseLists(head) || !parseAs(head))
    return std::nullopt;
  return head;
}

std::optional<Head> parseHead(const std::string &text, std::string &error) {
  error.clear();
  return HeadParser(text, error).parse();
}

} // namespace gpuad::transform
