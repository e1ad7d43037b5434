//===- NameViews.h - pointers into bytes get names --------------*- C++ -*-===//
//
// Part of gpuad, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An adjoint reaches numbers in shared bytes by a cast at each access. Where the same
/// cast stands more than once, a pointer is declared beside the array, named like the
/// user's own.
///
//===----------------------------------------------------------------------===//
#ifndef GPUAD_TRANSFORM_NAMEVIEWS_H
#define GPUAD_TRANSFORM_NAMEVIEWS_H

#include "ir/Function.h"

namespace gpuad::transform {

/// `shadows`: arrays of `owner` with their shadows, which get the same name and "_bar".
void nameViews(ir::Function &owner, const ir::Function &primal,
               const std::vector<std::pair<ir::Var *, ir::Var *>> &shadows);

} // namespace gpuad::transform

#endif // GPUAD_TRANSFORM_NAMEVIEWS_H
