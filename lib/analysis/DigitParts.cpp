//===- DigitParts.cpp - digits that are taken apart and moved round -------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/DigitReader.h"

#include "analysis/LinearIndex.h"
#include "ir/Builder.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuad::analysis {
using namespace ir;

/// Quotients and remainders: x / K and x % K, also as shifts and masks.
Polynomial DigitReader::readParts(const BinaryExpr &e) {
  Polynomial whole = read(e.lhs), by = read(e.rhs);
  std::optional<int64_t> number = constantOf(by);
  bool isQuotient = e.op == BinaryOp::Div;
  if (e.op == BinaryOp::Shr && number && *number >= 0 && *number < 31) {
    by = constant(int64_t(1) << *number);
    isQuotient = true;
  } else if (e.op == BinaryOp::And && number && *number > 0 && ((*number + 1) & *number) == 0) {
    by = constant(*number + 1);
  } else if (e.op != BinaryOp::Div && e.op != BinaryOp::Rem) {
    failed = true;
    return {};
  }
  markPositive(by);
  if (!isUniform(by) || !isNonnegative(whole) || (constantOf(by) && *constantOf(by) <= 0)) {
    failed = true;
    return {};
  }
  Atom made;
  made.isNonnegative = true;
  made.isUniform = isUniform(whole);
  // (i / a) / b is i / (a * b).
  auto quotientName = [&] {
    if (whole.size() == 1 && whole.begin()->second == 1 && whole.begin()->first.size() == 1)
      if (auto inner = quotients.find(whole.begin()->first.front()); inner != quotients.end())
        return std::pair(inner->second.first, times(inner->second.second, by));
    return std::pair(whole, by);
  };
  auto [dividend, divisor] = quotientName();
  std::string quotient = "(/" + spell(dividend) + "|" + spell(divisor) + ")";
  if (isQuotient) {
    made.halves.insert(quotient);
    made.range = quotientBound(e.lhs, by);
    quotients[quotient] = {dividend, divisor};
    return named(quotient, made);
  }
  std::string remainder = "(%" + spell(whole) + "|" + spell(by) + ")";
  divisions[remainder] = {whole, quotient};
  made.halves.insert(remainder);
  made.range = by;
  tellsWhole(whole, by, made);
  return named(remainder, made);
}

/// What i / by stays below where i stays below by * count: count.
std::optional<Polynomial> DigitReader::quotientBound(const Expr &whole, const Polynomial &by) {
  auto *ref = llvm::dyn_cast<RefExpr>(stripWidening(whole).get());
  std::optional<Polynomial> bound = ref ? boundOf(ref->var) : std::nullopt;
  if (!bound || by.size() != 1 || by.begin()->second != 1)
    return std::nullopt;
  Polynomial count;
  for (const auto &[names, factor] : *bound) {
    Monomial left = names;
    for (const std::string &name : by.begin()->first) {
      auto at = llvm::find(left, name);
      if (at == left.end())
        return std::nullopt;
      left.erase(at);
    }
    count[left] = factor;
  }
  return count;
}

/// Whether `whole`, taken modulo `range`, tells what the digits in it tell: they fill the
/// range exactly, and what is added is the same in all threads.
bool DigitReader::tellsWhole(const Polynomial &whole, const Polynomial &range, Atom &made) {
  Polynomial rest;
  std::optional<std::vector<Digit>> list = digits(whole, rest);
  std::optional<Polynomial> span = list && !list->empty() ? spanOf(*list) : std::nullopt;
  if (!span || *span != range)
    return false;
  made.thread = tells(*list);
  for (const Digit &digit : *list)
    made.halves.insert(digit.atom.halves.begin(), digit.atom.halves.end());
  return true;
}

/// A number that a choice moves back into its range: `moved` where `holds` is not negative
/// (is zero), else `base`. Nothing where it is no such choice.
std::optional<Polynomial> DigitReader::roundTheRange(const Polynomial &base, const Polynomial &moved,
                                                     const Polynomial &holds, bool isEquality) {
  Polynomial rest;
  std::optional<std::vector<Digit>> list = digits(base, rest);
  std::optional<Polynomial> range = list && !list->empty() ? spanOf(*list) : std::nullopt;
  std::optional<int64_t> shift = constantOf(rest);
  if (!range || !shift)
    return std::nullopt;
  Polynomial above = sum(base, *range, -1), below = sum(sum({}, base, -1), constant(1), -1);
  auto is = [&](const Polynomial &p) { return holds == p || (isEquality && holds == sum({}, p, -1)); };
  bool isAbove = is(above), isBelow = is(below);
  if (!isEquality && ((isAbove && *shift <= 0) || (isBelow && *shift >= 0)))
    return base; // never
  bool wraps =
      isAbove ? *shift == 1 && (moved == above || moved.empty())
              : isBelow && *shift == -1 && (moved == sum(base, *range, 1) || moved == sum(*range, constant(1), -1));
  Atom made;
  if (!wraps || !tellsWhole(base, *range, made))
    return std::nullopt;
  made.isNonnegative = true;
  made.range = range;
  return named("(~" + spell(base) + "|" + spell(*range) + ")", made);
}

/// x + 1 < n ? x + 1 : 0, and the like.
Polynomial DigitReader::readSelect(const SelectExpr &e) {
  Expr condition = stripImplicit(e.condition);
  for (auto *ref = llvm::dyn_cast<RefExpr>(condition.get()); ref; ref = llvm::dyn_cast<RefExpr>(condition.get())) {
    Expr made = definition(ref->var);
    if (!made)
      break;
    condition = stripImplicit(made);
  }
  if (auto *compare = llvm::dyn_cast<BinaryExpr>(condition.get())) {
    Polynomial yes = read(e.thenValue), no = read(e.elseValue), left = read(compare->lhs), right = read(compare->rhs);
    bool isLess = compare->op == BinaryOp::Lt || compare->op == BinaryOp::Gt;
    bool isSwapped = compare->op == BinaryOp::Lt || compare->op == BinaryOp::Le;
    // holds >= 0, or == 0, is the condition.
    Polynomial holds = sum(isSwapped ? right : left, isSwapped ? left : right, -1);
    std::optional<Polynomial> found;
    if (failed) {
    } else if (compare->op == BinaryOp::Eq || compare->op == BinaryOp::Ne) {
      bool isEqual = compare->op == BinaryOp::Eq;
      found = roundTheRange(isEqual ? no : yes, isEqual ? yes : no, holds, true);
    } else if (isLess || compare->op == BinaryOp::Ge || compare->op == BinaryOp::Le) {
      holds = sum(holds, constant(isLess), -1);
      found = roundTheRange(no, yes, holds, false);
      if (!found)
        found = roundTheRange(yes, no, sum(sum({}, holds, -1), constant(1), -1), false);
    }
    if (found)
      return *found;
  }
  failed = true;
  return {};
}
} // namespace gpuad::analysis
