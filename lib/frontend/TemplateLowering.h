//===- TemplateLowering.h - instances of templates -------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a derivative needs of the template whose instance is differentiated: its
/// parameters, the types of the function's parameters over them, and whether the
/// arguments of the instance can be written by anyone.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_FRONTEND_TEMPLATELOWERING_H
#define GPUAD_FRONTEND_TEMPLATELOWERING_H

#include "frontend/SourceMap.h"
#include "frontend/TypeLowering.h"
#include "ir/Function.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"

namespace gpuad::frontend {

/// Fills what is said of templates in `function`, the shell of `declaration`.
void lowerTemplate(ir::Function &function, const clang::FunctionDecl &declaration, TypeLowering &types,
                   const SourceMap &sources);

/// "template <class T, int N = 4>".
std::string templateHeader(const clang::TemplateDecl &declaration, const TypeLowering &types, const SourceMap &sources);

} // namespace gpuad::frontend

#endif // GPUAD_FRONTEND_TEMPLATELOWERING_H
