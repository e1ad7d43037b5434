//===- Plan.h - which derivatives are wanted -------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Requests are HEADs, as typed on the command line, in a config file or in an
/// attribute. planRequests() parses them, finds what they name in the module, and
/// checks what can be checked without analysis: unknown names, overloads that need
/// parameter types, integers as independents, names that clash.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_PLAN_H
#define GPUAD_TRANSFORM_PLAN_H

#include "gpuad/Options.h"
#include "ir/Derivative.h"

#include <map>
#include <optional>
#include <set>

namespace gpuad::transform {

/// A HEAD, parsed: NAME[<TARGS>][(PARAMETER-TYPES)][ (DEPENDENTS)/(INDEPENDENTS) ] [as OTHER].
struct Head {
  std::string name;                                       ///< qualified, as written
  std::string templateArguments;                          ///< with brackets, blanks normalised; empty: none
  std::optional<std::vector<std::string>> parameterTypes; ///< none: not given
  bool listsActive = false;                               ///< a (…)/(…) part was given
  std::vector<std::string> dependents, independents;      ///< "y", "return", "s.out", "::coef"
  std::string as;                                         ///< empty: none
};

/// Parses a HEAD. On failure returns none and sets `error` to what is wrong, with
/// the column (from 1) at its end.
std::optional<Head> parseHead(const std::string &text, std::string &error);

/// A parameter of the primal that a HEAD lists, whole or by a field path.
struct Listed {
  unsigned param = 0;
  std::vector<std::string> fields; ///< empty: the whole parameter
};

/// One derivative to make.
struct Request {
  ir::DerivativeMode mode = ir::DerivativeMode::Adjoint;
  ir::Function *primal = nullptr;
  std::vector<Listed> dependents, independents;
  bool returnIsDependent = false;
  std::vector<ir::Var *> globalDependents, globalIndependents;
  std::string name;     ///< of the derivative: "saxpy_adjoint", or OTHER_adjoint
  std::string headText; ///< as typed, for the comment in the output
  std::string origin;   ///< where it was typed
  bool implied = false; ///< made up because nothing was requested: failure is a warning
};

/// Fields of one parameter, as paths: "scale", "view.x".
using FieldList = std::set<std::string>;
/// Of the parameters that a request lists by field only, which ones: the others carry no
/// derivative.
std::map<unsigned, FieldList> fieldsListed(const Request &request);
/// Whether the field is one of them, or lies in one; a struct that holds some is neither.
bool isListedField(const FieldList &listed, const std::string &path);

/// "(y, ::total) / (x, s.scale)", for the comment in the output.
std::string describeLists(const Request &request);

/// Resolves every request of the options and of the source's attributes; with
/// none anywhere, both derivatives of every kernel of the main file that has
/// floating data. Reports what is wrong and leaves it out.
std::vector<Request> planRequests(const ir::Module &module, const Options &options, DiagnosticSink &sink);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_PLAN_H
