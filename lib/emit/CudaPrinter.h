//===- CudaPrinter.h - the IR as CUDA C++ ----------------------- -*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Text that a person would have written and that means what the IR means. This is
/// the only place that decides how an Accum is spelled.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_EMIT_CUDAPRINTER_H
#define GPUAD_EMIT_CUDAPRINTER_H

#include "ir/Function.h"

namespace gpuad::emit {

struct PrintOptions {
  unsigned width = 120;      ///< columns
  unsigned indent = 0;       ///< of the first line, in columns
  bool maybeUnused = false;  ///< declare it [[maybe_unused]]
  bool pragmas = false;      ///< print what `#pragma gpuad` asked for
  bool withDefaults = false; ///< default arguments of a template: the first declaration has them
};

std::string printExpr(const ir::Expr &e);
/// The statement with its line ends. A Block is printed with braces.
std::string printStmt(const ir::Stmt &s, const PrintOptions &options = {});
/// "__global__ void f(int n, float* x);" and a line end.
std::string printDeclaration(const ir::Function &function, const PrintOptions &options = {});
/// The whole definition.
std::string printFunction(const ir::Function &function, const PrintOptions &options = {});
/// The braces and what is between them, without a line end; takes the place of a
/// body in the user's text. `indent` is that of the line on which it opens.
std::string printBody(const ir::Stmt &body, const ir::Type &returnType, const PrintOptions &options = {});

} // namespace gpuad::emit

#endif // GPUAD_EMIT_CUDAPRINTER_H
