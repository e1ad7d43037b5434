//===- ThreadForm.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/ThreadForm.h"

#include "analysis/LinearIndex.h"
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

namespace {
constexpr int64_t Largest = int64_t(1) << 31;

using Monomial = std::vector<std::string>; ///< names of atoms, sorted
using Polynomial = std::map<Monomial, int64_t>;

/// What is known of an integer that is no sum or product.
struct Atom {
  bool isUniform = false;
  bool isNonnegative = false;
  std::optional<Polynomial> range; ///< it stays below
  unsigned thread = 0;             ///< the indices that it tells
  std::set<std::string> halves;    ///< it is a quotient or remainder of this: both tell the whole
  std::string identity;            ///< the same in two places: the same value for the same thread and digit
};

struct Digit {
  Atom atom;
  Polynomial factor;
};

Polynomial constant(int64_t value) {
  return value ? Polynomial{{{}, value}} : Polynomial();
}

std::optional<int64_t> constantOf(const Polynomial &p) {
  if (p.empty())
    return 0;
  return p.size() == 1 && p.begin()->first.empty() ? std::optional(p.begin()->second) : std::nullopt;
}

std::string spell(const Polynomial &p) {
  std::string text;
  for (const auto &[atoms, factor] : p)
    text += (text.empty() ? "" : "+") + std::to_string(factor) + "*" + llvm::join(atoms, "*");
  return text;
}

class Reader {
public:
  Reader(const Surroundings &around, llvm::function_ref<Expr(Var *)> definition, bool keepsBounded)
      : around(around), definition(definition), keepsBounded(keepsBounded) {}

  std::optional<ThreadForm> form(const Expr &index);
  bool isOne(const Expr &e) {
    Polynomial whole = read(e);
    return !failed && isUniform(whole);
  }

private:
  Polynomial read(const Expr &e);
  Polynomial atom(const Expr &e);
  Polynomial named(const std::string &name, const Atom &what);
  Polynomial times(const Polynomial &a, const Polynomial &b);
  Polynomial readVariable(Var *var, const Expr &e);
  Polynomial readParts(const BinaryExpr &e);
  bool isUniform(const Polynomial &p) const;
  bool isNonnegative(const Polynomial &p) const;
  std::optional<Polynomial> boundOf(Var *var);
  Atom counter(const LoopItem &loop);
  std::string nameOf(Var *var);

  /// The digits of p, lowest first; `rest` is what is the same in all threads.
  std::optional<std::vector<Digit>> digits(const Polynomial &p, Polynomial &rest);
  unsigned tells(const std::vector<Digit> &list) const;
  bool isPositive(const Polynomial &p) const;

  const Surroundings &around;
  llvm::function_ref<Expr(Var *)> definition;
  bool keepsBounded;
  bool failed = false;
  unsigned depth = 0;
  std::map<std::string, Atom> atoms;
  std::map<std::string, Polynomial> wholes; ///< of quotients and remainders
  OrderedSet<Var> beingRead;
};

Polynomial sum(const Polynomial &a, const Polynomial &b, int64_t factor) {
  Polynomial made = a;
  for (const auto &[atoms, count] : b)
    if ((made[atoms] += factor * count) == 0)
      made.erase(atoms);
  return made;
}

Polynomial Reader::times(const Polynomial &a, const Polynomial &b) {
  Polynomial made;
  for (const auto &[left, m] : a)
    for (const auto &[right, n] : b) {
      failed |= std::abs(m) > Largest || std::abs(n) > Largest;
      Monomial atoms = left;
      atoms.insert(atoms.end(), right.begin(), right.end());
      llvm::sort(atoms);
      made = failed ? made : sum(made, {{atoms, m * n}}, 1);
    }
  return made;
}

Polynomial Reader::named(const std::string &name, const Atom &what) {
  Atom &known = atoms[name] = what;
  if (known.identity.empty())
    known.identity = name;
  return {{{name}, 1}};
}

std::string Reader::nameOf(Var *var) {
  return var->name + "@" + std::to_string(reinterpret_cast<uintptr_t>(var));
}

Polynomial Reader::read(const Expr &given) {
  constexpr unsigned Deepest = 40;
  const Expr &e = stripWidening(given);
  failed |= ++depth > Deepest * 8;
  if (failed)
    return {};
  if (auto *lit = llvm::dyn_cast<LitExpr>(e.get()))
    if (auto *value = std::get_if<int64_t>(&lit->value); value && std::abs(*value) < Largest)
      return constant(*value);
  if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()))
    return readVariable(ref->var, e);
  if (auto *minus = llvm::dyn_cast<UnaryExpr>(e.get()); minus && minus->op == UnaryOp::Neg)
    return sum({}, read(minus->operand), -1);
  if (auto *binary = llvm::dyn_cast<BinaryExpr>(e.get())) {
    if (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub) {
      Polynomial left = read(binary->lhs);
      return sum(left, read(binary->rhs), binary->op == BinaryOp::Add ? 1 : -1);
    }
    if (binary->op == BinaryOp::Mul) {
      Polynomial left = read(binary->lhs);
      return times(left, read(binary->rhs));
    }
    return readParts(*binary);
  }
  return atom(e);
}

/// Quotients and remainders: x / K and x % K, also as shifts and masks.
Polynomial Reader::readParts(const BinaryExpr &e) {
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
  if (!isUniform(by) || !isNonnegative(whole) || (constantOf(by) && *constantOf(by) <= 0)) {
    failed = true;
    return {};
  }
  std::string key = spell(whole) + "|" + spell(by);
  wholes[key] = whole;
  Atom made;
  made.isNonnegative = true;
  made.isUniform = isUniform(whole);
  made.halves.insert((isQuotient ? "/" : "%") + key);
  if (!isQuotient)
    made.range = by;
  return named((isQuotient ? "(/" : "(%") + key + ")", made);
}

Polynomial Reader::atom(const Expr &e) {
  auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get());
  if (!index) {
    failed = true;
    return {};
  }
  static const char *const Names[] = {"thread", "block", "threads", "blocks", "lanes"};
  std::string dimension(1, "xyz"[index->dimension]);
  Atom made;
  made.isNonnegative = true;
  bool isThread = index->builtin == ThreadBuiltin::ThreadIdx, isBlock = index->builtin == ThreadBuiltin::BlockIdx;
  made.isUniform = !isThread && !isBlock;
  if (isThread || isBlock) {
    std::string extent = (isThread ? "threads." : "blocks.") + dimension;
    Atom all;
    all.isUniform = all.isNonnegative = true;
    made.range = named(extent, all);
    made.thread = (isThread ? 1u : 8u) << index->dimension;
  }
  return named(std::string(Names[unsigned(index->builtin)]) + "." + dimension, made);
}

/// `var < bound` of the conditions around.
std::optional<Polynomial> Reader::boundOf(Var *var) {
  for (const Guard &guard : around.guards) {
    auto *compare = llvm::dyn_cast<BinaryExpr>(guard.condition.get());
    if (!compare)
      continue;
    auto names = [&](const Expr &e) {
      auto *ref = llvm::dyn_cast<RefExpr>(stripWidening(e).get());
      return ref && ref->var == var;
    };
    bool isBelow = guard.holds ? compare->op == BinaryOp::Lt && names(compare->lhs)
                               : compare->op == BinaryOp::Ge && names(compare->lhs);
    bool isAbove = guard.holds ? compare->op == BinaryOp::Gt && names(compare->rhs)
                               : compare->op == BinaryOp::Le && names(compare->rhs);
    if (!isBelow && !isAbove)
      continue;
    Polynomial bound = read(isBelow ? compare->rhs : compare->lhs);
    if (!failed && isUniform(bound))
      return bound;
    failed = false;
  }
  return std::nullopt;
}

/// The counter of a loop: the digit that it strides over tells the indices that it starts from.
Atom Reader::counter(const LoopItem &loop) {
  Atom made;
  Polynomial begin = read(loop.begin), end = read(loop.end), step = read(loop.step);
  if (failed || loop.stepIsNegative || loop.compare != BinaryOp::Lt || !isUniform(step)) {
    failed = true;
    return made;
  }
  made.isNonnegative = isNonnegative(begin);
  if (isUniform(end))
    made.range = end;
  made.identity = "{" + spell(begin) + ";" + spell(end) + ";" + spell(step) + "}";
  if (isUniform(begin))
    return made;
  Polynomial rest;
  std::optional<std::vector<Digit>> start = digits(begin, rest);
  if (!start || start->empty() || !rest.empty() || !start->back().atom.range)
    return made;
  if (times(start->back().factor, *start->back().atom.range) != step || !start->back().atom.isNonnegative)
    return made;
  made.thread = tells(*start);
  for (const Digit &digit : *start)
    made.halves.insert(digit.atom.halves.begin(), digit.atom.halves.end());
  return made;
}

Polynomial Reader::readVariable(Var *var, const Expr &e) {
  Expr made = definition(var);
  std::string name = nameOf(var);
  if (var->storage == Storage::Parameter && !made) {
    Atom outside;
    outside.isUniform = true;
    outside.isNonnegative = isInteger(e->type) && !e->type->isSigned;
    return named(name, outside);
  }
  if (atoms.count(name))
    return {{{name}, 1}};
  if (!beingRead.insert(var).second) {
    failed = true;
    return {};
  }
  Polynomial result;
  auto loop = llvm::find_if(around.loops, [&](const LoopItem *one) { return one->isCounted && one->iv == var; });
  std::optional<Polynomial> bound = keepsBounded && made ? boundOf(var) : std::nullopt;
  if (loop != around.loops.end()) {
    Atom what = counter(**loop);
    result = failed ? Polynomial() : named(name, what);
  } else if (!made) {
    failed = true;
  } else if (Polynomial whole = read(made); !failed && bound && isNonnegative(whole)) {
    Polynomial rest;
    if (auto list = digits(whole, rest); list && !list->empty()) {
      Atom what;
      what.isNonnegative = true;
      what.range = bound;
      what.thread = tells(*list);
      what.identity = "[" + spell(whole) + "<" + spell(*bound) + "]";
      result = named(name, what);
    } else {
      result = whole;
    }
  } else {
    result = whole;
  }
  beingRead.erase(var);
  return result;
}

bool Reader::isUniform(const Polynomial &p) const {
  return llvm::all_of(p, [&](const auto &term) {
    return llvm::all_of(term.first, [&](const std::string &name) { return atoms.at(name).isUniform; });
  });
}

bool Reader::isNonnegative(const Polynomial &p) const {
  return llvm::all_of(p, [&](const auto &term) {
    return term.second >= 0 &&
           llvm::all_of(term.first, [&](const std::string &name) { return atoms.at(name).isNonnegative; });
  });
}

/// A factor that is surely not zero: a number, or an extent of the launch.
bool Reader::isPositive(const Polynomial &p) const {
  return !p.empty() && llvm::all_of(p, [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [](const std::string &name) {
             return llvm::StringRef(name).starts_with("threads.") || llvm::StringRef(name).starts_with("blocks.");
           });
  });
}

std::optional<std::vector<Digit>> Reader::digits(const Polynomial &p, Polynomial &rest) {
  std::map<std::string, Polynomial> factors;
  for (const auto &[names, count] : p) {
    Monomial uniform;
    std::vector<std::string> varying;
    for (const std::string &name : names)
      (atoms.at(name).isUniform ? uniform : varying).push_back(name);
    if (varying.size() > 1)
      return std::nullopt;
    Polynomial &to = varying.empty() ? rest : factors[varying.front()];
    to = sum(to, {{uniform, count}}, 1);
  }
  std::vector<Digit> open, sorted;
  for (const auto &[name, factor] : factors)
    open.push_back({atoms.at(name), factor});
  // The lowest digit has a factor that is a number, or made of extents; the others follow.
  while (!open.empty()) {
    auto follows = [&](const Digit &next) {
      if (sorted.empty())
        return isPositive(next.factor);
      const Digit &last = sorted.back();
      if (!last.atom.range || !last.atom.isNonnegative)
        return false;
      Polynomial least = times(last.factor, *last.atom.range);
      auto wanted = constantOf(least), has = constantOf(next.factor);
      return least == next.factor || (wanted && has && *has >= *wanted);
    };
    // Among several, the smallest number first.
    auto next = open.end();
    for (auto one = open.begin(); one != open.end(); ++one) {
      if (!follows(*one))
        continue;
      auto mine = constantOf(one->factor);
      auto best = next == open.end() ? std::nullopt : constantOf(next->factor);
      if (next == open.end() || (mine && (!best || *mine < *best)))
        next = one;
    }
    if (next == open.end())
      return std::nullopt;
    sorted.push_back(*next);
    open.erase(next);
  }
  return sorted;
}

/// The indices that the digits tell together.
unsigned Reader::tells(const std::vector<Digit> &list) const {
  unsigned thread = 0;
  std::set<std::string> halves;
  for (const Digit &digit : list) {
    thread |= digit.atom.thread;
    halves.insert(digit.atom.halves.begin(), digit.atom.halves.end());
  }
  for (const auto &[key, whole] : wholes)
    if (halves.count("/" + key) && halves.count("%" + key))
      for (const auto &[names, count] : whole)
        if (names.size() == 1 && whole.size() == 1 && count == 1) // the parts of threadIdx.x itself
          thread |= atoms.at(names.front()).thread;
  return thread;
}

std::optional<ThreadForm> Reader::form(const Expr &index) {
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
  auto fixed = rest.find(Monomial());
  made.offset = fixed == rest.end() ? 0 : fixed->second;
  rest.erase(Monomial());
  made.digits += "+" + spell(rest);
  if (auto lowest = constantOf(list->front().factor))
    made.room = *lowest;
  return made;
}
} // namespace

std::optional<ThreadForm> threadForm(const Expr &index, const Surroundings &around,
                                     llvm::function_ref<Expr(Var *)> definition) {
  std::optional<ThreadForm> kept = Reader(around, definition, true).form(index);
  std::optional<ThreadForm> whole = Reader(around, definition, false).form(index);
  if (!kept || !whole)
    return kept ? kept : whole;
  return std::popcount(whole->thread) > std::popcount(kept->thread) ? whole : kept;
}

bool isOneForLaunch(const Expr &e, llvm::function_ref<Expr(Var *)> definition) {
  const Surroundings nothing;
  return Reader(nothing, definition, false).isOne(e);
}

} // namespace gpuad::analysis
