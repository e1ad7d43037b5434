//===- ForHeader.h - what the header of a for loop can hold -----*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first part of `for (;;)` is one statement: assignments, or declarations that
/// share a base type.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_IR_FORHEADER_H
#define GPUAD_IR_FORHEADER_H

#include "ir/Stmt.h"

namespace gpuad::ir {

/// What the declarators of one statement share: "const float" of "const float* x".
std::string baseSpelling(const Type &type);

/// Whether a loop header can hold the statements.
bool fitsForHeader(const std::vector<Stmt> &stmts, bool allowDecls);

} // namespace gpuad::ir

#endif // GPUAD_IR_FORHEADER_H
