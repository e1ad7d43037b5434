//===- AccumPrinter.h - additions to adjoints as text ----------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place where an addition to an adjoint becomes text: a plain sum, an atomic,
/// or a call of the runtime, as `decideAccumulation` chose.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_ACCUMPRINTER_H
#define GPUAD_EMIT_ACCUMPRINTER_H

#include "ir/Stmt.h"

#include <string>

namespace gpuad::emit {

/// Without the semicolon.
std::string printAccum(const ir::AccumStmt &s);

} // namespace gpuad::emit

#endif // GPUAD_EMIT_ACCUMPRINTER_H
