//===- MacroGuard.cpp -----------------------------------------------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "emit/MacroGuard.h"

#include "emit/Names.h"
#include "ir/Walk.h"

namespace gpuad::emit {

using namespace ir;

/// What launchers and sums name in any file.
static const char *const AlwaysUsed[] = {"atomicAdd",     "block", "block_add", "grid",         "gpuad",
                                         "launch",        "take",  "stream",    "shared_bytes", "report_missing_shadow",
                                         "report_launch", "where"};

/// Names that are fixed: fields, functions, variables of the file. Literals and
/// verbatim text are left out, since a macro in them is meant.
static void collectFixedNames(const Function &function, std::set<std::string> &names) {
  auto addAll = [&](const std::string &text) {
    for (std::string &name : identifiersIn(text))
      names.insert(std::move(name));
  };
  OrderedSet<const Var> owned;
  for (const std::unique_ptr<Var> &var : function.vars)
    owned.insert(var.get());
  forEachExprIn(function.body, [&](const Expr &e) {
    if (auto *member = llvm::dyn_cast<MemberExpr>(e.get()))
      names.insert(member->name);
    else if (auto *call = llvm::dyn_cast<CallExpr>(e.get()))
      addAll(call->callee.spelling);
    else if (auto *ref = llvm::dyn_cast<RefExpr>(e.get()); ref && !owned.count(ref->var))
      names.insert(ref->var->name);
    else if (auto *index = llvm::dyn_cast<ThreadIndexExpr>(e.get()))
      names.insert(std::string(1, "xyz"[index->dimension]));
  });
}

MacroGuard hideMacros(const std::set<std::string> &macros) {
  MacroGuard guard;
  for (const std::string &macro : macros) {
    guard.before += "#pragma push_macro(\"" + macro + "\")\n#undef " + macro + "\n";
    guard.after += "#pragma pop_macro(\"" + macro + "\")\n";
  }
  return guard;
}

MacroGuard guardAgainstMacros(const Module &module, const std::vector<Derivative> &derivatives) {
  std::set<std::string> names(std::begin(AlwaysUsed), std::end(AlwaysUsed));
  for (const Derivative &derivative : derivatives)
    collectFixedNames(*derivative.function, names);
  std::set<std::string> inTheWay;
  for (const std::string &macro : module.macroNames)
    if (names.count(macro))
      inTheWay.insert(macro);
  return hideMacros(inTheWay);
}

} // namespace gpuad::emit
