//===- SourceScopes.cpp ---------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/SourceScopes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::emit {

using llvm::StringRef;

namespace {
/// Reads C++ just well enough to know what each open brace belongs to.
class ScopeScanner {
public:
  explicit ScopeScanner(StringRef source) : source(source) {}
  std::optional<std::vector<std::string>> at(size_t offset);
  /// Goes on to the end of the declaration that `offset` lies inside of.
  std::optional<size_t> leave(size_t offset);

private:
  struct Scope {
    bool isNamespace = false;
    std::vector<std::string> names; ///< namespace a::b has two
  };
  void skipDirective();
  void skipComment();
  void skipString();
  void skipRawString();
  Scope classify() const;
  bool lookingAt(StringRef what) const { return source.substr(i).starts_with(what); }

  StringRef source;
  size_t i = 0;
  bool lineStart = true;
  std::vector<std::string> head; ///< the tokens since the last ; { or }
  std::vector<Scope> scopes;
};
} // namespace

void ScopeScanner::skipDirective() {
  while (i < source.size() && source[i] != '\n') {
    bool continues = source[i] == '\\' && (lookingAt("\\\n") || lookingAt("\\\r\n"));
    if (lookingAt("/*"))
      skipComment();
    else
      i += continues ? (source[i + 1] == '\r' ? 3 : 2) : 1;
  }
}

void ScopeScanner::skipComment() {
  if (lookingAt("//")) {
    skipDirective(); // ends, and may be continued, as a directive does
    return;
  }
  size_t end = source.find("*/", i + 2);
  i = end == StringRef::npos ? source.size() : end + 2;
}

void ScopeScanner::skipString() {
  char quote = source[i];
  for (++i; i < source.size() && source[i] != quote && source[i] != '\n'; ++i)
    if (source[i] == '\\')
      ++i;
  ++i;
}

void ScopeScanner::skipRawString() {
  size_t open = source.find('(', i);
  if (open == StringRef::npos) {
    i = source.size();
    return;
  }
  std::string close = ")" + source.slice(source.find('"', i) + 1, open).str() + "\"";
  size_t end = source.find(close, open);
  i = end == StringRef::npos ? source.size() : end + close.size();
}

ScopeScanner::Scope ScopeScanner::classify() const {
  Scope scope;
  auto found = llvm::find(head, "namespace");
  if (found == head.end())
    return scope;
  scope.isNamespace = true;
  for (const std::string &token : llvm::make_range(found + 1, head.end()))
    if (token != "inline" && token != "::")
      scope.names.push_back(token);
  if (scope.names.empty())
    scope.names.push_back("");
  return scope;
}

std::optional<std::vector<std::string>> ScopeScanner::at(size_t offset) {
  while (i < std::min(offset, source.size())) {
    char c = source[i];
    bool wasLineStart = lineStart;
    lineStart = c == '\n' || (lineStart && (c == ' ' || c == '\t' || c == '\r'));
    if (c == '#' && wasLineStart) {
      skipDirective();
    } else if (lookingAt("//") || lookingAt("/*")) {
      skipComment();
    } else if (lookingAt("R\"") || lookingAt("LR\"") || lookingAt("u8R\"") || lookingAt("uR\"") || lookingAt("UR\"")) {
      skipRawString();
    } else if (c == '"' || (c == '\'' && !(i > 0 && llvm::isHexDigit(source[i - 1])))) {
      skipString();
      head.push_back("\"");
    } else if (llvm::isAlpha(c) || c == '_') {
      size_t start = i;
      while (i < source.size() && (llvm::isAlnum(source[i]) || source[i] == '_'))
        ++i;
      head.push_back(source.slice(start, i).str());
    } else {
      if (c == '{')
        scopes.push_back(classify());
      else if (c == '}' && !scopes.empty())
        scopes.pop_back();
      if (c == '{' || c == '}' || c == ';')
        head.clear();
      ++i;
    }
  }
  std::vector<std::string> names;
  for (const Scope &scope : scopes) {
    if (!scope.isNamespace)
      return std::nullopt;
    names.insert(names.end(), scope.names.begin(), scope.names.end());
  }
  return names;
}

std::optional<size_t> ScopeScanner::leave(size_t offset) {
  at(offset);
  while (i < source.size()) {
    bool ends = source[i] == ';';
    if (at(i + 1) && ends)
      return i;
  }
  return std::nullopt;
}

std::optional<size_t> endOfClassAround(StringRef source, size_t offset) {
  return ScopeScanner(source).leave(offset);
}

std::optional<std::vector<std::string>> namespacesAround(StringRef source, size_t offset) {
  return ScopeScanner(source).at(offset);
}

size_t placeAfter(StringRef source, size_t end) {
  StringRef rest = source.substr(end).take_until([](char c) { return c == '\n'; });
  StringRef more = rest.ltrim(" \t;").rtrim(" \t\r");
  bool isComment = more.starts_with("//") || (more.starts_with("/*") && more.find("*/") == more.size() - 2);
  if (!more.empty() && (!isComment || rest.rtrim('\r').ends_with("\\")))
    return end;
  size_t next = end + rest.size();
  return next < source.size() ? next + 1 : source.size();
}

} // namespace gpuad::emit
