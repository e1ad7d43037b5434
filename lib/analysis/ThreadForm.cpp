//===- ThreadForm.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ThreadForm.h"

#include "analysis/DigitReader.h"
#include "ir/Builder.h"
#include "ir/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <bit>
#include <set>

namespace gpuad::analysis {
using namespace ir;

void addGuards(const Expr &condition, bool holds, std::vector<Guard> &guards) {
  const Expr &inner = stripImplicit(condition);
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(inner.get()); minus && minus->op == UnaryOp::Not && isBool(inner->type))
    return addGuards(minus->operand, !holds, guards);
  auto *binary = llvm::dyn_cast<BinaryExpr>(inner.get());
  if (binary && binary->op == (holds ? BinaryOp::LogicalAnd : BinaryOp::LogicalOr)) {
    addGuards(binary->lhs, holds, guards);
    return addGuards(binary->rhs, holds, guards);
  }
  guards.push_back({inner, holds});
}

std::optional<ThreadForm> DigitReader::form(const Expr &index) {
  Polynomial whole = read(index), rest;
  std::optional<std::vector<Digit>> list = failed ? std::nullopt : digits(whole, rest);
  bool isMirrored = !list && !failed; // n - 1 - i
  if (isMirrored) {
    rest.clear();
    list = digits(sum({}, whole, -1), rest);
  }
  if (!list || failed || list->empty())
    return std::nullopt;
  ThreadForm made;
  made.thread = tells(*list);
  made.digits = isMirrored ? "-" : "";
  for (const Digit &digit : *list)
    made.digits += digit.atom.identity + "*" + spell(digit.factor) + " ";
  made.rest = rest;
  made.span = spanOf(*list);
  if (auto lowest = constantOf(list->front().factor))
    made.room = *lowest;
  return made;
}

/// Whether every product of p holds the product `by`.
static bool divides(const Polynomial &by, const std::vector<std::string> &names, int64_t factor) {
  const auto &[wanted, count] = *by.begin();
  return factor % count == 0 && std::includes(names.begin(), names.end(), wanted.begin(), wanted.end());
}

std::vector<ThreadForm> DigitReader::residues(const Expr &index) {
  Polynomial whole = read(index);
  std::vector<ThreadForm> found;
  if (failed)
    return found;
  std::set<std::string> tried;
  for (const auto &[names, count] : whole) {
    // The span of each digit may be what divides the rest.
    auto digit = llvm::find_if(names, [&](const std::string &name) { return atoms.at(name).range.has_value(); });
    if (digit == names.end())
      continue;
    Monomial factor = names;
    factor.erase(factor.begin() + (digit - names.begin()));
    Polynomial span = times({{factor, count}}, *atoms.at(*digit).range);
    if (span.size() != 1 || span.begin()->second <= 0 || !isUniform(span) || !tried.insert(spell(span)).second)
      continue;
    Polynomial low, rest;
    for (const auto &[product, coefficient] : whole)
      if (!divides(span, product, coefficient))
        low[product] = coefficient;
    auto list = digits(low, rest);
    if (!list || list->empty() || spanOf(*list) != span)
      continue;
    ThreadForm made;
    made.thread = tells(*list);
    for (const Digit &one : *list)
      made.digits += one.atom.identity + "*" + spell(one.factor) + " ";
    made.digits += "mod " + spell(span);
    made.rest = rest;
    if (auto lowest = constantOf(list->front().factor))
      made.room = *lowest;
    found.push_back(made);
  }
  return found;
}

bool ThreadForm::isOneWith(const ThreadForm &other) const {
  std::optional<int64_t> apart = constantOf(sum(rest, other.rest, -1));
  return digits == other.digits && room == other.room && apart && std::abs(*apart) < room;
}

/// How often `part`, which is positive, is in p; none where it does not come out even.
static std::optional<int64_t> multipleOf(const Polynomial &p, const Polynomial &part) {
  const auto &[names, factor] = *part.begin();
  auto found = p.find(names);
  if (found == p.end() || found->second % factor != 0)
    return std::nullopt;
  int64_t count = found->second / factor;
  return sum(p, part, -count).empty() ? std::optional(count) : std::nullopt;
}

bool ThreadForm::isApartFrom(const ThreadForm &other) const {
  bool isMirrored = digits.front() == '-';
  if (!span || !other.span || isMirrored != (other.digits.front() == '-'))
    return false;
  // One begins behind the end of the other.
  Polynomial ahead = isMirrored ? sum(rest, other.rest, -1) : sum(other.rest, rest, -1);
  return multipleOf(ahead, *span) >= 1 || multipleOf(sum({}, ahead, -1), *other.span) >= 1;
}

std::optional<ThreadForm> threadForm(const Expr &index, const Surroundings &around,
                                     llvm::function_ref<Expr(Var *)> definition) {
  std::optional<ThreadForm> kept = DigitReader(around, definition, DigitReader::Mode::Bounded).form(index);
  std::optional<ThreadForm> whole = DigitReader(around, definition, DigitReader::Mode::Whole).form(index);
  if (!kept || !whole)
    return kept ? kept : whole;
  return std::popcount(whole->thread) > std::popcount(kept->thread) ? whole : kept;
}

std::vector<ThreadForm> residueForms(const Expr &index, const Surroundings &around,
                                     llvm::function_ref<Expr(Var *)> definition) {
  return DigitReader(around, definition, DigitReader::Mode::Residues).residues(index);
}

bool isOneForLaunch(const Expr &e, llvm::function_ref<Expr(Var *)> definition) {
  const Surroundings nothing;
  return DigitReader(nothing, definition, DigitReader::Mode::Whole).isOne(e);
}

} // namespace gpuad::analysis
