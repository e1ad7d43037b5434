//===- LibraryFunctions.h - utilities of the standard library ------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/frontend. Functions of the standard library that move numbers about (swap, make_pair, the methods of
/// array) are lowered from the library's own source, like functions of the user's. Functions that have a rule are not,
/// and one whose source is not understood stays as closed as without it.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_LIBRARYFUNCTIONS_H
#define GPUAD_FRONTEND_LIBRARYFUNCTIONS_H

#include "frontend/TypeLowering.h"
#include "ir/Function.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "clang/AST/Decl.h"

namespace gpuad::frontend {

/// A function of the standard library, the host's or the device's, or of Thrust, with its source.
bool isStandardUtility(const clang::FunctionDecl &declaration);

/// Whether the signature is of one that may move numbers, or change what it is given. What only computes with integers
/// is called as it stands.
bool mayMoveNumbers(const ir::Function &function);

/// Whether all that the function takes and gives, and its object, is of types of which every field can be named: the
/// inside of an optional or of a variant is nobody's business.
bool hasOpenTypes(const clang::FunctionDecl &declaration, TypeLowering &types);

/// std::move and its like, whoever wrote it: the argument, seen as another kind of reference.
bool isReferenceCast(const clang::FunctionDecl &declaration);

/// Names as a person writes them: without the underscores in front that only a library may use.
void tidyNames(ir::Function &function, llvm::function_ref<bool(llvm::StringRef)> isKeyword);

/// Whether the body holds anything that was not understood, or calls what is not known.
bool holdsUnknown(const ir::Function &function, llvm::function_ref<bool(const ir::Callee &)> hasRule);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_LIBRARYFUNCTIONS_H
