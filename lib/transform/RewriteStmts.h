//===- RewriteStmts.h - rewriting statement by statement -----------------===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bottom-up rewriting of a statement tree.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_REWRITESTMTS_H
#define GPUAD_TRANSFORM_REWRITESTMTS_H

#include "ir/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuad::transform {

/// `change` sees each statement after those inside it were rewritten, and returns
/// what to use instead: another statement, a Block to splice, or null for nothing.
ir::Stmt rewriteStmts(const ir::Stmt &s, llvm::function_ref<ir::Stmt(const ir::Stmt &)> change);

/// Rewrites every statement list, innermost first.
ir::Stmt rewriteLists(const ir::Stmt &s, llvm::function_ref<std::vector<ir::Stmt>(std::vector<ir::Stmt>)> change);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_REWRITESTMTS_H
