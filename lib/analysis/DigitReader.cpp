//===- DigitReader.cpp ----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analysis/DigitReader.h"

#include "analysis/LinearIndex.h"
#include "ir/Builder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace gpuad::analysis {
using namespace ir;

static constexpr int64_t Largest = int64_t(1) << 31;

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
Polynomial sum(const Polynomial &a, const Polynomial &b, int64_t factor) {
  Polynomial made = a;
  for (const auto &[atoms, count] : b)
    if ((made[atoms] += factor * count) == 0)
      made.erase(atoms);
  return made;
}

Polynomial DigitReader::times(const Polynomial &a, const Polynomial &b) {
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

Polynomial DigitReader::named(const std::string &name, const Atom &what) {
  Atom &known = atoms[name];
  bool wasPositive = known.isPositive;
  known = what;
  known.isPositive |= wasPositive;
  if (known.identity.empty())
    known.identity = name;
  return {{{name}, 1}};
}

std::string DigitReader::nameOf(Var *var) {
  return var->name + "@" + std::to_string(reinterpret_cast<uintptr_t>(var));
}

Polynomial DigitReader::read(const Expr &given) {
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
  if (auto *select = llvm::dyn_cast<SelectExpr>(e.get()))
    return readSelect(*select);
  return atom(e);
}
Polynomial DigitReader::atom(const Expr &e) {
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
  made.isUniform = made.isPositive = !isThread && !isBlock;
  if (isThread || isBlock) {
    std::string extent = (isThread ? "threads." : "blocks.") + dimension;
    Atom all;
    all.isUniform = all.isNonnegative = all.isPositive = true;
    made.range = named(extent, all);
    made.thread = (isThread ? 1u : 8u) << index->dimension;
  }
  return named(std::string(Names[unsigned(index->builtin)]) + "." + dimension, made);
}

/// `var < bound` of the conditions around.
std::optional<Polynomial> DigitReader::boundOf(Var *var) {
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

/// `var >= 0` of the conditions around.
bool DigitReader::isAtLeastZero(Var *var) {
  return llvm::any_of(around.guards, [&](const Guard &guard) {
    auto *compare = llvm::dyn_cast<BinaryExpr>(guard.condition.get());
    if (!compare)
      return false;
    auto *ref = llvm::dyn_cast<RefExpr>(stripWidening(compare->lhs).get());
    auto *lit = llvm::dyn_cast<LitExpr>(stripWidening(compare->rhs).get());
    auto *value = lit ? std::get_if<int64_t>(&lit->value) : nullptr;
    if (!ref || ref->var != var || !value)
      return false;
    BinaryOp closed = guard.holds ? BinaryOp::Ge : BinaryOp::Lt, open = guard.holds ? BinaryOp::Gt : BinaryOp::Le;
    return (compare->op == closed && *value >= 0) || (compare->op == open && *value >= -1);
  });
}

/// The counter of a loop: the digit that it strides over tells the indices that it starts from.
Atom DigitReader::counter(const LoopItem &loop) {
  Atom made;
  Polynomial begin = read(loop.begin), end = read(loop.end), step = read(loop.step);
  if (failed || loop.stepIsNegative || loop.compare != BinaryOp::Lt || !isUniform(step)) {
    failed = true;
    return made;
  }
  made.isNonnegative = isNonnegative(begin);
  if (isUniform(end))
    made.range = end;
  if (made.range && made.isNonnegative)
    markPositive(end);
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

/// A counter, or a variable that a loop steps by the same number each time: its start, and so many steps.
std::optional<Polynomial> DigitReader::inSteps(Var *var) {
  Expr start, step;
  for (const LoopItem *loop : around.loops) {
    if (loop->isCounted && loop->iv == var) {
      start = loop->begin;
      step = loop->step;
    }
    for (const Carried &carried : loop->carried)
      if (carried.var == var && carried.step) {
        start = carried.init;
        step = carried.step;
      }
  }
  if (!start)
    return std::nullopt;
  Polynomial first = read(start), by = read(step);
  return sum(first, times(by, named("steps of " + nameOf(var), Atom())), 1);
}

Polynomial DigitReader::readVariable(Var *var, const Expr &e) {
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
  std::optional<Polynomial> bound = mode != Mode::Whole && made ? boundOf(var) : std::nullopt;
  auto steps = mode == Mode::Residues ? inSteps(var) : std::nullopt;
  if (steps) {
    result = *steps;
  } else if (loop != around.loops.end()) {
    Atom what = counter(**loop);
    result = failed ? Polynomial() : named(name, what);
  } else if (!made) {
    failed = true;
  } else if (Polynomial whole = read(made); !failed && bound && (isNonnegative(whole) || isAtLeastZero(var))) {
    Polynomial rest;
    if (auto list = digits(whole, rest); list && !list->empty()) {
      Atom what;
      what.isNonnegative = true;
      what.range = bound;
      what.thread = tells(*list);
      what.identity = "[" + spell(whole) + "<" + spell(*bound) + "]";
      markPositive(*bound);
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

bool DigitReader::isUniform(const Polynomial &p) const {
  return llvm::all_of(p, [&](const auto &term) {
    return llvm::all_of(term.first, [&](const std::string &name) { return atoms.at(name).isUniform; });
  });
}

/// By the least that each term can be.
bool DigitReader::isNonnegative(const Polynomial &p) const {
  int64_t least = 0;
  for (const auto &[names, factor] : p) {
    bool isPositive = llvm::all_of(names, [&](const std::string &name) { return atoms.at(name).isPositive; });
    bool isBounded = llvm::all_of(
        names, [&](const std::string &name) { return atoms.at(name).isPositive || atoms.at(name).isNonnegative; });
    if (!names.empty() && (factor < 0 || !isBounded))
      return false;
    least += isPositive ? factor : 0;
  }
  return least >= 0;
}

/// A number of which something is a part, or below which something is, is at least one.
void DigitReader::markPositive(const Polynomial &p) {
  if (p.size() == 1 && p.begin()->second == 1)
    for (const std::string &name : p.begin()->first)
      atoms.at(name).isPositive |= atoms.at(name).isUniform;
}

/// A factor that is surely not zero: a number, or an extent of the launch.
bool DigitReader::isPositive(const Polynomial &p) const {
  return !p.empty() && llvm::all_of(p, [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [](const std::string &name) {
             return llvm::StringRef(name).starts_with("threads.") || llvm::StringRef(name).starts_with("blocks.");
           });
  });
}

std::optional<std::vector<Digit>> DigitReader::digits(const Polynomial &p, Polynomial &rest) {
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

/// What the digits together stay below.
std::optional<Polynomial> DigitReader::spanOf(const std::vector<Digit> &list) {
  const Digit &top = list.back();
  if (!top.atom.range || !top.atom.isNonnegative)
    return std::nullopt;
  Polynomial span = times(top.factor, *top.atom.range);
  return failed || span.empty() ? std::nullopt : std::optional(span);
}

/// The indices that the digits tell together.
unsigned DigitReader::tells(const std::vector<Digit> &list) const {
  unsigned thread = 0;
  std::set<std::string> halves;
  for (const Digit &digit : list) {
    thread |= digit.atom.thread;
    halves.insert(digit.atom.halves.begin(), digit.atom.halves.end());
  }
  // Both halves of a division tell the whole, which may be a half again.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &[remainder, division] : divisions) {
      const Polynomial &whole = division.whole;
      bool isOne = whole.size() == 1 && whole.begin()->second == 1 && whole.begin()->first.size() == 1;
      if (!isOne || !halves.count(remainder) || !halves.count(division.quotient))
        continue;
      const Atom &told = atoms.at(whole.begin()->first.front());
      thread |= told.thread;
      for (const std::string &half : told.halves)
        changed |= halves.insert(half).second;
    }
  }
  return thread;
}
} // namespace gpuad::analysis
