//===- ModuleFacts.h - names of the file, order of functions ---- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What emission must know of the file as a whole.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_MODULEFACTS_H
#define GPUAD_FRONTEND_MODULEFACTS_H

#include "ir/Module.h"

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace gpuad::frontend {

/// Fills macroNames, commandLineMacros and takenNames.
void collectFacts(const clang::ASTContext &context, const clang::Preprocessor &preprocessor, ir::Module &module);

/// Where an #include goes: before the first one of the file, behind comments and
/// behind directives that the first one may depend on.
unsigned findIncludeOffset(const std::string &text);

/// Puts callees before callers where no cycle forbids it.
void sortFunctions(ir::Module &module);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_MODULEFACTS_H
