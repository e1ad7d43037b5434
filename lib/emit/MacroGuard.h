//===- MacroGuard.h - the section against the user's macros ----- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A macro that is alive at the end of the file may have the name of a field, a
/// function or a variable that a derivative uses: `#define x threadIdx.x` after a
/// struct with a field x. Locals are renamed (Names.h); what cannot be renamed needs
/// the macro out of the way while the section lasts.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_MACROGUARD_H
#define GPUAD_EMIT_MACROGUARD_H

#include "ir/Derivative.h"

#include <set>

namespace gpuad::emit {

/// The lines before and after the section; empty when no macro is in the way.
struct MacroGuard {
  std::string before, after;
};
MacroGuard hideMacros(const std::set<std::string> &macros);
MacroGuard guardAgainstMacros(const ir::Module &module, const std::vector<ir::Derivative> &derivatives);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_MACROGUARD_H
