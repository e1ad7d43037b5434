//===- DigitReader.h - integers as sums of digits -------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/analysis. Reads an index as a polynomial of named integers, and that as
/// a sum of digits (ThreadForm.h). What is known of each of the integers comes from the
/// conditions and loops around.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_ANALYSIS_DIGITREADER_H
#define GPUAD_ANALYSIS_DIGITREADER_H

#include "analysis/ThreadForm.h"

#include <set>

namespace gpuad::analysis {

using Monomial = std::vector<std::string>; ///< names of atoms, sorted

/// What is known of an integer that is no sum or product.
struct Atom {
  bool isUniform = false;
  bool isNonnegative = false;
  bool isPositive = false;         ///< at least one
  std::optional<Polynomial> range; ///< it stays below
  unsigned thread = 0;             ///< the indices that it tells
  std::set<std::string> halves;    ///< it is a quotient or remainder of this: both tell the whole
  std::string identity;            ///< the same in two places: the same value for the same thread and digit
};

struct Digit {
  Atom atom;
  Polynomial factor;
};

Polynomial constant(int64_t value);
std::optional<int64_t> constantOf(const Polynomial &p);
std::string spell(const Polynomial &p);
/// a + factor * b
Polynomial sum(const Polynomial &a, const Polynomial &b, int64_t factor);

class DigitReader {
public:
  /// What becomes of variables that are no sums: kept as a digit where a condition bounds them; and a counter
  /// as its start and any number of steps.
  enum class Mode { Whole, Bounded, Residues };
  DigitReader(const Surroundings &around, llvm::function_ref<ir::Expr(ir::Var *)> definition, Mode mode)
      : around(around), definition(definition), mode(mode) {}

  std::optional<ThreadForm> form(const ir::Expr &index);
  std::vector<ThreadForm> residues(const ir::Expr &index);
  bool isOne(const ir::Expr &e) {
    Polynomial whole = read(e);
    return !failed && isUniform(whole);
  }

private:
  Polynomial read(const ir::Expr &e);
  Polynomial atom(const ir::Expr &e);
  Polynomial named(const std::string &name, const Atom &what);
  Polynomial times(const Polynomial &a, const Polynomial &b);
  Polynomial readVariable(ir::Var *var, const ir::Expr &e);
  Polynomial readParts(const ir::BinaryExpr &e);
  std::optional<Polynomial> inSteps(ir::Var *var);
  Polynomial readSelect(const ir::SelectExpr &e);
  std::optional<Polynomial> roundTheRange(const Polynomial &base, const Polynomial &moved, const Polynomial &holds,
                                          bool isEquality);
  std::optional<Polynomial> quotientBound(const ir::Expr &whole, const Polynomial &by);
  bool isAtLeastZero(ir::Var *var);
  bool tellsWhole(const Polynomial &whole, const Polynomial &range, Atom &made);
  void markPositive(const Polynomial &p);
  bool isUniform(const Polynomial &p) const;
  bool isNonnegative(const Polynomial &p) const;
  std::optional<Polynomial> boundOf(ir::Var *var);
  Atom counter(const ir::LoopItem &loop);
  std::string nameOf(ir::Var *var);

  /// The digits of p, lowest first; `rest` is what is the same in all threads.
  std::optional<std::vector<Digit>> digits(const Polynomial &p, Polynomial &rest);
  std::optional<Polynomial> spanOf(const std::vector<Digit> &list);
  unsigned tells(const std::vector<Digit> &list) const;
  bool isPositive(const Polynomial &p) const;

  const Surroundings &around;
  llvm::function_ref<ir::Expr(ir::Var *)> definition;
  Mode mode;
  bool failed = false;
  unsigned depth = 0;
  std::map<std::string, Atom> atoms;
  struct Division {
    Polynomial whole;
    std::string quotient; ///< what the other half is called
  };
  std::map<std::string, Division> divisions;                          ///< by the name of the remainder
  std::map<std::string, std::pair<Polynomial, Polynomial>> quotients; ///< dividend and divisor, by name
  ir::OrderedSet<ir::Var> beingRead;
};

} // namespace gpuad::analysis

#endif // GPUAD_ANALYSIS_DIGITREADER_H
