//===- Wrap.cpp -----------------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/Wrap.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace gpuad::emit {

namespace {
/// How good a place for a break is, the best first.
enum class Rank { Operand, AfterOpen, TemplateArgument };

/// A place at which a line may be broken: a blank, or the one behind an open parenthesis.
struct BreakPoint {
  size_t position;   ///< where the first part ends
  unsigned depth;    ///< how many parentheses are open there
  size_t openColumn; ///< column after the innermost open parenthesis; 0: none is open
  Rank rank;
  bool afterComma;
};
} // namespace

static bool isOperatorWord(llvm::StringRef word) {
  static const char *const Operators[] = {"+",  "-", "*",  "/", "%",  "<<", ">>", "&", "|",  "^",  "&&", "||", "==",
                                          "!=", "<", "<=", ">", ">=", "?",  ":",  "=", "+=", "-=", "*=", "/="};
  for (const char *candidate : Operators)
    if (word == candidate)
      return true;
  return false;
}

/// Skips a string or character literal that starts at `i`; returns its last character.
static size_t skipLiteral(llvm::StringRef line, size_t i) {
  char quote = line[i];
  for (++i; i < line.size() && line[i] != quote; ++i)
    if (line[i] == '\\')
      ++i;
  return i;
}

/// Every place where `line` may be broken, `start` being where its code begins.
static std::vector<BreakPoint> findBreaks(llvm::StringRef line, size_t start) {
  std::vector<BreakPoint> breaks;
  std::vector<size_t> open;
  unsigned templates = 0; // that are open; operators have blanks around them
  for (size_t i = start; i < line.size(); ++i) {
    char c = line[i];
    if (c == '"' || c == '\'') {
      i = skipLiteral(line, i);
    } else if (c == '<' && i > start && line[i - 1] != ' ' && line[i - 1] != '<' &&
               !line.substr(i).starts_with("<<<")) {
      ++templates;
    } else if (c == '>' && templates > 0 && line[i - 1] != '-') {
      --templates;
    } else if (c == '(' || c == '[' || c == '{') {
      open.push_back(i + 1);
      if (c == '(' && i + 1 < line.size() && line[i + 1] != ')')
        breaks.push_back({i + 1, unsigned(open.size()), 0, Rank::AfterOpen, false});
    } else if (c == ')' || c == ']' || c == '}') {
      if (!open.empty())
        open.pop_back();
    } else if (c == ' ' && i > start) {
      size_t word = line.rfind(' ', i - 1);
      word = word == llvm::StringRef::npos ? 0 : word + 1;
      bool afterComma = line[i - 1] == ',' || line[i - 1] == ';';
      if (afterComma || isOperatorWord(line.slice(word, i)))
        breaks.push_back({i, unsigned(open.size()) + templates, open.empty() ? 0 : open.back(),
                          templates > 0 ? Rank::TemplateArgument : Rank::Operand, afterComma});
    }
  }
  return breaks;
}

/// The least nested break that fits; among equals the last behind a comma, or the last. A break close to the
/// start leaves a ragged line, so those count only when there is no other.
static const BreakPoint *choose(const std::vector<BreakPoint> &breaks, size_t start, unsigned width) {
  auto isEarly = [&](const BreakPoint &point) { return point.position < start + (width - start) / 3; };
  auto isBetter = [&](const BreakPoint &point, const BreakPoint &best) {
    if (point.rank != best.rank)
      return point.rank < best.rank;
    if (isEarly(point) != isEarly(best))
      return isEarly(best);
    if (point.depth != best.depth)
      return point.depth < best.depth;
    return point.rank != Rank::AfterOpen && (point.afterComma || !best.afterComma);
  };
  const BreakPoint *best = nullptr;
  for (const BreakPoint &point : breaks) {
    if (point.position > width)
      break;
    if (!best || isBetter(point, *best))
      best = &point;
  }
  return best;
}

std::string wrapCode(const std::string &given, unsigned width) {
  std::string done, line = given;
  size_t firstIndent = line.find_first_not_of(' ');
  if (firstIndent == std::string::npos)
    return given;
  size_t start = firstIndent;
  // A continuation is scanned alone, but with blanks in place of what came before,
  // so that parentheses that are still open are known by `enclosing`.
  std::vector<size_t> enclosing;
  while (line.size() > width) {
    std::vector<BreakPoint> breaks = findBreaks(line, start);
    const BreakPoint *point = choose(breaks, start, width);
    if (!point || point->position >= line.size() - 1)
      break;
    size_t column = firstIndent + 4;
    if (point->rank == Rank::AfterOpen)
      column = start + 4;
    else if (point->openColumn)
      column = point->openColumn > width * 2 / 3 ? start + 4 : point->openColumn;
    else if (!enclosing.empty())
      column = start;
    done += line.substr(0, point->position) + "\n";
    if (point->openColumn || point->rank == Rank::AfterOpen || !enclosing.empty())
      enclosing.push_back(column);
    size_t next = point->position + (point->rank != Rank::AfterOpen);
    line = std::string(column, ' ') + line.substr(next);
    start = column;
  }
  return done + line;
}

std::string wrapComment(const std::string &text, unsigned indent, unsigned width) {
  std::string lines, margin = std::string(indent, ' ') + "//";
  llvm::StringRef rest = text;
  do {
    auto [line, next] = rest.split('\n');
    rest = next;
    std::string current = margin;
    while (!line.empty()) {
      auto [word, after] = line.split(' ');
      if (current.size() + 1 + word.size() > width && current != margin) {
        lines += current + "\n";
        current = margin;
      }
      current += " " + word.str();
      if (after.empty() && current.back() == '\\')
        current += '.'; // a backslash at the end would swallow the next line
      line = after;
    }
    lines += current + "\n";
  } while (!rest.empty());
  return lines;
}

} // namespace gpuad::emit
